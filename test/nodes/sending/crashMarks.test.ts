import {
	type ICheckProcessedOptions,
	type IDataObject,
	type IExecuteFunctions,
	sleep,
} from 'n8n-workflow';
import { CrashMarks } from '../../../nodes/Messaging/sending/crashMarks';
import { RunMemory } from '../../../nodes/Messaging/sending/runMemory';
import { message } from '../../support/messages';
import { ProcessedData } from '../../support/processedData';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

jest.setTimeout(60_000);

let database: ProcessedData;
let warnings: string[];
let workflowId = 0;

beforeEach(() => {
	database = new ProcessedData();
	warnings = [];
	workflowId++;
});

/** One attempt of an execution, whose data is lost when it crashes. */
function execution(token: string, mode = 'webhook', Runs = CrashMarks) {
	const data: IDataObject = {};
	let runIndex = 0;
	const kept = database;
	const workflow = { id: String(workflowId) };
	const node = { id: 'messaging', name: 'Send the offer' };
	/** Begins the node's next run. @returns whether an earlier attempt crashed in this run, and a function that ends it */
	return async () => {
		const context = {
			getContext: () => data,
			getWorkflowDataProxy: () => ({
				$runIndex: runIndex,
				// n8n before 2.14 has no token.
				$execution: token ? { resumeUrl: `http://n8n/webhook-waiting/1?signature=${token}` } : {},
			}),
			getWorkflow: () => workflow,
			getNode: () => node,
			getMode: () => mode,
			logger: { warn: (text: string) => warnings.push(text) },
			helpers: {
				checkProcessedAndRecord: async (
					items: string[],
					scope: 'node',
					options: ICheckProcessedOptions,
				) => await kept.checkProcessedAndRecord(items, scope, { workflow, node } as never, options),
				removeProcessed: async (items: string[], scope: 'node', options: ICheckProcessedOptions) =>
					await kept.removeProcessed(items, scope, { workflow, node } as never, options),
			},
		} as unknown as IExecuteFunctions;
		runIndex++;
		const runs = new Runs(context, new RunMemory(context), [message(0)]);
		return { hasCrashed: await runs.begin(), end: async () => await runs.end() };
	};
}

/** A whole execution that sends once and ends without a crash. */
async function another(token: string) {
	const { hasCrashed, end } = await execution(token)();
	expect(hasCrashed).toBe(false);
	await end();
}

test('the mark of a run that is still sending is kept, however many runs begin after it', async () => {
	await execution('long')();
	for (let count = 0; count < 2300; count++) await another(`other ${count}`);
	const { hasCrashed } = await execution('long', 'retry')();
	expect(hasCrashed).toBe(true);
});

test.each([3, 99, 100, 101, 1050, 1100, 2350])(
	'a loop that crashed in round %i: the retry recognises each of its rounds, but not the next one',
	async (rounds) => {
		const crashed = execution('loop');
		for (let round = 1; round < rounds; round++) await (await crashed()).end();
		await crashed();
		const retry = execution('loop', 'retry');
		const known: boolean[] = [];
		for (let round = 1; round <= rounds + 1; round++) {
			const { hasCrashed, end } = await retry();
			known.push(hasCrashed);
			await end();
		}
		expect(known).toEqual([...Array.from({ length: rounds }, () => true), false]);
	},
);

test('a slow loop among very many other executions: the retry recognises its first round', async () => {
	const crashed = execution('loop');
	for (let round = 0; round < 103; round++) {
		await (await crashed()).end();
		for (let count = 0; count < 25; count++) await another(`other ${round} ${count}`);
	}
	expect((await execution('loop', 'retry')()).hasCrashed).toBe(true);
});

test.each([2, 3, 6, 7])(
	'a loop with a long round %i among very many other executions: the retry recognises all its rounds',
	async (rounds) => {
		const crashed = execution('slow');
		for (let round = 1; round < rounds; round++) await (await crashed()).end();
		await crashed();
		for (let count = 0; count < 2300; count++) await another(`other ${count}`);
		const retry = execution('slow', 'retry');
		const known: boolean[] = [];
		for (let round = 1; round <= rounds; round++) known.push((await retry()).hasCrashed);
		expect(known).toEqual(Array.from({ length: rounds }, () => true));
	},
);

test('the search for later runs leaves no marks: a later retry is not taken for a crashed one', async () => {
	const retry = execution('failed without a crash', 'retry');
	expect((await retry()).hasCrashed).toBe(false);
	const next = execution('another', 'retry');
	expect((await next()).hasCrashed).toBe(false);
	expect((await next()).hasCrashed).toBe(false);
	expect(database.entries.length).toBeLessThan(10);
});

test('many executions that begin at once all have marks', async () => {
	const tokens = Array.from({ length: 50 }, (_, index) => `token ${index}`);
	const begun = await Promise.all(tokens.map(async (token) => await execution(token)()));
	expect(begun.map(({ hasCrashed }) => hasCrashed)).toEqual(tokens.map(() => false));
	const retried = await Promise.all(tokens.map(async (token) => await execution(token, 'retry')()));
	expect(retried.map(({ hasCrashed }) => hasCrashed)).toEqual(tokens.map(() => true));
	expect(warnings).toEqual([]);
});

test('without tokens, the end of one execution does not remove the mark of another to the same recipients', async () => {
	const [first] = [await execution('')(), await execution('')()];
	await first.end();
	// The second one crashes, and is retried.
	expect((await execution('', 'retry')()).hasCrashed).toBe(true);
});

test('when two retries begin at the same time, only one sends', async () => {
	const both = await Promise.all([1, 2].map(async () => await execution('twice', 'retry')()));
	expect(both.map(({ hasCrashed }) => hasCrashed).sort()).toEqual([false, true]);
});

test('a mark that another process overwrites is written again', async () => {
	let times = 2;
	database.afterWrite = (place, before) => {
		// It had read all marks before this one was written, and writes them back.
		if (times-- > 0) database.rows.set(place, [...(before ?? []), 'of another execution']);
	};
	await execution('overwritten')();
	expect((await execution('overwritten', 'retry')()).hasCrashed).toBe(true);
	expect(warnings).toEqual([]);
});

test('a mark that is lost while the run is sending is written again', async () => {
	let writes = 0;
	database.afterWrite = (place, before) => {
		if (++writes === 2) database.rows.set(place, before!.slice(0, 0));
	};
	const { end } = await execution('lost later')();
	while (database.entries.length === 0) await sleep(1);
	expect((await execution('lost later', 'retry')()).hasCrashed).toBe(true);
	await end();
});

test('a mark that is lost when the run ends is written again, because n8n has not saved the execution yet', async () => {
	let writes = 0;
	database.afterWrite = (place, before) => {
		if (++writes === 2) database.rows.set(place, before!.slice(0, 0));
	};
	const { end } = await execution('lost at its end')();
	await end();
	for (let tries = 0; database.entries.length === 0 && tries < 2000; tries++) await sleep(1);
	expect((await execution('lost at its end', 'retry')()).hasCrashed).toBe(true);
});

test('retries that several processes begin at the same moment do not drop the marks of others', async () => {
	let OfKilledProcess = CrashMarks;
	jest.isolateModules(() => {
		({ CrashMarks: OfKilledProcess } = jest.requireActual(
			'../../../nodes/Messaging/sending/crashMarks',
		));
	});
	await execution('killed', 'webhook', OfKilledProcess)();
	database.afterWrite = (place, before) => {
		// The other process had read all marks before some were removed, and writes them back.
		const now = database.rows.get(place)!;
		if (now.length < before!.length) database.rows.set(place, before!);
	};
	for (let count = 0; count < 20; count++) await execution(`retried ${count}`, 'retry')();
	expect((await execution('killed', 'retry')()).hasCrashed).toBe(true);
});

test('when two processes begin a retry at the same moment, only one sends', async () => {
	let isFirst = true;
	database.afterWrite = (place, before) => {
		if (!isFirst) return;
		isFirst = false;
		const [mark] = database.rows.get(place)!;
		database.rows.set(place, [...(before ?? []), mark, 'the mark of the other retry']);
	};
	expect((await execution('twice', 'retry')()).hasCrashed).toBe(true);
});

test('if the mark cannot be written, a warning says that a Retry may send messages again', async () => {
	database.error = new Error('SQLITE_BUSY: database is locked');
	expect((await execution('unmarked')()).hasCrashed).toBe(false);
	expect(warnings).toEqual([
		"n8n could not note that 'Send the offer' begins to send (SQLITE_BUSY: database is locked). If n8n is killed before this execution ends, its Retry may send messages again.",
	]);
});
