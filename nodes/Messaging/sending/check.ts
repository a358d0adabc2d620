import type { Message, Problem } from './message';
import type { SendingOptions } from './options';

/** A message that is left out on purpose, and why. */
export type Skipped = {
	message: Message;
	reason: string;
	/** The position of the message that stands for it. */
	first?: number;
};

export type Checked = { messages: Message[]; problems: Problem[]; skipped: Skipped[] };

/**
 * Looks for what only shows when all messages are seen together: identifiers that are not unique, and
 * (as the option says) recipients that come twice.
 *
 * @param place names a position for the user, for example "item 3"
 */
export function check(
	messages: Message[],
	{ onDuplicateRecipient }: Pick<SendingOptions, 'onDuplicateRecipient'>,
	place: (position: number) => string,
): Checked {
	const mayRepeat = onDuplicateRecipient === 'send';
	const checked: Checked = { messages: [], problems: [], skipped: [] };
	const firstWithIdentifier = new Map<string, number>();
	const firstToRecipient = new Map<string, number>();

	for (const message of messages) {
		const { position, digits, identifier } = message;
		const sameIdentifier = identifier && firstWithIdentifier.get(identifier);
		if (typeof sameIdentifier === 'number') {
			const why = `The identifier "${identifier}" is already used by ${place(sameIdentifier)}. Each message needs its own.`;
			checked.problems.push(problemOf(message, why));
			continue;
		}
		const sameRecipient = mayRepeat ? undefined : firstToRecipient.get(digits);
		if (sameRecipient !== undefined && onDuplicateRecipient === 'error') {
			const why = `The same recipient is also in ${place(sameRecipient)}.`;
			checked.problems.push(problemOf(message, why));
			continue;
		}
		if (identifier) firstWithIdentifier.set(identifier, position);
		if (sameRecipient !== undefined) {
			checked.skipped.push({
				message,
				first: sameRecipient,
				reason: `The same recipient is also in ${place(sameRecipient)}.`,
			});
			continue;
		}
		if (!mayRepeat) firstToRecipient.set(digits, position);
		checked.messages.push(message);
	}
	return checked;
}

const problemOf = (
	{ position, item, to, identifier, mark }: Message,
	message: string,
): Problem => ({
	position,
	item,
	recipient: to,
	identifier,
	mark,
	message,
});
