import type { INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { TimeSlice } from '../../../nodes/Messaging/utils/concurrency';
import { bounded, MOST_RECORDS } from '../../../nodes/Messaging/logTrigger/bounds';
import { Comparison } from '../../../nodes/Messaging/logTrigger/comparison';
import {
	Entries,
	loaded,
	nothingKnown,
	saved,
	type LogState,
} from '../../../nodes/Messaging/logTrigger/state';
import type { LogRecord } from '../../../nodes/Messaging/service/types';
import { Execution } from '../../support/execution';
import { Harness } from '../../support/harness';
import { useSandbox } from '../../support/sandbox';
import { phones, sendParameters } from '../../support/sends';
import { logTrigger } from './logTriggerNode';

// Logs of some ten thousand records, also on a busy machine.
jest.setTimeout(60_000);

const NOW = 1_790_000_000;
const record = (id: string, status: string, age = 0) =>
	({ id, status, createdAt: new Date((NOW - age) * 1000).toISOString() }) as LogRecord;
const nothing = nothingKnown();
const changesSince = async (previous: LogState, log: LogRecord[], horizon: number, now: number) => {
	const comparison = new Comparison(previous, ['new', 'statusChanged']);
	// In pages, as the service gives them.
	for (let from = 0; from < log.length; from += 500) {
		await comparison.add(log.slice(from, from + 500));
	}
	return await comparison.end(horizon, now);
};
const look = async (previous: LogState, log: LogRecord[], horizon = NOW - 1000) =>
	await changesSince(previous, log, horizon, NOW);
const told = ({ changes }: Awaited<ReturnType<typeof look>>) =>
	changes.map(({ id, change, status, previousStatus }) => [id, change, previousStatus, status]);

describe('what is new in the logs', () => {
	test('each change comes once, whatever the status is called', async () => {
		const first = await look(nothing, [record('a', 'queued'), record('b', 'levitating')]);
		expect(told(first)).toEqual([
			['a', 'new', null, 'queued'],
			['b', 'new', null, 'levitating'],
		]);
		const log = [record('b', 'landed'), record('a', 'queued'), record('c', 'queued')];
		const second = await look(first.state, log);
		expect(told(second)).toEqual([
			['b', 'statusChanged', 'levitating', 'landed'],
			['c', 'new', null, 'queued'],
		]);
		expect(told(await look(second.state, log))).toEqual([]);
	});

	test('a record without a status had none before: no text is made up', async () => {
		const without = (status: unknown) => record('a', status as string);
		const first = await look(nothing, [without(null)]);
		const second = await look(first.state, [without(undefined)]);
		expect(told(second)).toEqual([]);
		const third = await look(second.state, [record('a', 'sent')]);
		expect(told(third)).toEqual([['a', 'statusChanged', null, 'sent']]);
	});

	test('a record that is missing from one answer is not new in the next', async () => {
		const first = await look(nothing, [record('a', 'queued'), record('b', 'queued')]);
		const second = await look(first.state, [record('a', 'queued')]);
		const third = await look(second.state, [record('a', 'queued'), record('b', 'sent')]);
		expect(told(third)).toEqual([['b', 'statusChanged', 'queued', 'sent']]);
	});

	test('what is older than one looks back is forgotten, and does not come back as new', async () => {
		const log = [record('old', 'queued', 900), record('young', 'queued', 10)];
		const first = await look(nothing, log);
		const second = await look(first.state, log, NOW - 500);
		expect(told(second)).toEqual([]);
		expect(second.state.entries).toHaveLength(1);
		expect(told(await look(second.state, [record('old', 'sent', 900)], NOW - 500))).toEqual([]);
	});

	test('a long log is looked through in turns: the rest of n8n has its own in between', async () => {
		let time = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => (time += 30));
		let hadItsTurn = false;
		void sleep(0).then(() => (hadItsTurn = true));
		await look(nothing, [record('a', 'queued'), record('b', 'queued')]);
		jest.restoreAllMocks();
		expect(hadItsTurn).toBe(true);
	});

	test('of a very long log nothing is sorted in one piece but what may be remembered', async () => {
		const sorted: number[] = [];
		const sort = Array.prototype.sort;
		jest.spyOn(Array.prototype, 'sort').mockImplementation(function (
			this: unknown[],
			compare?: (a: unknown, b: unknown) => number,
		) {
			sorted.push(this.length);
			return sort.call(this, compare);
		});
		const log = Array.from({ length: 60_000 }, (_, index) =>
			record(`id-${index}`, 'sent', (60_000 - index) / 1000),
		);
		await look(nothing, log);
		jest.restoreAllMocks();
		expect(sorted.length).toBeGreaterThan(10);
		expect(Math.max(...sorted)).toBeLessThan(MOST_RECORDS * 1.25);
	});

	test('which are remembered does not depend on the order of a very long log', async () => {
		const slice = new TimeSlice();
		const bounds = { horizon: 5, upTo: 'x' };
		// Many of one second, many without a time; in order, in the reverse order, and in none.
		type Entry = { hash: string; time: number; isUndated: boolean };
		const entries = Array.from({ length: 50_000 }, (_, index): Entry => {
			const hash = `h${(index * 7919) % 50_000}`;
			return index % 3
				? { hash, time: 1000 + (index % 4), isUndated: false }
				: { hash, time: index, isUndated: true };
		});
		const more = Array.from(
			{ length: 24_000 },
			(_, index): Entry => ({
				hash: `m${index}`,
				time: 10 + (index % 500),
				isUndated: false,
			}),
		);
		// The rule in one line: without a time first and by their hashes, then by time, then by their hashes.
		const rule = (a: Entry, b: Entry) =>
			Number(b.isUndated) - Number(a.isUndated) ||
			(a.isUndated ? 0 : b.time - a.time) ||
			(a.hash < b.hash ? 1 : -1);
		for (const all of [[...entries, ...more], more, entries.slice(0, MOST_RECORDS + 1)]) {
			const inOrder = all.toSorted(rule);
			const gone = inOrder.slice(MOST_RECORDS);
			const dated = gone.find(({ isUndated }) => !isUndated);
			const undated = gone.find(({ isUndated }) => isUndated);
			for (const given of [all, inOrder, inOrder.toReversed()]) {
				const known = new Entries();
				for (const { hash, time, isUndated } of given) known.add(hash, 's', time, isUndated);
				const { state, forgotten } = await bounded(known, bounds, slice);
				expect(forgotten).toBe(all.length - MOST_RECORDS);
				expect(state.entries.hashes).toEqual(
					inOrder.slice(0, MOST_RECORDS).map(({ hash }) => hash),
				);
				expect([state.horizon, state.upTo, state.undatedUpTo]).toEqual([
					dated?.time ?? bounds.horizon,
					dated?.hash ?? bounds.upTo,
					undated?.hash,
				]);
			}
		}
	});

	test('a record without a time is watched like any other', async () => {
		const timeless = { id: 'x', status: 'queued' } as LogRecord;
		const first = await look(nothing, [timeless]);
		expect(told(first)).toEqual([['x', 'new', null, 'queued']]);
		expect(told(await look(first.state, [timeless]))).toEqual([]);
	});

	test('the memory is bounded; the oldest are let go and not told again', async () => {
		const log = Array.from({ length: MOST_RECORDS + 500 }, (_, index) =>
			record(`id-${index}`, 'sent', index / 100),
		);
		const first = await look(nothing, log);
		expect(first.changes).toHaveLength(log.length);
		expect(first.state.entries).toHaveLength(MOST_RECORDS);
		expect(first.forgotten).toBe(500);
		expect(told(await look(first.state, log))).toEqual([]);
		// The static data is saved with the workflow: it must stay small.
		expect(JSON.stringify(saved(first.state)).length).toBeLessThan(MOST_RECORDS * 25);
	});

	test('of more than can be remembered, all of one second, as many are watched as can be', async () => {
		const older = record('older', 'sent', 60);
		const burst = Array.from({ length: MOST_RECORDS + 500 }, (_, index) =>
			record(`id-${index}`, 'queued'),
		);
		const first = await look(nothing, [older, ...burst]);
		expect(first.forgotten).toBe(501);
		expect(told(await look(first.state, [older, ...burst]))).toEqual([]);

		const failed = burst.map((each) => ({ ...each, status: 'failed' }));
		const second = await look(first.state, [{ ...older, status: 'failed' }, ...failed]);
		const ids = new Set(second.changes.map(({ id }) => id));
		expect([ids.size, new Set(second.changes.map(({ change }) => change))]).toEqual([
			MOST_RECORDS,
			new Set(['statusChanged']),
		]);

		// As younger ones come, the rest of that second goes too, one by one.
		const younger = record('younger', 'queued', -1);
		const third = await look(second.state, [...failed, younger]);
		expect({ told: told(third), forgotten: third.forgotten }).toEqual({
			told: [['younger', 'new', null, 'queued']],
			forgotten: 1,
		});
		expect(told(await look(third.state, [...failed, younger]))).toEqual([]);
	});

	describe('records without an id', () => {
		const anonymous = (identifier: string, status: string, more: object = {}) =>
			({ ...record('', status), identifier, ...more }) as LogRecord;
		const lookedAt = ({ changes, alike }: Awaited<ReturnType<typeof look>>) => ({
			changes: changes.map((each) => [each.identifier, each.previousStatus, each.status]),
			alike,
		});

		test.each([[undefined], [null], ['']])(
			'(%p) are told apart by what does not change',
			async (id) => {
				const none = { id } as object;
				const first = await look(nothing, [
					anonymous('a', 'queued', none),
					anonymous('b', 'sent', none),
				]);
				const delivered = { ...none, reason: 'ok', delivered_time: 'now', units: 2 };
				const log = [anonymous('b', 'sent', none), anonymous('a', 'delivered', delivered)];
				const second = await look(first.state, log);
				expect(lookedAt(second)).toEqual({ changes: [['a', 'queued', 'delivered']], alike: 0 });
				expect(lookedAt(await look(second.state, log))).toEqual({ changes: [], alike: 0 });
			},
		);

		test('that are alike are not watched, and counted', async () => {
			const alike = [anonymous('a', 'queued'), anonymous('a', 'sent'), anonymous('a', 'sent')];
			const first = await look(nothing, [...alike, anonymous('b', 'queued')]);
			const expected = { changes: [['b', null, 'queued']], alike: 3 };
			expect(lookedAt(first)).toEqual(expected);
			const second = await look(first.state, [anonymous('b', 'queued'), ...alike.reverse()]);
			expect(lookedAt(second)).toEqual({ changes: [], alike: 3 });
		});
	});

	describe('times that are no text', () => {
		const at = (createdAt: unknown, id = 'a') => ({ id, status: 'queued', createdAt }) as LogRecord;

		test.each([
			['seconds', 1],
			['milliseconds', 1000],
		])('%s', async (_, factor) => {
			const log = [at((NOW - 900) * factor, 'old'), at(String((NOW - 100) * factor), 'young')];
			expect(told(await look(nothing, log, NOW - 500)).map(([id]) => id)).toEqual(['young']);
		});

		const unreadable = Array.from({ length: MOST_RECORDS + 1 }, (_, index) =>
			at('soon', `id-${index}`),
		);

		test('more records without a readable time than can be remembered come out once', async () => {
			const younger = record('younger', 'queued', -60);
			const first = await look(nothing, [record('older', 'queued', 60), ...unreadable]);
			expect(first.changes).toHaveLength(MOST_RECORDS + 2);
			const log = [record('older', 'queued', 60), younger, ...unreadable];
			const second = await changesSince(first.state, log, NOW - 940, NOW + 60);
			expect(told(second)).toEqual([['younger', 'new', null, 'queued']]);
			expect(told(await changesSince(second.state, log, NOW - 880, NOW + 120))).toEqual([]);
		});

		test('one without a readable time does not come again when its first sight is long ago', async () => {
			let { state } = await look(nothing, [at(null)]);
			for (const later of [600, 1200, 1800]) {
				const next = await changesSince(state, [at(null)], NOW + later - 1000, NOW + later);
				expect(told(next)).toEqual([]);
				({ state } = next);
			}
		});
	});

	describe('a clock', () => {
		const DAY = 86_400;
		const lookAt = async (previous: LogState, log: LogRecord[], now: number, days = 7) =>
			await changesSince(previous, log, now - days * DAY, now);

		test('that ran ahead and was put right: nothing is missed, nothing comes twice', async () => {
			const before = [record('old', 'sent', 6 * DAY), record('a', 'queued')];
			const first = await lookAt(nothing, before, NOW);
			const meanwhile = [...before, record('b', 'queued', -60)];
			const ahead = await lookAt(first.state, meanwhile, NOW + 60 + 10 * DAY);
			expect(told(ahead)).toEqual([]);
			const after = [before[0], record('a', 'delivered'), record('b', 'queued', -60)];
			const right = await lookAt(ahead.state, after, NOW + 120);
			expect(told(right)).toEqual([
				['a', 'statusChanged', 'queued', 'delivered'],
				['b', 'new', null, 'queued'],
			]);
			const later = await lookAt(right.state, [...after, record('c', 'sent', -180)], NOW + 180);
			expect(told(later)).toEqual([['c', 'new', null, 'sent']]);
		});

		test('that ran ahead at the first look does not silence the next ones', async () => {
			const first = await lookAt(nothing, [record('a', 'queued')], NOW + 10 * DAY);
			const second = await lookAt(
				first.state,
				[record('a', 'sent'), record('b', 'sent')],
				NOW + 60,
			);
			expect(told(second)).toEqual([
				['a', 'statusChanged', 'queued', 'sent'],
				['b', 'new', null, 'sent'],
			]);
		});

		test.each([
			['busy', [1, 5, 9, 20]],
			['quiet', [9, 20]],
		])('is no part of it when one looks back further into a %s log', async (_, ages) => {
			const log = ages.map((days) => record(`${days}`, 'sent', days * DAY));
			const first = await lookAt(nothing, log, NOW, 2);
			expect(told(await lookAt(first.state, log, NOW + 60, 90))).toEqual([]);
		});
	});

	test('what was remembered goes on without the bounds that an earlier version did not save', async () => {
		const { records, statuses } = saved((await look(nothing, [record('a', 'queued')])).state);
		const log = [record('a', 'sent'), record('b', 'queued', 60), record('c', 'queued', 61)];
		expect(told(await look(loaded({ statuses, records, horizon: NOW - 60 }), log))).toEqual([
			['a', 'statusChanged', 'queued', 'sent'],
			['b', 'new', null, 'queued'],
		]);
	});
});

describe('Messaging Log Trigger, against the sandbox', () => {
	const sandbox = useSandbox();
	let harness: Harness;

	beforeAll(async () => {
		harness = await Harness.load();
	});

	beforeEach(async () => {
		await sandbox.reset();
	});

	function trigger(parameters: INodeParameters) {
		const { credentials } = sandbox;
		const { look } = logTrigger(harness, parameters);
		return async (mode: WorkflowExecuteMode = 'trigger') =>
			((await look(credentials, mode)) ?? []).flat().map(({ json }) => json);
	}

	const send = async (count: number) => {
		const { items, error } = await Execution.start(harness, {
			parameters: sendParameters('campaign send', {}),
			items: phones(count).map((phone) => ({ phone })),
			credentials: sandbox.credentials,
		});
		expect(error).toBeUndefined();
		return items[0].json.campaign_id as string;
	};

	test('the first look remembers, the next ones tell what is new, over many pages', async () => {
		const watch = trigger({});
		await send(30);
		expect(await watch()).toEqual([]);
		const campaignId = await send(250);
		const changes = await watch();
		expect(changes).toHaveLength(250);
		expect(new Set(changes.map(({ campaign_id }) => campaign_id))).toEqual(new Set([campaignId]));
		expect(await watch()).toEqual([]);
	});

	test('a status that changes comes out once, with what it was', async () => {
		const watch = trigger({});
		await watch();
		await sandbox.reset({ campaignSeconds: 600 });
		const campaignId = await send(3);
		expect((await watch()).map(({ change, status }) => [change, status])).toEqual(
			Array(3).fill(['new', 'queued']),
		);
		await sandbox.completeCampaign(campaignId);
		expect(
			(await watch()).map(({ change, previousStatus, status }) => [change, previousStatus, status]),
		).toEqual(Array(3).fill(['statusChanged', 'queued', 'delivered']));
		expect(await watch()).toEqual([]);
	});

	test('only the chosen changes, and only of the chosen campaign', async () => {
		const other = await send(2);
		const watch = trigger({ campaignId: other, changes: ['statusChanged'] });
		expect(await watch()).toEqual([]);
		await send(2);
		expect(await watch()).toEqual([]);
		const [last] = (await sandbox.requests())
			.filter(({ endpoint }) => endpoint === 'getLogs')
			.slice(-1);
		expect((last as unknown as { query: string }).query).toContain(`campaign_id=${other}`);
	});

	test('a look that fails tells why, and the next one makes up for it', async () => {
		const watch = trigger({});
		await watch();
		await send(600);
		// The first page comes, a later one does not.
		await sandbox.fault({
			match: { endpoint: 'getLogs' },
			skip: 1,
			times: 0,
			fault: { kind: 'status', status: 400 },
		});
		await expect(watch()).rejects.toThrow('The service refused');
		await sandbox.clearFaults();
		expect(await watch()).toHaveLength(600);
	});

	test('a test run shows a few records and remembers nothing', async () => {
		const watch = trigger({});
		await send(30);
		expect(await watch('manual')).toHaveLength(10);
		expect(await watch('manual')).toHaveLength(10);
		expect(await watch()).toEqual([]);
	});
});
