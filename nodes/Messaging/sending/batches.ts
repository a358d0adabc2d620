import type { Message } from './message';
import type { Batch } from './operation';

/**
 * As few requests as the endpoint allows: one for each sender, split where a request would carry
 * more than `most` messages. Messages keep their order, requests that of their first message.
 *
 * @param most Infinity for no bound
 */
export function makeBatches(messages: Message[], most: number): Batch[] {
	const batches: Batch[] = [];
	const open = new Map<string, Batch>();
	for (const message of messages) {
		let batch = open.get(message.from);
		if (!batch || batch.messages.length >= most) {
			batch = { from: message.from, messages: [] };
			open.set(message.from, batch);
			batches.push(batch);
		}
		batch.messages.push(message);
	}
	return batches;
}
