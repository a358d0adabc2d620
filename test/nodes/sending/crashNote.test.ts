import type { ICheckProcessedOptions, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { beginToSend } from '../../../nodes/Messaging/sending/crashNote';
import { Journal } from '../../../nodes/Messaging/sending/journal';
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
		await begin(context, journal);
		return journal.wasCutOff;
	};
}

const retryOf = async (signature: string) => await execution(signature, { mode: 'retry' })();

test('a run writes one note, and its Retry finds it among those of 2,900 newer runs', async () => {
	await execution('long')();
	expect(database.entries).toHaveLength(1);
	for (let count = 0; count < 2900; count++) await execution(`other ${count}`)();
	expect(await retryOf('long')).toBe(true);
});

test.each([3, 6050])(
	'a loop that crashed in round %i: its Retry finds that in the first round',
	async (rounds) => {
		const crashed = execution('loop');
		for (let round = 1; round <= rounds; round++) await crashed();
		expect(await retryOf('loop')).toBe(true);
	},
);

test('when two processes begin a retry at the same moment, only one sends', async () => {
	let times = 1;
	database.afterWrite = (place, before) => {
		if (times-- !== 1) return;
		const [note] = database.rows.get(place)!;
		database.rows.set(place, [...(before ?? []), note, 'of the other retry']);
	};
	expect(await retryOf('twice')).toBe(true);
});

test('a retry waits for the notes of another process that begins it at the same moment, and writes them a little later', async () => {
	let later: { at: number; write: () => void } | undefined;
	database.afterWrite = (place, before) => {
		if (later) return;
		const [note] = database.rows.get(place)!;
		// It had read all notes before this one was written, and takes 100 ms to write them back with its own.
		const write = () => database.rows.set(place, [...(before ?? []), note, 'of the other retry']);
		later = { at: waited() + 100, write };
	};
	const record = database.checkProcessedAndRecord.bind(database);
	jest.spyOn(database, 'checkProcessedAndRecord').mockImplementation(async (...given) => {
		if (later && waited() >= later.at) later.write();
		return await record(...given);
	});
	expect(await retryOf('a little later')).toBe(true);
});

test('a note that another process overwrites is written once more, and the run sends, with a warning', async () => {
	let times = 1;
	database.afterWrite = (place, before) => {
		// It had read all notes before this one was written, and writes them back.
		if (times-- > 0) database.rows.set(place, [...(before ?? []), 'of another execution']);
	};
	expect(await execution('overwritten')()).toBe(false);
	expect(warnings).toEqual([
		expect.stringContaining("Another process has overwritten the crash note of 'Send the offer'."),
	]);
	expect(await retryOf('overwritten')).toBe(true);
});

test('a workflow that was never saved has no database: it sends without a note', async () => {
	database.error = new Error('no database');
	expect(await execution('unsaved', { workflow: '' })()).toBe(false);
	expect(database.entries).toEqual([]);
});

test('an n8n without a token: an execution sends without a note, and a Retry without data is refused', async () => {
	const data: IDataObject = {};
	expect(await execution('', { data })()).toBe(false);
	const withData = execution('', { mode: 'retry', data });
	expect(await withData()).toBe(false);
	await expect(execution('', { mode: 'retry' })()).rejects.toThrow('a Retry cannot see whether');
	expect(database.entries).toEqual([]);
});
