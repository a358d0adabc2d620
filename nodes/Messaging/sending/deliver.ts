import { now } from '../service/clock';
import type { Throttle } from '../service/throttle';
import type { MessageGroup } from './message';
import type { SendOptions } from './options';

/** What limits the pace of requests. */
type Pacing = {
	options: Pick<SendOptions, 'batchSize' | 'batchInterval'>;
	throttle: Throttle;
	signal?: AbortSignal;
};

/**
 * Calls `send` for every request: at most `batchSize` at once, batches of `batchSize` requests starting `batchInterval` ms
 * apart, and requests to the same recipient one after the other, in order. When requests have several messages, all that
 * have a recipient who occurs twice go one after the other.
 *
 * When the throttle is stopped, `send` is still called, and reports it. When the execution is cancelled, the remaining
 * requests are dropped, and the promise resolves once no request is in flight.
 */
export async function deliver<Group extends MessageGroup>(
	groups: Group[],
	{ options, throttle, signal }: Pacing,
	send: (group: Group) => Promise<void>,
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

	const haveMany = groups.some(({ messages }) => messages.length > 1);
	const lineOf = ({ messages }: Group) =>
		haveMany && messages.some(({ isTwin }) => isTwin) ? '' : messages[0].digits;
	/** By recipient, the request in flight and those that follow it, in the same place. */
	const lines = new Map<string, Group[]>();
	let next = 0;
	const worker = async () => {
		while (next < groups.length) {
			const group = groups[next++];
			const key = lineOf(group);
			const line = lines.get(key) ?? [];
			lines.set(key, line);
			// Another worker sends this line: it finds the new request at its end.
			if (line.push(group) > 1) continue;
			for (const each of line) {
				if (batchInterval > 0) await pace();
				if (signal?.aborted) return;
				await send(each);
			}
			lines.delete(key);
		}
	};
	await Promise.all(Array.from({ length: Math.min(batchSize, groups.length) }, worker));
}
