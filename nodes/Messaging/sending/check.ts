import { TimeSlice } from '../utils/concurrency';
import { refusal } from './errors';
import { refused, skipped } from './results';
import type { Message, Run } from './sendOperation';

/** The part of a run that {@link check} needs. */
type Checked = Parameters<typeof refusal>[0] &
	Pick<Run, 'messages' | 'earlier' | 'toSend' | 'continueOnFail'> & {
		options: Pick<Run['options'], 'onDuplicateRecipient'>;
	};

/**
 * Checks the messages that no earlier attempt has sent, and finds those that are to be sent: identifiers must be unique, and
 * recipients that occur twice are treated as the option `onDuplicateRecipient` says.
 *
 * @throws NodeOperationError naming the messages that cannot be sent, unless Continue On Fail is set
 */
export async function check(run: Checked): Promise<void> {
	const { messages, earlier, toSend, results, place, options } = run;
	const { onDuplicateRecipient } = options;
	const allowsDuplicates = onDuplicateRecipient === 'send';
	const withIdentifier = new Map<string, number>();
	const toRecipient = new Map<string, number>();
	const remember = ({ position, digits, identifier }: Message) => {
		if (identifier) withIdentifier.set(identifier, position);
		if (!allowsDuplicates && !toRecipient.has(digits)) toRecipient.set(digits, position);
	};
	// First, because a message that was sent may stand behind its duplicate.
	for (const position of earlier.keys()) remember(messages[position]);

	const bad: Message[] = [];
	const slice = new TimeSlice();
	for (const message of messages) {
		if (slice.isOver) await slice.yieldIfOver();
		const { position, digits, identifier } = message;
		// What was sent is decided, whatever would be refused now.
		if (earlier.has(position)) continue;
		const same = identifier ? withIdentifier.get(identifier) : undefined;
		const first = toRecipient.get(digits);
		const duplicate = first !== undefined && `The same recipient is also in ${place(first)}.`;
		if (same !== undefined) {
			message.problem ??= `The identifier "${identifier}" is already used by ${place(same)}. Each message needs its own.`;
		} else if (duplicate && onDuplicateRecipient === 'error') {
			message.problem ??= duplicate;
		}
		if (message.problem !== undefined) {
			bad.push(message);
			results[position] = refused(message);
			continue;
		}
		remember(message);
		if (duplicate) results[position] = skipped(message, duplicate);
		else toSend.push(message);
	}
	if (bad.length > 0 && !run.continueOnFail) throw refusal(run, bad);
}
