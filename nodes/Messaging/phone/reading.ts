import { asWritten, hasUsualLength, regionOf, withCodeOnce } from './plans';

/*
 * Reading a number by the plans of its country. The parser takes some ten microseconds for a number, so it is asked only
 * where the small table does not decide.
 */

/** A number in digits with its code; `isKnown` if a plan has a range for it, `isMobile` if mobiles may have that range. */
type Reading = { digits: string; isKnown: boolean; isMobile: boolean };

/** Loads the numbering plans, which takes a while; most workflows need none. */
const parser = () =>
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load them at once
	require('./libphonenumber') as typeof import('./libphonenumber');

function read(text: string, region?: string): Reading | undefined {
	const number = parser().parsePhone(text, region);
	if (!number) return undefined;
	const type = number.getType();
	const isMobile = type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE';
	return { digits: number.number.slice(1), isKnown: type !== undefined, isMobile };
}

const withPlus = (digits: string) => `+${digits}`;

/** Returns the first reading that is known, or else the first of a usual length: new ranges are opened every month. */
function best(
	texts: string[],
	region?: string,
	isAllowed: (reading: Reading) => boolean = () => true,
): Reading | undefined {
	let possible: Reading | undefined;
	for (const text of texts) {
		const reading = read(text, region);
		if (!reading || !isAllowed(reading)) continue;
		if (reading.isKnown) return reading;
		if (hasUsualLength(reading.digits)) possible ??= reading;
	}
	return possible;
}

/** Returns a reading, or another one if only that is known: a guess must give a known number. */
function orKnown(
	reading: Reading | undefined,
	guess: () => Reading | undefined,
): Reading | undefined {
	if (reading?.isKnown) return reading;
	const guessed = guess();
	return guessed?.isKnown ? guessed : reading;
}

/**
 * Reads digits that begin with a country code, perhaps written twice. What is left out of an unknown number is left out until
 * nothing changes: written and read again, it must stay the same.
 */
export function readFull(digits: string): Reading | undefined {
	const written = best(asWritten(digits).map(withPlus));
	const reading = orKnown(written, () => best(withCodeOnce(digits).map(withPlus)));
	if (!reading || reading.isKnown || reading.digits.length >= digits.length) return reading;
	return readFull(reading.digits);
}

/** Most digits of a national number. The plans of some countries allow more, but longer ones are numbers with their code. */
const LONGEST_NATIONAL = 12;

/**
 * The same for digits that begin with the country's own code: `49 171 3920020` is a German mobile number with its code, and
 * not a landline of the area 04917 without its zero, which would be too long.
 */
const LONGEST_WITHOUT_CODE = 11;

/** Codes of countries whose mobiles are dialled like those of another one: the overseas departments of France. */
const DIALLED_ALIKE: Record<string, string[]> = { 33: ['262', '590', '594', '596'] };

/**
 * Reads digits as people of the country with the code dial them, also with a zero that the country does not have, and
 * without the zero that a spreadsheet has removed from a number of Italy or Ivory Coast.
 */
function readNational(digits: string, code: string, longest: number): Reading | undefined {
	const region = regionOf(code);
	const isZero = digits.startsWith('0');
	const isOfCode = ({ digits: full }: Reading) => full.startsWith(code);
	// A number that is dialled abroad from there has another code.
	const isAllowed = (full: Reading) =>
		!isOfCode(full) || full.digits.length - code.length <= longest || (isZero && full.isKnown);
	return isZero
		? best([digits, digits.slice(1)], region, isAllowed)
		: orKnown(best([digits], region, isAllowed), () =>
				best([`0${digits}`], region, (full) => isOfCode(full) && isAllowed(full)),
			);
}

/** Returns what digits without a plus may mean to people of the country with the code: one number, two, or none. */
export function readingsIn(digits: string, code: string): string[] {
	let found: Array<Reading | undefined>;
	if (digits.startsWith('00')) {
		// As a plus, unless only a longer prefix for calls abroad from there gives a known number.
		found = [orKnown(readFull(digits.slice(2)), () => read(digits, regionOf(code)))];
	} else {
		const withCode = digits.startsWith(`0${code}`) ? digits.slice(1) : digits;
		const full = withCode.startsWith(code) ? readFull(withCode) : undefined;
		const longest = full?.isKnown && withCode === digits ? LONGEST_WITHOUT_CODE : LONGEST_NATIONAL;
		const [national, ...overseas] = [code, ...(DIALLED_ALIKE[code] ?? [])].map((each) =>
			readNational(digits, each, longest),
		);
		found = [national, full, ...overseas.filter((each) => each?.isMobile)];
		// A full mobile number, as all of Kosovo's, is no landline without its zero.
		if (withCode === digits && full?.isMobile && !national?.isMobile) found = [full];
	}
	const readings = found
		.map((reading) => (reading?.isKnown === false ? readFull(reading.digits) : reading))
		.filter((reading) => reading !== undefined);
	if (readings.length === 0) return [];
	const known = readings.filter((reading) => reading.isKnown);
	const meant = known.length > 0 ? known : readings;
	// Digits that are no mobile number here may be one of another country, without its plus: in Germany almost any digits are
	// a landline. Digits that are not even known here may be any number of another country.
	const abroad = meant.some((reading) => reading.isMobile) ? undefined : read(`+${digits}`);
	if (abroad && (known.length > 0 ? abroad.isMobile : abroad.isKnown)) meant.push(abroad);
	const numbers = meant.map((reading) => reading.digits);
	return [...new Set(numbers)];
}

/** Whether a number, in digits with its code, is in a range that its country's plan knows. */
export const isInKnownRange = (digits: string) => read(`+${digits}`)?.isKnown ?? false;
