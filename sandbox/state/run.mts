/**
 * An accepted request and how long its messages take. Times are milliseconds since the epoch. `endsAt` is
 * earlier for a campaign that was completed by the control API.
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

/** The state of a message. `deliveredAt` is in milliseconds since the epoch. */
export interface Progress {
	readonly status: 'queued' | 'sent' | 'delivered' | 'read' | 'failed';
	readonly reason: string | null;
	readonly units: number;
	readonly deliveredAt: number | null;
}

const failedReason = 'Recipient is not a chat-app user';

/**
 * The state of message number `index` of a run. It is computed from the time, so that 100,000 messages need
 * no timer: messages leave one after the other during the first 70 % of the run, and each reaches its final
 * status after another 25 %. The number decides the final status, so that a test can choose it: numbers
 * ending in 0101 fail, numbers ending in 0102 are read, and all others are delivered.
 */
export function progressOf(run: Run, index: number, to: string, now = Date.now()): Progress {
	const share = run.total > 1 ? index / run.total : 0;
	const sentAt = Math.min(run.startedAt + run.durationMs * (0.05 + 0.65 * share), run.endsAt);
	const finalAt = Math.min(sentAt + run.durationMs * 0.25, run.endsAt);
	if (now < sentAt) return { status: 'queued', reason: null, units: 0, deliveredAt: null };
	if (now < finalAt) return { status: 'sent', reason: null, units: 1, deliveredAt: null };
	if (to.endsWith('0101')) {
		return { status: 'failed', reason: failedReason, units: 0, deliveredAt: null };
	}
	const status = to.endsWith('0102') ? 'read' : 'delivered';
	return { status, reason: null, units: 1, deliveredAt: Math.round(finalAt) };
}
