import { asWritten, hasUsualLength, regionOf, withCodeOnce } from './plans';

/*
 * Reading a number by the plans of its country. The parser takes some ten microseconds for a number, so it is asked only
 * where the small table does not decide.
 */

/** A number in digits with its code; `isKnown` if a plan has a range for it. */
export type Reading = { digits: string; isKnown: boolean };

/** Loads the numbering plans, which takes a while; most workflows need none. */
const parser = () =>
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load them at once
	require('./libphonenumber') as typeof import('./libphonenumber');

function read(text: string, region?: string): Reading | undefined {
	const number = parser().parsePhone(text, region);
	return number && { digits: number.number.slice(1), isKnown: number.isValid() };
}

/** Returns the first reading that a plan knows, or else the first of a usual length: new ranges are opened every month. */
const best = (readings: Array<Reading | undefined>): Reading | undefined =>
	readings.find((reading) => reading?.isKnown) ??
	readings.find((reading) => reading && hasUsualLength(reading.digits));

/** Reads digits that begin with a country code. A code that is written twice must be a known number without one of them. */
export function readFull(digits: string): Reading | undefined {
	const once = withCodeOnce(digits).map((each) => read(`+${each}`));
	return best([
		...asWritten(digits).map((each) => read(`+${each}`)),
		...once.filter((reading) => reading?.isKnown),
	]);
}

/** Most digits of a national number. The plans of some countries allow more, but longer ones are numbers with their code. */
const LONGEST_NATIONAL = 12;

/**
 * The same for digits that begin with the country's own code: `49 171 3920020` is a German mobile number with its code, and
 * not a landline of the area 04917 without its zero, which would be too long.
 */
const LONGEST_WITHOUT_CODE = 11;

/** Reads digits as people of the country with the code dial them, also with a zero that the country does not have. */
function readNational(digits: string, code: string, longest: number): Reading | undefined {
	const region = regionOf(code);
	const texts = digits.startsWith('0') ? [digits, digits.slice(1)] : [digits];
	const readings = texts.map((text) => read(text, region));
	// A number that is dialled abroad from there has another code.
	const isShort = ({ digits: full }: Reading) => full.length - code.length <= longest;
	return best(
		readings.filter((reading) => reading && (!reading.digits.startsWith(code) || isShort(reading))),
	);
}

/** Reads digits after 00, which means a plus, unless only a longer prefix for calls abroad gives a known number. */
function readAbroad(digits: string, code: string): Array<Reading | undefined> {
	const full = readFull(digits.slice(2));
	if (full?.isKnown) return [full];
	const dialled = read(digits, regionOf(code));
	return [full, dialled?.isKnown ? dialled : undefined];
}

/** Reads digits without a plus and 00: as a national number, and with the code if they begin with it or with a zero before it. */
function readAtHome(digits: string, code: string): Array<Reading | undefined> {
	const withCode = digits.startsWith(`0${code}`) ? digits.slice(1) : digits;
	const full = withCode.startsWith(code) ? readFull(withCode) : undefined;
	const longest = full?.isKnown && withCode === digits ? LONGEST_WITHOUT_CODE : LONGEST_NATIONAL;
	return [readNational(digits, code, longest), full];
}

/** Returns what digits without a plus may mean to people of the country with the code: one number, two, or none. */
export function readingsIn(digits: string, code: string): string[] {
	const readings = digits.startsWith('00') ? readAbroad(digits, code) : readAtHome(digits, code);
	let found = readings.filter((reading) => reading !== undefined);
	const known = found.filter((reading) => reading.isKnown);
	if (known.length > 0) found = known;
	else if (found.length > 0) {
		// Digits that fit this country by length only may be a known number of another country, without its plus.
		const abroad = read(`+${digits}`);
		if (abroad?.isKnown) found.push(abroad);
	}
	return [...new Set(found.map((reading) => reading.digits))];
}

/** Whether a number, in digits with its code, is in a range that its country's plan knows. */
export const isKnown = (digits: string): boolean => read(`+${digits}`)?.isKnown ?? false;
