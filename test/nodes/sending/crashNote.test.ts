import {
	type ICheckProcessedOptions,
	type IDataObject,
	type IExecuteFunctions,
	sleep,
} from 'n8n-workflow';
import { beginToSend } from '../../../nodes/Messaging/sending/crashNote';
import { Journal } from '../../../nodes/Messaging/sending/journal';
import { now, pause } from '../../../nodes/Messaging/service/clock';
import { waited } from '../../support/clock';
import { ProcessedData } from '../../support/n8n';

type Begin = typeof beginToSend;

let database: ProcessedData;
let warnings: string[];
let workflowId = 0;

beforeEach(() => {
	database = new ProcessedData();
	warnings = [];
	workflowId++;
});

/** The function as another n8n process has it, which knows only what is in the database. */
function inAnotherProcess(): Begin {
	let other!: Begin;
	jest.isolateModules(() => {
		({ beginToSend: other } = jest.requireActual<{ beginToSend: Begin }>(
			'../../../nodes/Messaging/sending/crashNote',
		));
	});
	return other;
}

const afterRestart = inAnotherProcess();

type Given = { mode?: string; begin?: Begin; data?: IDataObject; workflow?: string; id?: string };

/** An execution, by the signature that it shares with its retries. A retry runs in the process that n8n starts after a crash. */
function execution(
	signature: string,
	{
		mode = 'webhook',
		begin = mode === 'retry' ? afterRestart : beginToSend,
		data = {},
		workflow = String(workflowId),
		id = 'messaging',
	}: Given = {},
) {
	let runIndex = 0;
	const kept = database;
	const type = 'n8n-nodes-messaging.messaging';
	const node = { id, name: 'Send the offer', type };
	const place = { workflow: { id: workflow }, node } as never;
	type Options = ICheckProcessedOptions;
	/** Begins the node's next run. */
	return async () => {
		const context = {
			getContext: () => data,
			getWorkflowDataProxy: () => ({
				$runIndex: runIndex,
				// An n8n that gives no token has no signature.
				$execution: signature ? { resumeUrl: `http://n8n/waiting/1?signature=${signature}` } : {},
			}),
			getWorkflow: () => ({ id: workflow }),
			getNode: () => node,
			getMode: () => mode,
			logger: { warn: (text: string) => warnings.push(text) },
			helpers: {
				checkProcessedAndRecord: async (items: string[], scope: 'node', options: Options) =>
					await kept.checkProcessedAndRecord(items, scope, place, options),
				removeProcessed: async (items: string[], scope: 'node', options: Options) =>
					await kept.removeProcessed(items, scope, place, options),
			},
		} as unknown as IExecuteFunctions;
		runIndex++;
		const journal = new Journal(context);
		const note = await begin(context, journal);
		const [keep, end] = [() => note?.keep(), () => note?.end()];
		return { hasCrashed: journal.wasCutOff, keep, end };
	};
}

/** A whole execution that sends once, in a hundredth of a second, and ends without a crash. */
async function another(signature: string) {
	const { hasCrashed, end } = await execution(signature)();
	expect(hasCrashed).toBe(false);
	await pause(10);
	end();
}

const retryOf = async (signature: string) => await execution(signature, { mode: 'retry' })();

/** Lets the notes be written again that are due. */
async function settled() {
	const until = now() + 3000;
	for (let turns = 0; now() < until && turns < 50; turns++) await sleep(1);
}

test('a Retry of a crashed execution finds its note', async () => {
	await execution('crashed')();
	expect((await retryOf('crashed')).hasCrashed).toBe(true);
});

test('a Retry of an execution that failed without a crash finds none, also in its later runs', async () => {
	const data: IDataObject = {};
	const { end } = await execution('failed', { data })();
	end();
	const retry = execution('failed', { mode: 'retry', data: structuredClone(data) });
	expect((await retry()).hasCrashed).toBe(false);
	expect((await retry()).hasCrashed).toBe(false);
});

test('after a crash, no later run of the execution sends, and no Retry of the Retry', async () => {
	await execution('crashed')();
	const data: IDataObject = {};
	const retry = execution('crashed', { mode: 'retry', data });
	expect((await retry()).hasCrashed).toBe(true);
	const noted = database.entries;
	expect((await retry()).hasCrashed).toBe(true);
	expect(database.entries).toEqual(noted);
	const again = execution('crashed', { mode: 'retry', data: structuredClone(data) });
	expect((await again()).hasCrashed).toBe(true);
});

test('parallel runs after a crash: none sends, whichever begins first', async () => {
	await execution('crashed')();
	const retry = execution('crashed', { mode: 'retry' });
	const all = await Promise.all([retry(), retry(), retry()]);
	expect(all.map(({ hasCrashed }) => hasCrashed)).toEqual([true, true, true]);
});

test('parallel runs of a Retry all send if nothing crashed', async () => {
	const data: IDataObject = {};
	(await execution('failed', { data })()).end();
	const retry = execution('failed', { mode: 'retry', data: structuredClone(data) });
	const all = await Promise.all([retry(), retry(), retry()]);
	expect(all.map(({ hasCrashed }) => hasCrashed)).toEqual([false, false, false]);
});

test('the note of a run that is still sending is kept, however many runs begin after it', async () => {
	await execution('long')();
	for (let count = 0; count < 2300; count++) await another(`other ${count}`);
	expect((await retryOf('long')).hasCrashed).toBe(true);
});

test('the note of a run that sends slowly is kept while other workers write many', async () => {
	const { keep } = await execution('slow')();
	await settled();
	const [row] = database.rows.keys();
	let written = 0;
	const writeOthers = (count: number) => {
		const others = Array.from({ length: count }, () => `other ${++written}`);
		database.rows.set(row, [...database.rows.get(row)!, ...others].slice(-1000));
	};
	for (let round = 0; round < 3; round++) {
		writeOthers(400);
		await pause(5000);
		keep();
		await settled();
	}
	const isNote = (note: unknown) => /^(other \d+|[0-9a-f]{64})$/.test(String(note));
	expect(database.entries.every(isNote)).toBe(true);
	writeOthers(900);
	expect((await retryOf('slow')).hasCrashed).toBe(true);
});

test('the note of a run is not written again with each request, nor with the note of another run', async () => {
	const { keep } = await execution('fast')();
	await settled();
	let writes = 0;
	database.afterWrite = () => writes++;
	for (let requests = 0; requests < 100; requests++) keep();
	await pause(100);
	expect(writes).toBe(0);
	await another('other');
	expect(database.entries).toHaveLength(2);
});

test('two nodes that begin at once have a note each', async () => {
	await Promise.all(['one', 'other'].map(async (id) => await execution('both', { id })()));
	expect([...database.rows.values()].map(({ length }) => length)).toEqual([1, 1]);
});

test.each([3, 400, 1050, 2350])(
	'a loop that crashed in round %i: its Retry finds that in the first round',
	async (rounds) => {
		const crashed = execution('loop');
		for (let round = 1; round < rounds; round++) (await crashed()).end();
		await crashed();
		expect((await retryOf('loop')).hasCrashed).toBe(true);
	},
);

test('a slow loop among very many other executions: its Retry finds it', async () => {
	const crashed = execution('loop');
	for (let round = 0; round < 103; round++) {
		(await crashed()).end();
		for (let count = 0; count < 25; count++) await another(`other ${round} ${count}`);
	}
	expect((await retryOf('loop')).hasCrashed).toBe(true);
});

test('many executions that begin at once all have notes', async () => {
	const all = Array.from({ length: 50 }, (_, index) => `execution ${index}`);
	const begun = await Promise.all(all.map(async (each) => await execution(each)()));
	expect(begun.some(({ hasCrashed }) => hasCrashed)).toBe(false);
	const retried = await Promise.all(all.map(retryOf));
	expect(retried.every(({ hasCrashed }) => hasCrashed)).toBe(true);
	expect(warnings).toEqual([]);
});

test.each([
	['webhook', false],
	['retry', true],
])('%s: it waits for another Retry of this moment: %s', async (mode, waits) => {
	const start = waited();
	await execution('alone', { mode })();
	expect(waited() - start >= 300).toBe(waits);
});

test('when two retries begin at the same time in one process, only one sends', async () => {
	const both = await Promise.all([1, 2].map(async () => await retryOf('twice')));
	expect(both.map(({ hasCrashed }) => hasCrashed).sort()).toEqual([false, true]);
});

test('when two processes begin a retry at the same moment, only one sends', async () => {
	let times = 1;
	database.afterWrite = (place, before) => {
		if (times-- !== 1) return;
		const [note] = database.rows.get(place)!;
		database.rows.set(place, [...(before ?? []), note, 'of the other retry']);
	};
	expect((await retryOf('twice')).hasCrashed).toBe(true);
});

test('a note that another process overwrites is written again before anything is sent', async () => {
	let times = 3;
	database.afterWrite = (place, before) => {
		// It had read all notes before this one was written, and writes them back.
		if (times-- > 0) database.rows.set(place, [...(before ?? []), 'of another execution']);
	};
	await execution('overwritten')();
	expect((await retryOf('overwritten')).hasCrashed).toBe(true);
	expect(warnings).toEqual([]);
});

test('a note that is overwritten again and again: the run sends after about three seconds, with a warning', async () => {
	database.afterWrite = (place, before) => {
		database.rows.set(place, [...(before ?? []).slice(-5), `of another execution ${now()}`]);
	};
	const start = now();
	const { hasCrashed } = await execution('overwritten')();
	expect(hasCrashed).toBe(false);
	expect(now() - start).toBeGreaterThanOrEqual(3000);
	expect(now() - start).toBeLessThan(8000);
	expect(warnings).toEqual([
		expect.stringContaining("Other processes overwrite the note that 'Send the offer' begins"),
	]);
});

test('a note that is lost while the run is sending, or when it has just ended, is written again', async () => {
	const { end } = await execution('lost later')();
	await pause(50);
	database.rows.clear();
	end();
	await settled();
	expect((await retryOf('lost later')).hasCrashed).toBe(true);
});

describe('while the database fails', () => {
	const FAILS = new Error('SQLITE_BUSY: database is locked');
	const REFUSED =
		"n8n's database failed (SQLITE_BUSY: database is locked), so nothing was sent: if n8n were killed now, a Retry would send everything again. Try again when the database works.";

	test('nothing may be sent', async () => {
		database.error = FAILS;
		await expect(execution('unnoted')()).rejects.toThrow(REFUSED);
	});

	test('a Retry of a crashed execution is refused, also its parallel runs, and its own Retry finds the crash', async () => {
		await execution('crashed')();
		const data: IDataObject = {};
		const retry = execution('crashed', { mode: 'retry', data });
		database.error = FAILS;
		const first = retry();
		const saved = structuredClone(data);
		await pause(10);
		// It works again before the second run has asked it.
		void first.catch(() => (database.error = undefined));
		await Promise.all([first, retry()].map((each) => expect(each).rejects.toThrow(REFUSED)));
		const again = execution('crashed', { mode: 'retry', data: saved });
		expect((await again()).hasCrashed).toBe(true);
	});
});

test.each([1, 3, 4])(
	'a database that fails %i times is asked at most four times',
	async (times) => {
		let failures = 0;
		database.afterWrite = (place) => {
			if (failures++ >= times) return;
			database.rows.delete(place);
			throw new Error('UNIQUE constraint failed');
		};
		const begun = execution('noted')();
		if (times < 4) expect((await begun).hasCrashed).toBe(false);
		else await expect(begun).rejects.toThrow('UNIQUE constraint failed');
	},
);

test('a workflow that was never saved has no database: it sends without a note', async () => {
	database.error = new Error('no database');
	expect((await execution('unsaved', { workflow: '' })()).hasCrashed).toBe(false);
	expect(database.entries).toEqual([]);
});

test('an n8n without a token: an execution sends without a note, and a Retry without data is refused', async () => {
	const data: IDataObject = {};
	expect((await execution('', { data })()).hasCrashed).toBe(false);
	const withData = execution('', { mode: 'retry', data });
	expect((await withData()).hasCrashed).toBe(false);
	await expect(execution('', { mode: 'retry' })()).rejects.toThrow('does not show a Retry whether');
	expect(database.entries).toEqual([]);
});
