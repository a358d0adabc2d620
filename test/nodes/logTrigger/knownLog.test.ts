import {
	KnownLog,
	MOST_RECORDS,
	type SavedLog,
} from '../../../nodes/Messaging/logTrigger/knownLog';
import type { LogRecord } from '../../../nodes/Messaging/service/types';

const NOW = 1_790_000_000_000;
const DAY = 86_400_000;

const record = (id: string, status: string, age = 0) =>
	({ id, status, createdAt: new Date(NOW - age).toISOString() }) as LogRecord;

/** Polls once, and returns what has changed and what the next poll knows. */
function poll(saved: SavedLog | undefined, records: LogRecord[], { now = NOW, days = 7 } = {}) {
	const log = new KnownLog(saved, now, days * DAY);
	const changes = records.flatMap((each) => {
		const change = log.update(each);
		return change ? [[each.id, change.change, change.previousStatus, each.status]] : [];
	});
	// n8n saves static data as JSON.
	const next = JSON.parse(JSON.stringify(log.save())) as SavedLog;
	return { changes, saved: next, dropped: log.dropped };
}

const knownIn = ({ records }: SavedLog) =>
	records.reduce((sum, [, some]) => sum + some.split(' ').length, 0);

test('Log Changes Trigger: each change is found once, also with an unknown status', () => {
	const first = poll(undefined, [record('a', 'queued'), record('b', 'levitating')]);
	expect(first.changes).toEqual([
		['a', 'new', null, 'queued'],
		['b', 'new', null, 'levitating'],
	]);
	const log = [record('b', 'landed'), record('a', 'queued'), record('c', 'queued')];
	const second = poll(first.saved, log);
	expect(second.changes).toEqual([
		['b', 'statusChanged', 'levitating', 'landed'],
		['c', 'new', null, 'queued'],
	]);
	expect(poll(second.saved, log).changes).toEqual([]);
});

test('Log Changes Trigger: another spelling of a status is no change', () => {
	const first = poll(undefined, [record('a', 'NOT_DELIVERED'), record('b', '-1')]);
	const second = poll(first.saved, [record('a', 'Not delivered'), record('b', '1')]);
	expect(second.changes).toEqual([['b', 'statusChanged', '-1', '1']]);
	expect(poll(second.saved, [record('a', 'delivered')]).changes).toEqual([
		['a', 'statusChanged', 'Not delivered', 'delivered'],
	]);
});

test('Log Changes Trigger: a record that is missing from one poll is not new in the next', () => {
	const first = poll(undefined, [record('a', 'queued'), record('b', 'queued')]);
	const second = poll(first.saved, [record('a', 'queued')]);
	expect(poll(second.saved, [record('a', 'queued'), record('b', 'sent')]).changes).toEqual([
		['b', 'statusChanged', 'queued', 'sent'],
	]);
});

test('Log Changes Trigger: a record that becomes too old is forgotten, and is not new later', () => {
	const log = [record('old', 'queued', 6 * DAY), record('young', 'queued')];
	const first = poll(undefined, log);
	const later = record('later', 'queued', -2 * DAY);
	const second = poll(first.saved, [...log, later], { now: NOW + 2 * DAY });
	expect(second.changes).toEqual([['later', 'new', null, 'queued']]);
	expect(knownIn(second.saved)).toBe(2);
	expect(poll(second.saved, [record('old', 'sent', 6 * DAY)], { now: NOW }).changes).toEqual([]);
});

test.each([[null], ['soon'], ['05/11/2026 10:00']])(
	'Log Changes Trigger: a record whose creation time is %p is watched, and never too old',
	(createdAt) => {
		const undated = (status: string) => ({ ...record('a', status), createdAt }) as LogRecord;
		const first = poll(undefined, [record('b', 'queued')]);
		const second = poll(first.saved, [undated('queued')]);
		expect(second.changes).toEqual([['a', 'new', null, 'queued']]);
		const later = poll(second.saved, [undated('queued')], { now: NOW + 6 * DAY });
		const last = poll(later.saved, [undated('failed')], { now: NOW + 12 * DAY });
		expect([later.changes, last.changes]).toEqual([
			[],
			[['a', 'statusChanged', 'queued', 'failed']],
		]);
	},
);

describe('Log Changes Trigger: too many records', () => {
	const many = (count: number, ageOf: (index: number) => number = () => 0) =>
		Array.from({ length: count }, (_, index) => record(`id-${index}`, 'sent', ageOf(index)));

	test.each([
		['newest first', (log: LogRecord[]) => log],
		['oldest first', (log: LogRecord[]) => [...log].reverse()],
	])('%s: the oldest are dropped, and are not new later', (_, order) => {
		const log = order(many(3 * MOST_RECORDS, (index) => 10 * index));
		const first = poll(undefined, log);
		expect(first.changes.length).toBeGreaterThanOrEqual(MOST_RECORDS);
		expect([knownIn(first.saved), first.dropped > 0]).toEqual([MOST_RECORDS, true]);
		expect(poll(first.saved, log).changes).toEqual([]);
		// n8n saves the static data with the workflow, so it must stay small.
		expect(JSON.stringify(first.saved).length).toBeLessThan(MOST_RECORDS * 25);
	});

	test('of one moment are kept together, up to twice as many', () => {
		const log = many(1.5 * MOST_RECORDS);
		const first = poll(undefined, [...log, record('older', 'sent', 1)]);
		expect([knownIn(first.saved), first.dropped]).toEqual([log.length, 1]);
		const failed = log.map((each) => ({ ...each, status: 'failed' }));
		expect(poll(first.saved, failed).changes).toHaveLength(log.length);
	});

	test('of one moment, more than twice as many: none of them is watched, and none is new later', () => {
		const log = many(2 * MOST_RECORDS);
		const first = poll(undefined, log);
		expect([knownIn(first.saved), first.dropped]).toEqual([0, 2 * MOST_RECORDS]);
		const younger = record('younger', 'sent', -1);
		expect(poll(first.saved, [...log, younger]).changes).toEqual([
			['younger', 'new', null, 'sent'],
		]);
	});
});

describe('Log Changes Trigger: a clock', () => {
	test('that was ahead at the first poll does not make the known records new', () => {
		const log = [record('old', 'sent', 6 * DAY), record('a', 'queued')];
		const first = poll(undefined, log, { now: NOW + 10 * DAY });
		expect(poll(first.saved, [...log, record('b', 'sent')]).changes).toEqual([
			['b', 'new', null, 'sent'],
		]);
	});

	test('that was ahead and was corrected: each change is found once', () => {
		const before = [record('old', 'sent', 6 * DAY), record('a', 'queued')];
		const first = poll(undefined, before);
		const ahead = poll(first.saved, [...before, record('b', 'queued', -60_000)], {
			now: NOW + 10 * DAY,
		});
		expect(ahead.changes).toEqual([]);
		const after = [before[0], record('a', 'delivered'), record('b', 'queued', -60_000)];
		expect(poll(ahead.saved, after, { now: NOW + 120_000 }).changes).toEqual([
			['a', 'statusChanged', 'queued', 'delivered'],
			['b', 'new', null, 'queued'],
		]);
	});
});
