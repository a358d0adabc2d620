/** What a run cost. */
export interface Cost {
	seconds: number;
	/** CPU time of the whole process in ms, with the threads of the garbage collector and the compiler. */
	cpuMs: number;
	/** Longest delay of a timer, ms: the longest block of the event loop. */
	blockMs: number;
	/** Most CPU time of the main thread between two timers, ms. Other work on the machine does not affect it. */
	blockCpuMs: number;
}

const SAMPLE_MS = 50;
const MAX_SAMPLES = 60;
/** CPU use, as a share of a core, below which the process counts as idle. It is not 0, because n8n has timers. */
const IDLE = 0.05;

const wait = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

const threadCpuMs = () => {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
};

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

/** Notes the longest time between two timers of 1 ms. @returns a function that ends this, and returns it */
function watchBlocks() {
	const longest = { ms: 0, cpuMs: 0 };
	let last = performance.now();
	let lastCpu = threadCpuMs();
	const sample = () => {
		const now = performance.now();
		const cpu = threadCpuMs();
		longest.ms = Math.max(longest.ms, now - last - 1);
		longest.cpuMs = Math.max(longest.cpuMs, cpu - lastCpu);
		last = now;
		lastCpu = cpu;
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
	const { ms: blockMs, cpuMs: blockCpuMs } = endOfWatch();
	return { seconds, cpuMs: (user + system) / 1000, blockMs, blockCpuMs };
}
