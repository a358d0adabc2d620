/* The first steps of reading a number: cleaning its text, and finding what cannot be a phone number, whatever the country. */

const SHORTEST = 7;

/** ITU-T E.164: at most 15 digits with the country code. */
const LONGEST = 15;

/** Longer texts are no numbers. The patterns below need not be quick for them. */
const LONGEST_TEXT = 200;

/** Blanks, control and format characters, and all others that are not seen. */
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** A scheme or a label in front of a number: `tel:`, `whatsapp:`, `Tel.:`. */
const SCHEME = /^(?:\p{L}[\p{L}\p{M}.-]*:(?:\/\/)?)+(?=[+\d(])/u;

/** Replaces digits of any script by 0 to 9: the ten digits of a script have consecutive code points. */
function asciiDigits(text: string): string {
	return text.replace(/\p{Nd}/gu, (digit) => {
		const code = digit.codePointAt(0)!;
		let value = 0;
		while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
		return String(value);
	});
}

/** Removes what copying and spreadsheets leave in a number: invisible characters, the apostrophe that marks text, a scheme. */
export const cleaned = (given: string) =>
	asciiDigits(given.normalize('NFKC'))
		.replace(INVISIBLE, '')
		.replace(/^['‘’]/, '')
		.replace(SCHEME, '');

/** Returns the text after `+` or `00`, or the whole text if a bracketed zero follows a code: `44 (0)7911 123456`. */
export const afterPlus = (text: string) =>
	/^\(?(?:\+|00|(?=[1-9]\d{0,2}\)?\(0\)))(.*)$/.exec(text)?.[1];

export const digitsOf = (text: string) => text.replace(/\D/g, '');

/** Returns the digits of a cleaned text, without `+`, `00`, and a bracketed zero after the code. */
export const plainDigits = (text: string) => digitsOf(afterPlus(text)?.replace('(0)', '') ?? text);

const hasSevenDigits = (text: string) => digitsOf(text).length >= SHORTEST;

/** What stands between two numbers in one cell: lines, signs or words; or only blanks. */
const BETWEEN_NUMBERS = [/[\n\v\f\r\u0085\u2028\u2029\t;,|&]|:::|\p{L}+/u, /\s+/];

const areTwoNumbers = (given: string, text: string) =>
	[...BETWEEN_NUMBERS.map((between) => given.split(between)), text.split('+')].some(
		(parts) => parts.filter(hasSevenDigits).length > 1,
	);

/** A web address, such as https://wa.me/447… or wa.me/447…. */
const LINK = /:\/\/|^(?:[\p{L}\d-]+\.)+\p{L}{2,}[/?]/u;

/** A number that a spreadsheet has shortened and written out again, as it does with 4.477E+11. */
const SHORTENED = /^[1-9]\d{3,}0{6}$/;

const EXTENSION = /^([#~]|;?(?:x|e?xt\p{L}*|доб|anexo|int|ramal|poste|dw)[.:=]?)\d{1,7}$/iu;

const NUMBER_SIGNS = /^\(?\+?(?:[\d(][\d()./‐-―−ー-]*)?/;

/** Shows a character; one that is not seen alone, or that looks like another, also by its code. */
function shown(character: string): string {
	if (/[!-~]/.test(character)) return `'${character}'`;
	const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
	return /[\p{C}\p{M}\p{Z}]/u.test(character)
		? `the character ${code}`
		: `'${character}' (${code})`;
}

/** Says why an address with `@` is no number: what stands before it may be the number, but not of a group. */
function whyNoAddress(rest: string): string {
	if (!/^[:.\d]*@/.test(rest)) return 'it is an address with @. Write only a phone number.';
	return /@(g\.us|lid|broadcast|newsletter)$/i.test(rest)
		? `what stands before '${rest}' is no phone number. Take the number from another field.`
		: `leave out '${rest}' and write only the number.`;
}

/**
 * Says why a slash does not stand behind an area code; undefined if it may.
 *
 * @param area returns the digits before the slash without the country code
 */
function whyNoSlash(text: string, area: (text: string) => string): string | undefined {
	const [before, after, more] = text.split('/');
	if (after === undefined) return undefined;
	if (more !== undefined) return 'it has more than one slash. Write one number without them.';
	const isArea = area(before).length < SHORTEST;
	if (digitsOf(after).length >= 4 && isArea) return undefined;
	if (hasSevenDigits(after)) return 'these are two numbers. Write only one.';
	return 'it has an extension or a second number. Leave out the slash and what follows.';
}

/**
 * Returns the reason why a text cannot be a phone number; undefined if it can be one.
 *
 * @param text the same text cleaned
 * @param area returns the digits of the beginning of a number, without the country code
 */
export function whyNoNumber(
	given: string,
	text: string,
	area: (text: string) => string,
): string | undefined {
	if (given.length > LONGEST_TEXT) return 'it is too long.';
	const rest = text.slice(NUMBER_SIGNS.exec(text)![0].length);
	if (LINK.test(text)) return 'it is a link. Write only the number.';
	if (areTwoNumbers(given.normalize('NFKC').trim(), text)) {
		return 'these are two numbers. Write only one.';
	}
	if (rest.includes('@')) return whyNoAddress(rest);
	if (SHORTENED.test(text)) {
		return 'it ends in six zeros, so a spreadsheet has probably shortened it. If it is right, write it with a plus sign.';
	}
	if (/^\d([.,]\d+)?e\+?\d+$/i.test(text)) {
		return 'a spreadsheet has shortened it. Format its column as text.';
	}
	if (/^\+?\d{7,}[.,]\d{1,2}$/.test(text)) {
		return 'it is a decimal number. Format its column as text.';
	}
	if (/^(\d{1,2}[./-]){2}(19|20)\d\d$|^(19|20)\d\d([./-]\d\d){2}(T|$)/.test(text)) {
		return 'it is a date.';
	}
	if (!/\d/.test(text)) return 'it has no digits.';
	const [, extension] = EXTENSION.exec(rest) ?? [];
	if (extension && hasSevenDigits(text.slice(0, -rest.length))) {
		return `it has an extension. Leave out '${extension}' and what follows.`;
	}
	// A footnote's sign such as ¹ has become a digit.
	const wrong = /\p{No}/u.exec(given)?.[0] ?? [...rest][0];
	if (wrong === '+') return 'a plus sign belongs only in front of the number, and once.';
	if (wrong) return `${shown(wrong)} does not belong in a phone number. Write only the number.`;
	return whyNoSlash(text, area);
}

/** Returns the reason why digits cannot be a number with its country code, whatever the country; undefined if they can be. */
export function whyNoLength({ length }: string): string | undefined {
	if (length < SHORTEST) return 'it is too short.';
	return length > LONGEST ? 'it is too long: a number has at most 15 digits.' : undefined;
}
