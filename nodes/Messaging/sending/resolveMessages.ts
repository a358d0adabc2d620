import { TimeSlice } from '../utils/concurrency';
import { sentenceOf } from '../n8n/errors';
import { text } from '../n8n/values';
import type { Message, Problem } from './message';
import type { SendOptions } from './options';
import { formatPhone, recipientDigits } from './phone';
import type { Recipient } from './recipients';
import { RunError, type Draft } from './sendOperation';

/**
 * Makes each recipient's message, and checks everything that concerns one recipient alone: the sender, the number, and
 * what the operation's `compose` refuses. Nothing is sent, and a problem with one recipient does not stop the others.
 *
 * @throws RunError
 */
export async function resolveMessages(
	recipients: Recipient[],
	compose: (recipient: Recipient) => Draft | Promise<Draft>,
	options: SendOptions,
): Promise<{ messages: Message[]; problems: Problem[] }> {
	const messages: Message[] = [];
	const problems: Problem[] = [];
	const slice = new TimeSlice();
	for (const recipient of recipients) {
		if (slice.isOver) await slice.yieldIfOver();
		const { position, item } = recipient;
		let draft: Draft | undefined;
		const refuse = (message: string) => {
			const to = draft ? draft.to : readableRecipient(recipient);
			const digits = digitsToSend(recipient, to, options);
			const { identifier } = draft ?? {};
			problems.push({ position, item, recipient: to, digits, identifier, message });
		};
		try {
			const composed = compose(recipient);
			// Await only promises: each `await` costs a microtask, and there may be very many recipients.
			draft = composed instanceof Promise ? await composed : composed;
			const { from, to } = draft;
			const format = options.numberFormatOf?.(recipient) ?? options;
			const phone = formatPhone(to, format.phoneFormat, format.defaultCountryCode);
			if (!phone.ok) {
				refuse(phone.message);
			} else if (from === '') {
				refuse("'From' is empty. Choose a sender, or check the expression for this item.");
			} else {
				const digits = recipientDigits(phone.phone);
				messages.push({ ...draft, position, item, to: phone.phone, digits });
			}
		} catch (error) {
			if (error instanceof RunError) return await Promise.reject(error);
			refuse(sentenceOf(error));
		}
	}
	return { messages, problems };
}

/** Returns the digits of a number as they would be sent: a later attempt compares them, also for a row that it refuses. */
function digitsToSend(recipient: Recipient, to: string, options: SendOptions): string {
	try {
		const format = options.numberFormatOf?.(recipient) ?? options;
		const phone = formatPhone(to, format.phoneFormat, format.defaultCountryCode);
		return recipientDigits(phone.ok ? phone.phone : to);
	} catch {
		return recipientDigits(to);
	}
}

/** The recipient of a message that could not be composed; empty when it cannot be read. */
export function readableRecipient({ entry, read }: Pick<Recipient, 'entry' | 'read'>): string {
	try {
		return text(entry ? entry.to : read('to'));
	} catch {
		return '';
	}
}
