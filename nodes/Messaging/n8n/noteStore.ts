import type { IExecuteFunctions } from 'n8n-workflow';
import { pause } from '../service/clock';
import { Limiter } from '../utils/concurrency';

/*
 * Notes in n8n's database, by n8n's deduplication of items (*Remove Duplicates*): the only store that a node can write while
 * it runs. n8n documents it only for nodes of its own. It has hashes, so a note can be looked for, but not read; and it cannot
 * be asked without writing.
 */

/** Returns which notes n8n has. What it has not is written to see that, and deleted again. */
export async function findNotes(context: IExecuteFunctions, notes: string[]): Promise<string[]> {
	return await oneAtATime(context).run(async () => {
		const found = await record(context, notes);
		const known = new Set(found);
		await remove(
			context,
			notes.filter((note) => !known.has(note)),
		);
		return found;
	});
}

/**
 * Takes one of these notes, once. @returns the first one that n8n had; of several calls at the same moment only one finds it
 *
 * @param name the notes' name: of all notes that have it, only one is taken
 */
export async function takeNote(
	context: IExecuteFunctions,
	notes: string[],
	name: string,
): Promise<string | undefined> {
	return await oneAtATime(context).run(async () => {
		const found = new Set(await record(context, [...notes, taken(name)]));
		const isTaken = found.has(taken(name));
		const note = isTaken ? undefined : notes.find((each) => found.has(each));
		await remove(context, note || isTaken ? notes : [...notes, taken(name)]);
		return note;
	});
}

/** Writes a note again that was taken. */
export async function giveBack(context: IExecuteFunctions, note: string, name: string) {
	await deleteNotes(context, [taken(name)]);
	await writeNotes(context, [note]);
}

/** Says that a note of this name was taken. Without it, notes that are only looked for would stay when they cannot be deleted again. */
const taken = (name: string) => `taken ${name}`;

/** The most notes that n8n keeps for a node; it drops the oldest ones. A send by hand to many has about 70. */
const MOST_NOTES = 3000;

/** Writes notes. @returns those that n8n had already */
export const writeNotes = async (context: IExecuteFunctions, notes: string[]) =>
	await oneAtATime(context).run(async () => await record(context, notes, MOST_NOTES));

export async function deleteNotes(context: IExecuteFunctions, notes: string[]) {
	await oneAtATime(context).run(async () => await remove(context, notes));
}

/**
 * By workflow and node: one for each node that has sent since n8n was started. n8n reads all notes of a node and writes them back
 * without a lock, so a process writes them one at a time.
 */
const writers = new Map<string, Limiter>();

function oneAtATime(context: IExecuteFunctions): Limiter {
	const id = `${context.getWorkflow().id} ${context.getNode().id}`;
	if (!writers.has(id)) writers.set(id, new Limiter(1));
	return writers.get(id)!;
}

const remove = async ({ helpers }: IExecuteFunctions, notes: string[]) =>
	await helpers.removeProcessed(notes, 'node', { mode: 'entries' });

/** The most tries to write a note while the database fails. */
const MOST_TRIES = 4;

/**
 * @param maxEntries none for notes that are only looked for: n8n must not drop others for them
 * @returns the notes that n8n had already
 */
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
