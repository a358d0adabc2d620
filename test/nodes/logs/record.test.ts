import { isFinalStatus, plainId, timeOf } from '../../../nodes/Messaging/logs/record';

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
	[TIME, undefined],
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
