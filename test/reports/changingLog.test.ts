import fc from 'fast-check';
import { readLogs } from '../../nodes/Messaging/logs/readLogs';
import { ChangingLog, type Change, type Habits } from './changingLog';

// On a busy machine: reading lets jest's own clock run.
jest.setTimeout(60_000);

declare const seed: number;

declare const randomRuns: number;

const changeOf: fc.Arbitrary<Change> = fc.oneof(
	fc.constant({ kind: 'none' as const }),
	fc.record({
		kind: fc.constant('status' as const),
		at: fc.nat(500),
		status: fc.constantFrom('delivered', 'failed', 'sent', 'NEVER_SEEN'),
	}),
	fc.record({
		kind: fc.constantFrom('addFirst' as const, 'addLast' as const),
		count: fc.integer({ min: 1, max: 12 }),
	}),
	fc.record({ kind: fc.constant('shuffle' as const), salt: fc.nat(500) }),
	fc.record({ kind: fc.constant('lowerPageSize' as const), by: fc.integer({ min: 1, max: 30 }) }),
);

const habitsOf: fc.Arbitrary<Habits> = fc.record({
	records: fc.nat(220),
	pageSize: fc.integer({ min: 3, max: 90 }),
	sortsByStatus: fc.boolean(),
	saysCount: fc.boolean(),
	totalPage: fc.oneof(
		fc.constant('true' as const),
		fc.constant('none' as const),
		fc.record({ wrongBy: fc.integer({ min: -4, max: 4 }) }),
	),
	emptyOnce: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 2 }),
	changes: fc.array(changeOf, { maxLength: 40 }),
});

async function read(habits: Habits) {
	const log = new ChangingLog(habits);
	let warning: string | undefined;
	const records = await readLogs({}, Infinity, log.ask, (told) => (warning = told));
	const ids = records.map(({ id }) => id);
	return { log, ids, warning, missing: log.always.filter((id) => !ids.includes(id)) };
}

/** Always too restless to be read whole: among random ones such a log is rare. */
const RESTLESS: Habits = {
	records: 17,
	pageSize: 13,
	sortsByStatus: false,
	saysCount: false,
	totalPage: { wrongBy: -2 },
	emptyOnce: [8],
	changes: [
		{ kind: 'lowerPageSize', by: 2 },
		{ kind: 'none' },
		{ kind: 'addFirst', count: 9 },
		{ kind: 'none' },
		{ kind: 'shuffle', salt: 402 },
		{ kind: 'lowerPageSize', by: 28 },
		{ kind: 'status', at: 7, status: 'NEVER_SEEN' },
	],
};

/** How often each end came: the property says nothing of an end that never comes. */
const ends = { whole: 0, told: 0, movedAndWhole: 0 };

test(`a log that changes while it is read: nothing twice, nothing missing without being told (SEED=${seed})`, async () => {
	await fc.assert(
		fc.asyncProperty(habitsOf, async (habits) => {
			const { log, ids, warning, missing } = await read(habits);
			expect(ids.length).toBe(new Set(ids).size);
			if (warning === undefined) expect(missing).toEqual([]);
			else expect(warning).toMatch(/^The service (counts|gave) .+\.$/);
			expect(log.requests).toBeLessThan(1500);

			const moved = habits.changes.some(({ kind }) => kind === 'shuffle') && ids.length > 90;
			ends[warning === undefined ? 'whole' : 'told']++;
			if (moved && warning === undefined) ends.movedAndWhole++;
		}),
		{ seed, numRuns: randomRuns, examples: [[RESTLESS]] },
	);
	expect(Object.entries(ends).filter(([, times]) => times === 0)).toEqual([]);
	// Telling is for when there is no other way: most logs settle within three readings.
	expect(ends.told).toBeLessThan(randomRuns / 2);
});

test(`records are deleted while they are read: nothing that is still there is missing without being told (SEED=${seed})`, async () => {
	// One that is added in the same moment would make up for it in the count: nobody could tell.
	const shrinking = fc
		.tuple(
			habitsOf,
			fc.array(
				fc.oneof(
					changeOf.filter(({ kind }) => !kind.startsWith('add')),
					fc.record({ kind: fc.constant('remove' as const), at: fc.nat(500) }),
				),
				{ maxLength: 40 },
			),
		)
		.map(([habits, changes]): Habits => ({ ...habits, saysCount: true, changes }));
	let removedAndWhole = 0;
	await fc.assert(
		fc.asyncProperty(shrinking, async (habits) => {
			const { log, ids, warning, missing } = await read(habits);
			expect(ids.length).toBe(new Set(ids).size);
			if (warning === undefined) expect(missing).toEqual([]);
			if (warning === undefined && log.always.length < habits.records) removedAndWhole++;
		}),
		{ seed, numRuns: randomRuns },
	);
	expect(removedAndWhole).toBeGreaterThan(0);
});

test(`a log that stands still comes whole, in its order, and nothing is told (SEED=${seed})`, async () => {
	const still = habitsOf.map((habits): Habits => ({ ...habits, changes: [], emptyOnce: [] }));
	await fc.assert(
		fc.asyncProperty(still, async (habits) => {
			// A service that neither counts nor knows its pages cannot be told from one that lies.
			const knows = habits.saysCount || typeof habits.totalPage === 'string';
			const { log, ids, warning } = await read(habits);
			expect(ids).toEqual(log.always);
			if (knows) expect(warning).toBeUndefined();
		}),
		{ seed, numRuns: randomRuns },
	);
});

test(`a page that comes empty once is read again (SEED=${seed})`, async () => {
	const blank = habitsOf.map(
		(habits): Habits => ({ ...habits, saysCount: true, changes: [], emptyOnce: [2] }),
	);
	await fc.assert(
		fc.asyncProperty(blank, async (habits) => {
			const { log, ids, warning } = await read(habits);
			expect([...ids].sort()).toEqual([...log.always].sort());
			expect(warning).toBeUndefined();
		}),
		{ seed, numRuns: 500 },
	);
});
