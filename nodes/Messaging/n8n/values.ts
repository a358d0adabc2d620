import { UserError, type IDataObject } from 'n8n-workflow';
import { isObject } from '../service/types';

/** Returns trimmed text; for a number its digits, because expressions may give a number for text; '' for anything else. */
export function text(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/**
 * Returns trimmed text; '' when it is missing, null or undefined.
 *
 * @throws UserError naming the field when it is neither text nor a number
 */
export function optionalText(value: unknown, field: string): string {
	if (typeof value === 'boolean' || (typeof value === 'object' && value !== null)) {
		throw new UserError(`'${field}' must be text, but is ${described(value)}.`);
	}
	return text(value);
}

const described = (value: unknown) =>
	Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : String(value);

/**
 * Reads a boolean. It may also be text or a number: expressions get those from variables, tables and sheets.
 *
 * @throws UserError naming the field when it is neither true nor false
 */
export function flag(value: unknown, field: string): boolean {
	if (typeof value === 'boolean') return value;
	const word = optionalText(value, field).toLowerCase();
	if (word === 'true' || word === '1') return true;
	if (word === 'false' || word === '0' || word === '') return false;
	throw new UserError(`'${field}' must be true or false, but is "${word}".`);
}

/**
 * Reads a value that must be one of `words`; the first word when it is empty.
 *
 * @throws UserError naming the field when it is any other word
 */
export function oneOf<Word extends string>(
	value: unknown,
	words: readonly Word[],
	field: string,
): Word {
	const word = optionalText(value, field);
	if (word === '') return words[0];
	const known = words.find((candidate) => candidate === word);
	if (known === undefined) {
		throw new UserError(`'${field}' must be one of ${words.join(', ')}, but is "${word}".`);
	}
	return known;
}

/**
 * Returns trimmed text that must not be empty.
 *
 * @throws UserError naming the field when it is empty, or neither text nor a number
 */
export function requiredText(value: unknown, field: string): string {
	const result = optionalText(value, field);
	if (result === '')
		throw new UserError(`'${field}' is empty. Fill it in, or check the expression for this item.`);
	return result;
}

/**
 * Reads a JSON field that must be an object. An expression may give the object itself; empty text is an empty object.
 *
 * @throws UserError naming the field when it is not an object
 */
export function jsonObject(value: unknown, field: string): IDataObject {
	const parsed = parseJson(value, field);
	if (parsed === undefined || parsed === null) return {};
	if (isObject(parsed)) return parsed as IDataObject;
	throw new UserError(`'${field}' must be a JSON object, like {"order": 12}.`);
}

/**
 * Parses text as JSON, and returns any other value as it is. Empty text is undefined.
 *
 * @throws UserError naming the field when the text is not valid JSON
 */
export function parseJson(value: unknown, field: string): unknown {
	if (typeof value !== 'string') return value;
	if (value.trim() === '') return undefined;
	try {
		return JSON.parse(value) as unknown;
	} catch (error) {
		throw notJson(field, error as Error);
	}
}

const notJson = (field: string, { message }: Error) =>
	new UserError(`'${field}' is not valid JSON: ${message}.`);

/** Rounds a number down and moves it within bounds; returns `fallback` for anything that is not a number. */
export function numberBetween(value: unknown, least: number, most: number, fallback: number) {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number !== 'number' || Number.isNaN(number)) return fallback;
	return Math.min(most, Math.max(least, Math.floor(number)));
}
