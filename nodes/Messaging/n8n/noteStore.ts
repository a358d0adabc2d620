import type { IExecuteFunctions } from 'n8n-workflow';
import { pause } from '../service/clock';
import { Limiter } from '../utils/concurrency';

/*
 * Notes in n8n's database, by n8n's deduplication of items (*Remove Duplicates*): the only store that a node can write while
 * it runs. n8n documents it only for nodes of its own. It has hashes, so a note can be looked for, but not read; and it cannot
 * be asked without writing.
 */

/** The most notes that n8n keeps for a node; it drops the oldest ones. A send by hand to many has about a hundred. */
const KEPT = 3000;

/** The most tries to write a note while the database fails. */
const MOST_TRIES = 4;

/** Notes that this process writes together. */
type Batch = { notes: Set<string>; found: Promise<Set<unknown>> };

/** n8n reads all notes of a node and writes them back without a lock, so a process writes them one at a time. */
type Store = { oneAtATime: Limiter; next?: Batch };

/** By workflow and node: one for each node that has sent since n8n was started. */
const stores = new Map<string, Store>();

function storeOf(context: IExecuteFunctions): Store {
	const id = `${context.getWorkflow().id} ${context.getNode().id}`;
	if (!stores.has(id)) stores.set(id, { oneAtATime: new Limiter(1) });
	return stores.get(id)!;
}

/** Writes notes, together with those of all runs of the node that wait. @returns those that n8n, or another run, had already */
export async function writeNotes(context: IExecuteFunctions, notes: string[]): Promise<string[]> {
	const store = storeOf(context);
	const batch = (store.next ??= nextBatch(context, store));
	const twice = notes.filter((note) => batch.notes.has(note));
	for (const note of notes) batch.notes.add(note);
	const found = await batch.found;
	return notes.filter((note) => twice.includes(note) || found.has(note));
}

function nextBatch(context: IExecuteFunctions, store: Store): Batch {
	const notes = new Set<string>();
	const found = store.oneAtATime.run(async () => {
		// The caller adds its notes first.
		await Promise.resolve();
		store.next = undefined;
		return new Set(await record(context, [...notes], KEPT));
	});
	return { notes, found };
}

/** Returns which notes n8n has. What it has not is written to see that, and deleted again. */
export async function findNotes(context: IExecuteFunctions, notes: string[]): Promise<string[]> {
	return await storeOf(context).oneAtATime.run(async () => {
		// Without a limit: n8n must not drop notes for those that are only looked for.
		const found = await record(context, notes, undefined);
		const written = notes.filter((note) => !found.includes(note));
		await context.helpers.removeProcessed(written, 'node', { mode: 'entries' });
		return found;
	});
}

export async function deleteNotes(context: IExecuteFunctions, notes: string[]) {
	await storeOf(context).oneAtATime.run(
		async () => await context.helpers.removeProcessed(notes, 'node', { mode: 'entries' }),
	);
}

/** @returns the notes that n8n had already */
async function record({ helpers }: IExecuteFunctions, notes: string[], maxEntries?: number) {
	for (let tries = 1; ; tries++) {
		const options = { mode: 'entries', maxEntries } as const;
		const noted = helpers.checkProcessedAndRecord(notes, 'node', options);
		// The database may be busy, or another process may have written the first note of the node at the same moment.
		const found = await (tries < MOST_TRIES ? noted.catch(() => undefined) : noted);
		if (found) return found.processed as string[];
		await pause(50 * tries * (0.5 + Math.random()));
	}
}
