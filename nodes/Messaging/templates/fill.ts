import { UserError } from 'n8n-workflow';
import { holdsExpression } from '../n8n/plainExpressions';
import { isBlank, isDate, numberText, text } from '../n8n/values';
import { isObject, type Json } from '../service/types';
import { isPlain, refuseUnreadable } from '../words/readable';
import { asDate, mended } from '../words/savedField';
import { endOfAddress } from './address';
import type { Filled } from './components';
import { labelOf, type Placeholder } from './placeholders';

const kindOf = (value: unknown) =>
	Array.isArray(value) ? 'a list' : isObject(value) ? 'an object with fields' : String(value);

/** A placeholder's value, and how it is checked. */
type Given = {
	value: unknown;
	/** The field as it is saved. */
	raw: unknown;
	/** The sender means unusual texts. */
	mayBeUnusual: boolean;
};

/**
 * Checks a placeholder's value, so that what the chat-app provider would refuse is found before anything is sent.
 *
 * @returns the text to send
 */
function checked({ value, raw, mayBeUnusual }: Given, placeholder: Placeholder): string {
	const subject = labelOf(placeholder);
	if (value === undefined || value === null) throw new UserError(`${subject} has no value.`);
	if (isDate(value)) {
		const isDay = JSON.stringify(value).includes('T00:00:00.000Z');
		throw new UserError(`${subject} is a date. Write ${asDate(raw, isDay)}.`);
	}
	// Neither `true` nor `false` is for readers.
	if (!['string', 'number', 'bigint'].includes(typeof value))
		throw new UserError(`${subject} must be a text or a number. It is ${kindOf(value)}.`);
	const filled = typeof value === 'number' ? numberText(value, subject) : text(value);
	if (isBlank(filled)) throw new UserError(`${subject} is empty.`);
	const { address } = placeholder;
	const isAddress = address !== undefined;
	refuseUnreadable({ subject, text: filled, raw, isAddress, mayBeUnusual });
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

export const isGiven = (value: unknown) => value !== null && value !== undefined && value !== '';

/** Whether *Placeholders* has any value. */
export const hasValues = (values: Json) => Object.values(values).some(isGiven);

/**
 * Returns the text for each placeholder, in the order in which values are sent.
 *
 * @param values by the placeholders' ids
 * @param raw the same as they are saved
 * @throws UserError naming each placeholder whose value is missing, empty or invalid
 */
export const fill = (
	placeholders: Placeholder[],
	values: Json,
	raw: unknown,
	mayBeUnusual: boolean,
): Filled[] =>
	all(placeholders, (placeholder) => {
		const { id, address } = placeholder;
		const value = Object.hasOwn(values, id) ? values[id] : undefined;
		// First what most recipients have, because there may be very many.
		if (typeof value === 'string' && !address) {
			const trimmed = value.trim();
			if (isPlain(trimmed) && !MORE_LINES.test(trimmed) && !isBlank(trimmed))
				return { placeholder, value: trimmed };
		}
		const given = { value, raw: isObject(raw) ? raw[id] : raw, mayBeUnusual };
		return { placeholder, value: checked(given, placeholder) };
	});

/** @throws UserError naming a value that no placeholder of the template has */
export function refuseUnknown(placeholders: Placeholder[], values: Json, template: string) {
	for (const id of Object.keys(values)) {
		if (placeholders.some((known) => known.id === id) || !isGiven(values[id])) continue;
		throw new UserError(`The template "${template}" has no placeholder {{${id}}}.`);
	}
}
