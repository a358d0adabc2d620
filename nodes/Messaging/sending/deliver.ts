import { now } from '../service/clock';
import type { MessageGroup } from './requests';
import type { Run } from './sendOperation';

/** The part of a run that {@link deliver} needs. */
type Pacing = Pick<Run, 'throttle' | 'signal'> & {
	options: { batchSize: number; batchInterval: number };
};

/** A request with the number of unfinished requests that must finish before it, and the requests that wait for it. */
type Waiting<Group> = { group: Group; before: number; after: Array<Waiting<Group>> };

/**
 * Calls `send` for every request: at most `batchSize` at once, batches of `batchSize` requests starting `batchInterval` ms
 * apart, and requests to the same recipient one after the other, in order.
 *
 * When the throttle is stopped, `send` is still called, and reports it. When the execution is cancelled, the remaining
 * requests are dropped, and the promise resolves once no request is in flight.
 */
export async function deliver<Group extends MessageGroup>(
	groups: Group[],
	{ options: { batchSize, batchInterval }, throttle, signal }: Pacing,
	send: (group: Group) => Promise<void>,
): Promise<void> {
	const ready = readyRequests(groups);
	// An index, because `shift` moves all remaining elements of an array.
	let next = 0;
	let started = 0;
	let left = groups.length;
	let batchAt = -Infinity;
	let wake: Array<() => void> = [];

	const done = ({ after }: Waiting<Group>) => {
		left--;
		for (const other of after) if (--other.before === 0) ready.push(other);
		if (wake.length === 0) return;
		const sleepers = wake;
		wake = [];
		for (const resolve of sleepers) resolve();
	};
	const pace = async () => {
		// A batch starts together, and never earlier because the one before it was late.
		if (started++ % batchSize === 0) batchAt = Math.max(now(), batchAt + batchInterval);
		const wait = batchAt - now();
		if (wait > 0) await throttle.pause(wait);
	};
	const worker = async () => {
		while (left > 0 && !signal?.aborted) {
			if (next === ready.length) {
				await new Promise<void>((resolve) => wake.push(resolve));
				continue;
			}
			const request = ready[next++];
			if (batchInterval > 0) await pace();
			if (signal?.aborted) return;
			await send(request.group);
			done(request);
		}
	};
	await Promise.all(Array.from({ length: Math.min(batchSize, groups.length) }, worker));
}

/** Returns the requests that may be sent at once; their `after` lists those that wait, because they share a recipient. */
function readyRequests<Group extends MessageGroup>(groups: Group[]): Array<Waiting<Group>> {
	const ready: Array<Waiting<Group>> = [];
	if (groups.length === 1) ready.push({ group: groups[0], before: 0, after: [] });
	if (groups.length < 2) return ready;
	const last = new Map<string, Waiting<Group>>();
	for (const group of groups) {
		const waiting: Waiting<Group> = { group, before: 0, after: [] };
		for (const { digits } of group.messages) {
			const previous = last.get(digits);
			last.set(digits, waiting);
			if (!previous || previous === waiting || previous.after.at(-1) === waiting) continue;
			previous.after.push(waiting);
			waiting.before++;
		}
		if (waiting.before === 0) ready.push(waiting);
	}
	return ready;
}
