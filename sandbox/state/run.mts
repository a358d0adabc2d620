/**
 * One accepted request and its course in time. Timestamps are milliseconds since the epoch. A
 * campaign that was completed early has `endsAt` moved to that moment.
 */
export interface Run {
	readonly id: string;
	readonly from: string;
	readonly total: number;
	readonly startedAt: number;
	readonly durationMs: number;
	endsAt: number;
}

/** @returns a run that starts now */
export function startRun(id: string, from: string, total: number, seconds: number): Run {
	const startedAt = Date.now();
	const durationMs = seconds * 1000;
	return { id, from, total, startedAt, durationMs, endsAt: startedAt + durationMs };
}
