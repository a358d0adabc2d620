import type { Run } from './run.mts';

/** Where a message stands. `deliveredAt` is in milliseconds since the epoch. */
export interface Progress {
	readonly status: 'queued' | 'sent' | 'delivered' | 'read' | 'failed';
	readonly reason: string | null;
	readonly units: number;
	readonly deliveredAt: number | null;
}

const failedReason = 'Recipient is not a chat-app user';

/**
 * The status of message number `index` of a run. It follows from the time alone, so that a hundred
 * thousand messages need no timer: messages leave one after the other over the first 70 % of the
 * run, and each is answered for a quarter of the run later. How it ends depends on the number, so
 * that a test can choose: numbers ending in 0001 fail, in 0002 are read, all others are delivered.
 */
export function progressOf(run: Run, index: number, to: string, now = Date.now()): Progress {
	const share = run.total > 1 ? index / run.total : 0;
	const sentAt = Math.min(run.startedAt + run.durationMs * (0.05 + 0.65 * share), run.endsAt);
	const finalAt = Math.min(sentAt + run.durationMs * 0.25, run.endsAt);
	if (now < sentAt) return { status: 'queued', reason: null, units: 0, deliveredAt: null };
	if (now < finalAt) return { status: 'sent', reason: null, units: 1, deliveredAt: null };
	if (to.endsWith('0001')) {
		return { status: 'failed', reason: failedReason, units: 0, deliveredAt: null };
	}
	const status = to.endsWith('0002') ? 'read' : 'delivered';
	return { status, reason: null, units: 1, deliveredAt: Math.round(finalAt) };
}
