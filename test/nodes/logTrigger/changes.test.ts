import { sleep } from 'n8n-workflow';
import { ChangeDetector } from '../../../nodes/Messaging/logTrigger/changes';
import {
	emptyLog,
	loadLog,
	MAX_RECORDS,
	saveLog,
	type KnownLog,
} from '../../../nodes/Messaging/logTrigger/knownLog';
import type { LogRecord } from '../../../nodes/Messaging/service/types';
import { useHarness } from '../../support/harness';
import { all, live, logTriggerRun, pagesOf, PAGE_SIZE } from './logTriggerRun';

// Long enough for logs of tens of thousands of records on a busy machine.
jest.setTimeout(60_000);

const NOW = 1_790_000_000;
const record = (id: string, status: string, age = 0) =>
	({ id, status, createdAt: new Date((NOW - age) * 1000).toISOString() }) as LogRecord;
const nothing = emptyLog();
const compareSince = async (previous: KnownLog, log: LogRecord[], horizon: number, now: number) => {
	const detector = new ChangeDetector(previous, ['new', 'statusChanged']);
	// In pages, as the service returns them.
	for (let from = 0; from < log.length; from += 500) {
		await detector.add(log.slice(from, from + 500));
	}
	return await detector.finish(horizon, now);
};
const compare = async (previous: KnownLog, log: LogRecord[], horizon = NOW - 1000) =>
	await compareSince(previous, log, horizon, NOW);
const changesOf = ({ changes }: Awaited<ReturnType<typeof compare>>) =>
	changes.map(({ id, change, status, previousStatus }) => [id, change, previousStatus, status]);

describe('changes of the log', () => {
	test('each change is found once, also with an unknown status', async () => {
		const first = await compare(nothing, [record('a', 'queued'), record('b', 'levitating')]);
		expect(changesOf(first)).toEqual([
			['a', 'new', null, 'queued'],
			['b', 'new', null, 'levitating'],
		]);
		const log = [record('b', 'landed'), record('a', 'queued'), record('c', 'queued')];
		const second = await compare(first.log, log);
		expect(changesOf(second)).toEqual([
			['b', 'statusChanged', 'levitating', 'landed'],
			['c', 'new', null, 'queued'],
		]);
		expect(changesOf(await compare(second.log, log))).toEqual([]);
	});

	test('previousStatus is null for a record that had no status', async () => {
		const without = (status: unknown) => record('a', status as string);
		const first = await compare(nothing, [without(null)]);
		const second = await compare(first.log, [without(undefined)]);
		expect(changesOf(second)).toEqual([]);
		const third = await compare(second.log, [record('a', 'sent')]);
		expect(changesOf(third)).toEqual([['a', 'statusChanged', null, 'sent']]);
	});

	test('a record that is missing from one answer is not new in the next', async () => {
		const first = await compare(nothing, [record('a', 'queued'), record('b', 'queued')]);
		const second = await compare(first.log, [record('a', 'queued')]);
		const third = await compare(second.log, [record('a', 'queued'), record('b', 'sent')]);
		expect(changesOf(third)).toEqual([['b', 'statusChanged', 'queued', 'sent']]);
	});

	test('a record before the horizon is dropped, and is not new later', async () => {
		const log = [record('old', 'queued', 900), record('young', 'queued', 10)];
		const first = await compare(nothing, log);
		const second = await compare(first.log, log, NOW - 500);
		expect(changesOf(second)).toEqual([]);
		expect(second.log.records).toHaveLength(1);
		expect(changesOf(await compare(second.log, [record('old', 'sent', 900)], NOW - 500))).toEqual(
			[],
		);
	});

	test('comparing yields to the event loop', async () => {
		let time = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => (time += 30));
		let othersRan = false;
		void sleep(0).then(() => (othersRan = true));
		await compare(nothing, [record('a', 'queued'), record('b', 'queued')]);
		jest.restoreAllMocks();
		expect(othersRan).toBe(true);
	});

	test('a record without a creation time is watched like any other', async () => {
		const timeless = { id: 'x', status: 'queued' } as LogRecord;
		const first = await compare(nothing, [timeless]);
		expect(changesOf(first)).toEqual([['x', 'new', null, 'queued']]);
		expect(changesOf(await compare(first.log, [timeless]))).toEqual([]);
	});

	test('the number of stored records is limited; the oldest are dropped and are not new later', async () => {
		const log = Array.from({ length: MAX_RECORDS + 500 }, (_, index) =>
			record(`id-${index}`, 'sent', index / 100),
		);
		const first = await compare(nothing, log);
		expect(first.changes).toHaveLength(log.length);
		expect(first.log.records).toHaveLength(MAX_RECORDS);
		expect(first.dropped).toBe(500);
		expect(changesOf(await compare(first.log, log))).toEqual([]);
		// n8n saves the static data with the workflow, so it must stay small.
		expect(JSON.stringify(saveLog(first.log)).length).toBeLessThan(MAX_RECORDS * 25);
	});

	test('when one second has too many records, as many as possible are watched', async () => {
		const older = record('older', 'sent', 60);
		const burst = Array.from({ length: MAX_RECORDS + 500 }, (_, index) =>
			record(`id-${index}`, 'queued'),
		);
		const first = await compare(nothing, [older, ...burst]);
		expect(first.dropped).toBe(501);
		expect(changesOf(await compare(first.log, [older, ...burst]))).toEqual([]);

		const failed = burst.map((each) => ({ ...each, status: 'failed' }));
		const second = await compare(first.log, [{ ...older, status: 'failed' }, ...failed]);
		const ids = new Set(second.changes.map(({ id }) => id));
		expect([ids.size, new Set(second.changes.map(({ change }) => change))]).toEqual([
			MAX_RECORDS,
			new Set(['statusChanged']),
		]);

		// A younger record replaces one of that second.
		const younger = record('younger', 'queued', -1);
		const third = await compare(second.log, [...failed, younger]);
		expect({ changes: changesOf(third), dropped: third.dropped }).toEqual({
			changes: [['younger', 'new', null, 'queued']],
			dropped: 1,
		});
		expect(changesOf(await compare(third.log, [...failed, younger]))).toEqual([]);
	});

	describe('records without an id', () => {
		const anonymous = (identifier: string, status: string, more: object = {}) =>
			({ ...record('', status), identifier, ...more }) as LogRecord;
		const outcomeOf = ({ changes, identical }: Awaited<ReturnType<typeof compare>>) => ({
			changes: changes.map((each) => [each.identifier, each.previousStatus, each.status]),
			identical,
		});

		test.each([[undefined], [null], ['']])(
			'(%p) are identified by the fields that do not change',
			async (id) => {
				const none = { id } as object;
				const first = await compare(nothing, [
					anonymous('a', 'queued', none),
					anonymous('b', 'sent', none),
				]);
				const delivered = { ...none, reason: 'ok', delivered_time: 'now', units: 2 };
				const log = [anonymous('b', 'sent', none), anonymous('a', 'delivered', delivered)];
				const second = await compare(first.log, log);
				expect(outcomeOf(second)).toEqual({
					changes: [['a', 'queued', 'delivered']],
					identical: 0,
				});
				expect(outcomeOf(await compare(second.log, log))).toEqual({ changes: [], identical: 0 });
			},
		);

		test('that are identical are counted instead of watched', async () => {
			const alike = [anonymous('a', 'queued'), anonymous('a', 'sent'), anonymous('a', 'sent')];
			const first = await compare(nothing, [...alike, anonymous('b', 'queued')]);
			const expected = { changes: [['b', null, 'queued']], identical: 3 };
			expect(outcomeOf(first)).toEqual(expected);
			const second = await compare(first.log, [anonymous('b', 'queued'), ...alike.reverse()]);
			expect(outcomeOf(second)).toEqual({ changes: [], identical: 3 });
		});
	});

	describe('creation times that are not text', () => {
		const at = (createdAt: unknown, id = 'a') => ({ id, status: 'queued', createdAt }) as LogRecord;

		test.each([
			['seconds', 1],
			['milliseconds', 1000],
		])('%s', async (_, factor) => {
			const log = [at((NOW - 900) * factor, 'old'), at(String((NOW - 100) * factor), 'young')];
			expect(changesOf(await compare(nothing, log, NOW - 500)).map(([id]) => id)).toEqual([
				'young',
			]);
		});

		const unreadable = Array.from({ length: MAX_RECORDS + 1 }, (_, index) =>
			at('soon', `id-${index}`),
		);

		test('too many records with an unreadable time are new only once', async () => {
			const younger = record('younger', 'queued', -60);
			const first = await compare(nothing, [record('older', 'queued', 60), ...unreadable]);
			expect(first.changes).toHaveLength(MAX_RECORDS + 2);
			const log = [record('older', 'queued', 60), younger, ...unreadable];
			const second = await compareSince(first.log, log, NOW - 940, NOW + 60);
			expect(changesOf(second)).toEqual([['younger', 'new', null, 'queued']]);
			expect(changesOf(await compareSince(second.log, log, NOW - 880, NOW + 120))).toEqual([]);
		});

		test('a record with an unreadable time is not new again, however late', async () => {
			let { log: known } = await compare(nothing, [at(null)]);
			for (const later of [600, 1200, 1800]) {
				const next = await compareSince(known, [at(null)], NOW + later - 1000, NOW + later);
				expect(changesOf(next)).toEqual([]);
				({ log: known } = next);
			}
		});
	});

	describe('a clock', () => {
		const DAY = 86_400;
		const compareAt = async (previous: KnownLog, log: LogRecord[], now: number, days = 7) =>
			await compareSince(previous, log, now - days * DAY, now);

		test('that was ahead and was corrected: each change is found once', async () => {
			const before = [record('old', 'sent', 6 * DAY), record('a', 'queued')];
			const first = await compareAt(nothing, before, NOW);
			const meanwhile = [...before, record('b', 'queued', -60)];
			const ahead = await compareAt(first.log, meanwhile, NOW + 60 + 10 * DAY);
			expect(changesOf(ahead)).toEqual([]);
			const after = [before[0], record('a', 'delivered'), record('b', 'queued', -60)];
			const right = await compareAt(ahead.log, after, NOW + 120);
			expect(changesOf(right)).toEqual([
				['a', 'statusChanged', 'queued', 'delivered'],
				['b', 'new', null, 'queued'],
			]);
			const later = await compareAt(right.log, [...after, record('c', 'sent', -180)], NOW + 180);
			expect(changesOf(later)).toEqual([['c', 'new', null, 'sent']]);
		});

		test('that was ahead at the first poll does not hide later changes', async () => {
			const first = await compareAt(nothing, [record('a', 'queued')], NOW + 10 * DAY);
			const second = await compareAt(
				first.log,
				[record('a', 'sent'), record('b', 'sent')],
				NOW + 60,
			);
			expect(changesOf(second)).toEqual([
				['a', 'statusChanged', 'queued', 'sent'],
				['b', 'new', null, 'sent'],
			]);
		});

		test.each([
			['busy', [1, 5, 9, 20]],
			['quiet', [9, 20]],
		])('does not matter when Look Back becomes longer in a %s log', async (_, ages) => {
			const log = ages.map((days) => record(`${days}`, 'sent', days * DAY));
			const first = await compareAt(nothing, log, NOW, 2);
			expect(changesOf(await compareAt(first.log, log, NOW + 60, 90))).toEqual([]);
		});
	});

	test('a saved log of an earlier version without all bounds is continued', async () => {
		const { records, statuses } = saveLog((await compare(nothing, [record('a', 'queued')])).log);
		const log = [record('a', 'sent'), record('b', 'queued', 60), record('c', 'queued', 61)];
		expect(
			changesOf(await compare(loadLog({ statuses, records, horizon: NOW - 60 }), log)),
		).toEqual([
			['a', 'statusChanged', 'queued', 'sent'],
			['b', 'new', null, 'queued'],
		]);
	});
});

describe('a long log', () => {
	const harness = useHarness();
	afterEach(() => jest.restoreAllMocks());

	const log = (count: number) =>
		Array.from({ length: count }, (_, index) => live(`r${index}`, 'sent'));

	test('is compared page by page, so that its records are not all in memory at once', async () => {
		const { poll } = logTriggerRun(harness);
		const records = log(40 * PAGE_SIZE);
		for (const time of ['first', 'second']) {
			let latest = 0;
			const found = await poll(
				pagesOf(records, (page, answered) => (latest = Math.max(latest, answered - page))),
			);
			expect(found).toBeNull();
			// Five requests are in flight at once.
			expect({ time, isSoon: latest <= 6, latest }).toMatchObject({ time, isSoon: true });
		}
	});

	test('fills no large Map, because a Map that doubles copies all entries without yielding', async () => {
		let largest = 0;
		const { set } = Map.prototype;
		jest.spyOn(Map.prototype, 'set').mockImplementation(function (
			this: Map<unknown, unknown>,
			...entry
		) {
			set.apply(this, entry);
			largest = Math.max(largest, this.size);
			return this;
		});
		const { poll } = logTriggerRun(harness);
		const withoutId = log(15_000).map((record, index) => ({
			...record,
			id: null,
			identifier: `i${index}`,
		}));
		await poll(pagesOf([...log(15_000), ...withoutId]));
		jest.restoreAllMocks();
		expect(largest).toBeLessThan(5_000);
	});

	test('yields to the event loop also within one very large page', async () => {
		let time = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => (time += 30));
		const { poll } = logTriggerRun(harness);
		let isOver = false;
		const running = poll(all(log(100))).finally(() => (isOver = true));
		let yields = 0;
		while (!isOver) {
			await sleep(0);
			yields++;
		}
		await running;
		expect(yields).toBeGreaterThan(50);
	});
});
