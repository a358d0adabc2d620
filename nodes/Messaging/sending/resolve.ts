import { Turns } from '../host/turns';
import { sentenceOf } from '../host/errors';
import { text } from '../host/values';
import type { Message, Problem } from './message';
import { messageKeys } from './memory';
import type { Compose } from './operation';
import type { SendingOptions } from './options';
import { formatPhone, recipientDigits } from './phone';
import type { Recipient } from './recipients';
import { RunError } from './runError';

export type Resolved = { messages: Message[]; problems: Problem[]; runError?: RunError };

/**
 * Reads every recipient's parameters and checks what can be checked of one recipient alone: the
 * sender, the number, and whatever the operation's `compose` refuses. Nothing is sent here, and no
 * recipient's trouble keeps the others from being looked at.
 */
export async function resolve(
	recipients: Recipient[],
	compose: Compose,
	options: SendingOptions,
): Promise<Resolved> {
	const messages: Message[] = [];
	const problems: Problem[] = [];
	const turns = new Turns();
	const keyOf = messageKeys();

	for (const recipient of recipients) {
		if (turns.isOver) await turns.giveWay();
		const { position, item } = recipient;
		let identifier: string | undefined;
		let to: string | undefined;
		let key: string | undefined;
		try {
			const composed = compose(recipient);
			// To wait for what is there already costs a turn for each of very many recipients.
			const draft = composed instanceof Promise ? await composed : composed;
			to = draft.to;
			identifier = draft.identifier;
			// Counted also when the recipient turns out bad: later keys must not depend on that.
			const digits = recipientDigits(to);
			key = keyOf(digits);
			const format = options.numberFormatOf?.(recipient) ?? options;
			const phone = formatPhone(to, format.phoneFormat, format.defaultCountryCode);
			if (!phone.ok) {
				problems.push({ position, item, recipient: to, identifier, key, message: phone.message });
			} else if (draft.from === '') {
				const message = "'From' is empty. Choose a sender, or check the expression for this item.";
				problems.push({ position, item, recipient: to, identifier, key, message });
			} else {
				messages.push({
					position,
					item,
					key,
					from: draft.from,
					to: phone.phone,
					digits: phone.phone === to ? digits : recipientDigits(phone.phone),
					identifier,
					body: draft.body,
					text: draft.text,
				});
			}
		} catch (error) {
			if (error instanceof RunError) return { messages, problems, runError: error };
			to ??= readable(recipient);
			key ??= keyOf(recipientDigits(to));
			problems.push({ position, item, recipient: to, identifier, key, message: sentenceOf(error) });
		}
	}
	return { messages, problems };
}

/** The recipient of a message that could not be composed, for the report; empty when unreadable. */
function readable({ entry, read }: Recipient): string {
	try {
		return text(entry ? entry.to : read('to'));
	} catch {
		return '';
	}
}
