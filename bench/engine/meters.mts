import { readFileSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Resources that a run used. */
export interface Cost {
	seconds: number;
	/** CPU time of the whole process in ms, with the threads of the garbage collector and the compiler. */
	cpuMs: number;
	/** CPU time of the main thread, ms. */
	mainCpuMs: number;
	/** Longest delay of a timer, ms: the longest block of the event loop. */
	blockMs: number;
	/** Most CPU time of the main thread between two timers, ms. Other work on the machine does not affect it. */
	blockCpuMs: number;
	/** Longest block as `perf_hooks` measures it, ms. */
	loopDelayMs: number;
	baseRssMb: number;
	peakRssMb: number;
}

const threadCpuMs = () => {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
};

const MB = 1024 * 1024;
const SAMPLE_MS = 50;
const MAX_SAMPLES = 60;
/** CPU use, as a share of a core, below which the process counts as idle. It is not 0, because n8n has timers. */
const IDLE = 0.05;

/** Resets the peak memory that Linux keeps for this process. @returns whether that worked */
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

/** Collects garbage, and waits until the threads of the collector and the compiler are idle. */
async function idle() {
	globalThis.gc?.();
	for (let sample = 0; sample < MAX_SAMPLES; sample++) {
		const before = process.cpuUsage();
		await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
		const { user, system } = process.cpuUsage(before);
		if ((user + system) / 1000 < SAMPLE_MS * IDLE) return;
	}
}

/** Runs `work` and measures it. Its result stays in memory until the measurement ends. */
export async function measured<Result>(
	work: () => Promise<Result>,
): Promise<{ cost: Cost; result: Result }> {
	await idle();
	const exactPeak = forgetPeak();
	const baseRss = process.memoryUsage.rss();
	let peakRss = baseRss;

	let block = 0;
	let blockCpu = 0;
	let last = performance.now();
	let lastCpu = threadCpuMs();
	const sample = () => {
		const now = performance.now();
		const cpu = threadCpuMs();
		block = Math.max(block, now - last - 1);
		blockCpu = Math.max(blockCpu, cpu - lastCpu);
		last = now;
		lastCpu = cpu;
		if (!exactPeak) peakRss = Math.max(peakRss, process.memoryUsage.rss());
	};
	const timer = setInterval(sample, 1);
	const delay = monitorEventLoopDelay({ resolution: 1 });
	delay.enable();
	// Waits a moment before the run, so that earlier work does not count as a block of the run.
	await new Promise((resolve) => setTimeout(resolve, 5));
	sample();
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
	// A block at the end of the run shows only in the next iteration of the event loop.
	await new Promise((resolve) => setTimeout(resolve, 2));
	sample();
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
