import fc from 'fast-check';
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import { formatPhone } from '../../../nodes/Messaging/phone/phone';
import { runs } from '../../support/share';
import { patternsOf } from './numberingPlans';

/*
 * Lists of national numbers without 'Default Country Code': how many are refused, and how many go to a stranger. The figures
 * of a night (TEST_SHARE=20: 1,000 numbers of each country) stand in docs/operations.md, "Phone numbers".
 */

declare const seed: number;

const COUNTRIES = (
	'AE AR AT AU BD BE BR CH CI CL CN CO CZ DE DK EG ES FR GB GR HK HR HU ID IL IN ' +
	'IT JP KE KR KZ MX MY NG NL NO NZ PE PH PK PL PT RU SA SE SG SN TH TR UA US VN'
).split(' ') as CountryCode[];

/** Mobile numbers of a country, as people there write them. */
function national(country: CountryCode): string[] {
	const [, pattern] = patternsOf(country).findLast(
		([type]) => type === 'MOBILE' || type === 'FIXED_LINE',
	)!;
	return fc
		.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), { seed, numRuns: runs(50) })
		.flatMap((digits) => {
			const number = parsePhoneNumberFromString(digits, country);
			return number?.isValid() ? [number.formatNational()] : [];
		});
}

test('of national mobile numbers without a default country code most are refused, and few go to a stranger', () => {
	expect(new Set(COUNTRIES).size).toBe(52);
	const outcomes = COUNTRIES.flatMap(national).map((given) => {
		const result = formatPhone(given, 'e164');
		if (!result.ok) return 'refused';
		return parsePhoneNumberFromString(result.phone)?.isValid() ? 'stranger' : 'nobody';
	});
	const percent = (what: string) =>
		(100 * outcomes.filter((outcome) => outcome === what).length) / outcomes.length;
	expect(percent('refused')).toBeGreaterThan(90);
	expect(percent('stranger')).toBeLessThan(5);
});
