import { hash, randomBytes } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { giveBack, takeNote } from '../n8n/noteStore';
import { COMPARED, type SentBefore } from './sentBefore';

/*
 * By hand, a node sends two or more messages only with a code from its dry run: "25KQPN" lets it send at most 25 in one
 * execution. So whoever sends has seen who gets what; executing again, to build the next nodes, sends nothing; and nobody gets a message
 * again unless the dry run has said so.
 *
 * A code is a note in n8n's database that is taken away when it is used: when notes are lost, nothing is sent. It counts only when no
 * more of the messages were sent before than its dry run has said.
 */

/** What a dry run has said of its messages: how many were sent before, and that some are in several rounds. */
export type Said = { sent: number; saidRepeats: boolean };

/** What a code still lets the node send: so many messages, and so many of them that were sent before. */
export type Allowance = Pick<Said, 'saidRepeats'> & { left: number; leftAgain: number };

/** A code that was taken away: its note can be written again. */
export type Taken = Allowance & { code: string; note: string };

/** Without vowels, and letters that look like digits. A code is one word, so that a double click selects it. */
const SIGNS = 'BCDFGHJKMNPQRTVWXZ';

/** Makes a code for so many messages, and its note, which is not written yet. */
export function newCode(count: number, said: Said) {
	const signs = [...randomBytes(4)].map((byte) => SIGNS[byte % SIGNS.length]).join('');
	const code = `${count}${signs}`;
	return { code, note: noteOf(code, said) };
}

/** Takes away a code, if it is for so many messages, and its dry run has said that so many of them were sent before. */
export async function takeCode(
	context: IExecuteFunctions,
	code: string,
	{ count, sent }: SentBefore,
): Promise<Taken | undefined> {
	const left = mostOf(code);
	/** Takes it if its dry run has said that `least` to `most` were sent before. */
	const take = async (least: number, most: number): Promise<Taken | undefined> => {
		const said: Said[] = [];
		for (let each = least; each <= most; each++)
			said.push({ sent: each, saidRepeats: false }, { sent: each, saidRepeats: true });
		const notes = said.map((each) => noteOf(code, each));
		const note = await takeNote(context, notes, code);
		if (!note) return undefined;
		const { sent: saidSent, saidRepeats } = said[notes.indexOf(note)];
		const leftAgain = saidSent === MANY ? left : saidSent;
		return { code, note, left, leftAgain, saidRepeats };
	};
	if (!(left >= count)) return undefined;
	// Usually the dry run has said the same: then few notes are looked for.
	return (await take(sent, sent)) ?? (await take(sent + 1, Math.min(left, MANY)));
}

/** Lets a code count again: nobody got a message with it. */
export const giveBackCode = async (context: IExecuteFunctions, { note, code }: Taken) =>
	await giveBack(context, note, code).catch(() => {});

/** Returns a code as it is compared, however a person has entered it. */
export const plainCode = (entered: string) => entered.replace(/[^\p{L}\p{Nd}]/gu, '').toUpperCase();

/** The most messages that a code lets the node send; NaN for what is no code. */
export const mostOf = (code: string) => Number.parseInt(code, 10);

/** So many were sent before, or more: all may be sent again. */
const MANY = COMPARED;

/** A note can be looked for, but not read: so what the dry run has said is part of it. */
const noteOf = (code: string, { sent, saidRepeats }: Said) =>
	hash('sha256', `code ${code} ${Math.min(sent, MANY)} ${saidRepeats}`);
