import type { SendOptions } from './options';
import { skipped, type Skipped } from './results';
import type { Message } from './sendOperation';

export type Checked = {
	toSend: Message[];
	/** Messages that cannot be sent, by position. */
	refused: Message[];
	skipped: Skipped[];
};

/**
 * Checks messages together: identifiers must be unique, and recipients that occur twice are treated as the option
 * `onDuplicateRecipient` says. Messages that have a problem already are refused.
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
	const checked: Checked = { toSend: [], refused: [], skipped: [] };
	const firstWithIdentifier = new Map<string, number>();
	const firstToRecipient = new Map<string, number>();
	const remember = ({ position, digits, identifier }: Message) => {
		if (identifier) firstWithIdentifier.set(identifier, position);
		if (!allowsDuplicates) firstToRecipient.set(digits, position);
	};
	sent.forEach(remember);

	for (const message of messages) {
		const { identifier } = message;
		const sameIdentifier = identifier && firstWithIdentifier.get(identifier);
		const first = allowsDuplicates ? undefined : firstToRecipient.get(message.digits);
		if (message.problem !== undefined) {
			checked.refused.push(message);
		} else if (typeof sameIdentifier === 'number') {
			const problem = `The identifier "${identifier}" is already used by ${place(sameIdentifier)}. Each message needs its own.`;
			checked.refused.push({ ...message, problem });
		} else if (first === undefined) {
			remember(message);
			checked.toSend.push(message);
		} else {
			const reason = `The same recipient is also in ${place(first)}.`;
			if (onDuplicateRecipient === 'error') {
				checked.refused.push({ ...message, problem: reason });
				continue;
			}
			if (identifier) firstWithIdentifier.set(identifier, message.position);
			checked.skipped.push(skipped(message, reason));
		}
	}
	return checked;
}
