import fc from 'fast-check';
import { isDeeper, withLongIdsAsText } from '../../../nodes/Messaging/trigger/json';

/* The text of JSON is read without its values. JSON.parse says what is right. */

const TEXTS = [
	'{"campaign_id":12345678901234567890}',
	'[-12345678901234567890, 1234567890.12345678901234567, 12e1234567890123456, 1234567890123456]',
	'{"a \\"12345678901234567890\\": [": "\\\\", "b" : 12345678901234567890 }',
	String.raw`["\\\"", "\u005b", "]}", [[{"[{": "\\"}]], 9007199254740993]`,
	'"12345678901234567890"',
	'{"a":"\\": 12345678901234567890, ","b":1234567890123456.5,"c":":1234567890123456,"}',
	'{"a":-12345678901234567890,"b":12345678901234567890,"id\\"x":12345678901234567891}',
	'12345678901234567890',
	'[[],[[]],{"a":{"b":[1,2,{}]}}]',
	'""',
	'{}',
];

const isLong = (name: string, source?: string) =>
	source !== undefined && /\w$/.test(name) && !/^\d+$/.test(name) && /^-?\d{16,}$/.test(source);
const exact = (name: string, value: unknown, sent?: { source?: string }) =>
	isLong(name, sent?.source) ? sent?.source : value;

const depthOf = (value: unknown): number =>
	typeof value === 'object' && value !== null
		? 1 + Math.max(0, ...Object.values(value).map(depthOf))
		: 0;

function isReadRight(text: string) {
	expect(JSON.parse(withLongIdsAsText(text))).toEqual(JSON.parse(text, exact));
	const depth = depthOf(JSON.parse(text));
	const mosts = [0, depth - 1, depth].filter((most) => most >= 0);
	expect(mosts.map((most) => isDeeper(text, most))).toEqual(mosts.map((most) => most < depth));
}

test.each(TEXTS)('%s keeps its long integers, and has as many levels as its values', isReadRight);

test('so does any other JSON', () => fc.assert(fc.property(fc.json(), isReadRight)));

test.each(['"', '"\\', '{"a":"b\\"', 'a"b', '12345678901234567890"', '"\\"\\'])(
	'%s is no JSON: reading it ends',
	(text) => {
		expect(isDeeper(text, 1)).toBe(false);
		expect(withLongIdsAsText(text)).toContain(text.slice(-1));
	},
);
