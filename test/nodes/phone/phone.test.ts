import fc from 'fast-check';
import {
	callingCode,
	formatPhone,
	recipientDigits,
	type PhoneFormat,
} from '../../../nodes/Messaging/phone/phone';
import { runs } from '../../support/share';

declare const seed: number;

/** The ways in which people, address books and spreadsheets write one number. */
const WRITINGS: Array<[string, string]> = [
	['E.164', '+385911234567'],
	['spaces', '+385 91 123 4567'],
	['00 for the plus', '00385911234567'],
	['a country code in brackets', '(+385) 91 123 4567'],
	['en dashes', '+385–91–123–4567'],
	['non-breaking spaces', '+385\u00a091\u00a0123\u00a04567'],
	['full-width digits', '＋３８５９１１２３４５６７'],
	['Arabic-Indic digits', '+٣٨٥٩١١٢٣٤٥٦٧'],
	['Adlam digits, outside the basic plane', '+𞥓𞥘𞥕𞥙𞥑𞥑𞥒𞥓𞥔𞥕𞥖𞥗'],
	['mathematical digits', '+𝟑𝟖𝟓𝟗𝟏𝟏𝟐𝟑𝟒𝟓𝟔𝟕'],
	['mixed scripts', '+385٩١१२३4567'],
	['a link', 'tel:+385911234567'],
	['direction marks around it', '\u202a+385 91 123 4567\u202c'],
	['a zero-width space', '+385\u200b911234567'],
	['a bracketed trunk zero', '+385 (0)91 123 4567'],
	['00 and a bracketed trunk zero', '00385(0)911234567'],
	['a slash after the area', '385 91/1234567'],
];

test.each(WRITINGS)('%s is a writing of the same number', (_, given) => {
	const e164 = { ok: true, phone: '+385911234567' };
	expect(formatPhone(given, 'e164')).toEqual(e164);
	expect(formatPhone(given, 'e164', '385')).toEqual(e164);
	expect(formatPhone(given, 'digits')).toEqual({ ok: true, phone: '385911234567' });
	expect(formatPhone(given, 'asIs')).toEqual({ ok: true, phone: given });
	expect(recipientDigits(given)).toBe('385911234567');
});

describe('national numbers get the default country code', () => {
	test.each([
		['Croatia, trunk zero', '091 123 4567', '385', '+385911234567'],
		['Italy keeps its bracketed zero', '+39 (0)6 1234 5678', '39', '+390612345678'],
		['Italy, mobile', '333 1234567', '39', '+393331234567'],
		['Kazakhstan, whose mobiles begin with 7', '701 123 45 67', '7', '+77011234567'],
		['India, a mobile that begins with its code', '91234 56789', '91', '+919123456789'],
		['Belarus, trunk 8 0', '8 044 659-01-89', '375', '+375446590189'],
		['a bracketed zero after a code without a plus', '44 (0)7911 123456', '44', '+447911123456'],
		['a bracketed zero after another country’s code', '385 (0) 91 123 4567', '44', '+385911234567'],
		['00 and a slash', '0038591/1234567', undefined, '+385911234567'],
		['France, a zero after the code', '+33 06 12 34 56 78', undefined, '+33612345678'],
		['Germany, the same after 00', '0049 0171 3920020', undefined, '+491713920020'],
		['Italy, whose zero belongs to the number', '+39 06 1234 5678', undefined, '+390612345678'],
		['Ivory Coast, the same', '+225 07 12 34 56 78', undefined, '+2250712345678'],
		['a bracketed zero that belongs to it', '+39 (0)6 1234 5678', undefined, '+390612345678'],
		['Russia, an 8 left after the code', '+7 8 912 345-67-89', '7', '+79123456789'],
		['United States, dialled from there', '011 385 91 123 4567', '1', '+385911234567'],
		['Argentina, a mobile with its 15', '011 15 2345-6789', '54', '+5491123456789'],
		['Brazil, a mobile without its ninth digit', '55 31 8888 7777', '55', '+553188887777'],
		['a trunk zero left after the code, no plus', '44 07700 900123', '44', '+447700900123'],
	] as Array<[string, string, string | undefined, string]>)(
		'%s: %j',
		(_, given, code, expected) => {
			expect(formatPhone(given, 'e164', code)).toEqual({ ok: true, phone: expected });
			expect(formatPhone(given, 'digits', code)).toEqual({ ok: true, phone: expected.slice(1) });
		},
	);
});

test.each<PhoneFormat>(['digits', 'e164'])(
	'a number with one leading zero and without a default country code is refused (%s)',
	(format) => {
		expect(formatPhone('091 123 4567', format)).toEqual({
			ok: false,
			message:
				"This is not a phone number: it has no country code. Set 'Default Country Code' in the options, or write the number with its country code.",
		});
		expect(formatPhone('091 123 4567', 'asIs')).toEqual({ ok: true, phone: '091 123 4567' });
	},
);

describe('a number that no numbering plan knows', () => {
	test.each([
		['a new range, with its plus', '+385 01 999 9999 99', undefined],
		['a fictional number', '+1 555 0100', undefined],
		['a country code that nobody has', '+999 123 456 789', undefined],
		['the same with a default country code', '+999 123 456 789', '385'],
	])('%s: %s stays as it is', (_, given, code) => {
		const phone = `+${given.replace(/\D/g, '').replace(/^00/, '')}`;
		expect(formatPhone(given, 'e164', code)).toEqual({ ok: true, phone });
	});

	test.each([
		['national', '010 123 4567', '385', '+385101234567'],
		['with its code', '385 10 123 4567', '385', '+385101234567'],
		['dialled in the United States', '011 385 10 123 4567', '1', '+385101234567'],
	])('%s: %s has the length of the country’s numbers', (_, given, code, phone) => {
		expect(formatPhone(given, 'e164', code)).toEqual({ ok: true, phone });
	});
});

describe('digits that may be two numbers are refused, and both are named', () => {
	test.each([
		['Italy', '390 123 4567', '39', '+393901234567', '+3901234567'],
		['Brazil, area 55', '(55) 99123-4567', '55', '+5555991234567', '+55991234567'],
		['Poland, area 48', '48 362 12 34', '48', '+48483621234', '+483621234'],
		[
			'Colombia or Russia, through a carrier',
			'00573211234567',
			'57',
			'+73211234567',
			'+573211234567',
		],
		['Italy by its length, or Germany', '491713920020', '39', '+39491713920020', '+491713920020'],
		['Italy by its length, or the USA', '16502530000', '39', '+3916502530000', '+16502530000'],
	])('%s: %s', (_, given, code, one, other) => {
		expect(formatPhone(given, 'e164', code)).toEqual({
			ok: false,
			message: `The number may be ${one} or ${other}. Write it with its country code and a plus sign.`,
		});
		expect(formatPhone(one, 'e164', code)).toEqual({ ok: true, phone: one });
		expect(formatPhone(other, 'e164', code)).toEqual({ ok: true, phone: other });
		expect(formatPhone(given, 'asIs', code)).toEqual({ ok: true, phone: given });
	});
});

describe('text that is not a phone number is refused with a sentence', () => {
	const FORMATS: PhoneFormat[] = ['asIs', 'digits', 'e164'];
	const SPREADSHEET = 'a spreadsheet has shortened it. Format its column as text.';
	const ZEROS =
		'it ends in six zeros, so a spreadsheet has probably shortened it. If it is right, write it with a plus sign.';
	const CHARACTERS = 'it contains characters that do not belong in a phone number.';
	const DECIMAL = 'it is a decimal number. Format its column as text.';
	const TWO = 'these are two numbers.';
	const EXTENSION = 'it has an extension. Leave out the slash and what follows.';
	const SHORT = 'it is too short.';
	const LONG = 'it is too long.';

	const cases = (
		[
			['3.85911E+11', SPREADSHEET],
			['385911000000', ZEROS],
			['3,85911E+11', SPREADSHEET],
			['1-800-FLOWERS', CHARACTERS],
			['+385 91 123 4567 ext. 5', CHARACTERS],
			['+385 91 123 4567²', CHARACTERS],
			['+44 7912 345678 / 12', EXTENSION],
			['+385911234567, +385911234568', CHARACTERS],
			['385+911234567', CHARACTERS],
			['385911234567.0', DECIMAL],
			['385911234567,5', DECIMAL],
			['385911234567.50', DECIMAL],
			['1234567/7654321', TWO],
			['00385911234567/00385917654321', LONG],
			['-385911234567', CHARACTERS],
			['−385911234567', CHARACTERS],
			['123456', SHORT],
			['+12-34-56', SHORT],
			['1234567890123456789', LONG],
			['+385 911 234 567 911 234 567', LONG],
		] as const
	).flatMap(([given, why]) => FORMATS.map((format) => ({ given, why, format })));

	test.each(cases)('$given ($format): $why', ({ given, why, format }) => {
		expect(formatPhone(given, format)).toEqual({
			ok: false,
			message: `This is not a phone number: ${why}`,
		});
	});

	test.each(['', '\u200b\u00a0'])('%j is nothing at all', (given) => {
		const empty = { ok: false, message: 'The recipient is empty.' };
		expect(FORMATS.map((format) => formatPhone(given, format))).toEqual([empty, empty, empty]);
	});

	test.each([
		['+0911234567', 'no country code begins with 0.'],
		['000911234567', 'no country code begins with 0.'],
		['+1234567890123456', LONG],
	])('%j as E.164', (given, why) => {
		expect(formatPhone(given, 'e164')).toEqual({
			ok: false,
			message: `This is not a phone number: ${why}`,
		});
	});

	test.each([
		['14155550132', '385'],
		['(415) 555-013', '1'],
		['555-0132', '1'],
		['52 1 55 1234 5678', '52'],
		['00 999 123 456 789', '385'],
		['4915123456789', '43'],
		['0123456789012345', '385'],
	])('%j is not a number of the country with the code %s', (given, code) => {
		expect(formatPhone(given, 'digits', code)).toEqual({
			ok: false,
			message: `This is not a phone number: it does not look like a number of country code ${code}. Check it, or write it with its country code and a plus sign.`,
		});
	});
});

test.each([
	['1234567', true],
	['123456', false],
	['123456789012345', true],
	['1234567890123456', false],
])('the length of %s: %s', (given, ok) => {
	expect(formatPhone(given, 'digits').ok).toBe(ok);
	expect(formatPhone(`+${given}`, 'e164').ok).toBe(ok);
});

test.each([
	['Ben', 'Ana'],
	['+91 1234 5678', '091 1234 5678'],
	['911234567', '0911234567'],
])('%j and %j are two recipients', (one, other) => {
	expect(recipientDigits(one)).not.toBe(recipientDigits(other));
});

test.each([
	['+44 7700 900123', '+44 (0)7700 900123'],
	['091 123 4567', '0911234567'],
])('%j and %j are one recipient', (one, other) => {
	expect(recipientDigits(one)).toBe(recipientDigits(other));
});

test('a formatted number is the same recipient', () => {
	const numbers = fc.stringMatching(/^(\+|00|0|)[1-9]\d{5,13}$/);
	fc.assert(
		fc.property(numbers, fc.constantFrom('1', '7', '39', '49', '385'), (given, code) => {
			const digits = formatPhone(given, 'digits', code);
			const e164 = formatPhone(given, 'e164', code);
			if (!digits.ok || !e164.ok) return;
			expect(recipientDigits(digits.phone)).toBe(recipientDigits(e164.phone));
			expect(formatPhone(e164.phone, 'digits', code)).toEqual(digits);
		}),
		{ seed, numRuns: runs(1200) },
	);
});

test.each([
	['385', '385'],
	['+385', '385'],
	['00385', '385'],
	[' 385 ', '385'],
	['٣٨٥', '385'],
	['3851', undefined],
	['999', undefined],
	['HR', undefined],
	['', undefined],
])('the calling code %j is %j', (given, expected) => {
	expect(callingCode(given)).toBe(expected);
});

test('a number with only digits, which has a fast path, becomes the same number as with spaces', () => {
	const plain = fc.stringMatching(/^\+?[0-9]{0,17}[1-9]$/);
	const spaced = (phone: string) => phone.replace(/(\d)/, '$1 ');
	fc.assert(
		fc.property(plain, fc.constantFrom<PhoneFormat[]>('digits', 'e164'), (phone, format) => {
			const result = formatPhone(phone, format, '385');
			const other = formatPhone(spaced(phone), format, '385');
			expect(result.ok ? result : { ok: false }).toEqual(other.ok ? other : { ok: false });
			expect(recipientDigits(phone)).toBe(recipientDigits(spaced(phone)));
		}),
		{ seed, numRuns: runs(1200) },
	);
});
