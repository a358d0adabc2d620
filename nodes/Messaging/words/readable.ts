import { UserError } from 'n8n-workflow';
import { IF_MEANT } from '../fields/sendingOptions';
import type { MissingField } from '../n8n/itemParameters';
import { holdsExpression } from '../n8n/plainExpressions';
import {
	isBlank,
	isDate,
	isWellFormed,
	optionalText,
	refuseHalfCharacters,
	requiredText,
} from '../n8n/values';
import { misreadWord } from '../utils/encoding';
import { asDate, isPutTogether } from './savedField';
import { NEVER_RIGHT, UNUSUAL, type Place, type Row } from './tables';

/*
 * The check of every text that a person will read: the text of Send Text, the question of Send and Wait, and the values of
 * placeholders. A machine's word in a message to a stranger is worse than a message that is not sent.
 */

/** A text of a field. */
type Written = {
	/** The field in an error, such as `'Message'` or `Placeholder 1`. */
	subject: string;
	text: string;
	/** The same as it was given: trimming takes away no-break spaces, which are a part of letters that were read wrongly. */
	untrimmed?: string;
	/** The workflow's, in which a time is written for people. */
	timeZone: string;
	/** The field as it is saved, with its expressions. */
	raw: unknown;
	/** The sender means unusual texts, or a colleague reads this one. */
	mayBeUnusual: boolean;
	/** It becomes a part of an address. */
	isAddress?: boolean;
};

/**
 * Returns the text of a field *Message*: exactly as it was written, including its spaces.
 *
 * @param missing the fields of the input that it reads, and that are missing or empty
 * @throws UserError when it is empty, or has something of a machine in it
 */
export function messageText(
	value: unknown,
	raw: unknown,
	{ mayBeUnusual, timeZone }: Pick<Written, 'mayBeUnusual' | 'timeZone'>,
	missing: MissingField[] = [],
): string {
	if (isDate(value))
		throw new UserError(`'Message' is a date. Write ${asDate(raw, value, timeZone)}.`);
	if (missing.some(({ nowhere }) => nowhere) && isBlank(optionalText(value, 'Message')))
		throw withoutValue("'Message' is empty", missing);
	const text = requiredText(value, 'Message');
	const untrimmed = typeof value === 'string' ? value : text;
	if (isBlank(text)) throw new UserError("'Message' has only invisible characters.");
	refuseUnreadable({ subject: "'Message'", text, untrimmed, raw, timeZone, mayBeUnusual });
	return untrimmed;
}

/** Returns the error of a field without a value: a column of another name is the likeliest reason. */
export function withoutValue(what: string, missing: MissingField[]) {
	const nowhere = missing.find((each) => each.nowhere)?.nowhere;
	return new UserError(nowhere ? `${what}: ${nowhere}` : `${what}.`);
}

/**
 * Reports the fields of the input that a text reads, and that are missing or empty: n8n writes nothing in their place.
 *
 * @returns what a dry run says of it; '' if nothing is missing
 * @throws UserError when no item of the run has such a field: the expression is then wrong, not the data
 */
export function missingDoubt(subject: string, missing: MissingField[], mayBeUnusual: boolean) {
	const wrong = missing.find(({ nowhere }) => nowhere !== undefined);
	if (wrong && !mayBeUnusual)
		throw new UserError(`${subject} has "${wrong.expression}": ${wrong.nowhere} ${IF_MEANT}`);
	if (missing.length === 0) return '';
	const expressions = missing.map(({ expression }) => expression).join(', ');
	return `${subject} has nothing in place of ${expressions}.`;
}

/** Refuses a text that has something of a machine in it. @throws UserError naming the field and the word */
export function refuseUnreadable(written: Written): void {
	const { subject, text, untrimmed = text, raw, timeZone, mayBeUnusual } = written;
	if (isOrdinary(untrimmed)) return;
	refuseHalfCharacters(text, subject);
	for (const { why, finds, place, ending } of ROWS) {
		if (ending !== '' && mayBeUnusual) return;
		const [word] = finds.exec(place ? LOOKS_IN[place](written) : text) ?? [];
		if (word === undefined) continue;
		const shown = word.length > 60 ? `${word.slice(0, 59)}…` : word;
		const reason = typeof why === 'string' ? why : why({ raw, text, word, timeZone });
		const has = word === text ? 'is' : 'has';
		throw new UserError(`${subject} ${has} "${shown}": ${reason}.${ending}`);
	}
}

/** Whether a text certainly has nothing to refuse, as nearly all texts. */
export const isOrdinary = (text: string) =>
	!RARE_WORD.test(text) && !RARE_SIGN.test(text) && !misreadWord(text) && isWellFormed(text);

/** By place: the part of a text in which a row looks. */
const LOOKS_IN: Record<Place, (written: Written) => string> = {
	fixed: ({ text, raw }) => (holdsExpression(raw) ? '' : text),
	expression: ({ text, raw }) => (holdsExpression(raw) ? text : ''),
	sum: ({ text, raw }) => (isPutTogether(raw) ? text : ''),
	prose: ({ text, isAddress }) => (isAddress ? '' : text.replace(/[/?=]\S*/g, '')),
	misread: ({ text, untrimmed = text }) => misreadWord(untrimmed) ?? '',
};

const compiled = (rows: Row[], ending: string) =>
	rows.map(([why, pattern, place]) => {
		const finds = new RegExp(pattern.replace(/[‹›]/g, ''), 'u');
		return { why, finds, place, ending };
	});

const ROWS = [...compiled(NEVER_RIGHT, ''), ...compiled(UNUSUAL, ` ${IF_MEANT}`)];

/** What is rare in the rows: two expressions of it, because one takes twice as long as both. */
const RARE = [...NEVER_RIGHT, ...UNUSUAL].flatMap(
	([, pattern]) => pattern.match(/(?<=‹).+?(?=›)/g) ?? [],
);
const anyOf = (some: string[]) => new RegExp([...new Set(some)].join('|'));
const RARE_WORD = anyOf(RARE.filter((rare) => /^\w|\\d/.test(rare)));
const RARE_SIGN = anyOf(RARE.filter((rare) => !/^\w|\\d/.test(rare)));
