import { NUMBERING_PLANS, type NumberingPlan } from './numberingPlans';

/** How a recipient's number is written for the service. */
export type PhoneFormat = 'asIs' | 'digits' | 'e164';

export type PhoneResult = { ok: true; phone: string } | { ok: false; message: string };

type Plan = {
	/** Matches the country's numbers, without code and trunk prefix. */
	known: RegExp;
	/** Matches any number that has the length of one of the country's numbers: new ranges are opened every month. */
	sameLength: RegExp;
	trunk?: RegExp;
	replacement?: string;
	abroad?: RegExp;
	/** National numbers are dialled with a leading zero that is not part of the number. */
	hasTrunkZero: boolean;
};

const SHORTEST = 7;

/** ITU-T E.164: at most 15 digits with the country code. */
const LONGEST = 15;

/**
 * Most digits of a landline without its trunk zero: `49 1512 3456789` may be a German mobile number with its code, or a
 * landline number of the area 04915 without its zero. It is too long for a landline, so it is the mobile number.
 */
const LONGEST_LANDLINE = 10;

/** Most digits of a national number. Some plans allow more, but longer ones are usually numbers with their codes. */
const LONGEST_NATIONAL = 12;

const plans = new Map<string, Plan | undefined>();

function planOf(code: string): Plan | undefined {
	let plan = plans.get(code);
	if (plan || plans.has(code)) return plan;
	plan = Object.hasOwn(NUMBERING_PLANS, code) ? readPlan(NUMBERING_PLANS[code]) : undefined;
	plans.set(code, plan);
	return plan;
}

function readPlan([national, trunk, abroad, replacement]: NumberingPlan): Plan {
	const pattern = (source: string, end = '') =>
		new RegExp(`^(?:${source.replaceAll('d', '\\d')})${end}`);
	return {
		known: pattern(national, '$'),
		// Each digit becomes any digit; braces, which hold counts, stay.
		sameLength: pattern(
			national.replace(/(\{.+?\})|\[.+?\]|\d/g, (_, count?: string) => count ?? 'd'),
			'$',
		),
		trunk: trunk ? pattern(trunk) : undefined,
		replacement,
		abroad: abroad ? pattern(abroad) : undefined,
		hasTrunkZero: trunk === '0',
	};
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

/** Removes spaces, invisible characters and `tel:`, which copying leaves in a number. */
const cleaned = (phone: string) =>
	/^\+?\d+$/.test(phone)
		? phone
		: asciiDigits(phone.normalize('NFKC'))
				.replace(/[\p{Cf}\s]/gu, '')
				.replace(/^tel:/i, '');

const digitsOf = (text: string) => (/^\d+$/.test(text) ? text : text.replace(/\D/g, ''));

/** Returns the text after `+` or `00`, or the whole text if a bracketed zero follows a code: `44 (0)7911 123456`. */
const afterPlus = (text: string) => /^\(?(?:\+|00|(?=[1-9]\d{0,2}\)?\(0\)))(.*)$/.exec(text)?.[1];

/** Removes the trunk prefix; undefined if the number does not begin with one. */
function withoutTrunk({ trunk, replacement }: Plan, national: string): string | undefined {
	const found = trunk?.exec(national);
	if (!trunk || !found?.[0]) return undefined;
	const hasCaught = found.length > 1 && found.at(-1) !== undefined;
	return replacement && hasCaught
		? national.replace(trunk, replacement)
		: national.slice(found[0].length);
}

type Fit = 'known' | 'sameLength';

/** Returns the national numbers that the digits may be: as they are, or without a trunk prefix. */
function nationalNumbers(plan: Plan, digits: string, fit: Fit): string[] {
	const fits = (number: string) => plan[fit].test(number);
	const rest = withoutTrunk(plan, digits);
	// Judged by length only, nearly every number would fit both with and without the trunk prefix.
	if (fit === 'sameLength') {
		return [rest ?? digits].filter((number) => number[0] !== '0' && fits(number));
	}
	const found = (rest === undefined ? [digits] : [digits, rest]).filter(fits);
	if (found.length > 0 || !/^0[1-9]/.test(digits)) return found;
	// People write a leading zero even where the country dials another prefix, or none.
	return [digits.slice(1)].filter(fits);
}

/** Returns a number that begins with a country code, without a trunk prefix after the code; undefined if invalid. */
function complete(digits: string, fit: Fit): string | undefined {
	for (let length = 1; length <= 3; length++) {
		const code = digits.slice(0, length);
		const plan = planOf(code);
		if (!plan) continue;
		const rest = digits.slice(length);
		if (fit === 'known' && plan.known.test(rest)) return digits;
		const [national] = nationalNumbers(plan, rest, fit);
		return national && code + national;
	}
	return undefined;
}

/** The most common form. It is checked first for speed, because a campaign has very many numbers. */
const PLAIN_E164 = /^\+[1-9]\d{6,14}$/;

/** Returns the digits of a number that was given with its code; if no plan fits, the digits as they are. */
const international = (text: string) =>
	complete(digitsOf(text), 'known') ?? digitsOf(text.replace('(0)', ''));

/** Returns the numbers that the digits may be if they begin with `00` or the country's prefix for calls abroad. */
function callsAbroad({ abroad }: Plan, digits: string, fit: Fit): string[] {
	const prefixes = [/^00/.exec(digits)?.[0], abroad?.exec(digits)?.[0]];
	const rests = prefixes.flatMap((prefix) => (prefix ? [digits.slice(prefix.length)] : []));
	if (rests.length === 0) return [];
	const exact = rests.filter((rest) => complete(rest, fit) === rest);
	return exact.length > 0 ? exact : rests.flatMap((rest) => complete(rest, fit) ?? []);
}

/** Returns all numbers that the digits may be for people of the country with this code. */
function readings(digits: string, code: string, fit: Fit): string[] {
	const plan = planOf(code)!;
	const abroad = callsAbroad(plan, digits, fit);
	// Where people dial 00 to call abroad, no national number begins with it.
	if (abroad.length > 0 && !plan.abroad) return abroad;
	const withCode = digits.startsWith(code) ? complete(digits, fit) : undefined;
	if (withCode && plan.hasTrunkZero && digits.length > LONGEST_LANDLINE) return [withCode];
	const national = nationalNumbers(plan, digits, fit).map((number) => code + number);
	return [...new Set([...abroad, ...(withCode ? [withCode] : []), ...national])];
}

/** Normalises a number for comparison: with its code it has the same digits however it is written. */
export function recipientDigits(phone: string): string {
	if (/^[1-9]\d+$/.test(phone)) return phone;
	if (PLAIN_E164.test(phone)) return international(phone.slice(1));
	const text = cleaned(phone);
	const rest = afterPlus(text);
	return (rest === undefined ? digitsOf(text) : international(rest)) || phone;
}

/** Returns a full number as it is dialled in its country: `0911234567` for `385911234567` and 385. */
export const dialledAtHome = (digits: string, code: string) =>
	(planOf(code)!.hasTrunkZero ? '0' : '') + digits.slice(code.length);

/** Reads a calling code: `385`, `+385` and `00385` are 385; undefined if no country has it. */
export function callingCode(text: string): string | undefined {
	const code = /\p{L}/u.test(text) ? '' : recipientDigits(text);
	return Object.hasOwn(NUMBERING_PLANS, code) ? code : undefined;
}

/**
 * Whether the digits fit the country's plan only because it allows any length, as Italy's does after a 1: they may as
 * well be another country's number. Countries with a trunk zero are excluded: their ordinary numbers without it look the
 * same.
 */
function isOfAnyLength(digits: string, code: string): boolean {
	if (digits.length > LONGEST_NATIONAL) return true;
	const { hasTrunkZero, known } = planOf(code)!;
	if (hasTrunkZero || digits.length <= LONGEST_LANDLINE) return false;
	return known.test(digits.slice(0, -1)) && known.test(digits.slice(0, -2));
}

/**
 * Returns the numbers that a text may mean, in digits with country code: several if it is ambiguous, none if no country
 * code fits.
 */
function numbersOf(text: string, defaultCode?: string): string[] {
	const digits = digitsOf(text);
	const rest = afterPlus(text);
	const isClear = !/^\(?00/.test(text) || text.includes('(0)');
	if (rest !== undefined && (isClear || !defaultCode)) return [international(rest)];
	if (!defaultCode) return complete(digits, 'known') === digits ? [digits] : [];
	const known = readings(digits, defaultCode, 'known');
	if (known.length > 0 && !isOfAnyLength(digits, defaultCode)) return known;
	const found = known.length > 0 ? known : readings(digits, defaultCode, 'sameLength');
	// Digits that fit this country by length only may be a known number of another country, without its plus.
	if (found.length > 0 && complete(digits, 'known') === digits)
		return [...new Set([...found, digits])];
	if (found.length > 0 || rest === undefined) return found;
	// If the country's prefix for calls abroad is longer than 00, it is unclear where the code of an unknown number begins.
	return planOf(defaultCode)!.abroad?.test(digits) ? [] : [international(rest)];
}

/** Returns the reason why a text cannot be a phone number; undefined if it can be one. */
function notANumber(text: string): string | undefined {
	if (/^\+?\d+$/.test(text)) return undefined;
	if (/^\d([.,]\d+)?e\+?\d+$/i.test(text)) {
		return 'a spreadsheet has shortened it. Format its column as text.';
	}
	if (/^\+?\d{7,}[.,]\d{1,2}$/.test(text)) {
		return 'it is a decimal number. Format its column as text.';
	}
	if (/^(?!00).*\d{7,}\/\d{7,}/.test(text)) return 'these are two numbers.';
	if (!/^\(?\+?[\d(][\d()./‐-―−-]*$/.test(text)) {
		return 'it contains characters that do not belong in a phone number.';
	}
	return undefined;
}

export const EMPTY_RECIPIENT = 'The recipient is empty.';

const refused = (message: string): PhoneResult => ({ ok: false, message });

/**
 * Checks a recipient's number and writes it in the chosen format.
 *
 * Accepts digits of any script, spaces, brackets, dots, dashes, `tel:`, a leading `00` for `+` and a trunk prefix after
 * the code. With `defaultCode` it also accepts national numbers of that country, with or without trunk prefix, and its
 * prefix for calls abroad. Digits that may be two numbers are refused. `asIs` returns the number as it was given, but
 * refuses a text that cannot be a number.
 *
 * @param defaultCode country calling code in digits, as {@link callingCode} returns it
 */
export function formatPhone(given: string, format: PhoneFormat, defaultCode?: string): PhoneResult {
	const refuse = (why: string) => refused(`"${given}" is not a phone number: ${why}`);
	if (PLAIN_E164.test(given)) {
		return format === 'asIs'
			? { ok: true, phone: given }
			: written(international(given.slice(1)), format, refuse);
	}
	const text = cleaned(given);
	if (text === '') return refused(EMPTY_RECIPIENT);
	const why = notANumber(text);
	if (why) return refuse(why);

	const { length } = digitsOf(text);
	const isLong = length >= SHORTEST;
	if (format === 'asIs' && isLong) {
		return length > LONGEST + 2 ? refuse('it is too long.') : { ok: true, phone: given };
	}
	const [number, other] = numbersOf(text, defaultCode);
	if (!isLong && !(number?.length >= SHORTEST)) return refuse('it is too short.');
	if (format === 'asIs') return { ok: true, phone: given };
	if (other) {
		return refused(
			`"${given}" may be +${number} or +${other}. Write it with its country code and a plus sign.`,
		);
	}
	if (number) return written(number, format, refuse);
	if (length + (defaultCode ?? '').length > LONGEST) return refuse('it is too long.');
	if (defaultCode) {
		return refuse(
			`it does not look like a number of country code ${defaultCode}. Check it, or write it with its country code and a plus sign.`,
		);
	}
	if (format === 'digits') return { ok: true, phone: digitsOf(text) };
	return refuse("it has no country code. Set 'Default Country Code' in the options.");
}

function written(number: string, format: PhoneFormat, refuse: (why: string) => PhoneResult) {
	if (number.startsWith('0')) return refuse('no country code begins with 0.');
	if (number.length < SHORTEST) return refuse('it is too short.');
	if (number.length > LONGEST) return refuse('it is too long.');
	const phone = format === 'e164' ? `+${number}` : number;
	return { ok: true, phone } as const;
}
