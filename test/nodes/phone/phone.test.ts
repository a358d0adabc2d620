import fc from 'fast-check';
import {
	callingCode,
	formatPhone,
	recipientDigits,
	type PhoneFormat,
} from '../../../nodes/Messaging/phone/phone';
import { runs } from '../../support/share';

declare const seed: number;

const FORMATS: PhoneFormat[] = ['asIs', 'digits', 'e164'];

const refused = (why: string) => ({ ok: false, message: `This is not a phone number: ${why}` });

/** The ways in which people, address books and spreadsheets write one number. */
const WRITINGS: Array<[string, string]> = [
	['E.164', '+385911234567'],
	['spaces', '+385 91 123 4567'],
	['00 for the plus', '00385911234567'],
	['a country code in brackets', '(+385) 91 123 4567'],
	['en dashes', '+385–91–123–4567'],
	['the long vowel mark of Japanese keyboards', '+385ー91ー123ー4567'],
	['non-breaking spaces', '+385\u00a091\u00a0123\u00a04567'],
	['full-width digits', '＋３８５９１１２３４５６７'],
	['Arabic-Indic digits', '+٣٨٥٩١١٢٣٤٥٦٧'],
	['Adlam digits, outside the basic plane', '+𞥓𞥘𞥕𞥙𞥑𞥑𞥒𞥓𞥔𞥕𞥖𞥗'],
	['mathematical digits', '+𝟑𝟖𝟓𝟗𝟏𝟏𝟐𝟑𝟒𝟓𝟔𝟕'],
	['mixed scripts', '+385٩١١२३4567'],
	['a link', 'tel:+385911234567'],
	['a link with slashes', 'callto://+385911234567'],
	['a chat app’s scheme', 'whatsapp:+385911234567'],
	['the label of a lead form', 'p:+385911234567'],
	['a label in another script', 'Моб.: +385 91 123 4567'],
	['a spreadsheet’s mark for text', "'+385911234567"],
	['the same, with a typographer’s apostrophe', '’+385911234567'],
	['direction marks around it', '\u202a+385 91 123 4567\u202c'],
	['a zero-width space', '+385\u200b911234567'],
	['a bracketed trunk zero', '+385 (0)91 123 4567'],
	['00 and a bracketed trunk zero', '00385(0)911234567'],
	['a slash after the area', '385 91/1234567'],
	['a line break in it', '+385 91\n123 4567'],
	['a trunk zero, no plus', '385 091 123 4567'],
];

test.each(WRITINGS)('%s is a writing of the same number', (_, given) => {
	const e164 = { ok: true, phone: '+385911234567' };
	expect(formatPhone(given, 'e164')).toEqual(e164);
	expect(formatPhone(given, 'e164', '385')).toEqual(e164);
	expect(formatPhone(given, 'digits')).toEqual({ ok: true, phone: '385911234567' });
	expect(formatPhone(given, 'asIs')).toEqual({ ok: true, phone: given });
	expect(recipientDigits(given)).toBe('385911234567');
});

/** Characters that are not seen: variation selectors, fillers, joiners, controls, marks of languages and of order. */
test.each(
	(
		'fe00 fe0d fe0f 034f 115f 1160 3164 ffa0 17b4 180b 180e 2800 e0100 e0020 ' +
		'0000 0007 007f 0085 009f 00ad 061c 200c 200d 200e 2028 2029 2060 2066 206f feff fff9'
	).split(' '),
)('U+%s is removed', (code) => {
	const given = `+44${String.fromCodePoint(parseInt(code, 16))}7700900211`;
	expect(formatPhone(given, 'digits')).toEqual({ ok: true, phone: '447700900211' });
});

/** With a plus or 00 the option changes nothing, so each is tried with it, too. */
test.each([
	['+44 (0)7911 123456', '447911123456'],
	['+33 06 12 34 56 78', '33612345678'],
	['0049 0171 3920020', '491713920020'],
	['+490171 3920020', '491713920020'],
	['0038591/1234567', '385911234567'],
	['00-1-212-555-0132', '12125550132'],
	['+00 1 212 555 0132', '12125550132'],
	['(0044) 7911 123456', '447911123456'],
	['+39 06 1234 5678', '390612345678'],
	['+39 (0)6 1234 5678', '390612345678'],
	['+39 (0)333 1234567', '393331234567'],
	['+57 (0)310 5550132', '573105550132'],
	['+34 (0)612 345 678', '34612345678'],
	['+225 07 12 34 56 78', '2250712345678'],
	['+54 11 15 2345-6789', '5491123456789'],
	['+7 8 912 345 67 89', '79123456789'],
	['+7 (8) (495) 555-01-32', '74955550132'],
	['+375 8 029 123 45 67', '375291234567'],
	['+36 06 30 123 4567', '36301234567'],
	['+91 91234 56789', '919123456789'],
	['+1 1 415 555 0132', '14155550132'],
	['00573211234567', '573211234567'],
	['+385 01 999 9999 9', '385199999999'],
	['+1 310 1234', '13101234'],
	['0049171 3920020', '491713920020'],
	['0055119 12345678', '5511912345678'],
	['+49(0)1512 3456789', '4915123456789'],
	['+6281234 5678901', '62812345678901'],
	['+870 773 111 632', '870773111632'],
])('%j is %s, whatever the default country code', (given, digits) => {
	const number = { ok: true, phone: digits };
	for (const code of [undefined, '1', '7', '39', '44', '49', '52', '91', '385'])
		expect(formatPhone(given, 'digits', code)).toEqual(number);
	expect(recipientDigits(given)).toBe(digits);
});

test.each([
	['44 07700 900211', '447700900211'],
	['44 0161 496 0000', '441614960000'],
	['(44) 0161 496 0123', '441614960123'],
	['23407012341234', '2347012341234'],
	['62 0812-3456-7890', '6281234567890'],
	['9660551234567', '966551234567'],
	['966 055 123 4567', '966551234567'],
	['91-09876543210', '919876543210'],
	['447700900211', '447700900211'],
	['55 31 8888 7777', '553188887777'],
	['4401614960000', '441614960000'],
	['919191234567', '919191234567'],
])('without plus and option: %j is the full number %s', (given, digits) => {
	expect(formatPhone(given, 'digits')).toEqual({ ok: true, phone: digits });
	expect(recipientDigits(given)).toBe(digits);
});

test.each([
	['Croatia, trunk zero', '091 123 4567', '385', '385911234567'],
	['Italy, mobile', '333 1234567', '39', '393331234567'],
	['Kazakhstan, whose mobiles begin with 7', '701 123 45 67', '7', '77011234567'],
	['India, a mobile that begins with its code', '91234 56789', '91', '919123456789'],
	['Belarus, trunk 8 0', '8 044 659-01-89', '375', '375446590189'],
	['Russia, trunk 8', '8 912 345 67 89', '7', '79123456789'],
	['a bracketed zero after a code without a plus', '44 (0)7911 123456', '44', '447911123456'],
	['a bracketed zero in front', '(0)151 2345 6789', '49', '4915123456789'],
	['two zeros in front, one of them in brackets', '0(0)151 2345 6789', '49', '4915123456789'],
	['two bracketed zeros in front', '(0)(0)151 2345 6789', '49', '4915123456789'],
	['a bracketed zero before the own one', '(0)0151 2345 6789', '49', '4915123456789'],
	['a bracketed zero in front where none is dialled', '(0)612 345 678', '34', '34612345678'],
	['two bracketed zeros behind the code', '+34 (0)(0)612 345 678', '44', '34612345678'],
	['a bracketed zero after another country’s code', '385 (0) 91 123 4567', '44', '385911234567'],
	['United States, dialled from there', '011 385 91 123 4567', '1', '385911234567'],
	['Australia, dialled from there', '0011 44 7911 123456', '61', '447911123456'],
	['Argentina, a mobile with its 15', '011 15 2345-6789', '54', '5491123456789'],
	['Brazil, a mobile without its ninth digit', '55 31 8888 7777', '55', '553188887777'],
	['Brazil, area 55', '(55) 99123-4567', '55', '5555991234567'],
	['Poland, area 48', '48 362 12 34', '48', '48483621234'],
	['a trunk zero left after the code, no plus', '44 07700 900123', '44', '447700900123'],
	['Germany, a direct line', '0234/123456-106', '49', '49234123456106'],
	['Germany, a landline', '0685 1234567', '49', '496851234567'],
	['Germany, area 0491', '0491 711234567', '49', '49491711234567'],
	['Lithuania, a dash in brackets', '(0-691) 77400', '370', '37069177400'],
	['Germany, full', '491713920020', '49', '491713920020'],
	['Germany, a mobile that Texas has, too', '1512 3456789', '49', '4915123456789'],
	['Germany, a landline without its zero', '30 901820', '49', '4930901820'],
	['Kosovo, full', '38344123456', '383', '38344123456'],
	['Indonesia, full', '62812345678', '62', '62812345678'],
	['France', '06 12 34 56 78', '33', '33612345678'],
	['Ukraine, an area in brackets', '38 (063) 555 01 32', '380', '380635550132'],
	['Faroe Islands, six digits', '22 12 34', '298', '298221234'],
	['a new range, national', '010 123 4567', '385', '385101234567'],
	['a new range, with its code', '385 10 123 4567', '385', '385101234567'],
])('national numbers get the default country code. %s: %j', (_, given, code, digits) => {
	expect(formatPhone(given, 'digits', code)).toEqual({ ok: true, phone: digits });
	expect(formatPhone(given, 'e164', code)).toEqual({ ok: true, phone: `+${digits}` });
});

describe('digits that may be two numbers are refused, and both are named', () => {
	test.each([
		['Italy', '390 123 4567', '39', '+3901234567', '+393901234567'],
		['Italy by its length, or Germany', '491713920020', '39', '+39491713920020', '+491713920020'],
		['Italy by its length, or the USA', '16502530000', '39', '+3916502530000', '+16502530000'],
		['the same, of the United Kingdom', '447911123456', '49', '+49447911123456', '+447911123456'],
		[
			'Italy, without its zero, or a mobile of Spain',
			'34612345678',
			'39',
			'+3934612345678',
			'+34612345678',
		],
		[
			'a zero in front of Israel’s code',
			'0972502345678',
			'972',
			'+972502345678',
			'+972972502345678',
		],
		['a zero in front of the Dutch code', '031612345678', '31', '+31612345678', '+3131612345678'],
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

const CHECK = 'Check it and its country code.';
const WRITE = 'Check it, or write it with a plus sign and its country code.';
const SET = `${WRITE} 'Default Country Code' is not set.`;
const write = (code: string) => `${WRITE} 'Default Country Code' is ${code}.`;
const NO_CODE = 'it does not begin with a country code.';

const length = (code: string, usual: string, has: number, cure: string) =>
	`+${code} has numbers of ${usual} digits, and this one has ${has} after +${code}. ${cure}`;

/** Of the chat app, which writes Mexican mobiles with their former prefix. */
const FORMER =
	"If the app itself writes it with the 1 in front, choose 'Phone Format: As Is' for these rows.";
const NO_CODE_BEHIND_PLUS =
	'its country code is missing. Write it between the plus sign and the zero in brackets.';

describe('what no plan knows is refused, except with Phone Format As Is', () => {
	test.each<[string, string | undefined, string]>([
		['415 555 0132', undefined, length('41', '9', 8, SET)],
		['51000132', undefined, length('51', '8 or 9', 6, SET)],
		['8 900 555 01 32', undefined, `${NO_CODE} ${SET}`],
		['7700900123', undefined, length('7', '10', 9, SET)],
		['555 0100 555 0101', undefined, length('55', '10 or 11', 12, SET)],
		['5215512345678', undefined, length('52', '10', 11, `${FORMER} ${SET}`)],
		['5215512345678', '52', length('52', '10', 11, `${FORMER} ${write('52')}`)],
		['+52 1 55 1234 5678', '385', length('52', '10', 11, `${FORMER} ${CHECK}`)],
		['+52 551 234 567 89', undefined, length('52', '10', 11, CHECK)],
		['+(0) 151 2345 6789', undefined, NO_CODE_BEHIND_PLUS],
		['+ (0) 49 151 2345 6789', '49', NO_CODE_BEHIND_PLUS],
		['00 (0) 151 2345 6789', '49', NO_CODE_BEHIND_PLUS],
		['(0)151 2345 6789', undefined, `it does not begin with a country code. ${SET}`],
		['(0)20 7946 0958', undefined, `it does not begin with a country code. ${SET}`],
		['0-(0)151 2345 6789', undefined, `it does not begin with a country code. ${SET}`],
		['(00)(0)151 2345 6789', undefined, NO_CODE_BEHIND_PLUS],
		['+0(0)151 2345 6789', undefined, NO_CODE_BEHIND_PLUS],
		['(0)(0)151 2345 6789', undefined, `it does not begin with a country code. ${SET}`],
		['+7700900123', '44', length('7', '10', 9, CHECK)],
		['+225 05 55 01 32', undefined, length('225', '10', 8, CHECK)],
		['+1 555 0100', undefined, length('1', '10', 7, CHECK)],
		['+1 (212) 555-01324', undefined, length('1', '10', 11, CHECK)],
		['0011 44 7700 900211', undefined, length('1', '10', 13, CHECK)],
		['+44 44 7700 900211', undefined, length('44', '9 or 10', 12, CHECK)],
		['+89123456789', undefined, `${NO_CODE} ${CHECK}`],
		['+999 123 456 789', '385', `${NO_CODE} ${CHECK}`],
		['+0911234567', undefined, `${NO_CODE} ${CHECK}`],
		['14155550132', '385', length('385', '8 or 9', 11, write('385'))],
		['(415) 555-013', '1', length('1', '10', 9, write('1'))],
		// Zeros and codes that do not belong there.
		[
			'+39 0333 1234567',
			undefined,
			`it is no number of +39, perhaps because of its zero. ${CHECK}`,
		],
		['0585550132', '48', `it is no number of +48, perhaps because of its zero. ${write('48')}`],
		['+48 0585550132', '48', length('48', '7 or 9', 10, CHECK)],
		['0919876543210', '91', length('91', '10', 12, write('91'))],
		['+385 385 91 123 4567', '385', length('385', '8 or 9', 12, CHECK)],
		['712345678', '225', length('225', '10', 9, write('225'))],
		// Full numbers of other countries.
		...[
			['917323106909', '52', '10', 12],
			['12687874000', '65', '8', 11],
		].map(([given, code, usual, has]): [string, string, string] => [
			String(given),
			String(code),
			length(String(code), String(usual), Number(has), write(String(code))),
		]),
		['091 123 4567', undefined, `${NO_CODE} ${SET}`],
	])('%j with %s', (given, code, why) => {
		expect(formatPhone(given, 'digits', code)).toEqual(refused(why));
		expect(formatPhone(given, 'e164', code)).toEqual(refused(why));
		expect(formatPhone(given, 'asIs', code)).toEqual({ ok: true, phone: given });
	});
});

describe('text that cannot be a phone number is refused, and the sentence says what to do', () => {
	const SHORTENED =
		'a spreadsheet may have shortened it, or a part is hidden. Format the column as text, and enter the whole number, with a plus sign.';
	const TWO =
		'these are two numbers, or it is too long: one number has at most 15 digits. Write only one.';
	const ADDRESS = 'it is an address. Write only the number.';
	const USER =
		'it is a user name or a group of the app, and the interface knows only phone numbers. Take the number from another field, or ask the provider.';
	const PLUS = 'a plus sign belongs only in front of the number, and once.';
	const DATE = 'it is a date. Check the name of the column.';
	const EXPRESSION =
		"n8n did not evaluate this expression. Choose 'Expression' in place of 'Fixed'.";
	const NO_DIGITS = 'it has no digits.';
	const sign = (character: string) =>
		`'${character}' does not belong in a phone number. Write only one number, without words or an extension.`;

	test.each([
		['3.85911E+11', SHORTENED],
		['+44.7701E+10', SHORTENED],
		['385911000000', SHORTENED],
		['447.701.000.000', SHORTENED],
		['447701000000.', SHORTENED],
		['385911234567,5', SHORTENED],
		['385911234567.00000', SHORTENED],
		['1-800-FLOWERS', sign('F')],
		['Tel 0201 123456', sign('T')],
		['+44 7700 900211 (Ada)', sign('A')],
		['="+447700900211"', sign('=')],
		['-385911234567', sign('-')],
		['📞 +44 7700 900211', sign('📞')],
		['+44 7700 900211\ue000', sign('U+E000')],
		['+44 7700 900211\u0301', sign('\u0301')],
		['+44 7700 900211\ud83c', sign('U+D83C')],
		['447 700 900,211', sign(',')],
		['385+911234567', PLUS],
		['++447700900211', PLUS],
		['385911234567+', PLUS],
		['+385 91 123 4567 ext. 5', sign('e')],
		['212.555.0132x669', sign('x')],
		['+44 20 7946 0958 #12', sign('#')],
		['+44 20 7946 0958;ext=12', sign('e')],
		['+7 495 555-01-32 доб. 123', sign('д')],
		['030 123456 (12)', sign('(')],
		['+49 171 39200…', SHORTENED],
		['0812-----7890', SHORTENED],
		['1) 0171 3920020', sign(')')],
		['+44 7912 345678 / 12', sign('/')],
		['555-0132/555-0133', sign('/')],
		['1234567/7654321', TWO],
		['00385911234567/00385917654321', TWO],
		['+385911234567, +385911234568', TWO],
		['447700900211\n447700900212', TWO],
		['5810345\n8610345', TWO],
		['5810345 8610345', TWO],
		['05321234567 - 05331234567', TWO],
		['0532 123 45 67 - 0533 123 45 67', TWO],
		['4930123-4930124', TWO],
		['447700900211 447700900212', TWO],
		['447700900211;447700900212', TWO],
		['447700900211 | 447700900212', TWO],
		['+1 212 555 0132 ::: +1 212 555 0133', TWO],
		['+1 212 555 0132 or +1 212 555 0133', TWO],
		['+44 7700 900211 +44 7700 900212', TWO],
		['+44 7700 900211 (home), 07700 900212 (work)', TWO],
		['٤٤٧٧٠٠٩٠٠٢١١،٤٤٧٧٠٠٩٠٠٢١٢', TWO],
		['447700900211、447700900212', TWO],
		['https://wa.me/447700900211', ADDRESS],
		['wa.me/447700900211', ADDRESS],
		['https://api.whatsapp.com/send?phone=447700900211', ADDRESS],
		['whatsapp://send?phone=447700900211', ADDRESS],
		['447700900211@c.us', ADDRESS],
		['447700900211@s.whatsapp.net', ADDRESS],
		['447700900211:12@s.whatsapp.net', ADDRESS],
		['sip:+447700900211@example.com', ADDRESS],
		['US.13491208655302741918', USER],
		['US.ENT.11815799212886844830', USER],
		['whatsapp:TR.9053212345678', USER],
		['@ada.lovelace', USER],
		['120363025246125486@g.us', USER],
		['447700900211-1425376000@g.us', USER],
		['123456789012345@lid', USER],
		['ada@example.com', ADDRESS],
		['27.11.2026', DATE],
		['2026-11-27', DATE],
		['15.05.1985.', DATE],
		['DOB: 15.05.1985.', DATE],
		['1985. 5. 15.', DATE],
		['15–05–1985', DATE],
		['27-11-2569', DATE],
		['2026-11-27T03:08:43.653Z', DATE],
		['{{ $json.phone1 }}', EXPRESSION],
		['Ada', NO_DIGITS],
		['n/a', NO_DIGITS],
		['-', NO_DIGITS],
		['#REF!', NO_DIGITS],
		['123456', 'it is too short.'],
		['+12-34-56', 'it is too short.'],
		['1234567890123456789', TWO],
		['+1234567890123456', TWO],
		['+385 911 234 567 911 234 567', TWO],
		['+'.repeat(1000), 'it is too long.'],
		['(0)'.repeat(50_000), 'it is too long.'],
	])('%j: %s', (given, why) => {
		for (const format of FORMATS) expect(formatPhone(given, format)).toEqual(refused(why));
	});

	test.each(['', '\u200b\u00a0', "'"])('%j is nothing at all', (given) => {
		const empty = { ok: false, message: 'The recipient is empty.' };
		expect(FORMATS.map((format) => formatPhone(given, format))).toEqual([empty, empty, empty]);
	});
});

test.each([
	['+49 (0)33205/12345', '493320512345'],
	['0049 33205/123456', '4933205123456'],
	['+43 (0)5572/5544', '4355725544'],
	['030/1234567', '49301234567'],
])('a slash after an area code belongs to the number: %j', (given, digits) => {
	expect(formatPhone(given, 'digits', '49')).toEqual({ ok: true, phone: digits });
});

test.each([
	['Ben', 'Ana'],
	['+91 1234 5678', '091 1234 5678'],
	['911234567', '0911234567'],
])('%j and %j are two recipients', (one, other) => {
	expect(recipientDigits(one)).not.toBe(recipientDigits(other));
});

test('national writings of one number are one recipient', () => {
	expect(recipientDigits('091 123 4567')).toBe(recipientDigits('0911234567'));
});

test('the digits of any text have the same digits', () => {
	fc.assert(
		fc.property(fc.stringMatching(/^[+(]?(\(0\)|[\d ()./a-]){0,20}$/), (text) => {
			const digits = recipientDigits(text);
			expect(recipientDigits(digits)).toBe(digits);
		}),
		{ seed, numRuns: runs(1200) },
	);
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
	['870', undefined],
	['HR', undefined],
	['N1', undefined],
	['4.4', undefined],
	['-44', undefined],
	['2.0', undefined],
	['3/9', undefined],
	['', undefined],
])('the calling code %j is %j', (given, expected) => {
	expect(callingCode(given)).toBe(expected);
});

test('a number with only digits, which has a fast path, becomes the same number as with spaces', () => {
	const plain = fc.stringMatching(/^\+?[0-9]{0,17}[1-9]$/);
	const spaced = (phone: string) => phone.replace(/(\d)/, '$1 ');
	fc.assert(
		fc.property(
			plain,
			fc.constantFrom<PhoneFormat[]>('digits', 'e164'),
			fc.constantFrom('385', undefined),
			(phone, format, code) => {
				const result = formatPhone(phone, format, code);
				const other = formatPhone(spaced(phone), format, code);
				expect(result.ok ? result : { ok: false }).toEqual(other.ok ? other : { ok: false });
				expect(recipientDigits(phone)).toBe(recipientDigits(spaced(phone)));
			},
		),
		{ seed, numRuns: runs(1200) },
	);
});
