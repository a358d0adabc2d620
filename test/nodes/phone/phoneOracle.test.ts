import fc from 'fast-check';
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile.json';
import { formatPhone } from '../../../nodes/Messaging/phone/phone';
import { isNight, rowsOf } from '../../support/share';
import { internationalPrefixOf, patternsOf, regionsOf, trunkPrefixOf } from './numberingPlans';

/*
 * Compares the node's numbers with those of libphonenumber-js, which has the numbering plans of all countries from
 * Google's libphonenumber. The node may refuse a number that it does not understand. It must not send to another number
 * than the written one.
 */

/** A number in its national and international formats. */
type PhoneNumber = {
	region: string;
	type: string;
	code: string;
	/** Without country code and trunk prefix. */
	significant: string;
	/** With brackets, spaces and the trunk prefix, as people of the country write it. */
	national: string;
	/** Whether libphonenumber-js reads its own national format as the same number; for old numbers of Gabon it does not. */
	isReadBack: boolean;
	inGroups: string;
	e164: string;
};

/** How many numbers are generated from each pattern. They are random, but the same in each run. */
const PER_PATTERN = isNight ? 4 : 2;
const SEED = 20260101;

const sample = (pattern: string, numRuns: number) =>
	fc.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), { seed: SEED, numRuns });

function numberOf(code: string, region: string, type: string, significant: string): PhoneNumber[] {
	const e164 = `+${code}${significant}`;
	const number = parsePhoneNumberFromString(e164);
	// The general pattern of a country is wider than its numbers; and E.164 has 7 to 15 digits. Numbers of services that begin
	// with the prefix for calls abroad are no recipients.
	if (number?.number !== e164 || !number.isValid() || !/^.{8,16}$/.test(e164)) return [];
	if (/^(00|810)/.test(significant)) return [];
	const country = region as CountryCode;
	const national = (parsePhoneNumberFromString(significant, country) ?? number).formatNational();
	const isReadBack = parsePhoneNumberFromString(national, country)?.number === e164;
	const inGroups = number.formatInternational();
	return [{ region, type, code, significant, national, isReadBack, inGroups, e164 }];
}

const EXAMPLES = Object.entries(regionsOf).flatMap(([code, regions]) =>
	regions.flatMap((region) =>
		numberOf(code, region, 'EXAMPLE', (examples as Record<string, string>)[region] ?? ''),
	),
);

const NUMBERS = Object.entries(regionsOf).flatMap(([code, regions]) =>
	regions.flatMap((region) =>
		patternsOf(region).flatMap(([type, pattern]) =>
			sample(pattern, PER_PATTERN).flatMap((digits) => numberOf(code, region, type, digits)),
		),
	),
);

const ALL = [...EXAMPLES, ...NUMBERS];

const digits = ({ e164 }: PhoneNumber) => e164.slice(1);
const inGroups = (number: PhoneNumber) => number.inGroups;
const hasTrunkZero = ({ region, significant }: PhoneNumber) =>
	trunkPrefixOf(region) === '0' && !significant.startsWith('0');

type Writing = (number: PhoneNumber) => string;

/**
 * Numbers that became another number, and numbers that were refused, each described in one line.
 *
 * @param defaultCode that of each number's country by default; '' for none
 */
function outcomes(numbers: PhoneNumber[], writing: Writing, defaultCode?: string) {
	const wrong: string[] = [];
	const refused: string[] = [];
	for (const number of numbers) {
		const given = writing(number);
		const result = formatPhone(given, 'e164', (defaultCode ?? number.code) || undefined);
		const line = `${number.region} ${number.type} ${number.e164} written ${given}`;
		if (!result.ok) refused.push(`${line}: ${result.message}`);
		else if (result.phone !== number.e164)
			wrong.push(`${line} became ${result.phone} with ${defaultCode}`);
	}
	return { wrong, refused };
}

test('there are numbers of every region, and of every type that it has', () => {
	const regions = new Set(Object.values(regionsOf).flat());
	expect(new Set(EXAMPLES.map(({ region }) => region)).size).toBeGreaterThan(240);
	expect(new Set(NUMBERS.map(({ region }) => region))).toEqual(regions);
	expect(NUMBERS.length).toBeGreaterThan(1_125 * PER_PATTERN);
});

describe('without a default country code no full number is refused or changed', () => {
	test.each<[string, Writing]>([
		['with a plus', ({ e164 }) => e164],
		['with 00', (number) => `00${digits(number)}`],
		['in its international format', inGroups],
		['in digits', digits],
	])('%s', (name, writing) => {
		// A spreadsheet may have shortened it. libphonenumber's example of Korea is such a number.
		const mayBeShort = ({ e164 }: PhoneNumber) => name === 'in digits' && e164.endsWith('000000');
		const numbers = ALL.filter((number) => !mayBeShort(number));
		expect(numbers.length).toBeGreaterThan(ALL.length - 20);
		expect(outcomes(numbers, writing, '')).toEqual({ wrong: [], refused: [] });
	});
});

describe('a number with its country code and a plus stays the same number, and is not refused', () => {
	test.each<[string, Writing]>([
		['plain', ({ e164 }) => e164],
		['in groups', inGroups],
		['the code in brackets', ({ code, significant }) => `(+${code}) ${significant}`],
	])('%s', (_, writing) => {
		expect(outcomes(ALL, writing)).toEqual({ wrong: [], refused: [] });
	});

	test.each<[string, Writing]>([
		['a bracketed zero', ({ code, significant }) => `+${code} (0)${significant}`],
		['00 and a bracketed zero', ({ code, significant }) => `00${code} (0)${significant}`],
		['a bracketed zero without plus', ({ code, significant }) => `${code} (0)${significant}`],
	])('%s', (_, writing) => {
		expect(outcomes(ALL.filter(hasTrunkZero), writing)).toEqual({ wrong: [], refused: [] });
	});
});

/** The percentage of numbers that may be refused, because they can be read as two numbers. */
const MAY_BE_REFUSED: Record<string, number> = {
	'00 for the plus': 0.7,
	'00, in groups': 0.7,
	'its code without a plus': 1.6,
	national: 0.4,
	'national, the digits only': 0.4,
};

/** Numbers of countries: ships and services have codes that no default country code can be. */
const OF_COUNTRIES = ALL.filter(({ region }) => /^[A-Z]/.test(region));

describe('any other writing gives this number or a refusal, with the default country code', () => {
	test.each<[string, Writing]>([
		['00 for the plus', (number) => `00${digits(number)}`],
		['00, in groups', (number) => inGroups(number).replace('+', '00 ')],
		['its code without a plus', digits],
		['national', ({ national }) => national],
		['national, the digits only', ({ national }) => national.replace(/\D/g, '')],
	])('%s', (name, writing) => {
		const numbers = name.startsWith('national')
			? OF_COUNTRIES.filter((number) => number.isReadBack)
			: OF_COUNTRIES;
		const { wrong, refused } = outcomes(numbers, writing);
		expect(wrong).toEqual([]);
		expect(refused.slice(Math.floor((numbers.length * MAY_BE_REFUSED[name]) / 100))).toEqual([]);
		expect(
			refused.filter(
				(line) =>
					!/may be \+\d+ or \+\d+\. Write|this one has|it is no number of|spreadsheet/.test(line),
			),
		).toEqual([]);
	});

	test('a bracketed zero in front: without an option nobody gets it', () => {
		const writing: Writing = ({ significant }) => `(0)${significant}`;
		const numbers = OF_COUNTRIES.filter(hasTrunkZero);
		const { wrong, refused } = outcomes(numbers, writing);
		expect(wrong).toEqual([]);
		expect(refused.slice(numbers.length / 100)).toEqual([]);
		expect(outcomes(numbers, writing, '').refused).toHaveLength(numbers.length);
	});

	test('without its trunk prefix, as a spreadsheet leaves it', () => {
		const { wrong, refused } = outcomes(OF_COUNTRIES, ({ significant }) => significant);
		// A number that begins with the country's code and is long enough is taken for a complete number.
		const others = wrong.filter((line) => !/written (\d{11,}) became \+\1$/.test(line));
		expect(others).toEqual([]);
		expect(wrong.length).toBeLessThan(ALL.length / 1000);
		// Most of these are hotlines that are a mobile number of another country.
		expect(refused.slice(ALL.length / 150)).toEqual([]);
	});
});

/** Pairs of a prefix for calls abroad and the code of its country; also 00, which many files use. */
const PREFIXES = Object.entries(regionsOf).flatMap(([code, regions]) => {
	const patterns = new Set(regions.map(internationalPrefixOf).filter((pattern) => pattern !== ''));
	return [...patterns].flatMap((pattern) =>
		[...new Set(['00', ...sample(pattern, 3)])].map((prefix): [string, string] => [prefix, code]),
	);
});

/** 00 is read as a plus, whatever the default country code, if that gives a known number. */
function isReadAsPlus(given: string): boolean {
	const result = formatPhone(given, 'e164');
	return given.startsWith('00') && result.ok && isValid(result.phone);
}

const isValid = (e164: string) => parsePhoneNumberFromString(e164)?.isValid() === true;

describe('a number with a prefix for calls abroad gives this number or a refusal', () => {
	test('with every prefix of every country', () => {
		expect(PREFIXES.length).toBeGreaterThan(270);
		const numbers = rowsOf(EXAMPLES);
		const all = PREFIXES.map(([prefix, code]) => {
			const writing = (number: PhoneNumber) => prefix + digits(number);
			const others = numbers.filter((number) => prefix === '00' || !isReadAsPlus(writing(number)));
			return outcomes(others, writing, code);
		});
		expect(all.flatMap(({ wrong }) => wrong)).toEqual([]);
		const refused = all.flatMap((one) => one.refused);
		expect(refused.slice((PREFIXES.length * numbers.length) / 25)).toEqual([]);
	});
});
