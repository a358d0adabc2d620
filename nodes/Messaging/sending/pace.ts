import { now } from '../service/clock';
import type { Throttle } from '../service/throttle';
import type { MessageGroup } from './message';
import type { SendOptions } from './options';

/** What limits the pace of requests. */
type Pacing = {
	options: Pick<SendOptions, 'batchSize' | 'batchInterval'>;
	throttle: Throttle;
	/** Somebody gets several of the messages. */
	hasDuplicates: boolean;
	signal?: AbortSignal;
};

/**
 * Calls `exchange` for every request: at most `batchSize` at once, batches of `batchSize` requests starting `batchInterval` ms
 * apart, and requests to the same recipient one after the other, in order: all of them, when requests have several messages.
 *
 * When the throttle is stopped, `exchange` is still called, and reports it. When the execution is cancelled, the remaining
 * requests are dropped, and the promise resolves once no request is in flight.
 */
export async function atPace<Group extends MessageGroup>(
	groups: Group[],
	{ options, throttle, signal, hasDuplicates }: Pacing,
	exchange: (group: Group) => Promise<void>,
): Promise<void> {
	const { batchSize, batchInterval } = options;
	let started = 0;
	let batchAt = -Infinity;
	const pace = async () => {
		// A batch starts together, and never earlier because the one before it was late.
		if (started++ % batchSize === 0) batchAt = Math.max(now(), batchAt + batchInterval);
		const wait = batchAt - now();
		if (wait > 0) await throttle.pause(wait);
	};

	const isOneByOne = hasDuplicates && groups.some(({ messages }) => messages.length > 1);
	/** By recipient, the request in flight and those that wait for it. */
	const queues = new Map<string, Group[]>();
	let next = 0;
	const worker = async () => {
		while (next < groups.length) {
			const group = groups[next++];
			const recipient = isOneByOne ? 'anybody' : group.messages[0].digits;
			const queue = queues.get(recipient) ?? [];
			queues.set(recipient, queue);
			// Another worker sends this queue: it finds the new request at its end.
			if (queue.push(group) > 1) continue;
			for (const each of queue) {
				if (batchInterval > 0) await pace();
				if (signal?.aborted) return;
				await exchange(each);
			}
			queues.delete(recipient);
		}
	};
	await Promise.all(Array.from({ length: Math.min(batchSize, groups.length) }, worker));
}
