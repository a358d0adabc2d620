import fc from 'fast-check';
import {
	parsePhoneNumberFromString,
	type CountryCode,
	type PhoneNumber,
} from 'libphonenumber-js/max';
import { formatPhone } from '../../../nodes/Messaging/phone/phone';
import { runs } from '../../support/share';
import { patternsOf } from './numberingPlans';

/*
 * Lists of national numbers without 'Default Country Code': how many are refused, and how many go to a stranger, as docs/operations.md,
 * "Phone numbers", says it. TEST_SHARE=20 takes 1,000 numbers of each country.
 */

declare const seed: number;

const COUNTRIES = (
	'AE AR AT AU BD BE BR CH CI CL CN CO CZ DE DK EG ES FR GB GR HK HR HU ID IL IN ' +
	'IT JP KE KR KZ MX MY NG NL NO NZ PE PH PK PL PT RU SA SE SG SN TH TR UA US VN'
).split(' ') as CountryCode[];

/** Valid mobile numbers of a country. */
function mobiles(country: CountryCode): PhoneNumber[] {
	const [, pattern] = patternsOf(country).findLast(
		([type]) => type === 'MOBILE' || type === 'FIXED_LINE',
	)!;
	return fc
		.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), { seed, numRuns: runs(50) })
		.map((digits) => parsePhoneNumberFromString(digits, country))
		.filter((number) => number?.isValid() === true) as PhoneNumber[];
}

const NUMBERS = COUNTRIES.flatMap(mobiles);

test.each<[string, (number: PhoneNumber) => string, refused: number, strangers: number]>([
	['as people write them', (number) => number.formatNational(), 93, 2.5],
	[
		'without a zero in front, as spreadsheets leave them',
		({ nationalNumber }) => nationalNumber,
		79,
		7,
	],
])('without a default country code most national numbers are refused: %s', (...row) => {
	const [, writing, refused, strangers] = row;
	expect([new Set(COUNTRIES).size, NUMBERS.length]).toEqual([52, 52 * runs(50)]);
	const outcomes = NUMBERS.map((number) => {
		const result = formatPhone(writing(number), 'e164');
		if (!result.ok) return 'refused';
		return parsePhoneNumberFromString(result.phone)?.isValid() ? 'stranger' : 'nobody';
	});
	const percent = (what: string) =>
		(100 * outcomes.filter((outcome) => outcome === what).length) / outcomes.length;
	const far = NUMBERS.length > 20_000 ? 1 : 5;
	expect(Math.abs(percent('refused') - refused)).toBeLessThan(far);
	expect(Math.abs(percent('stranger') - strangers)).toBeLessThan(far);
});
