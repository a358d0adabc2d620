import { UserError, type IDataObject } from 'n8n-workflow';
import { numberText } from '../n8n/values';
import { isObject } from '../service/types';
import { isMade, isOneExpression } from './mended';
import { refuseHalfCharacters } from './readable';

/**
 * Reads a JSON field that must be an object: fixed JSON, or one expression that is the whole field and gives the object or
 * its text. Empty is an empty object.
 *
 * @param raw the field as it is saved
 * @throws UserError naming the field when it is not an object, or holds what JSON cannot carry
 */
export function jsonField(value: unknown, raw: unknown, field: string): IDataObject {
	if (isMade(raw) && !isOneExpression(raw.trim())) throw new UserError(asOneExpression(raw, field));
	if (value === '{}') return {};
	const parsed = typeof value === 'string' ? parseJson(value, raw, field) : value;
	if (parsed === undefined || parsed === null) return {};
	if (!isObject(parsed))
		throw new UserError(`'${field}' must be a JSON object, like {"order": 12}.`);
	refuseInside(parsed, `'${field}'`);
	return parsed as IDataObject;
}

/** With text around expressions, a quotation mark in a value ends the text, and what follows becomes a part of the JSON. */
function asOneExpression(raw: string, field: string): string {
	// A text with expressions in it becomes a sum of texts; an expression outside of texts stays as it is.
	const sum = raw
		.slice(1)
		.replace(/"(?:\{\{[\s\S]*?\}\}|\\[\s\S]|[^"\\])*"/g, (text) =>
			text
				.replace(/\{\{\s*([\s\S]*?)\s*\}\}/g, (_, expression) => `" + ${expression} + "`)
				.replace(/^"" \+ | \+ ""$/g, ''),
		)
		.replace(/\{\{\s*([\s\S]*?)\s*\}\}/g, '$1')
		.replace(/\}(?=\})/g, '} ')
		.trim();
	return `'${field}' has text around expressions, so a quotation mark in a value would break it. Write it as one expression: {{ ${sum} }}`;
}

function parseJson(text: string, raw: unknown, field: string): unknown {
	if (text.trim() === '') return undefined;
	let parsed: unknown;
	try {
		parsed = JSON.parse(text);
	} catch (error) {
		throw notJson(field, error as Error);
	}
	const rounded = numbersIn(text).find((each) => digitsOf(each) !== digitsOf(String(Number(each))));
	if (rounded !== undefined) {
		throw new UserError(
			`'${field}' has the number ${rounded}, which has more digits than n8n can hold. Write it in quotation marks.`,
		);
	}
	const [braces] = isMade(raw) ? [] : (/\{\{[\s\S]*?\}\}/.exec(text) ?? []);
	if (braces === undefined) return parsed;
	throw new UserError(
		`'${field}' has ${braces}, which nobody filled in. Choose 'Expression' in place of 'Fixed', and write all of it as one expression, like {{ { note: $json.note } }}.`,
	);
}

const notJson = (field: string, { message }: Error) =>
	new UserError(`'${field}' is not valid JSON: ${message}.`);

/** Returns the numbers in valid JSON, outside its texts. */
const numbersIn = (json: string) =>
	json.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?\d[\d.eE+-]*/g) ?? [];

/** Returns the digits that a number needs, without zeros at both ends. */
const digitsOf = (number: string) => number.replace(/[eE].*|[-.]/g, '').replace(/^0+|0+$/g, '');

/** Refuses what JSON cannot carry, at any depth. */
function refuseInside(value: unknown, subject: string): void {
	if (typeof value === 'string') refuseHalfCharacters(value, subject);
	if (typeof value === 'number') numberText(value, `A number in ${subject}`);
	// A date of n8n writes itself.
	if (typeof value !== 'object' || value === null || 'toJSON' in value) return;
	for (const each of Object.values(value)) refuseInside(each, subject);
}
