import type { Throttle } from '../service/throttle';
import { now } from '../service/clock';
import type { Batch } from './operation';

/** A request with the number of unfinished requests that must come before it, and those after it. */
type Waiting = { batch: Batch; before: number; after: Waiting[] };

/**
 * Hands out requests: at most `batchSize` at once, `batchInterval` ms between the starts of two times
 * `batchSize` requests, and two requests to the same recipient one after the other, in order.
 *
 * Every batch is handed to `sendOne`, also when the throttle is closed: it finds that out by itself and
 * reports it. Resolves when all are done, or when the execution is cancelled and nothing is in flight any
 * more: then what is left is not handed out.
 */
export async function deliver(
	batches: Batch[],
	{ batchSize, batchInterval }: { batchSize: number; batchInterval: number },
	throttle: Throttle,
	signal: AbortSignal | undefined,
	sendOne: (batch: Batch) => Promise<void>,
): Promise<void> {
	const ready = inOrderOfRecipients(batches);
	let started = 0;
	let left = batches.length;
	let nextBatchAt = 0;
	let wake: Array<() => void> = [];

	const done = ({ after }: Waiting) => {
		left--;
		for (const next of after) if (--next.before === 0) ready.push(next);
		if (wake.length === 0) return;
		const sleepers = wake;
		wake = [];
		for (const resolve of sleepers) resolve();
	};
	const pace = async () => {
		if (started++ % batchSize === 0) {
			const wait = nextBatchAt - now();
			nextBatchAt = Math.max(now(), nextBatchAt) + batchInterval;
			if (wait > 0) await throttle.pause(wait);
		} else {
			// The rest of a batch starts with it, not before it.
			const wait = nextBatchAt - batchInterval - now();
			if (wait > 0) await throttle.pause(wait);
		}
	};
	const worker = async () => {
		while (left > 0 && !signal?.aborted) {
			const next = ready.shift();
			if (!next) {
				await new Promise<void>((resolve) => wake.push(resolve));
				continue;
			}
			if (batchInterval > 0) await pace();
			if (signal?.aborted) return;
			await sendOne(next.batch);
			done(next);
		}
	};
	await Promise.all(Array.from({ length: Math.min(batchSize, batches.length) }, worker));
}

/** A queue of what may be sent now; what waits for an earlier request to its recipient comes later. */
function inOrderOfRecipients(batches: Batch[]): Queue<Waiting> {
	const ready = new Queue<Waiting>();
	if (batches.length === 1) ready.push({ batch: batches[0], before: 0, after: [] });
	if (batches.length < 2) return ready;
	const last = new Map<string, Waiting>();
	for (const batch of batches) {
		const waiting: Waiting = { batch, before: 0, after: [] };
		for (const { digits } of batch.messages) {
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

/** First in, first out; an array's own `shift` moves all that is left. */
class Queue<Element> {
	private readonly elements: Element[] = [];

	private head = 0;

	push(element: Element) {
		this.elements.push(element);
	}

	shift(): Element | undefined {
		return this.head < this.elements.length ? this.elements[this.head++] : undefined;
	}
}
