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
 * Lists of mobile numbers, without 'Default Country Code' and with it: how many are refused, and how many go to a stranger, as
 * docs/limits.md, "Phone numbers", says it. TEST_SHARE=20 takes 1,000 numbers of each country.
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

type Option = (number: PhoneNumber, index: number) => string | undefined;

const none: Option = () => undefined;
const own: Option = ({ countryCallingCode }) => countryCallingCode;
const CODES = [...new Set(NUMBERS.map(({ countryCallingCode }) => countryCallingCode))];
/** The code of another country, in turn. */
const another: Option = ({ countryCallingCode }, index) =>
	CODES[(CODES.indexOf(countryCallingCode) + 1 + (index % (CODES.length - 1))) % CODES.length];

const national = (number: PhoneNumber) => number.formatNational();
const zeroLost = ({ nationalNumber }: PhoneNumber): string => nationalNumber;
const digits = ({ number }: PhoneNumber) => number.slice(1);

test.each<[string, (number: PhoneNumber) => string, Option, refused: number, strangers: number]>([
	['without it: as people write them', national, none, 93, 2.5],
	['without it: the zero in front was lost in a spreadsheet', zeroLost, none, 80, 7],
	['their own: as people write them', national, own, 0, 0],
	['their own: the zero in front was lost in a spreadsheet', zeroLost, own, 0, 0],
	['that of another country: with their code, without plus', digits, another, 99.5, 0.5],
])('with this default country code numbers go to strangers. %s', (...row) => {
	const [, writing, option, refused, strangers] = row;
	expect([new Set(COUNTRIES).size, NUMBERS.length]).toEqual([52, 52 * runs(50)]);
	const outcomes = NUMBERS.map((number, index) => {
		const result = formatPhone(writing(number), 'e164', option(number, index));
		if (!result.ok) return 'refused';
		if (result.phone === number.number) return 'right';
		return parsePhoneNumberFromString(result.phone)?.isValid() ? 'stranger' : 'nobody';
	});
	const percent = (what: string) =>
		(100 * outcomes.filter((outcome) => outcome === what).length) / outcomes.length;
	const few = option === none ? 5 : 1;
	const far = NUMBERS.length > 20_000 ? 0.5 : few;
	expect(Math.abs(percent('refused') - refused)).toBeLessThan(far);
	expect(Math.abs(percent('stranger') - strangers)).toBeLessThan(far);
});
