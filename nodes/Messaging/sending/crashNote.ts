import { hash, randomBytes } from 'crypto';
import { type IExecuteFunctions, NodeOperationError, UserError } from 'n8n-workflow';
import { sentenceOf } from '../n8n/errors';
import { now, pause } from '../service/clock';
import type { Journal } from './journal';
import { isOld, write, writerOf, type Note } from './notes';

/*
 * The crash note: before a run sends, a note goes into n8n's database. n8n saves the journal when nodes end, but not when
 * its process is killed: a note that the journal does not know shows that an attempt crashed, and may have sent any of its
 * messages.
 *
 * A note is a hash of the token that n8n gives an execution and its retries. If n8n stopped giving one, a crash would go
 * unnoticed, and a Retry would be refused.
 */

/** Pauses in ms before a note is written again: another process may have read all notes before it was there. */
const WRITTEN_AGAIN = [25, 225, 750];

/** Time in ms in which two processes that retry the same execution at the same moment both write their notes. */
const BOTH_WROTE = 300;

/** The first pause in ms before an overwritten note is read back again; each further one is about twice as long. */
const FIRST_PAUSE = 20;

/** A note that is still overwritten after pauses of this length, in ms: busy workers must not fail for a crash that does not come. */
const MOST_PAUSES = 3000;

/** n8n lacks what shows whether an attempt has crashed or still sends (docs/development/n8n-internals.md). */
export const CANNOT_SEE =
	"This n8n does not show a Retry whether an earlier attempt was cut off while it was sending, or still sends. Execute the workflow again with only those who got no message ('Log → Get Many' shows who got one).";

const noNote = (context: IExecuteFunctions) =>
	`'${context.getNode().name}' cannot note in n8n's database that it begins to send. It sends all the same. A Retry of this execution will send nothing.`;

const databaseFailed = (error: unknown) =>
	`n8n's database failed (${sentenceOf(error)}): if n8n were killed now, a Retry would send everything again. Try again when the database works.`;

/** An execution that sends in this process. */
type Sending = {
	/** The note that a Retry looks for: that of the execution's first run in this process. */
	note: Note;
	/** Ends when that run knows whether an earlier attempt crashed; rejects when the database failed. */
	checked: Promise<void>;
};

/** The key is the node's data in the execution: the same object while n8n runs it. */
const executions = new WeakMap<object, Sending>();

/** Keeps the note of a run: `keep` is to be called before each request, `end` when the run has stopped sending. */
export type CrashNote = { keep(): void; end(): void };

/**
 * Notes that a run begins to send. Afterwards the journal knows whether an attempt crashed.
 *
 * No note is written where there is no Retry (a tool called outside of an execution, a workflow that was never saved), and
 * none by an n8n that gives no token, or has no such store.
 *
 * @throws UserError or NodeOperationError when nothing may be sent
 */
export async function beginToSend(context: IExecuteFunctions, journal: Journal) {
	const { execution, token, isRetry, isNew } = journal;
	const hasStore = context.helpers.checkProcessedAndRecord !== undefined;
	if (isRetry && (!hasStore || (isNew && !token))) throw new UserError(CANNOT_SEE);
	let note: CrashNote | undefined;
	try {
		if (!hasStore) context.logger.warn(noNote(context));
		else if (execution && token && context.getWorkflow().id) {
			// Only the first run looks for the note of a crashed first run: if it could not, no later round of a loop sends.
			if (isRetry) await executions.get(execution)?.checked;
			if (!journal.wasCutOff) note = await noteRun(context, journal);
		}
	} catch (error) {
		throw new NodeOperationError(context.getNode(), databaseFailed(error));
	}
	// Last: while it is not known whether an attempt crashed, the next one looks for the same note.
	journal.countAttempt();
	return note;
}

async function noteRun(context: IExecuteFunctions, journal: Journal) {
	const execution = journal.execution!;
	const own = noteOf(journal);
	const checked = claim(context, journal, own);
	const sending = executions.get(execution) ?? { note: own, checked };
	executions.set(execution, sending);
	await checked;
	if (journal.wasCutOff) return undefined;
	void writeAgain(context, own);
	const writer = writerOf(context);
	writer.sending.set(own, sending.note);
	const keep = () => {
		if (isOld(sending.note)) void write(context, []).catch(() => {});
	};
	return { keep, end: () => writer.sending.delete(own) };
}

const hashOf = (...parts: unknown[]) => hash('sha256', parts.join(' '));

function noteOf({ token, attempt }: Journal): Note {
	const nameOf = (nth: number) => hashOf(token, attempt, nth);
	return { names: [nameOf(0), nameOf(1)], renewals: 0, writtenAt: now() };
}

/** Writes the note of a run. Tells the journal when an earlier attempt, or another Retry at this moment, has written it. */
async function claim(context: IExecuteFunctions, journal: Journal, { names }: Note) {
	const { isRetry, token } = journal;
	// Only this process knows the random one: it shows whether another process has written the same note at the same moment.
	const notes = isRetry ? [...names, hashOf(token, randomBytes(8).toString('hex'))] : [names[0]];
	const isNoted = (await write(context, notes)).length > 0;
	if (isRetry && !isNoted) await pause(BOTH_WROTE);
	if (isNoted || (await isTaken(context, notes))) journal.noteCutOff();
}

/**
 * Reads the notes back, until the database has them: another process that had read all notes before these were written
 * writes them back without them.
 *
 * @returns whether another Retry has written the run's note
 */
async function isTaken(context: IExecuteFunctions, notes: string[]): Promise<boolean> {
	let length = FIRST_PAUSE;
	for (let waited = 0; ; length *= 2) {
		// What is missing is written again.
		const kept = await write(context, notes);
		if (kept.length > 0) return kept.length < notes.length;
		if (waited >= MOST_PAUSES) break;
		const wait = length * (0.5 + Math.random());
		await pause(wait);
		waited += wait;
	}
	context.logger.warn(
		`Other processes overwrite the note that '${context.getNode().name}' begins to send. It sends all the same. If n8n is killed before this execution ends, its Retry may send messages again.`,
	);
	return false;
}

/** Writes the note of a run that has just begun again, a few times. */
async function writeAgain(context: IExecuteFunctions, { names }: Note) {
	for (const wait of WRITTEN_AGAIN) {
		await pause(wait);
		// If it fails: n8n had the note when sending began.
		await write(context, [names[0]]).catch(() => {});
	}
}
