import type { IExecuteFunctions } from 'n8n-workflow';
import { now, pause } from '../service/clock';
import { Limiter } from '../utils/concurrency';

/*
 * Notes in n8n's database, by n8n's deduplication of items (*Remove Duplicates*): the only store that a node can write while
 * it runs. n8n documents it only for nodes of its own, and it cannot be asked without writing.
 */

/** The most notes that n8n keeps for a node; it drops the oldest ones. */
const KEPT = 1000;

/** ms after which an execution that is still sending renews its note, before n8n drops it as one of the oldest. */
const RENEWED_AFTER = 5000;

/** The most tries to write a note while the database fails. */
const MOST_TRIES = 4;

/** The note of a run. It is renewed under two names in turns, so that n8n has one of them at any time. */
export type Note = { names: [string, string]; renewals: number; writtenAt: number };

/** Notes that this process writes together. */
type Batch = { notes: Set<string>; found: Promise<Set<unknown>> };

/** Writes the notes of a node. */
type Writer = {
	/** n8n reads all notes of a node and writes them back without a lock, so a process writes them one at a time. */
	oneAtATime: Limiter;
	next?: Batch;
	/** By the note of each run that is sending, the note of its execution. */
	sending: Map<Note, Note>;
};

/** By workflow and node: one for each node that has sent since n8n was started. */
const writers = new Map<string, Writer>();

export const isOld = ({ writtenAt }: Note) => now() - writtenAt >= RENEWED_AFTER;

export function writerOf(context: IExecuteFunctions): Writer {
	const id = `${context.getWorkflow().id} ${context.getNode().id}`;
	if (!writers.has(id)) writers.set(id, { oneAtATime: new Limiter(1), sending: new Map() });
	return writers.get(id)!;
}

/** Writes notes, together with those of all runs of the node that wait. @returns those that n8n, or another run, had already */
export async function write(context: IExecuteFunctions, notes: string[]): Promise<string[]> {
	const writer = writerOf(context);
	const batch = (writer.next ??= nextBatch(context, writer));
	const twice = notes.filter((note) => batch.notes.has(note));
	for (const note of notes) batch.notes.add(note);
	const found = await batch.found;
	return notes.filter((note) => twice.includes(note) || found.has(note));
}

function nextBatch(context: IExecuteFunctions, writer: Writer): Batch {
	const notes = new Set<string>();
	const found = writer.oneAtATime.run(async () => {
		// The caller adds its notes first.
		await Promise.resolve();
		writer.next = undefined;
		const renewed = [...new Set(writer.sending.values())].filter(isOld).map((note) => {
			note.writtenAt = now();
			return note.names[++note.renewals % 2];
		});
		// A note that n8n has already would keep its old place.
		if (renewed.length > 0) await context.helpers.removeProcessed(renewed, 'node', STORED);
		return new Set<unknown>(await record(context, [...notes, ...renewed]));
	});
	return { notes, found };
}

/** Deletes notes. */
export async function forget(context: IExecuteFunctions, notes: string[]) {
	await writerOf(context).oneAtATime.run(
		async () => await context.helpers.removeProcessed(notes, 'node', STORED),
	);
}

const STORED = { mode: 'entries', maxEntries: KEPT } as const;

/** @returns the notes that n8n had already */
async function record({ helpers }: IExecuteFunctions, notes: string[]) {
	for (let tries = 1; ; tries++) {
		const noted = helpers.checkProcessedAndRecord(notes, 'node', STORED);
		// The database may be busy, or another process may have written the first note of the node at the same moment.
		const found = await (tries < MOST_TRIES ? noted.catch(() => undefined) : noted);
		if (found) return found.processed;
		await pause(50 * tries * (0.5 + Math.random()));
	}
}
