import type { Message, Problem } from './message';
import type { SendOptions } from './options';

/** A message that is not sent on purpose: a duplicate, or one that a test leaves out. */
export type Skipped = {
	message: Message;
	reason: string;
	/** Position of the message that is sent to the same recipient; undefined if this is not a duplicate. */
	first?: number;
};

export type Checked = { messages: Message[]; problems: Problem[]; skipped: Skipped[] };

/**
 * Checks all messages together: identifiers must be unique, and recipients that occur twice are treated as the option
 * `onDuplicateRecipient` says.
 *
 * @param place names a position for the user, for example "item 3"
 * @param sent messages that an earlier attempt sent: the others are compared with them, too
 */
export function check(
	messages: Message[],
	{ onDuplicateRecipient }: Pick<SendOptions, 'onDuplicateRecipient'>,
	place: (position: number) => string,
	sent: Message[] = [],
): Checked {
	const allowsDuplicates = onDuplicateRecipient === 'send';
	const checked: Checked = { messages: [], problems: [], skipped: [] };
	const firstWithIdentifier = new Map<string, number>();
	const firstToRecipient = new Map<string, number>();
	for (const { position, digits, identifier } of sent) {
		if (identifier) firstWithIdentifier.set(identifier, position);
		if (!allowsDuplicates) firstToRecipient.set(digits, position);
	}

	for (const message of messages) {
		const { position, digits, identifier } = message;
		const sameIdentifier = identifier && firstWithIdentifier.get(identifier);
		if (typeof sameIdentifier === 'number') {
			const why = `The identifier "${identifier}" is already used by ${place(sameIdentifier)}. Each message needs its own.`;
			checked.problems.push(problemOf(message, why));
			continue;
		}
		const sameRecipient = allowsDuplicates ? undefined : firstToRecipient.get(digits);
		const reason =
			sameRecipient === undefined ? '' : `The same recipient is also in ${place(sameRecipient)}.`;
		if (sameRecipient !== undefined && onDuplicateRecipient === 'error') {
			checked.problems.push(problemOf(message, reason));
			continue;
		}
		if (identifier) firstWithIdentifier.set(identifier, position);
		if (sameRecipient !== undefined) {
			checked.skipped.push({ message, first: sameRecipient, reason });
			continue;
		}
		if (!allowsDuplicates) firstToRecipient.set(digits, position);
		checked.messages.push(message);
	}
	return checked;
}

const problemOf = (
	{ position, item, to, digits, identifier }: Message,
	message: string,
): Problem => ({ position, item, recipient: to, digits, identifier, message });
