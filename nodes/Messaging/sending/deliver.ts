import { now } from '../service/clock';
import { forEachInSlices, Limiter } from '../utils/concurrency';
import type { MessageGroup } from './requests';
import type { Run } from './sendOperation';

/** The part of a run that {@link deliver} needs. */
type Pacing = Pick<Run, 'throttle' | 'signal'> & {
	options: { batchSize: number; batchInterval: number };
};

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
	const limiter = new Limiter(batchSize);
	let started = 0;
	let batchAt = -Infinity;
	const pace = async () => {
		// A batch starts together, and never earlier because the one before it was late.
		if (started++ % batchSize === 0) batchAt = Math.max(now(), batchAt + batchInterval);
		const wait = batchAt - now();
		if (wait > 0) await throttle.pause(wait);
	};
	const sendPaced = async (group: Group) => {
		if (batchInterval > 0) await pace();
		if (!signal?.aborted) await send(group);
	};

	/** By recipient, the end of the latest request with a message to them. */
	const latest = new Map<string, Promise<void>>();
	const all: Array<Promise<void>> = [];
	await forEachInSlices(groups, async (group, index) => {
		// At most 1,000 wait at once, because a longer queue costs memory and time.
		await all[index - 1000];
		// The only request of a campaign may have very many recipients, and waits for none.
		const recipients = groups.length > 1 ? group.messages.map(({ digits }) => digits) : [];
		const earlier = new Set(recipients.map((digits) => latest.get(digits)));
		const inTurn = async () => await limiter.run(async () => await sendPaced(group));
		const done = Promise.all(earlier).then(inTurn);
		for (const digits of recipients) latest.set(digits, done);
		all.push(done);
	});
	await Promise.all(all);
}
