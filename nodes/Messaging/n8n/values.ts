import { UserError } from 'n8n-workflow';

/**
 * Returns trimmed text that must not be empty.
 *
 * @param remedy what a person does if it is empty
 * @throws UserError naming the field when it is empty, or neither text nor a number
 */
export function requiredText(
	value: unknown,
	field: string,
	remedy = 'Fill it in, or check the expression for this item.',
): string {
	const result = optionalText(value, field);
	if (result === '') throw new UserError(`'${field}' is empty. ${remedy}`);
	return result;
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
 * Returns trimmed text; '' when it is missing, null or undefined.
 *
 * @throws UserError naming the field when it is neither text nor a number, or a number that n8n cannot hold
 */
export function optionalText(value: unknown, field: string): string {
	if (typeof value === 'number') return numberText(value, `'${field}'`);
	if (typeof value === 'boolean' || (typeof value === 'object' && value !== null)) {
		throw new UserError(`'${field}' must be text, but is ${described(value)}.`);
	}
	return text(value);
}

const described = (value: unknown) =>
	isDate(value)
		? "a date. Add .toDateTime().toFormat('d MMM yyyy, HH:mm') to its expression, or choose another field"
		: kindOf(value);

/** Whether an expression gave a date: n8n's own, or JavaScript's. */
export const isDate = (value: unknown) =>
	Object.prototype.toString.call(value) === '[object Date]' ||
	(typeof value === 'object' && value !== null && 'isLuxonDateTime' in value);

/** Says what a value is that is neither a text nor a number, and what to choose instead. */
export const kindOf = (value: unknown) => {
	if (Array.isArray(value)) return 'a list. Choose one of its entries';
	return typeof value === 'object' ? 'an object. Choose one of its fields' : String(value);
};

/**
 * Writes a number for a person: a whole one as it is, a fraction with 15 digits, as a spreadsheet shows it
 * (`36.49 * 5` is 182.45).
 *
 * @throws UserError when it is not finite, or has more digits than a number in n8n can hold
 */
export function numberText(value: number, subject: string): string {
	if (!Number.isFinite(value))
		throw new UserError(`${subject} is ${value}: its expression does not result in a number.`);
	if (!Number.isInteger(value)) {
		const written = String(Number(value.toPrecision(15)));
		return written.includes('e') ? withoutExponent(value) : written;
	}
	if (Number.isSafeInteger(value)) return String(value);
	throw new UserError(
		`${subject} is a number with more digits than n8n can hold exactly (${value}). Keep it as text, already where it comes from.`,
	);
}

const withoutExponent = (value: number) =>
	value.toLocaleString('en-US', { maximumSignificantDigits: 15, useGrouping: false });

/** Returns trimmed text; for a number its digits, because expressions may give a number for text; '' for anything else. */
export function text(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/** Whether a trimmed text has nothing to read: it is empty, or all of it is blank or invisible. */
export const isBlank = (text: string) =>
	!/^[!-~]/.test(text) &&
	!/[^\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

/**
 * Refuses half an emoji: a service that reads JSON strictly refuses the whole request, with all its recipients.
 *
 * @throws UserError naming the field
 */
export function refuseHalfCharacters(text: string, subject: string) {
	if (isWellFormed(text)) return;
	throw new UserError(
		`${subject} has half a character, as when an emoji is cut in two. To cut a text, write Array.from(text).slice(0, 20).join('').`,
	);
}

// In every n8n since Node 20, but not yet in the types.
export const isWellFormed = (text: string) =>
	(text as unknown as { isWellFormed(): boolean }).isWellFormed();

/** Rounds a number down and moves it within bounds; returns `fallback` for anything that is not a number. */
export function numberBetween(value: unknown, least: number, most: number, fallback: number) {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number !== 'number' || Number.isNaN(number)) return fallback;
	return Math.min(most, Math.max(least, Math.floor(number)));
}
