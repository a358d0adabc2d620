import { Summary } from '../../../nodes/Messaging/report/summary';
import { meaningOf, type Meaning } from '../../../nodes/Messaging/service/status';
import type { LogRecord } from '../../../nodes/Messaging/service/types';
import { timesIn } from '../../../nodes/Messaging/utils/text';

const written = timesIn('UTC');

function summarise(campaignId: string, records: LogRecord[]) {
	const summary = new Summary();
	for (const each of records) summary.add(each);
	return summary.result(campaignId, records.length, {}, written);
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

/* Sources: the interface, SMPP, and the logs and webhooks of SMS and chat-app providers. */
test.each<[Meaning | undefined, string[]]>([
	['delivered', ['delivered', 'Delivered', 'DELIVRD', 'DELIVERED_TO_HANDSET']],
	['delivered', ['delivered (no errors)', 'delivered_without_error']],
	['read', ['READ', 'message.read', 'seen', 'SEEN', 'read_by_alien']],
	['failed', ['REJECTD', 'deliveryfailure', 'HARDBOUNCE', '10 errors', 'undelivered_no_error']],
	['failed', ["isn't delivered", 'was never read', 'failed: timeout']],
	[undefined, ['NO_ERROR', 'no errors', 'error: 0', '0 errors', 'unblocked', 'not expired']],
	[undefined, ['failover', 'sent_after_fail_over', 'never rejected', 'not been blocked']],
	[undefined, ['partially_delivered', 'Partial delivery', 'PARTIALLY_FAILED', 'partly read']],
	[
		'failed',
		['undelivered', 'UNDELIV', 'FAILED', 'rejected', 'expired', 'blocked', 'deliveryFailed'],
	],
	['failed', ['NOT_DELIVERED', 'Not-Delivered', 'notDelivered', 'non delivered', 'NoDelivered']],
	[
		'failed',
		['unread', 'UNSENT', 'not sent', 'Not.Seen', 'un-delivered', 'could not be delivered'],
	],
	['failed', ['CANCELED', 'Skipped', 'deleted', 'blacklisted', 'BLACK_LISTED', 'blocklisted']],
	['failed', ['OPTED_OUT', 'opt-out', 'OptOut', 'unreachable', 'UNREACHABLE']],
	[undefined, ['queued', 'sent', 'ready', 'delivery_pending', 'levitating', 'spread', 'notified']],
	[
		undefined,
		['NOT_YET_DELIVERED', 'not delivered yet', 'to be delivered', '1', '✓', '{"name":"SENT"}'],
	],
])('Summary: %s is the meaning of %j', (meaning, statuses) => {
	expect(statuses.map((status) => meaningOf(status))).toEqual(statuses.map(() => meaning));
});

test('Summary: statuses have the service’s own names and their shares, the most frequent first', () => {
	const { statuses, shares } = summarise('c1', [
		record({ status: 'failed' }),
		record(),
		record(),
		record({ status: 'LEVITATING' }),
		record(),
		record({ status: 'failed' }),
	]);
	expect(Object.entries(statuses as object)).toEqual([
		['delivered', 3],
		['failed', 2],
		['LEVITATING', 1],
	]);
	expect(shares).toEqual({ delivered: 0.5, failed: 0.3333, LEVITATING: 0.1667 });
});

test('Summary: delivered includes read, and is counted once in the text', () => {
	const statuses = ['delivered', 'READ', 'delivered', 'seen', 'failed', 'expired'];
	expect(
		summarise(
			'c1',
			statuses.map((status) => record({ status })),
		),
	).toMatchObject({
		text: 'Sent on 1 Jan 2026, 10:00, to 6 recipients: 4 delivered, of them 2 read; 1 failed; 1 expired',
		delivered: 4,
		read: 2,
		failed: 2,
		statuses: { delivered: 4, READ: 1, seen: 1, failed: 1, expired: 1 },
		shares: { delivered: 0.6667, READ: 0.1667 },
	});
	expect(summarise('c1', [record({ status: 'read' })])).toMatchObject({
		text: 'Sent on 1 Jan 2026, 10:00, to 1 recipient: 1 delivered, of them 1 read',
		statuses: { delivered: 1, read: 1 },
	});
});

test.each([
	['DELIVERED', 'delivered'],
	['NOT_DELIVERED', 'Not-Delivered'],
	['DELIVRD', 'delivered'],
	['İLETİLDİ', 'iletildi'],
	['Échec', 'ÉCHEC'.normalize('NFD')],
])('Summary: %s and %s are one status, in any order', (one, other) => {
	for (const statuses of [
		[one, other],
		[other, one],
	]) {
		const all = summarise(
			'c1',
			statuses.map((status) => record({ status })),
		).statuses;
		expect(Object.entries(all)).toEqual([[one > other ? one : other, 2]]);
	}
});

test('Summary: codes that differ in a sign, and signs alone, are several statuses', () => {
	const codes = ['-1', '1', '1.0', '10', '✓', '✗'];
	const { statuses } = summarise(
		'c1',
		codes.map((status) => record({ status })),
	);
	expect(Object.keys(statuses as object).sort()).toEqual([...codes].sort());
});

test('Summary: a status that has the word read is read, and each of its records is one', () => {
	const records = [1, 2].map(() => record({ status: 'read_by_alien', reason: 'x', units: 2 }));
	expect(summarise('c1', records)).toMatchObject({
		text: 'Sent on 1 Jan 2026, 10:00, to 2 recipients: 2 delivered, of them 2 read',
		...{ recipients: 2, delivered: 2, read: 2, failed: 0, units: 4, pending: 0 },
		statuses: { delivered: 2, read_by_alien: 2 },
		shares: { delivered: 1, read_by_alien: 1 },
		reasons: [],
		withoutDeliveredTime: 0,
	});
	// Without the ones that were read, which are in delivered, the shares are 1 together.
	const { shares } = summarise('c1', [...records, record(), record({ status: 'failed' })]);
	expect(shares).toEqual({ delivered: 0.75, read_by_alien: 0.5, failed: 0.25 });
});

test('Summary: a status named like a property of every object is counted like any other', () => {
	const { statuses } = summarise('c1', [
		record({ status: 'constructor' }),
		record({ status: '__proto__' }),
	]);
	expect(Object.entries(statuses as object).sort()).toEqual([
		['__proto__', 1],
		['constructor', 1],
	]);
});

test('Summary: units are added exactly, and anything that is not a number counts as 0', () => {
	const units = [0.1, 0.2, undefined, null, 'x', NaN];
	const records = units.map((each) => record({ units: each }));
	expect(summarise('c1', records).units).toBe(0.3);
});

test.each([
	[[30, 10, 20], 20],
	[[1, 100, 2, 3], 2.5],
	[[0.25], 0.3],
	[[], null],
])('Summary: the median of %j seconds is %p', (seconds, expected) => {
	const records = seconds.map((each) =>
		record({
			delivered_time: new Date(Date.parse(record().createdAt) + each * 1000).toISOString(),
		}),
	);
	expect(summarise('c1', records).medianDeliverySeconds).toBe(expected);
});

test('Summary: records without a delivery time and a final status are pending, whatever their reason', () => {
	const { withoutDeliveredTime, pending } = summarise(
		'c1',
		[
			record(),
			record({ delivered_time: null }),
			record({ delivered_time: null, reason: '' }),
			record({ delivered_time: null, reason: 'Blocked' }),
			...[7, { code: 5 }].map((reason) => record({ delivered_time: null, reason })),
			...['No Error', 'NO_ERROR', 'null', '0'].map((reason) =>
				record({ delivered_time: null, reason }),
			),
			// "Never", as databases and languages write it, and what is no time.
			...['0001-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z', '0000-00-00', '-', '5'].map(
				(delivered_time) => record({ delivered_time }),
			),
		]
			.map((each) => ({ ...each, status: 'sent' }))
			.concat(record({ delivered_time: null, status: 'failed' })),
	);
	expect({ withoutDeliveredTime, pending }).toEqual({ withoutDeliveredTime: 15, pending: 14 });
});

test('Summary: it has the first creation, the last delivery and the number of records without a delivery time', () => {
	const records = [
		record({ createdAt: '2026-01-02T00:00:00Z', delivered_time: '2026-01-03T00:00:00Z' }),
		record({ createdAt: '2026-01-01T00:00:00+01:00', delivered_time: null }),
		record({ createdAt: '2026-01-01T12:00:00Z', delivered_time: '2026-01-02T12:00:00Z' }),
		record({ createdAt: 'yesterday', delivered_time: 'soon' }),
		record({ createdAt: undefined, delivered_time: undefined }),
	];
	const expected = {
		firstCreatedAt: '2025-12-31T23:00:00.000Z',
		lastDeliveredAt: '2026-01-03T00:00:00.000Z',
		withoutDeliveredTime: 3,
		medianDeliverySeconds: 86_400,
	};
	expect(summarise('c1', records)).toMatchObject(expected);
	expect(summarise('c1', records.reverse())).toMatchObject(expected);
});

test.each<[string, unknown, unknown]>([
	['in ms since 1970', 1_767_261_600_000, 1_767_261_610_000],
	['as a number in a text', '1767261600', '1767261610000'],
	['with an offset', '2026-01-01T15:30:00.000001+05:30', '2026-01-01T10:00:10Z'],
	['with a short offset', '2026-01-01 12:00:00+02', '2026-01-01 12:00:10 +0200'],
	['without a zone, which is UTC', '2026-01-01 10:00:00', '2026-01-01T10:00:10.000'],
	['without a zone, in words', 'Thu, 01 Jan 2026 10:00', 'Jan 1 2026 10:00:10'],
])('Summary: a time %s', (_, createdAt, delivered_time) => {
	expect(summarise('c1', [record({ createdAt, delivered_time })])).toMatchObject({
		firstCreatedAt: '2026-01-01T10:00:00.000Z',
		lastDeliveredAt: '2026-01-01T10:00:10.000Z',
		medianDeliverySeconds: 10,
		withoutDeliveredTime: 0,
	});
});

test('Summary: a day that may be in two months is no time', () => {
	expect(summarise('c1', [record({ createdAt: '05/11/2026 10:00' })]).firstCreatedAt).toBeNull();
});

test('Summary: reasons are counted, most frequent first, without missing and empty ones', () => {
	const none = [null, '', undefined, 0, {}, []];
	const reasons = ['Blocked', 'No such number', 'No such number', ...none, 7, { code: 5 }];
	const records = reasons.map((reason) => record({ status: 'failed', reason }));
	expect(summarise('c1', records).reasons).toEqual([
		{ reason: 'No such number', count: 2 },
		{ reason: 'Blocked', count: 1 },
		{ reason: '7', count: 1 },
		{ reason: '{"code":5}', count: 1 },
	]);
});

test('Summary: reasons are those of messages that have not arrived, not the descriptions of deliveries', () => {
	const described = ['delivered', 'read', 'failed', '404'].map((status) =>
		record({ status, reason: `Message ${status}` }),
	);
	expect(summarise('c1', described).reasons).toEqual([
		{ reason: 'Message failed', count: 1 },
		{ reason: 'Message 404', count: 1 },
	]);
});

test('Summary: the time that the service writes at a failure is no delivery', () => {
	const failed = record({ status: 'failed', delivered_time: '2026-01-02T10:00:00.000Z' });
	expect(summarise('c1', [record(), failed])).toMatchObject({
		lastDeliveredAt: '2026-01-01T10:00:10.000Z',
		medianDeliverySeconds: 10,
		withoutDeliveredTime: 1,
		pending: 0,
	});
	expect(summarise('c1', [failed])).toMatchObject({
		lastDeliveredAt: null,
		medianDeliverySeconds: null,
	});
});

describe('Summary: the text', () => {
	const SENT = 'Sent on 1 Jan 2026, 10:00, to ';
	const textOf = (records: LogRecord[], beside: { missing?: number; test?: true } = {}) => {
		const summary = new Summary();
		for (const each of records) summary.add(each);
		return summary.result('c1', records.length + (beside.missing ?? 0), beside, written).text;
	};
	const failed = (reason: unknown) => record({ status: 'failed', reason });
	const times = (count: number, each: LogRecord) => new Array<LogRecord>(count).fill(each);

	test.each<[string, LogRecord[], { missing?: number; test?: true } | undefined, string]>([
		[
			'names the reason of a failure',
			[...times(23, record()), record({ status: 'read' }), failed('not a chat-app user')],
			undefined,
			'25 recipients: 24 delivered, of them 1 read; 1 failed (not a chat-app user)',
		],
		[
			'names three reasons and counts the rest',
			[
				...times(5, failed('A')),
				...times(4, failed('B')),
				...times(3, failed('C')),
				failed('D'),
				failed('E'),
			],
			undefined,
			'14 recipients: 14 failed (5 A, 4 B, 3 C, 2 for other reasons)',
		],
		[
			'leaves out the reason of a delivered message',
			[record({ reason: 'Delivered to handset' })],
			undefined,
			'1 recipient: 1 delivered',
		],
		[
			'names eight statuses and counts the rest',
			Array.from({ length: 10 }, (_, index) => record({ status: `s${index}` })),
			undefined,
			'10 recipients: 1 s0, 1 s1, 1 s2, 1 s3, 1 s4, 1 s5, 1 s6, 1 s7, 2 in other statuses',
		],
		[
			'says how many recipients are missing and why the numbers may be wrong',
			times(1234, record()),
			{ missing: 2, ...{ complete: false, warning: 'Some may be missing.' } },
			'1,236 recipients: 1,234 delivered, 2 not in the logs. Not complete: the time was up. Some may be missing.',
		],
	])('%s', (_, records, beside, text) => {
		expect(textOf(records, beside)).toBe(SENT + text);
	});
});
