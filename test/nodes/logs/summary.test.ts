import { Summary } from '../../../nodes/Messaging/logs/summary';
import type { LogRecord } from '../../../nodes/Messaging/service/types';

function summarise(campaignId: string, records: LogRecord[]) {
	const summary = new Summary();
	for (const each of records) summary.add(each);
	return summary.result(campaignId);
}

function warningOf(records: LogRecord[]) {
	const summary = new Summary();
	for (const each of records) summary.add(each);
	return summary.warning;
}

const record = (more: object = {}) =>
	({
		id: 'l',
		status: 'delivered',
		reason: null,
		units: 1,
		createdAt: '2026-01-01T10:00:00.000Z',
		delivered_time: '2026-01-01T10:00:10.000Z',
		...more,
	}) as LogRecord;

test('no records', () => {
	expect(summarise('c1', [])).toEqual({
		campaign_id: 'c1',
		recipients: 0,
		statuses: {},
		shares: {},
		units: 0,
		firstCreatedAt: null,
		lastDeliveredAt: null,
		medianDeliverySeconds: null,
		withoutDeliveredTime: 0,
		pending: 0,
		reasons: [],
	});
});

test('statuses under the service’s own names, most frequent first, with their shares', () => {
	const { statuses, shares } = summarise('c1', [
		record({ status: 'failed' }),
		record(),
		record(),
		record({ status: 'NEVER_SEEN' }),
		record(),
		record({ status: 'failed' }),
	]);
	expect(Object.entries(statuses as object)).toEqual([
		['delivered', 3],
		['failed', 2],
		['NEVER_SEEN', 1],
	]);
	expect(shares).toEqual({ delivered: 0.5, failed: 0.3333, NEVER_SEEN: 0.1667 });
});

test.each([
	[20_000, 1, { delivered: 0.9999, failed: 0.0001 }],
	[9_999, 1, { delivered: 0.9999, failed: 0.0001 }],
	[20_000, 0, { delivered: 1 }],
])(
	'%d delivered and %d failed: a share is 1 or 0 only for all or none',
	(delivered, failed, expected) => {
		const { shares } = summarise('c1', [
			...Array.from({ length: delivered }, () => record()),
			...Array.from({ length: failed }, () => record({ status: 'failed' })),
		]);
		expect(shares).toEqual(expected);
	},
);

test('a status named like a property of every object is counted like any other', () => {
	const { statuses } = summarise('c1', [
		record({ status: 'constructor' }),
		record({ status: '__proto__' }),
	]);
	expect(Object.entries(statuses as object).sort()).toEqual([
		['__proto__', 1],
		['constructor', 1],
	]);
});

test('units are added, and anything that is not a number counts as 0', () => {
	const units = [1, 2.5, undefined, null, 'x', NaN];
	expect(
		summarise(
			'c1',
			units.map((each) => record({ units: each })),
		).units,
	).toBe(3.5);
});

test('units given as text are added too', () => {
	const records = ['2', ' 1.5 ', 1, '-0.5', '.25'].map((units) => record({ units }));
	expect(summarise('c1', records)).toMatchObject({ units: 4.25 });
	expect(warningOf(records)).toBeUndefined();
});

test('a warning counts the units that cannot be read, and missing units are no warning', () => {
	const texts = ['1,5', 'two', '0x10', '1e999', true, {}].map((units) => record({ units }));
	expect(warningOf(texts)).toBe(
		"The units of 6 records cannot be read: they are left out of 'units'.",
	);
	expect(warningOf(texts.slice(0, 1))).toBe(
		"The units of 1 record cannot be read: they are left out of 'units'.",
	);
	expect(warningOf([undefined, null, '', ' '].map((units) => record({ units })))).toBeUndefined();
});

test.each([
	[[10], 10],
	[[10, 20], 15],
	[[30, 10, 20], 20],
	[[1, 100, 2, 3], 2.5],
	[[0.25], 0.3],
	[[], null],
])('the median of %j seconds is %p', (seconds, expected) => {
	const records = seconds.map((each) =>
		record({
			delivered_time: new Date(Date.parse(record().createdAt) + each * 1000).toISOString(),
		}),
	);
	expect(summarise('c1', records).medianDeliverySeconds).toBe(expected);
});

test('units with decimal fractions add up exactly', () => {
	expect(summarise('c1', [record({ units: 0.1 }), record({ units: 0.2 })]).units).toBe(0.3);
});

test('records without a delivery time and without a reason are pending', () => {
	const { withoutDeliveredTime, pending } = summarise(
		'c1',
		[
			record(),
			record({ delivered_time: null }),
			record({ delivered_time: null, reason: '' }),
			record({ delivered_time: null, reason: 'Blocked' }),
		].map((each) => ({ ...each, status: 'sent' })),
	);
	expect({ withoutDeliveredTime, pending }).toEqual({ withoutDeliveredTime: 3, pending: 2 });
});

test.each([
	['failed', 0],
	['UNDELIVERED', 0],
	['rejected', 0],
	['expired', 0],
	['delivered', 0],
	['read', 0],
	['delivery_pending', 1],
	['ready', 1],
	['queued', 1],
	[null, 1],
])(
	'a record without a delivery time and a reason whose status is %j: %d pending',
	(status, expected) => {
		const { pending } = summarise('c1', [record({ status, delivered_time: null })]);
		expect(pending).toBe(expected);
	},
);

test('records without a status are counted together', () => {
	const { statuses } = summarise(
		'c1',
		[undefined, null, '', 7].map((status) => record({ status })),
	);
	expect(statuses).toEqual({ 'no status': 3, '7': 1 });
});

test('a delivery before its creation, by another clock, took 0 seconds', () => {
	const { medianDeliverySeconds } = summarise('c1', [
		record({ delivered_time: '2026-01-01T09:59:59.000Z' }),
	]);
	expect(medianDeliverySeconds).toBe(0);
});

test('the first creation, the last delivery, and how many have none', () => {
	const summary = summarise('c1', [
		record({ createdAt: '2026-01-02T00:00:00Z', delivered_time: '2026-01-03T00:00:00Z' }),
		record({ createdAt: '2026-01-01T00:00:00+01:00', delivered_time: null }),
		record({ createdAt: 'yesterday', delivered_time: 'soon' }),
		record({ createdAt: undefined, delivered_time: undefined }),
	]);
	expect(summary).toEqual(
		expect.objectContaining({
			firstCreatedAt: '2025-12-31T23:00:00.000Z',
			lastDeliveredAt: '2026-01-03T00:00:00.000Z',
			withoutDeliveredTime: 3,
			medianDeliverySeconds: 86_400,
		}),
	);
});

test.each([
	['seconds', 1],
	['milliseconds', 1000],
])('times as numbers of %s', (_, factor) => {
	const created = (Date.parse(record().createdAt) / 1000) * factor;
	const delivered = String(created + 10 * factor);
	expect(
		summarise('c1', [record({ createdAt: created, delivered_time: delivered })]),
	).toMatchObject({
		firstCreatedAt: '2026-01-01T10:00:00.000Z',
		lastDeliveredAt: '2026-01-01T10:00:10.000Z',
		medianDeliverySeconds: 10,
	});
});

test.each([[0], [-1], [1e8 - 1], [1e17], [NaN], [true], [{}], ['']])(
	'%p is no time',
	(delivered_time) => {
		const { withoutDeliveredTime } = summarise('c1', [record({ delivered_time })]);
		expect(withoutDeliveredTime).toBe(1);
	},
);

test('reasons are counted, most frequent first, without missing and empty ones', () => {
	const reasons = ['Blocked', null, 'No such number', 'No such number', '', undefined, 7];
	expect(
		summarise(
			'c1',
			reasons.map((reason) => record({ reason })),
		).reasons,
	).toEqual([
		{ reason: 'No such number', count: 2 },
		{ reason: 'Blocked', count: 1 },
	]);
});
