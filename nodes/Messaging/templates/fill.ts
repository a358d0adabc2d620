import { UserError } from 'n8n-workflow';
import type { Item } from '../n8n/itemParameters';
import { holdsExpression } from '../n8n/plainExpressions';
import { isBlank, isDate, kindOf, numberText, text } from '../n8n/values';
import { isObject, type Json } from '../service/types';
import { isOrdinary, missingDoubt, refuseUnreadable, withoutValue } from '../words/readable';
import { asDate, mended } from '../words/savedField';
import { endOfAddress } from './address';
import type { Filled } from './components';
import { labelOf, type Placeholder } from './placeholders';

/** How the values of *Placeholders* are checked. */
type Check = {
	/** The field as it is saved. */
	raw: unknown;
	/** The sender means unusual texts. */
	mayBeUnusual: boolean;
	/** The workflow's. */
	timeZone: string;
	/** Returns the fields of the input that a saved text reads, and that are missing or empty. */
	missing: Item['missing'];
	/** Takes what a dry run says. */
	doubt: (sentence: string) => void;
};

/**
 * Returns the text for each placeholder, in the order in which values are sent.
 *
 * @param values by the placeholders' ids
 * @param check `raw` is the same as they are saved
 * @throws UserError naming each placeholder whose value is missing, empty or invalid
 */
export const fill = (placeholders: Placeholder[], values: Json, check: Check): Filled[] =>
	all(placeholders, (placeholder) => {
		const { id } = placeholder;
		const value = Object.hasOwn(values, id) ? values[id] : undefined;
		const raw = isObject(check.raw) ? check.raw[id] : check.raw;
		const filled = plainText(value, placeholder) ?? checked(value, { ...check, raw }, placeholder);
		const missing = check.missing(raw);
		if (missing.length > 0)
			check.doubt(missingDoubt(labelOf(placeholder), missing, check.mayBeUnusual));
		return { placeholder, value: filled };
	});

/** Returns the text of most recipients, which needs no closer look, because there may be very many; undefined for others. */
function plainText(value: unknown, { address }: Placeholder): string | undefined {
	if (typeof value !== 'string' || address) return undefined;
	const trimmed = value.trim();
	const isUsual = isOrdinary(value) && !MORE_LINES.test(trimmed) && !isBlank(trimmed);
	return isUsual ? trimmed : undefined;
}

/**
 * Checks a placeholder's value, so that what the chat-app provider would refuse is found before anything is sent.
 *
 * @returns the text to send
 */
function checked(
	value: unknown,
	{ raw, mayBeUnusual, timeZone, missing }: Check,
	placeholder: Placeholder,
): string {
	const subject = labelOf(placeholder);
	if (value === undefined || value === null)
		throw withoutValue(`${subject} has no value`, missing(raw));
	if (isDate(value))
		throw new UserError(`${subject} is a date. Write ${asDate(raw, value, timeZone)}.`);
	// Neither `true` nor `false` is for readers.
	if (!['string', 'number', 'bigint'].includes(typeof value))
		throw new UserError(`${subject} must be a text or a number. It is ${kindOf(value)}.`);
	const filled = typeof value === 'number' ? numberText(value, subject) : text(value);
	if (isBlank(filled)) throw withoutValue(`${subject} is empty`, missing(raw));
	const { address } = placeholder;
	const isAddress = address !== undefined;
	const untrimmed = typeof value === 'string' ? value : filled;
	refuseUnreadable({
		subject,
		text: filled,
		untrimmed,
		raw,
		isAddress,
		timeZone,
		mayBeUnusual,
	});
	refuseLines(filled, raw, subject);
	return address ? endOfAddress(address, filled, subject) : filled;
}

const MORE_LINES = /[\n\v\f\r\u2028\u2029\t]|\s{5}/;

/**
 * Refuses line breaks, tabs and more than four blanks in a row, as the chat-app provider does in a placeholder.
 *
 * @throws UserError with the expression that writes this very field on one line
 */
function refuseLines(filled: string, raw: unknown, subject: string) {
	const [found] = MORE_LINES.exec(filled) ?? [];
	if (found === undefined) return;
	const what = found.length > 1 ? 'more than four spaces in a row' : 'a line break or a tab';
	// A break beside the expression is a person's own.
	const isOwn =
		!holdsExpression(raw) || /[\n\r\t]|\s{5}/.test(String(raw).replace(/\{\{[^]*?\}\}/g, ''));
	const cure = isOwn ? 'it on one line' : mended(raw, ".replace(/\\s+/g, ' ')");
	throw new UserError(`${subject} contains ${what}. Write ${cure}.`);
}

/** Returns what each step returns. @throws UserError with the problems of all of them */
function all<Value, Result>(values: Value[], step: (value: Value) => Result): Result[] {
	const problems: string[] = [];
	const results = values.map((value) => {
		try {
			return step(value);
		} catch (error) {
			problems.push((error as Error).message);
			return undefined as Result;
		}
	});
	if (problems.length > 0) throw new UserError(problems.join(' '));
	return results;
}

/** @throws UserError naming a value that no placeholder of the template has */
export function refuseUnknown(placeholders: Placeholder[], values: Json, template: string) {
	for (const id of Object.keys(values)) {
		if (placeholders.some((known) => known.id === id) || !isGiven(values[id])) continue;
		throw new UserError(`The template "${template}" has no placeholder {{${id}}}.`);
	}
}

/** Whether *Placeholders* has any value. */
export const hasValues = (values: Json) => Object.values(values).some(isGiven);

export const isGiven = (value: unknown) => value !== null && value !== undefined && value !== '';
