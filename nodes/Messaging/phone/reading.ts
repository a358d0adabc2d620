import { plainNumber, regionOf } from './plans';

/* Which number digits mean. Google's numbering plans decide, by their library. */

/** A number in digits with its code; `isKnown` if the plan has a range for it, `isMobile` if mobiles may have that range. */
type Reading = { digits: string; isKnown: boolean; isMobile: boolean };

/** Returns the number that begins with its country code; undefined if no country has such a number. */
export const fullNumber = (digits: string) =>
	plainNumber(`+${digits}`) ?? read(`+${digits}`)?.digits;

/**
 * Returns the numbers that digits without a plus may mean to people of the country with the code: one, two, or none. In Germany
 * (49) 0151 12345678, 151 12345678 and 49 151 12345678 are one number, and 44 7911 123456 may be two: a German landline, and a
 * British mobile without its plus.
 */
export function numbersIn(digits: string, code: string): string[] {
	const isAbroad = digits.startsWith('00');
	const full = read(`+${isAbroad ? digits.slice(2) : digits}`);
	const withCode = isAbroad || digits.startsWith(code) ? full : undefined;
	const national = read(digits, regionOf(code));
	// A zero in front of the code is a slip as likely as a number that no range is known for.
	if (digits.startsWith(`0${code}`) && national?.isKnown === false) {
		const behindZero = read(`+${digits.slice(1)}`);
		return behindZero ? [behindZero.digits, national.digits] : [];
	}
	let found = [withCode, national].filter((reading) => reading !== undefined);
	if (found.some(({ isKnown }) => isKnown)) found = found.filter(({ isKnown }) => isKnown);
	// 00 is a plus, unless only a longer prefix for calls abroad from there gives a known number. And a full mobile number is no
	// landline that begins with the code: in Germany almost any digits are a landline.
	if (isAbroad || (withCode?.isMobile && !national?.isMobile)) found = found.slice(0, 1);
	// For the same reason, digits that are no mobile here may be one of another country, without its plus.
	const isNoMobile = found.length > 0 && !found.some(({ isMobile }) => isMobile);
	const mayBeAbroad = full?.isKnown && (full.isMobile || !found[0]?.isKnown);
	if (isNoMobile && mayBeAbroad && !digits.startsWith('0')) found.push(full);
	return [...new Set(found.map((reading) => reading.digits))];
}

/** Whether a number, in digits with its code, is in a range that its country's plan knows. */
export const isInKnownRange = (digits: string) => read(`+${digits}`)?.isKnown ?? false;

/**
 * Reads a number as a phone of the country dials it, or with its plus. Undefined if no country has numbers of that length: an
 * unknown range is no reason, because new ones are opened every month.
 */
function read(text: string, region?: string): Reading | undefined {
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it at once; most runs need none
	const { parsePhone } = require('./libphonenumber') as typeof import('./libphonenumber');
	const number = parsePhone(text, region);
	// ITU-T E.164: 7 to 15 digits.
	if (!number || !/^\+\d{7,15}$/.test(number.number)) return undefined;
	const type = number.getType();
	if (type === undefined && plainNumber(number.number) === undefined) return undefined;
	const isMobile = type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE';
	return { digits: number.number.slice(1), isKnown: type !== undefined, isMobile };
}
