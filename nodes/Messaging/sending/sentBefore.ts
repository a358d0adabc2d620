import { hash } from 'crypto';
import { forEachInSlices } from '../utils/concurrency';
import { formatNumber } from '../utils/text';
import type { Json } from '../service/types';
import type { Message } from './message';

/*
 * Which messages were sent from the editor before. Before messages leave by hand, some of them are noted in n8n's database, and a dry
 * run looks for the notes of its own.
 */

/** The most messages of a run that are compared with the notes, because n8n reads and writes back all of them for that. */
export const COMPARED = 1000;

/** The most messages of a run that are noted: the first of those that are compared. */
export const NOTED = 64;

export type MessageNote = Pick<Message, 'item'> & { note: string };

/** Returns the notes of the messages that are compared. */
export const notesOf = async (messages: readonly Message[]): Promise<MessageNote[]> =>
	(await comparedOf(messages)).map((message) => ({ item: message.item, note: noteOf(message) }));

/** Returns the messages that are compared: those with the smallest numbers, so that similar lists have similar ones. */
async function comparedOf(messages: readonly Message[]): Promise<Message[]> {
	let some: Message[] = [];
	/** The largest number that may still be one of them. */
	let bound: string | undefined;
	const reduce = () => {
		some = some.sort((a, b) => (a.digits < b.digits ? -1 : 1)).slice(0, COMPARED);
		if (some.length === COMPARED) bound = some[COMPARED - 1].digits;
	};
	await forEachInSlices(messages, (message) => {
		if (bound !== undefined && message.digits >= bound) return;
		some.push(message);
		if (some.length === 4 * COMPARED) reduce();
	});
	reduce();
	return some;
}

/** The note of a message is made of what the recipient gets: a template's language counts alike whether it is named or not. */
export function noteOf({ from, digits, body, language }: Message): string {
	const content =
		language === undefined ? body : { ...(body.template as Json), language: undefined };
	return hash('sha256', JSON.stringify([from.replace('+', ''), digits, content, language]));
}

/** The part of a note that is kept in the execution's data. */
export const contentOf = (note: string) => note.slice(0, 16);

/** So many messages, and how many of them are known to have been sent before, or perhaps. */
export type SentBefore = { count: number; sent: number };

/** Says how many of these messages were sent before; '' for none. Not all that were sent are noted. */
export function saySentBefore({ count, sent }: SentBefore): string {
	if (sent === 0) return '';
	if (count === 1) return 'This message was sent from the editor before, or may have been. ';
	const known = formatNumber(sent);
	const before = `of these ${formatNumber(count)} messages were sent from the editor before, or may have been`;
	if (sent === count) return `${known} ${before}. `;
	return count > NOTED ? `Some ${before}: at least ${known}. ` : `At least ${known} ${before}. `;
}
