import { readFileSync, writeFileSync } from 'node:fs';

/* The most memory that a process had, as Linux itself keeps count of it. */

/** Begins to count anew. */
export function forgetPeak(pid: number): void {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** In MB. */
export function peakOf(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
}
