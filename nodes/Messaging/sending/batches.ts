import type { Message } from './message';

/** A request with the messages that it carries. */
export type Batch = { from: string; messages: Message[] };

/**
 * Puts messages into as few requests as the endpoint allows: one for each sender, split where it would carry more than
 * `most` messages. Messages keep their order; requests have the order of their first messages.
 *
 * @param most Infinity for no limit
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
