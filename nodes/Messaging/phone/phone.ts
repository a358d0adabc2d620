import { afterPlus, cleaned, digitsOf, whyNoLength, whyNoNumber } from './clean';
import { isPlain, regionOf, whyNoCountry } from './plans';
import { readFull, readingsIn } from './reading';

/*
 * Phone numbers: clean → what cannot be a number → the plan of its country → written. What other rooms use:
 *
 *   formatPhone(given, format, defaultCode?)  checks a number and writes it
 *   senderNumber(given)                       the same for 'From'
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

export const EMPTY_RECIPIENT = 'The recipient is empty.';

/** A number as most are given: there is nothing to clean, and no spreadsheet has shortened it. */
const CLEAN = /^[1-9]\d{6,14}$/;
const ENDS_IN_ZEROS = '000000';

const isClean = (given: string) => CLEAN.test(given) && !given.endsWith(ENDS_IN_ZEROS);

/** Returns the digits of a number as its country's plan reads them; undefined if no country has such a number. */
const fullNumber = (digits: string): string | undefined =>
	isPlain(digits) ? digits : readFull(digits)?.digits;

/** Normalises a number for comparison: its digits, the same for the usual ways to write a number with its code. */
export function recipientDigits(phone: string): string {
	if (isClean(phone) && isPlain(phone)) return phone;
	const text = cleaned(phone);
	const digits = digitsOf(afterPlus(text) ?? text);
	return fullNumber(digits) ?? (digits || phone);
}

/** Reads a calling code: `385`, `+385` and `00385` are 385; undefined if no country has it. */
export function callingCode(given: string): string | undefined {
	const text = cleaned(given);
	const code = digitsOf(afterPlus(text) ?? text);
	return regionOf(code) && code;
}

/** Mexico's mobile numbers had a 1 behind the code until 2019. */
const MEXICO_OLD = /^521\d{10}$/;

/** Says why no plan has a number, and what to do. */
function whyNoPlan(text: string, defaultCode: string | undefined): string {
	const full = afterPlus(text);
	const digits = digitsOf(full ?? text);
	if (MEXICO_OLD.test(digits)) {
		return "Mexico's numbers have no 1 behind +52 any more. Leave out the 1 after +52, or set 'Phone Format' to As Is.";
	}
	if (full !== undefined) {
		const national =
			defaultCode === undefined ? '' : ' A national number has no plus sign and no 00 in front.';
		return `${whyNoCountry(digits)} Check it and its country code.${national}`;
	}
	if (defaultCode !== undefined) {
		const national = digits.replace(/^0/, '');
		const why = whyNoCountry(national.startsWith(defaultCode) ? national : defaultCode + national);
		return `${why} Check it, or write it with its country code and a plus sign.`;
	}
	return digits.startsWith('0')
		? "it has no country code. Set 'Default Country Code' in the options, or write the number with its country code."
		: `${whyNoCountry(digits)} If your numbers have no country code, set 'Default Country Code'.`;
}

const refused = (why: string): PhoneResult => ({
	ok: false,
	message: `This is not a phone number: ${why}`,
});

/**
 * Checks a recipient's number and writes it in the chosen format.
 *
 * With a plus or 00, and without `defaultCode`, it must be a number with its country code; with `defaultCode` it may also be a
 * national number of that country. Digits that may be two numbers are refused. `asIs` asks no plan, and returns the number as
 * it was given, but refuses a text that cannot be a number.
 *
 * @param defaultCode country calling code in digits, as {@link callingCode} returns it
 */
export function formatPhone(given: string, format: PhoneFormat, defaultCode?: string): PhoneResult {
	const written = (digits: string): PhoneResult => ({
		ok: true,
		phone: format === 'e164' ? `+${digits}` : digits,
	});
	if (defaultCode === undefined && format !== 'asIs' && isClean(given) && isPlain(given)) {
		return written(given);
	}
	const text = cleaned(given);
	if (text === '') return { ok: false, message: EMPTY_RECIPIENT };
	const why = whyNoNumber(given, text);
	if (why !== undefined) return refused(why);
	const full = afterPlus(text);
	const digits = digitsOf(full ?? text);
	const isRead = defaultCode !== undefined && (full === undefined || text.startsWith('00'));
	let [number, other]: Array<string | undefined> = [];
	if (format !== 'asIs')
		[number, other] = isRead ? readingsIn(digitsOf(text), defaultCode) : [fullNumber(digits)];
	const length = whyNoLength(number ?? digits);
	if (length !== undefined) return refused(length);
	if (format === 'asIs') return { ok: true, phone: given };
	if (number === undefined) return refused(whyNoPlan(text, defaultCode));
	if (other === undefined) return written(number);
	return {
		ok: false,
		message: `The number may be +${number} or +${other}. Write it with its country code and a plus sign.`,
	};
}

/** Reads the sender's number like a recipient's. Plain digits stay as the service shows them, perhaps with a plus. */
export const senderNumber = (given: string): PhoneResult =>
	/^\+?\d+$/.test(given) ? { ok: true, phone: given } : formatPhone(given, 'digits');
