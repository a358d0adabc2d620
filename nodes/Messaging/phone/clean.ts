/* The first steps of reading a number: cleaning its text, and finding what cannot be a phone number, whatever the country. */

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

/** Most numbers have only ASCII characters, and need none of the slow steps. */
const normalized = (given: string) =>
	/^[ -~]*$/.test(given) ? given : asciiDigits(given.normalize('NFKC'));

/** Removes what copying and spreadsheets leave in a number: invisible characters, the apostrophe that marks text, a scheme. */
export const cleaned = (given: string) =>
	normalized(given)
		.replace(INVISIBLE, '')
		.replace(/^['‘’]/, '')
		.replace(SCHEME, '');

export const digitsOf = (text: string) => text.replace(/\D/g, '');

/** A plus, 00, or both; or a code before a bracketed zero, as in `44 (0)7911 123456`. */
const PLUS = /^\(?(?:\+?00|\+|(?=[1-9]\d{0,2}\)?\(0\)))/;

/** Whether a cleaned text says that a number begins with its country code. */
export const hasPlus = (text: string) => PLUS.test(text);

/** Returns the digits of a cleaned text, without a leading 00. */
export const plainDigits = (text: string) => digitsOf(text.replace(PLUS, ''));

/** What stands between two numbers in one cell: anything that is no sign of a number, such as lines and words. */
const BETWEEN = /[^\d()./‐-―−ー\p{Zs}\p{Cf}-]+/u;

/** Whether a part of a number is as long as a whole one: a plus, 00 and a bracketed zero are only at the beginning. */
function isWhole(part: string): boolean {
	const text = cleaned(part).replace('(0)', '');
	return plainDigits(text).length >= (text.startsWith('+') ? 8 : 7);
}

const areTwoNumbers = (text: string) =>
	digitsOf(text).length >= 14 &&
	(text.split(BETWEEN).filter((part) => digitsOf(part).length >= 7).length > 1 ||
		text.split(/\s+/).filter(isWhole).length > 1);

/** A web address, such as https://wa.me/447… or wa.me/447…. */
const LINK = /:\/\/|^([\p{L}\d-]+\.)+\p{L}{2,}[/?]/u;

const TWO_NUMBERS = 'these are two numbers. Write only one.';

/** Texts that are no numbers, and what to say of them. */
const NO_NUMBERS: Array<[RegExp, string]> = [
	[
		/\{\{/,
		"it is an expression that n8n did not evaluate. Choose 'Expression' in place of 'Fixed'.",
	],
	[
		/@(g\.us|lid|broadcast|newsletter)$/i,
		'it is an address of a group, or an internal one. Take the number from another field.',
	],
	[/^[+\d().-]+((?::\d*)?@.*)$/, "leave out '$1' and write only the number."],
	[/@/, 'it is an address with @. Write only the number.'],
	[/^[1-9]\d{6,}[‐-―−-]\d{7,}$/, TWO_NUMBERS],
	[
		/^(?!.*\(0\))\(?[1-9](?:\W*\d){3,}(?:\W*0){6}\W*$/,
		'it ends in six zeros, so a spreadsheet has probably shortened it. If it is right, write it with a plus sign; if not, enter the whole number again, in a column of the format text.',
	],
	[
		/^[+-]?\d+([.,]\d+)?e\+?\d+$/i,
		'a spreadsheet has shortened it. Format its column as text. Then enter the whole number again.',
	],
	[/^\+?\d{7,}[.,](\d{1,2}|0+)$/, 'it is a decimal number. Format its column as text.'],
	[
		/^((\d{1,2}[./‐-―−-]){2}(19|20|25)\d\d|(19|20|25)\d\d([./‐-―−-]\d{1,2}){2}(T.*)?)\.?$/,
		'it is a date. Check the name of the column.',
	],
	[/^\D*$/, 'it has no digits.'],
	[
		/\d\)?([#~]|;?(x|e?xt\p{L}*|доб|anexo|int|ramal|poste|dw)[.:=]?)\d{1,7}$/iu,
		"it has an extension. Leave out '$1' and what follows.",
	],
	[/\d(\(\d{1,4}\))$/, "it has an extension. Leave out '$1'."],
	[/[.‐-―−-]{3}/, 'it is cut short or hidden. Enter the whole number.'],
	[/^[^(]*\)/, 'it has a closing bracket without an opening one. Write only the number.'],
	[/\/.*\//, 'it has more than one slash. Write one number without them.'],
];

/** A number as most are written, of which only the number of digits is to be checked. */
const PLAIN = /^\+\d(?:[\d ]|-\d)*$/;

const NUMBER_SIGNS = /^\(?\+?(?:[\d(][\d()./‐-―−ー-]*)?/;

/** Shows a character; one that is not seen alone, or that may look like another, by its code. */
function shown(character: string): string {
	if (/[!-~]/.test(character)) return `'${character}'`;
	const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
	return /[\p{C}\p{M}\p{Z}]/u.test(character)
		? `the character ${code}`
		: `'${character}' (${code})`;
}

/** Whether a slash stands behind an area code, as in `0234/123456`: with country code and zero it has at most nine digits. */
const isAfterArea = (before: string, after: string) =>
	plainDigits(before).length <= (hasPlus(before) ? 9 : 6) && digitsOf(after).length >= 4;

/**
 * Returns the reason why a text cannot be a phone number; undefined if it can be one.
 *
 * @param text the same text cleaned
 */
export function whyNoNumber(given: string, text: string): string | undefined {
	if (given.length > 200) return 'it is too long.';
	if (LINK.test(text)) return 'it is a link. Write only the number.';
	if (areTwoNumbers(normalized(given))) return TWO_NUMBERS;
	if (PLAIN.test(given)) return undefined;
	const [pattern, reason] = NO_NUMBERS.find(([each]) => each.test(text)) ?? [];
	if (pattern && reason) return reason.replace('$1', pattern.exec(text)?.[1] ?? '');
	// A footnote's sign such as ¹ has become a digit.
	const wrong = /\p{No}/u.exec(given)?.[0] ?? [...text.replace(NUMBER_SIGNS, '')][0];
	if (wrong === '+') return 'a plus sign belongs only in front of the number, and once.';
	if (wrong) return `${shown(wrong)} does not belong in a phone number. Write only the number.`;
	const [before, after] = text.split('/');
	if (after === undefined || isAfterArea(before, after)) return undefined;
	return 'it has a second number or an extension. Leave out the slash and what follows.';
}
