import { visible } from '../utils/text';

/* The first steps of reading a number: cleaning its text, and finding what cannot be a phone number, whatever the country. */

/** Blanks, control and format characters, and all others that are not seen. */
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** A scheme or a label in front of a number: `tel:`, `whatsapp:`, `Tel.:`. */
const LABEL = /^(?:\p{L}[\p{L}\p{M}.-]*:(?:\/\/)?)+(?=[+\d(]|[A-Z]{2}\.)/u;

/** A number with all that people write around it is shorter. The rest of a longer text is not read. */
const LONGEST = 200;

/** Removes what copying and spreadsheets leave in a number: invisible characters, the apostrophe that marks text, a scheme. */
export function cleaned(all: string): string {
	const given = all.slice(0, LONGEST + 1);
	// Most numbers have only ASCII characters, and need none of the slow steps.
	const text = /^[ -~]*$/.test(given) ? given : asciiDigits(given.normalize('NFKC'));
	return text
		.replace(INVISIBLE, '')
		.replace(/^['‘’]/, '')
		.replace(LABEL, '');
}

/** Replaces digits of any script by 0 to 9: the ten digits of a script have consecutive code points. */
function asciiDigits(text: string): string {
	return text.replace(/\p{Nd}/gu, (digit) => {
		const code = digit.codePointAt(0)!;
		let value = 0;
		while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
		return String(value);
	});
}

/** Whether a cleaned text says that a number begins with its code: by a plus, 00, or a bracketed zero, as in `44 (0)7911 123456`. */
export const hasPlus = (text: string) => /^\(?(?:\+|00|[1-9]\d{0,2}\)?\(0\))/.test(text);

/** Returns the digits of a cleaned text, without a leading 00. */
export const plainDigits = (text: string) => digitsOf(text).replace(/^(?:00)+/, '');

const SHORTENED =
	'a spreadsheet may have shortened it, or a part is hidden. Format the column as text, and enter the whole number, with a plus sign.';

/** Texts that are no numbers, and what to say of them. */
const NO_NUMBERS: Array<[RegExp, string]> = [
	[/\{\{/, "n8n did not evaluate this expression. Choose 'Expression' in place of 'Fixed'."],
	// The IDs of chat apps: TR.abc123, @ada, 123@g.us.
	[
		/^[A-Z]{2}\.[A-Za-z\d.]+$|^@|@(?:g\.us|lid|hosted\.lid|broadcast|newsletter)$/,
		'it is a user name or a group of the app, and the interface knows only phone numbers. Take the number from another field, or ask the provider.',
	],
	[/@|:\/\/|^(?:[\p{L}\d-]+\.)+\p{L}{2,}[/?]/u, 'it is an address. Write only the number.'],
	[/^\D*$/, 'it has no digits.'],
	// 447911000000: a spreadsheet has kept the first digits. With a plus, it may be a number.
	[/^(?!.*\(0\))\(?[1-9](?:\W*\d){3,}(?:\W*0){6}\W*$/, SHORTENED],
	// 4.47911E+11
	[/\de\+?\d+$/i, SHORTENED],
	// 447911123456.0
	[/^\+?\d{7,}[.,](?:\d{1,2}|0+)$/, SHORTENED],
	// 4479111***56, 4479111...
	[/[.*‐-―−-]{3}/, SHORTENED],
	// 27.11.2026, 2026-11-27T09:30:00Z, and of the Thai calendar 27/11/2569
	[
		/^((\d{1,2}[./‐-―−-]){2}(19|20|25)\d\d|(19|20|25)\d\d([./‐-―−-]\d{1,2}){2}(T.*)?)\.?$/,
		'it is a date. Check the name of the column.',
	],
];

/** A number as most are written. */
const USUAL = /^\+\d(?:[ -]?\d)*$/;

/** Two numbers that together are no longer than one: each has at least seven digits. */
const SHORT_NUMBERS = /^\s*(?!00)\d{7,}[^\d()]+\d{7,}\s*$/;

/** The one slash that people write in a number: behind the area, as in `0234/123456` and `+49 234/123456`. */
const AREA = /^\(?(?:(?:\+|00)(?:\D?\d){2,9}|(?:\D?\d){2,6})\D?\/(?=(?:\D?\d){4})/;

/** The other signs, where people write them: `+44 (0) 20-7946.0958`. A short bracket at the end is an extension: `…0958(12)`. */
const OTHER_SIGNS =
	/^(?:\(\+\d+\)|\+?(?=[\d(]))(?:[.‐-―−ー-]{0,2}(?:\d|\(\d[\d.‐-―−ー-]*\)(?=[.‐-―−ー-]{0,2}[\d(])|\(\d{5,}\)))*[.‐-―−ー-]{0,2}/u;

/**
 * Returns the reason why a text cannot be a phone number; undefined if it can be one.
 *
 * @param text the same text cleaned
 */
export function whyNoNumber(given: string, text: string): string | undefined {
	if (given.length > LONGEST) return 'it is too long.';
	// ITU-T E.164: a number has at most 15 digits, without what is dialled for calls abroad, such as 00 or 011.
	const isLong = digitsOf(text.replace('(0)', '')).replace(/^0[01]*/, '').length > 15;
	if (!isLong && USUAL.test(given)) return undefined;
	const [, reason] = NO_NUMBERS.find(([pattern]) => pattern.test(text)) ?? [];
	if (reason) return reason;
	if (isLong || SHORT_NUMBERS.test(given))
		return 'these are two numbers, or it is too long: one number has at most 15 digits. Write only one.';
	const signs = AREA.test(text) ? text.replace('/', '') : text;
	const left = signs.replace(OTHER_SIGNS, '');
	// A footnote's sign such as ¹ has become a digit. The bracket of `(home)` belongs in other numbers, and its word does not.
	const [wrong] = /\p{No}/u.exec(given) ?? /\p{L}/u.exec(left) ?? [...left];
	if (wrong === undefined) return undefined;
	if (wrong === '+') return 'a plus sign belongs only in front of the number, and once.';
	return `'${visible(wrong)}' does not belong in a phone number. Write only one number, without words or an extension.`;
}

export const digitsOf = (text: string) => text.replace(/\D/g, '');
