import { forEachInSlices } from '../utils/concurrency';
import { refusal } from './errors';
import type { Recipients } from './recipients';
import { isFailed, refused, skipped } from './results';
import type { Message, Run } from './sendOperation';

/**
 * Marks the messages that go to the same number as another one, and gives those of a list an identity. They are found by
 * sorting the numbers: a Map of 100,000 numbers takes five times as long, and most lists have no twins.
 */
export async function markTwins(recipients: Recipients, messages: Message[]): Promise<void> {
	const numbers = new Float64Array(messages.length);
	await forEachInSlices(messages, ({ digits }, index) => void (numbers[index] = Number(digits)));
	const ofTwins = new Set(numbers.sort().filter((number, index) => number === numbers[index - 1]));
	if (ofTwins.size === 0) return;
	await forEachInSlices(messages, (message) => {
		if (!ofTwins.has(Number(message.digits))) return;
		message.isTwin = true;
		if (recipients.isList) message.identity = JSON.stringify(recipients.at(message.position).entry);
	});
}

/**
 * Checks the messages that no earlier attempt has sent, and finds those that are to be sent: identifiers must be unique, and
 * recipients that occur twice are treated as the option `onDuplicateRecipient` says.
 *
 * @throws NodeOperationError naming the messages that cannot be sent, unless Continue On Fail is set
 */
export async function check<Payload>(run: Run<Payload>): Promise<void> {
	const { messages, earlier, toSend, results, place, continueOnFail } = run;
	const { onDuplicateRecipient } = run.options;
	const withIdentifier = new Map<string, number>();
	const toRecipient = new Map<string, number>();
	const remember = ({ position, digits, isTwin, identifier }: Message) => {
		if (identifier) withIdentifier.set(identifier, position);
		if (isTwin && !toRecipient.has(digits)) toRecipient.set(digits, position);
	};
	// First, because a message that was sent may stand behind its duplicate.
	for (const position of earlier.keys()) remember(messages[position]);

	await forEachInSlices(messages, (message) => {
		const { position, digits, isTwin, identifier } = message;
		// What was sent is decided, whatever would be refused now.
		if (earlier.has(position)) return;
		const same = identifier ? withIdentifier.get(identifier) : undefined;
		const first = isTwin && onDuplicateRecipient !== 'send' ? toRecipient.get(digits) : undefined;
		const duplicate = first !== undefined && `The same recipient is also in ${place(first)}.`;
		if (same !== undefined) {
			message.problem ??= `The identifier "${identifier}" is already used by ${place(same)}. Each message needs its own.`;
		} else if (duplicate && onDuplicateRecipient === 'error') {
			message.problem ??= duplicate;
		}
		if (message.problem !== undefined) {
			results[position] = refused(message);
			return;
		}
		remember(message);
		if (duplicate) results[position] = skipped(message, duplicate);
		else toSend.push(message);
	});
	if (!continueOnFail && results.some(isFailed)) throw refusal(run);
}
