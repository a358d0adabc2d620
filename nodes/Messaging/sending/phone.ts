/** How a recipient's number is written for the service. */
export type PhoneFormat = 'asIs' | 'digits' | 'e164';

export type PhoneResult = { ok: true; phone: string } | { ok: false; message: string };

/** Calling codes whose national numbers keep a leading zero after the code. */
const KEEPS_ZERO = ['39', '225', '226', '229', '242', '378', '379', '992'];
/** Calling codes with other trunk prefixes than `0` alone: the longer one first. */
const TRUNK_PREFIXES: Record<string, string[]> = {
	'7': ['8'],
	'36': ['06'],
	'370': ['8', '0'],
	'375': ['80', '0'],
	'993': ['8', '0'],
};

const SHORTEST = 7;
/**
 * Digits of the shortest national number, without a trunk prefix, where one may begin with the digits of the
 * country's own code: by its length it is told from a number that has the code already. `47 12 34 56` is a
 * Norwegian number, `47 47 12 34 56` the same with its code.
 */
const SHORTEST_NATIONAL: Record<string, number> = {
	'1': 10,
	'7': 10,
	'27': 9,
	'31': 9,
	'32': 8,
	'33': 9,
	'36': 8,
	'39': 9,
	'41': 9,
	'45': 8,
	'47': 8,
	'48': 9,
	'51': 8,
	'52': 10,
	'55': 10,
	'57': 10,
	'64': 8,
	'65': 8,
	'66': 8,
	'84': 9,
	'91': 10,
	'92': 9,
	'298': 6,
	'299': 6,
	'370': 8,
	'375': 9,
	'376': 6,
	'386': 8,
	'508': 6,
	'681': 6,
	'687': 6,
	'993': 8,
};

/** ITU-T E.164: at most 15 digits with the country code. */
const LONGEST = 15;

/** Digits of any script as 0 to 9: the ten digits of a script follow each other. */
function asciiDigits(text: string): string {
	return text.replace(/\p{Nd}/gu, (digit) => {
		const code = digit.codePointAt(0)!;
		let value = 0;
		while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
		return String(value);
	});
}

/** Without what copying leaves in a number, in plain digits. */
const cleaned = (phone: string) =>
	/^\+?\d+$/.test(phone)
		? phone
		: asciiDigits(phone.normalize('NFKC'))
				.replace(/[\p{Cf}\s]/gu, '')
				.replace(/^tel:/i, '');

/** Nothing needs to be changed in most numbers, and a campaign has very many. */
const PLAIN = /^\+?[1-9]\d+$/;
const PLAIN_E164 = /^\+[1-9]\d{6,14}$/;

const digitsOf = (phone: string) => {
	if (PLAIN.test(phone)) return phone.startsWith('+') ? phone.slice(1) : phone;
	const text = cleaned(phone);
	return (toInternational(text) ?? text).replace(/\D/g, '').replace(/^0+/, '');
};

/** What tells two recipients apart: the number's digits without signs, `00` or leading zeros. */
export const recipientDigits = (phone: string) => digitsOf(phone) || phone;

/** `385`, `+385` and `00385` all mean 385; undefined when it is no calling code. */
export function callingCode(text: string): string | undefined {
	const digits = /\p{L}/u.test(text) ? '' : digitsOf(text);
	return /^[1-9]\d{0,2}$/.test(digits) ? digits : undefined;
}

const refuse = (given: string, why: string): PhoneResult => ({
	ok: false,
	message: `"${given}" is not a phone number: ${why}`,
});

/**
 * Checks a recipient's number and writes it in the chosen format.
 *
 * Digits of any script, spaces, brackets, dots, dashes, `tel:`, a leading `00` for `+` and a bracketed
 * trunk zero are understood. A national number (with its trunk prefix, or without a country code) gets
 * `defaultCode`. `asIs` sends what was given, but refuses what cannot be a number.
 *
 * @param defaultCode country calling code in digits, as {@link callingCode} returns it
 */
export function formatPhone(given: string, format: PhoneFormat, defaultCode?: string): PhoneResult {
	if (given === '') return { ok: false, message: 'The recipient is empty.' };
	if (PLAIN_E164.test(given)) {
		return { ok: true, phone: format === 'digits' ? given.slice(1) : given };
	}
	const text = cleaned(given);
	if (text === '') return { ok: false, message: 'The recipient is empty.' };
	if (/^\d([.,]\d+)?e\+?\d+$/i.test(text)) {
		return refuse(given, 'a spreadsheet has shortened it. Format its column as text.');
	}
	if (/^\+?\d{7,}[.,]\d{1,2}$/.test(text)) {
		return refuse(given, 'it is a decimal number. Format its column as text.');
	}
	if (/^(?!00).*\d{7,}\/\d{7,}/.test(text)) return refuse(given, 'these are two numbers.');
	if (!/^\(?\+?[\d(][\d()./‐-―−-]*$/.test(text)) {
		return refuse(given, 'it contains characters that do not belong in a phone number.');
	}
	const digits = text.replace(/\D/g, '');
	const least = Math.min(SHORTEST, SHORTEST_NATIONAL[defaultCode!] ?? SHORTEST);
	if (digits.length < least) return refuse(given, 'it is too short.');
	if (format === 'asIs') {
		return digits.length > LONGEST + 2
			? refuse(given, 'it is too long.')
			: { ok: true, phone: given };
	}
	const international = toInternational(text, defaultCode);
	if (international === undefined) {
		if (format === 'digits') return { ok: true, phone: digits };
		return refuse(given, "it has no country code. Set 'Default Country Code' in the options.");
	}
	if (!/^[1-9]/.test(international)) return refuse(given, 'no country code begins with 0.');
	if (international.length < SHORTEST) return refuse(given, 'it is too short.');
	if (international.length > LONGEST) return refuse(given, 'it is too long.');
	return { ok: true, phone: format === 'e164' ? `+${international}` : international };
}

/** Digits with the country code first; undefined when the number has none and no default is set. */
function toInternational(text: string, defaultCode?: string): string | undefined {
	const prefixed = /^\(?(?:\+|00|(?=[1-9]\d{0,2}\)?\(0\)))(.*)$/.exec(text)?.[1];
	if (prefixed !== undefined) {
		const code = prefixed.replace(/\(0\).*$/, '').replace(/\D/g, '');
		const withoutTrunk = KEEPS_ZERO.includes(code) ? prefixed : prefixed.replace('(0)', '');
		return withoutTrunk.replace(/\D/g, '');
	}
	const digits = text.replace(/\D/g, '');
	if (!defaultCode) return digits.startsWith('0') ? undefined : digits;
	const least = SHORTEST_NATIONAL[defaultCode] ?? SHORTEST;
	const trunk = (TRUNK_PREFIXES[defaultCode] ?? ['0']).find(
		// A zero begins no national number, unless the country keeps it; an 8 may.
		(prefix) =>
			digits.startsWith(prefix) &&
			(prefix === '0' ? !KEEPS_ZERO.includes(defaultCode) : digits.length >= prefix.length + least),
	);
	if (trunk) return defaultCode + digits.slice(trunk.length);
	const isLongEnough = digits.length >= defaultCode.length + least;
	return digits.startsWith(defaultCode) && isLongEnough ? digits : defaultCode + digits;
}
