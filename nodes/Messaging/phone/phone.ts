import { cleaned, digitsOf, hasPlus, plainDigits, whyNoNumber } from './clean';
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
const isClean = (given: string) => /^[1-9]\d{6,14}$/.test(given) && !given.endsWith('000000');

/** Returns the digits of a number as its country's plan reads them; undefined if no country has such a number. */
const fullNumber = (digits: string) => (isPlain(digits) ? digits : readFull(digits)?.digits);

/** Normalises a number for comparison: its digits, the same for the usual ways to write a number with its code. */
export function recipientDigits(phone: string): string {
	if (isClean(phone) && isPlain(phone)) return phone;
	const digits = plainDigits(cleaned(phone));
	return fullNumber(digits) ?? (digits || phone);
}

/** Reads a calling code: `385`, `+385` and `00385` are 385; undefined if no country has it. */
export function callingCode(given: string): string | undefined {
	const [, code = ''] = /^(?:\+|00)?(\d{1,3})$/.exec(cleaned(given)) ?? [];
	return regionOf(code) && code;
}

/** Says why no plan has a number, and what to do. */
function whyNoPlan(text: string, defaultCode: string | undefined): string {
	const digits = plainDigits(text);
	// Mobile numbers of Mexico had a 1 behind the code until 2019.
	if (/^521\d{10}$/.test(digits)) {
		return "Mexico's numbers have no 1 behind +52 any more. Leave out the 1 after +52, or set 'Phone Format' to As Is.";
	}
	if (hasPlus(text)) return `${whyNoCountry(digits)} Check it and its country code.`;
	const national = digits.replace(/^0/, '');
	if (defaultCode !== undefined) {
		const why = whyNoCountry(national.startsWith(defaultCode) ? national : defaultCode + national);
		return `${why} Check it, or write it with its country code and a plus sign. 'Default Country Code' is ${defaultCode}.`;
	}
	return national === digits
		? `${whyNoCountry(digits)} Check it. If your numbers have no country code, set 'Default Country Code'.`
		: "it has no country code. Write the number with its country code. If all numbers without one are of one country, set 'Default Country Code' in the options.";
}

const refused = (why: string): PhoneResult => ({
	ok: false,
	message: `This is not a phone number: ${why}`,
});

const written = (digits: string, format: PhoneFormat): PhoneResult => ({
	ok: true,
	phone: format === 'e164' ? `+${digits}` : digits,
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
	if (defaultCode === undefined && format !== 'asIs' && isClean(given) && isPlain(given)) {
		return written(given, format);
	}
	const text = cleaned(given);
	if (text === '') return { ok: false, message: EMPTY_RECIPIENT };
	const why = whyNoNumber(given, text);
	if (why !== undefined) return refused(why);
	const digits = plainDigits(text);
	const isRead = defaultCode !== undefined && (!hasPlus(text) || text.startsWith('00'));
	let [number, other]: Array<string | undefined> = [];
	if (format !== 'asIs')
		[number, other] = isRead ? readingsIn(digitsOf(text), defaultCode) : [fullNumber(digits)];
	const { length } = number ?? digits;
	if (length < 7) return refused('it is too short.');
	// ITU-T E.164
	if (length > 15) return refused('it is too long: one number has at most 15 digits.');
	if (format === 'asIs') return { ok: true, phone: given };
	if (number === undefined) return refused(whyNoPlan(text, defaultCode));
	if (other === undefined) return written(number, format);
	return {
		ok: false,
		message: `The number may be +${number} or +${other}. Write it with its country code and a plus sign.`,
	};
}

/** Reads the sender's number like a recipient's. Plain digits stay as the service shows them, perhaps with a plus. */
export const senderNumber = (given: string): PhoneResult =>
	/^\+?(?!00)\d+$/.test(given) ? { ok: true, phone: given } : formatPhone(given, 'digits');
