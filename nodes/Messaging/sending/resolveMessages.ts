import { hash } from 'crypto';
import { TimeSlice } from '../utils/concurrency';
import { sentenceOf } from '../n8n/errors';
import { text } from '../n8n/values';
import { fingerprintText, numberHash, parseFingerprint, tag, tailTag } from './fingerprint';
import type { Message, Problem } from './message';
import type { SendOptions } from './options';
import { dialledAtHome, formatPhone, recipientDigits } from './phone';
import type { Recipient } from './recipients';
import { RunError, type Draft } from './sendOperation';

export type Resolved = {
	messages: Message[];
	problems: Problem[];
	/** Positions of messages to numbers that have several. */
	several: Set<number>;
};

/**
 * Makes each recipient's message, and checks everything that concerns one recipient alone: the sender, the number, and
 * what the operation's `compose` refuses. Nothing is sent, and a problem with one recipient does not stop the others.
 *
 * @param settings returns a hash of the node's settings; called only when a number has several messages
 * @throws RunError
 */
export async function resolveMessages(
	recipients: Recipient[],
	compose: (recipient: Recipient) => Draft | Promise<Draft>,
	options: SendOptions,
	settings: () => string = () => '',
): Promise<Resolved> {
	const messages: Message[] = [];
	const problems: Problem[] = [];
	const slice = new TimeSlice();
	// An array only for numbers that have several: a campaign has very many recipients.
	const byNumber = new Map<string, Message | Problem | Array<Message | Problem>>();

	const setFingerprint = (
		of: Message | Problem,
		digits: string,
		given: string,
		draft?: Draft,
		code?: string,
	) => {
		const number = numberHash(digits);
		of.fingerprint = fingerprintText({
			number,
			tail: tailTag(digits),
			content: draft ? tag(draft.from + JSON.stringify(draft.body)) : '',
			identifier: draft?.identifier && tag(draft.identifier),
			given:
				given !== digits
					? numberHash(given)
					: code && digits.startsWith(code)
						? numberHash(dialledAtHome(digits, code))
						: undefined,
		});
		if ('key' in of) of.key = number;
		const others = byNumber.get(number);
		if (!others) byNumber.set(number, of);
		else if (Array.isArray(others)) others.push(of);
		else byNumber.set(number, [others, of]);
	};

	for (const recipient of recipients) {
		if (slice.isOver) await slice.yieldIfOver();
		const { position, item } = recipient;
		let draft: Draft | undefined;
		const refuse = (message: string) => {
			const to = draft ? draft.to : readableRecipient(recipient);
			const { identifier } = draft ?? {};
			const problem = { position, item, recipient: to, identifier, fingerprint: '', message };
			problems.push(problem);
			const digits = recipientDigits(to);
			setFingerprint(problem, digits, digits, draft);
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
				const given = recipientDigits(to);
				const digits = phone.phone === to ? given : recipientDigits(phone.phone);
				const resolved = { position, item, key: '', fingerprint: '', to: phone.phone, digits };
				const message: Message = { ...draft, ...resolved };
				messages.push(message);
				setFingerprint(message, digits, given, draft, format.defaultCountryCode);
			}
		} catch (error) {
			if (error instanceof RunError) return await Promise.reject(error);
			refuse(sentenceOf(error));
		}
	}
	const several = new Set<number>();
	for (const together of byNumber.values()) {
		if (slice.isOver) await slice.yieldIfOver();
		if (!Array.isArray(together)) continue;
		for (const { position } of together) several.add(position);
		distinguish(together, `${settings()} ${recipients.length}`);
	}
	return { messages, problems, several };
}

/** Gives each of several messages to one number a place and a key of its own. */
function distinguish(messages: Array<Message | Problem>, settings: string) {
	const alike = new Map<string, number>();
	for (const [nth, of] of messages.entries()) {
		const fingerprint = parseFingerprint(of.fingerprint);
		of.fingerprint = fingerprintText({ ...fingerprint, place: tag(`${settings} ${nth}`) });
		if (!('key' in of)) continue;
		// The key depends on the content, not on the order: if a message is removed before a retry, no other gets its identifier.
		const same = `${of.digits} ${fingerprint.content}`;
		const before = alike.get(same) ?? 0;
		alike.set(same, before + 1);
		of.key = hash('sha256', `${same} ${before}`).slice(0, 20);
	}
}

/** The recipient of a message that could not be composed; empty when it cannot be read. */
function readableRecipient({ entry, read }: Recipient): string {
	try {
		return text(entry ? entry.to : read('to'));
	} catch {
		return '';
	}
}
