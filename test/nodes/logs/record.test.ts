import {
	hasId,
	idText,
	isFinalStatus,
	plainId,
	timeOf,
} from '../../../nodes/Messaging/logs/record';

test.each<[unknown, boolean]>([
	['l1', true],
	[0, true],
	[{}, true],
	['', false],
	[null, false],
	[undefined, false],
])('a record with the id %j has an id: %p', (id, expected) => {
	expect(hasId({ id })).toBe(expected);
});

test('two forms of one id become the same text', () => {
	expect(idText(5)).toBe(idText('5'));
	expect(idText({ a: 1 })).toBe(idText({ a: 1 }));
	expect(idText({ a: 1 })).not.toBe(idText({ a: 2 }));
});

test.each<[unknown, string]>([
	[' ABC-d ', 'abc-d'],
	[17, '17'],
	['null', 'null'],
	[null, ''],
	[undefined, ''],
	[true, ''],
	[{}, ''],
	[['c1'], ''],
])('for comparison, the id %j is %j', (id, expected) => {
	expect(plainId(id)).toBe(expected);
});

const TIME = Date.parse('2026-01-01T10:00:00.000Z');

test.each<[unknown, number | undefined]>([
	['2026-01-01T10:00:00.000Z', TIME],
	['2026-01-01T11:00:00+01:00', TIME],
	[TIME, TIME],
	[TIME / 1000, TIME],
	[TIME / 1000 + 0.5, TIME + 500],
	[String(TIME), TIME],
	[String(TIME / 1000), TIME],
	[0, undefined],
	[20_260_101, undefined],
	[5e10, undefined],
	[1e14, undefined],
	['soon', undefined],
	['', undefined],
	[null, undefined],
	[undefined, undefined],
])('the time %j is %p in ms', (value, expected) => {
	expect(timeOf(value)).toBe(expected);
});

test.each([
	['delivered', true],
	['READ', true],
	['undelivered', true],
	['failed', true],
	['ready', false],
	['delivery_pending', false],
	['NEVER_SEEN', false],
])('the status %s is final: %p', (status, expected) => {
	expect(isFinalStatus(status)).toBe(expected);
});
