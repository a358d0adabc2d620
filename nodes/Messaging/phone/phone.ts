import { cleaned, digitsOf, hasPlus, plainDigits, whyNoNumber } from './clean';
import { plainNumber, regionOf, whyNoCountry } from './plans';
import { fullNumber, numbersIn } from './reading';

/* Phone numbers: clean → what cannot be a number → the plan of its country → written. */
export { destinations, unknownRanges } from './destinations';
export { countryOf } from './plans';

/** How a recipient's number is written for the service. */
export type PhoneFormat = 'asIs' | 'digits' | 'e164';

export type PhoneResult = { ok: true; phone: string } | { ok: false; message: string };

/** Reads the sender's number like a recipient's. Plain digits stay as the service shows them, perhaps with a plus. */
export const senderNumber = (given: string): PhoneResult =>
	/^\+?(?!00)\d+$/.test(given) ? { ok: true, phone: given } : formatPhone(given, 'digits');

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
	const isAsIs = format === 'asIs';
	if (!isAsIs && (defaultCode === undefined || given.startsWith('+'))) {
		const plain = plainNumber(given);
		if (plain !== undefined) return written(plain, format);
	}
	const text = cleaned(given);
	if (text === '') return { ok: false, message: 'The recipient is empty.' };
	const why = whyNoNumber(given, text);
	if (isAsIs && !why && plainDigits(text).length >= 7) return { ok: true, phone: given };
	const [number, other] = isAsIs || why ? [] : numbersOf(text, defaultCode);
	if (number !== undefined && other === undefined) return written(number, format);
	const message = number
		? `The number may be +${number} or +${other}. Write it with its country code and a plus sign.`
		: `This is not a phone number: ${why ?? whyNoPlan(text, defaultCode)}`;
	return { ok: false, message };
}

/** Normalises a number for comparison: its digits, the same for the usual ways to write a number with its code. */
export function recipientDigits(phone: string): string {
	const plain = plainNumber(phone);
	if (plain !== undefined) return plain;
	const text = cleaned(phone);
	return numbersOf(text)[0] ?? (plainDigits(text) || phone);
}

/** Reads a calling code: `385`, `+385` and `00385` are 385; undefined if no country has it. */
export function callingCode(given: string): string | undefined {
	const [, code = ''] = /^(?:\+|00)?(\d{1,3})$/.exec(cleaned(given)) ?? [];
	return regionOf(code) && code;
}

const written = (digits: string, format: PhoneFormat): PhoneResult => ({
	ok: true,
	phone: format === 'e164' ? `+${digits}` : digits,
});

/** A zero in brackets directly behind the plus, as in `+(0) 151 2345678`: somebody has put the plus in place of the code. */
const WITHOUT_CODE = /^[^1-9]*(?:\+|00)[^1-9]*\(0\)/;
/** A zero in brackets in front, as in `(0)151 2345678`: the number is a national one. */
const NATIONAL = /^[^1-9]*\(0\)[^1-9]*/;

/** Returns the numbers that a cleaned text may mean: one, two, or none. */
function numbersOf(text: string, defaultCode?: string): string[] {
	const isNational = NATIONAL.test(text);
	if (WITHOUT_CODE.test(text) || (isNational && defaultCode === undefined)) return [];
	const found = readingsOf(text.replace(NATIONAL, '0'), defaultCode);
	const [front, ...rest] = text.split('(0)');
	if (found.length > 0 || rest.length === 0) return found;
	// A zero in brackets behind the code, or in front, may have to go, and not every plan says so.
	const isBehindCode = isNational || regionOf(plainDigits(front)) !== undefined;
	return isBehindCode ? readingsOf(text.replaceAll('(0)', ''), defaultCode) : [];
}

function readingsOf(text: string, defaultCode?: string): string[] {
	// 00 may also be the beginning of a longer prefix for calls abroad: Australia's is 0011.
	const isDialled = defaultCode !== undefined && (!hasPlus(text) || text.startsWith('00'));
	const full = isDialled ? undefined : fullNumber(plainDigits(text));
	if (full !== undefined) return [full];
	return isDialled ? numbersIn(digitsOf(text), defaultCode) : [];
}

/** Ends the sentence about a number without a country code. Of several rows it is said once. */
export const NO_DEFAULT_CODE = "'Default Country Code' is not set.";

/** Says why no plan has a number, and what to do. */
function whyNoPlan(text: string, defaultCode = ''): string {
	const digits = plainDigits(text.replace(NATIONAL, '0'));
	if (digits.length < 7) return 'it is too short.';
	if (WITHOUT_CODE.test(text))
		return 'its country code is missing. Write it between the plus sign and the zero in brackets.';
	if (hasPlus(text)) return `${whyNoCountry(digits)} Check it and its country code.`;
	const full = digits.startsWith(defaultCode) ? digits : defaultCode + digits.replace(/^0/, '');
	const option = defaultCode ? `'Default Country Code' is ${defaultCode}.` : NO_DEFAULT_CODE;
	return `${whyNoCountry(full)} Check it, or write it with a plus sign and its country code. ${option}`;
}
