import fc from 'fast-check';
import { hasMore, isDeeper, readJson } from '../../../nodes/Messaging/trigger/json';

const TEXTS = [
	'{"campaign_id":12345678901234567890}',
	'[-12345678901234567890, 1234567890.12345678901234567, 1234567890123456]',
	'{"a \\"12345678901234567890\\": [": "\\\\", "b" : 12345678901234567890 }',
	String.raw`["\\\"", "\u005b", "]}", [[{"[{": "\\"}]], 9007199254740993]`,
	'"12345678901234567890"',
	'12345678901234567890',
	'[[],[[]],{"a":{"b":[1,2,{}]}}]',
	'""',
	'{}',
];

/** What JavaScript reads, but integers that it rounds as they are written. */
const asWritten = (_: string, value: unknown, { source }: { source?: string } = {}) =>
	/^-?\d{16,}$/.test(source ?? '') && !Number.isSafeInteger(value) ? source : value;

test.each(TEXTS)('%s keeps its long integers', (text) => {
	expect(readJson(text)).toEqual(JSON.parse(text, asWritten));
});

test('any other JSON is read as JSON', () =>
	fc.assert(
		fc.property(fc.json(), (text) => expect(readJson(text)).toEqual(JSON.parse(text, asWritten))),
	));

test.each(['"', '{"a":12345678901234567', '12345678901234567 x', '', 'a=b'])(
	'%j is no JSON',
	(text) => {
		expect(readJson(text)).toBeUndefined();
	},
);

test('the levels of a value', () => {
	const value = { a: [{ b: 1 }], c: null };
	expect([2, 3].map((most) => isDeeper(value, most))).toEqual([true, false]);
	expect(isDeeper('[[', 0)).toBe(false);
});

test('more signs than so many', () => {
	expect([2, 3].map((most) => hasMore('a,b:c,d', /[,:]/g, most))).toEqual([true, false]);
});
