import type { IExecuteFunctions } from 'n8n-workflow';
import { pause } from '../service/clock';
import { Limiter } from '../utils/concurrency';

/*
 * Notes in n8n's database, by n8n's deduplication of items (*Remove Duplicates*): the only store that a node can write while
 * it runs. n8n documents it only for nodes of its own. It has hashes, so a note can be looked for, but not read; and it cannot
 * be asked without writing.
 */

/** The most notes that n8n keeps for a node; it drops the oldest ones. A send by hand to many has about 70. */
const KEPT = 3000;

/** The most tries to write a note while the database fails. */
const MOST_TRIES = 4;

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

/** Writes notes. @returns those that n8n had already */
export const writeNotes = async (context: IExecuteFunctions, notes: string[]) =>
	await oneAtATime(context).run(async () => await record(context, notes, KEPT));

/** Returns which notes n8n has. What it has not is written to see that, and deleted again. */
export async function findNotes(context: IExecuteFunctions, notes: string[]): Promise<string[]> {
	return await oneAtATime(context).run(async () => {
		// Without a limit: n8n must not drop notes for those that are only looked for.
		const found = await record(context, notes, undefined);
		const written = notes.filter((note) => !found.includes(note));
		await context.helpers.removeProcessed(written, 'node', { mode: 'entries' });
		return found;
	});
}

/** Says that a note was taken. Without it, a note that is only looked for would stay when it cannot be deleted again. */
const taken = (note: string) => `taken ${note}`;

/** Takes a note, once. @returns whether n8n had it; of several calls at the same moment only one finds it */
export async function takeNote(context: IExecuteFunctions, note: string): Promise<boolean> {
	return await oneAtATime(context).run(async () => {
		// What n8n has not is written to see that, without a limit: it must not drop another note for it.
		const found = await record(context, [note, taken(note)], undefined);
		await context.helpers.removeProcessed([note], 'node', { mode: 'entries' });
		return found.includes(note) && !found.includes(taken(note));
	});
}

/** Writes a note again that was taken. */
export async function giveBack(context: IExecuteFunctions, note: string) {
	await deleteNotes(context, [taken(note)]);
	await writeNotes(context, [note]);
}

export async function deleteNotes(context: IExecuteFunctions, notes: string[]) {
	await oneAtATime(context).run(
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
