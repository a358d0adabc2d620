import { regionOf } from './plans';
import { parser } from './reading';

/*
 * What other rooms use of this one:
 *
 *   formatPhone(given, format, defaultCode?)  checks a number and writes it
 *   recipientDigits(phone)                    the same digits for the same person, for comparison
 *   callingCode(text)                         reads 'Default Country Code'
 *   countryOf(digits)                         "+44"
 *   destinations(numbers)                     "24 to +44 United Kingdom, 1 to +20 Egypt", from digits
 *   unknownRanges(messages)                   "3 numbers are in no range that is known: item 4 (…), …", or ''
 */
export { destinations, unknownRanges } from './destinations';
export { countryOf } from './plans';

/** How a recipient's number is written for the service. */
export type PhoneFormat = 'asIs' | 'digits' | 'e164';

export type PhoneResult = { ok: true; phone: string } | { ok: false; message: string };

const SHORTEST = 7;

/** ITU-T E.164: at most 15 digits with the country code. */
const LONGEST = 15;

/** The digits of a number with its country code, as most numbers are given: there is nothing to remove. */
const FULL_NUMBER = /^[1-9]\d{6,14}$/;
/** A number that a spreadsheet has probably shortened, as it does with 4.477E+11. */
const SHORTENED = /^[1-9]\d{4,}0{6}$/;

/** Most digits of a national number. The plans of some countries allow more, but longer ones are numbers with their code. */
const LONGEST_NATIONAL = 12;

/**
 * The same for digits that begin with the country's own code: `49 171 3920020` is a German mobile number with its code, and
 * not a landline of the area 04917 without its zero, which would be too long.
 */
const LONGEST_WITHOUT_CODE = 11;

/** Replaces digits of any script by 0 to 9: the ten digits of a script have consecutive code points. */
function asciiDigits(text: string): string {
	return text.replace(/\p{Nd}/gu, (digit) => {
		const code = digit.codePointAt(0)!;
		let value = 0;
		while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
		return String(value);
	});
}

/** Removes spaces, invisible characters and `tel:`, which copying leaves in a number. */
const cleaned = (phone: string) =>
	asciiDigits(phone.normalize('NFKC'))
		.replace(/[\p{Cf}\s]/gu, '')
		.replace(/^tel:/i, '');

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** Returns the text after `+` or `00`, or the whole text if a bracketed zero follows a code: `44 (0)7911 123456`. */
const afterPlus = (text: string) => /^\(?(?:\+|00|(?=[1-9]\d{0,2}\)?\(0\)))(.*)$/.exec(text)?.[1];

/** Returns the digits of a cleaned text, without `+`, `00`, and a bracketed zero after the code. */
const plainDigits = (text: string) => digitsOf(afterPlus(text)?.replace('(0)', '') ?? text);

/** Normalises a number for comparison: its digits, the same for the usual ways to write a number with its code. */
export const recipientDigits = (phone: string): string =>
	/^[1-9]\d+$/.test(phone) ? phone : plainDigits(cleaned(phone)) || phone;

/** Reads a calling code: `385`, `+385` and `00385` are 385; undefined if no country has it. */
export function callingCode(text: string): string | undefined {
	const code = recipientDigits(text);
	return regionOf(code) && code;
}

/** A zero behind the country code, as in `+33 06 12 34 56 78`. Codes 1 and 7 have other digits before a national number. */
const ZERO_AFTER_CODE = /^(?![17])[1-9]\d{0,2}0/;

/** Returns the digits of a number with its code, as the plans of its country write them if they know it. */
function fullDigits(text: string, full: string): string {
	const number = parser().parsePhone(`+${digitsOf(full)}`);
	return number?.isValid() ? number.number.slice(1) : plainDigits(text);
}

/** Returns the numbers, in digits with country code, that a text may mean to people of the country with the code. */
function readings(text: string, code: string): string[] {
	const { parsePhone } = parser();
	const digits = digitsOf(text);
	const full = afterPlus(text);
	if (full !== undefined && /\+|\(0\)/.test(text)) return [fullDigits(text, full)];
	const abroad = parsePhone(`+${digitsOf(full ?? text)}`);
	const isFull = full !== undefined || digits.startsWith(code);
	const longest = isFull && abroad?.isValid() ? LONGEST_WITHOUT_CODE : LONGEST_NATIONAL;
	const home = parsePhone(digits, regionOf(code));
	const both = [
		home && home.nationalNumber.length <= longest ? home : undefined,
		isFull ? abroad : undefined,
	];
	let found = both.filter((number) => number?.isValid());
	if (found.length === 0) {
		// New ranges are opened every month, so an unknown number may have the length of a known one.
		found = both.filter((number) => number?.isPossible());
		// Digits that fit this country by length only may be a known number of another country, without its plus.
		if (found.length > 0 && abroad?.isValid()) found.push(abroad);
	}
	return [...new Set(found.map((number) => number!.number.slice(1)))];
}

/** Returns the reason why a text cannot be a phone number; undefined if it can be one. */
function notANumber(text: string): string | undefined {
	if (SHORTENED.test(text))
		return 'it ends in six zeros, so a spreadsheet has probably shortened it. If it is right, write it with a plus sign.';
	if (/^\+?\d+$/.test(text)) return undefined;
	if (/^\d([.,]\d+)?e\+?\d+$/i.test(text))
		return 'a spreadsheet has shortened it. Format its column as text.';
	if (/^\+?\d{7,}[.,]\d{1,2}$/.test(text))
		return 'it is a decimal number. Format its column as text.';
	if (/^(?!00).*\d{7,}\/\d{7,}/.test(text)) return 'these are two numbers.';
	if (/\d{7,}\/\d{1,3}$/.test(text))
		return 'it has an extension. Leave out the slash and what follows.';
	if (!/^\(?\+?[\d(][\d()./‐-―−-]*$/.test(text))
		return 'it contains characters that do not belong in a phone number.';
	return undefined;
}

export const EMPTY_RECIPIENT = 'The recipient is empty.';

/**
 * Checks a recipient's number and writes it in the chosen format.
 *
 * Accepts digits of any script, spaces, brackets, dots, dashes, `tel:` and a leading `00` for `+`. With `defaultCode` it also
 * accepts national numbers of that country, and libphonenumber decides which number is meant: digits that may be two numbers
 * are refused. A zero after `+` and the code goes unless it belongs to the number. `asIs` returns the number as it was
 * given, but refuses a text that cannot be a number.
 *
 * @param defaultCode country calling code in digits, as {@link callingCode} returns it
 */
export function formatPhone(given: string, format: PhoneFormat, defaultCode?: string): PhoneResult {
	const isRead = defaultCode !== undefined && format !== 'asIs';
	if (!isRead && FULL_NUMBER.test(given) && !SHORTENED.test(given)) {
		return { ok: true, phone: format === 'e164' ? `+${given}` : given };
	}
	const text = cleaned(given);
	if (text === '') return { ok: false, message: EMPTY_RECIPIENT };
	const refuse = (why: string): PhoneResult => ({
		ok: false,
		message: `This is not a phone number: ${why}`,
	});
	// Footnote signs such as ¹ would become digits.
	const why = notANumber(/\p{No}/u.test(given) ? given : text);
	if (why) return refuse(why);

	const full = afterPlus(text) ?? '';
	const alone = ZERO_AFTER_CODE.test(digitsOf(full)) ? fullDigits(text, full) : plainDigits(text);
	const [number, other] = isRead ? readings(text, defaultCode) : [alone];
	if (other) {
		const message = `The number may be +${number} or +${other}. Write it with its country code and a plus sign.`;
		return { ok: false, message };
	}
	if (number === undefined) {
		return refuse(
			`it does not look like a number of country code ${defaultCode}. Check it, or write it with its country code and a plus sign.`,
		);
	}
	if (number.length < SHORTEST) return refuse('it is too short.');
	if (number.length > LONGEST) return refuse('it is too long.');
	if (format === 'asIs') return { ok: true, phone: given };
	if (number.startsWith('0')) {
		return refuse(
			afterPlus(text) === undefined
				? "it has no country code. Set 'Default Country Code' in the options, or write the number with its country code."
				: 'no country code begins with 0.',
		);
	}
	return { ok: true, phone: format === 'e164' ? `+${number}` : number };
}
