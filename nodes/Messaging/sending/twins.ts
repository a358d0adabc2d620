import { forEachInSlices } from '../utils/concurrency';
import type { Recipients } from './recipients';
import type { Message } from './sendOperation';

/**
 * Marks the messages that go to the same number as another one, and gives those of a list an identity. They are found by
 * sorting the numbers: a Map of 100,000 numbers takes five times as long, and most lists have no twins.
 */
export async function markTwins(recipients: Recipients, messages: Message[]): Promise<void> {
	const numbers = new Float64Array(messages.length);
	await forEachInSlices(messages, ({ digits }, index) => {
		numbers[index] = Number(digits);
	});
	const ofTwins = new Set(numbers.sort().filter((number, index) => number === numbers[index - 1]));
	if (ofTwins.size === 0) return;
	await forEachInSlices(messages, (message) => {
		if (!ofTwins.has(Number(message.digits))) return;
		message.isTwin = true;
		if (recipients.isList) message.identity = JSON.stringify(recipients.at(message.position).entry);
	});
}
