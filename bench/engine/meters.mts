import { readFileSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a run cost this process. */
export interface Cost {
	seconds: number;
	/** Processor time of the whole process, ms: the collector's and the compiler's threads too. */
	cpuMs: number;
	/** The main thread's share of it. */
	mainCpuMs: number;
	/** Longest time for which a due timer had to wait, ms: so long nobody else got a turn. */
	blockMs: number;
	/** Processor time of the main thread in the costliest turn: what a loaded machine does not lengthen. */
	blockCpuMs: number;
	/** The same block as `perf_hooks` sees it. */
	loopDelayMs: number;
	baseRssMb: number;
	peakRssMb: number;
}

const threadCpuMs = () => {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
};

const MB = 1024 * 1024;
const LOOK_MS = 50;
const MOST_LOOKS = 60;
/** The share of a core that a process without work may still use: n8n has timers. */
const IDLE = 0.05;

/** Linux keeps the highest memory of a process, and forgets it when told to. */
function forgetPeak(): boolean {
	try {
		writeFileSync('/proc/self/clear_refs', '5');
		return true;
	} catch {
		return false;
	}
}

const peakOfProcess = () =>
	Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;

/** Collects garbage, and waits until the collector's and the compiler's threads have nothing left to do. */
async function settled() {
	globalThis.gc?.();
	for (let look = 0; look < MOST_LOOKS; look++) {
		const before = process.cpuUsage();
		await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
		const { user, system } = process.cpuUsage(before);
		if ((user + system) / 1000 < LOOK_MS * IDLE) return;
	}
}

/** Runs `work` and says what it cost. The result of `work` is kept alive until it was measured. */
export async function measured<Result>(
	work: () => Promise<Result>,
): Promise<{ cost: Cost; result: Result }> {
	await settled();
	const exactPeak = forgetPeak();
	const baseRss = process.memoryUsage.rss();
	let peakRss = baseRss;

	let block = 0;
	let blockCpu = 0;
	let last = performance.now();
	let lastCpu = threadCpuMs();
	const look = () => {
		const now = performance.now();
		const cpu = threadCpuMs();
		block = Math.max(block, now - last - 1);
		blockCpu = Math.max(blockCpu, cpu - lastCpu);
		last = now;
		lastCpu = cpu;
		if (!exactPeak) peakRss = Math.max(peakRss, process.memoryUsage.rss());
	};
	const timer = setInterval(look, 1);
	const delay = monitorEventLoopDelay({ resolution: 1 });
	delay.enable();
	// A first turn, so that what comes before the run does not count as its block.
	await new Promise((resolve) => setTimeout(resolve, 5));
	look();
	block = 0;
	blockCpu = 0;
	delay.reset();

	const cpuBefore = process.cpuUsage();
	const mainBefore = threadCpuMs();
	const before = performance.now();
	const result = await work();
	const seconds = (performance.now() - before) / 1000;
	const mainCpuMs = threadCpuMs() - mainBefore;
	const cpu = process.cpuUsage(cpuBefore);
	// What blocked to the very end shows only in the next turn.
	await new Promise((resolve) => setTimeout(resolve, 2));
	look();
	clearInterval(timer);
	delay.disable();

	return {
		result,
		cost: {
			seconds,
			mainCpuMs,
			cpuMs: (cpu.user + cpu.system) / 1000,
			blockMs: block,
			blockCpuMs: blockCpu,
			loopDelayMs: delay.max / 1e6,
			baseRssMb: baseRss / MB,
			peakRssMb: exactPeak ? peakOfProcess() : peakRss / MB,
		},
	};
}
