/** What a run cost. */
export interface Cost {
	seconds: number;
	/** CPU time of the whole process in ms, with the threads of the garbage collector and the compiler. */
	cpuMs: number;
	/** Longest delay of a timer, ms: the longest block of the event loop. */
	blockMs: number;
	/** The most memory that the process had, with n8n in it, MB. */
	memoryMb: number;
}

const SAMPLE_MS = 50;
const MAX_SAMPLES = 60;
/** CPU use, as a share of a core, below which the process counts as idle. It is not 0, because n8n has timers. */
const IDLE = 0.05;

const wait = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

/** Collects garbage, and waits until the threads of the collector and the compiler are idle. */
async function idle() {
	globalThis.gc?.();
	for (let sample = 0; sample < MAX_SAMPLES; sample++) {
		const before = process.cpuUsage();
		await wait(SAMPLE_MS);
		const { user, system } = process.cpuUsage(before);
		if ((user + system) / 1000 < SAMPLE_MS * IDLE) return;
	}
}

/** Notes the longest time between two timers of 1 ms. @returns a function that ends this, and returns it in ms */
function watchBlocks() {
	let longest = 0;
	let last = performance.now();
	const sample = () => {
		const now = performance.now();
		longest = Math.max(longest, now - last - 1);
		last = now;
	};
	const timer = setInterval(sample, 1);
	return () => {
		sample();
		clearInterval(timer);
		return longest;
	};
}

/** Runs `work` and measures it. */
export async function measured(work: () => Promise<void>): Promise<Cost> {
	await idle();
	const endOfWatch = watchBlocks();
	const cpuBefore = process.cpuUsage();
	const before = performance.now();
	await work();
	const seconds = (performance.now() - before) / 1000;
	const { user, system } = process.cpuUsage(cpuBefore);
	// A block at the end of the run shows only in the next iteration of the event loop.
	await wait(2);
	const memoryMb = process.resourceUsage().maxRSS / 1000;
	return { seconds, cpuMs: (user + system) / 1000, blockMs: endOfWatch(), memoryMb };
}
