import { hash } from 'crypto';
import { TimeSlice } from '../utils/concurrency';
import { sentenceOf } from '../n8n/errors';
import { text } from '../n8n/values';
import type { Message, Problem } from './message';
import type { Compose, Draft } from './operation';
import type { SendingOptions } from './options';
import { dialledAtHome, formatPhone, recipientDigits } from './phone';
import type { Recipient } from './recipients';
import { RunError } from './runError';
import { joinMarks, numberHash, splitMarks, tag, tailTag } from './sameMessage';

export type Resolved = {
	messages: Message[];
	problems: Problem[];
	runError?: RunError;
	/** Positions of messages to numbers that have several. */
	several: Set<number>;
};

/**
 * Reads every recipient's parameters and checks what can be checked of one recipient alone: the
 * sender, the number, and whatever the operation's `compose` refuses. Nothing is sent here, and no
 * recipient's trouble keeps the others from being looked at.
 *
 * @param asSet tells the node as a person has set it from what it was before a change
 */
export async function resolve(
	recipients: Recipient[],
	compose: Compose,
	options: SendingOptions,
	asSet: () => string = () => '',
): Promise<Resolved> {
	const messages: Message[] = [];
	const problems: Problem[] = [];
	const several = new Set<number>();
	const slice = new TimeSlice();
	// A campaign has very many recipients, and hardly one comes twice.
	const byNumber = new Map<string, Message | Problem | Array<Message | Problem>>();

	const mark = (
		of: Message | Problem,
		digits: string,
		given: string,
		draft?: Draft,
		code?: string,
	) => {
		const number = numberHash(digits);
		of.mark = joinMarks({
			number,
			tail: tailTag(digits),
			says: draft ? tag(draft.from + JSON.stringify(draft.body)) : '',
			named: draft?.identifier && tag(draft.identifier),
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
			const to = draft ? draft.to : readable(recipient);
			const { identifier } = draft ?? {};
			const problem: Problem = { position, item, recipient: to, identifier, mark: '', message };
			problems.push(problem);
			const digits = recipientDigits(to);
			mark(problem, digits, digits, draft);
		};
		try {
			const composed = compose(recipient);
			// To wait for what is there already costs a turn for each of very many recipients.
			draft = composed instanceof Promise ? await composed : composed;
			const { from, to, identifier, body, text: shown } = draft;
			const format = options.numberFormatOf?.(recipient) ?? options;
			const phone = formatPhone(to, format.phoneFormat, format.defaultCountryCode);
			if (!phone.ok) {
				refuse(phone.message);
			} else if (from === '') {
				refuse("'From' is empty. Choose a sender, or check the expression for this item.");
			} else {
				const given = recipientDigits(to);
				const digits = phone.phone === to ? given : recipientDigits(phone.phone);
				const message: Message = {
					position,
					item,
					key: '',
					mark: '',
					from,
					to: phone.phone,
					digits,
					identifier,
					body,
					text: shown,
				};
				messages.push(message);
				mark(message, digits, given, draft, format.defaultCountryCode);
			}
		} catch (error) {
			if (error instanceof RunError) return { messages, problems, several, runError: error };
			refuse(sentenceOf(error));
		}
	}
	for (const together of byNumber.values()) {
		if (slice.isOver) await slice.yieldIfOver();
		if (!Array.isArray(together)) continue;
		const settings = `${asSet()} ${recipients.length}`;
		const alike = new Map<string, number>();
		for (const [nth, of] of together.entries()) {
			const marks = splitMarks(of.mark);
			several.add(of.position);
			of.mark = joinMarks({ ...marks, place: tag(`${settings} ${nth}`) });
			if (!('key' in of)) continue;
			// Not by its order: when one is removed before a retry, another must not get its identifier.
			const same = `${of.digits} ${marks.says}`;
			const before = alike.get(same) ?? 0;
			alike.set(same, before + 1);
			of.key = hash('sha256', `${same} ${before}`).slice(0, 20);
		}
	}
	return { messages, problems, several };
}

/** The recipient of a message that could not be composed, for the report; empty when unreadable. */
function readable({ entry, read }: Recipient): string {
	try {
		return text(entry ? entry.to : read('to'));
	} catch {
		return '';
	}
}
