import { countryOf, destinations, unknownRanges } from '../../../nodes/Messaging/phone/phone';

test.each([
	['447700900211', '+44'],
	['14155550132', '+1'],
	['79123456789', '+7'],
	['201001234567', '+20'],
	['3545551234', '+354'],
	['870773111632', '+870'],
	['999123456789', undefined],
	['', undefined],
])('the country of %j is %s', (digits, code) => {
	expect(countryOf(digits)).toBe(code);
});

const times = (count: number, digits: string) => new Array<string>(count).fill(digits);

test.each<[string, string[], string]>([
	['one country', ['447700900211'], '1 to +44 (United Kingdom and others)'],
	[
		'most first',
		['201001234567', ...times(24, '447700900211')],
		'24 to +44 (United Kingdom and others), 1 to +20 Egypt',
	],
	[
		'a code that several countries share',
		['16135550132', '77012345678'],
		'1 to +1 (United States and others), 1 to +7 (Russia and others)',
	],
	['a code of no country', ['870773111632'], '1 to +870'],
	['thousands', times(1234, '3545551234'), '1,234 to +354 Iceland'],
	[
		'five countries and others',
		['1', '20', '27', '30', '31', '33', '34', '44'].map((code) => `${code}12345678`),
		'1 to +1 (United States and others), 1 to +20 Egypt, 1 to +27 South Africa, 1 to +30 Greece, 1 to +31 Netherlands, and 3 more, the rarest first: 1 to +44 (United Kingdom and others), 1 to +34 Spain, 1 to +33 France',
	],
	[
		'a number that was read wrongly is the only one of its country',
		[
			...['1', '27', '30', '31', '33', '34', '44', '46', '47', '48', '49'].flatMap((code) =>
				times(2, `${code}12345678`),
			),
			'2012345678',
		],
		'2 to +1 (United States and others), 2 to +27 South Africa, 2 to +30 Greece, 2 to +31 Netherlands, 2 to +33 France, and 7 more, the rarest first: 1 to +20 Egypt, 2 to +49 Germany, 2 to +48 Poland, 2 to +47 (Norway and others), 2 to +46 Sweden, …',
	],
	['nobody', [], ''],
])('destinations: %s', async (_, numbers, words) => {
	expect(await destinations(messages(...numbers))).toBe(words);
});

const messages = (...numbers: string[]) =>
	numbers.map((digits, item) => ({ item, to: `+${digits}`, digits }));

test.each<[string, string[], string]>([
	['all are known', ['447911123456', '201001234567'], ''],
	[
		'one is not',
		['447911123456', '447700900211'],
		'1 number is in no known range (mistyped, or a wrong country code?): item 2 (+447700900211).',
	],
	[
		'three are not',
		['447700900211', '447911123456', '447700900212', '15550100'],
		'3 numbers are in no known range (mistyped, or a wrong country code?): item 1 (+447700900211), item 3 (+447700900212), item 4 (+15550100).',
	],
	['none of a list is', times(1001, '447700900211'), 'None is in a known range.'],
	[
		'more are not',
		[...times(1001, '447700900211'), '447911123456'],
		'1,001 numbers are in no known range (mistyped, or a wrong country code?): ' +
			Array.from({ length: 10 }, (_, item) => `item ${item + 1} (+447700900211), `).join('') +
			'…',
	],
])('numbers in no known range: %s', async (_, numbers, words) => {
	expect(await unknownRanges(messages(...numbers))).toBe(words);
});
