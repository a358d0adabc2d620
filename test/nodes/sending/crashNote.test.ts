import {
	type ICheckProcessedOptions,
	type IDataObject,
	type IExecuteFunctions,
	sleep,
} from 'n8n-workflow';
import { beginToSend } from '../../../nodes/Messaging/sending/crashNote';
import { Journal } from '../../../nodes/Messaging/sending/journal';
import { now, pause } from '../../../nodes/Messaging/service/clock';
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

test.each([3, 2350])(
	'a loop that crashed in round %i: its Retry finds that in the first round',
	async (rounds) => {
		const crashed = execution('loop');
		for (let round = 1; round < rounds; round++) (await crashed()).end();
		await crashed();
		expect((await retryOf('loop')).hasCrashed).toBe(true);
	},
);

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
