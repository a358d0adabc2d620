import { hash, randomBytes } from 'crypto';
import { type IExecuteFunctions, NodeOperationError, UserError } from 'n8n-workflow';
import { unlessCancelled } from '../n8n/cancellation';
import { sentenceOf } from '../n8n/nodeErrors';
import { deleteNotes, writeNotes } from '../n8n/noteStore';
import { pause } from '../service/clock';
import type { Journal } from './journal';

/*
 * The crash note: before a run sends, or hands on what it has refused, a note goes into n8n's database. n8n saves the journal
 * when nodes end, but not when its process is killed: a note that the journal does not know shows that an attempt crashed, and
 * may have sent any of its messages.
 *
 * A note is a hash of the token that n8n gives an execution and its retries. If n8n stopped giving one, a crash would go
 * unnoticed, and a Retry would be refused.
 */

/** Time in ms in which two processes that retry the same execution at the same moment both write their notes. */
const BOTH_WROTE = 300;

/** n8n lacks what shows whether an attempt has crashed or still sends (docs/development/n8n-internals.md). */
export const CANNOT_SEE =
	"In this n8n, a Retry cannot see whether an earlier attempt was cut off while it was sending, or is still sending. Execute the workflow again with only those who got no message ('Log → Get Many' shows who got one).";

/**
 * Notes that a run begins to send. Afterwards the journal knows whether an attempt crashed.
 *
 * No note is written where there is no Retry (a tool called outside of an execution, a workflow that was never saved), and
 * none by an n8n that gives no token, or has no such store.
 *
 * @returns takes the note back, when nothing is sent after all
 * @throws UserError or NodeOperationError when nothing may be sent
 */
export async function beginToSend(context: IExecuteFunctions, journal: Journal) {
	const { execution, token, isRetry, beganInRetry } = journal.identity;
	const hasStore = context.helpers.checkProcessedAndRecord !== undefined;
	if (isRetry && (!hasStore || (beganInRetry && !token))) throw new UserError(CANNOT_SEE);
	let written: string[] = [];
	try {
		if (!hasStore) context.logger.warn(noNote(context));
		else if (execution && token && context.getWorkflow().id && !journal.wasCutOff) {
			written = await noteRun(context, journal);
		}
	} catch (error) {
		throw new NodeOperationError(context.getNode(), noteFailed(error));
	}
	// Last: while it is not known whether an attempt crashed, the next one looks for the same note.
	journal.beginAttempt();
	return async () => {
		// The next attempt writes this note: a Retry of an earlier execution looks for it.
		journal.forgetAttempt();
		await deleteNotes(context, written).catch(() => {});
	};
}

/**
 * Notes that a run hands on what it has refused, perhaps to another node that sends it: after a crash, a Retry would begin with
 * this one, and might refuse nothing. In a Retry, what it hands on is unknown, and nobody sends it. A cancelled execution hands on
 * nothing, and is saved at once. Whatever fails here, this run sends nothing.
 */
export async function noteRefusal(context: IExecuteFunctions, journal: Journal) {
	const signal = context.getExecutionCancelSignal?.();
	if (signal?.aborted || journal.identity.isRetry || journal.hasSent) return;
	const noted = beginToSend(context, journal).catch(() => undefined);
	await unlessCancelled(signal, noted);
}

/** @returns the notes of this attempt */
async function noteRun(context: IExecuteFunctions, journal: Journal) {
	const { token, attempt, firstAttempt, isRetry } = journal.identity;
	const noteKey = (part: string) => hash('sha256', `${token} ${part}`);
	// Shows a later attempt that this one began, and did not end.
	const ofAttempt = noteKey(attempt);
	// A Retry begins with the first run. In a loop, n8n may have dropped its note meanwhile: each round writes it again.
	const ofExecution = noteKey(firstAttempt);
	const isFirst = ofExecution === ofAttempt;
	// Only this process knows it: it is missing when another process retries the execution at the same moment.
	const ofProcess = isRetry && isFirst ? [noteKey(randomBytes(8).toString('hex'))] : [];
	const notes = [...new Set([ofAttempt, ofExecution, ...ofProcess])];
	if ((await writeNotes(context, notes)).includes(ofAttempt)) {
		journal.noteCutOff();
		return [];
	}
	if (ofProcess.length > 0) await pause(BOTH_WROTE);
	// Reads the notes back, and writes once more what is missing.
	const kept = await writeNotes(context, notes);
	if (!kept.includes(ofAttempt)) context.logger.warn(overwritten(context));
	else if (ofProcess.some((each) => !kept.includes(each))) journal.noteCutOff();
	return [ofAttempt, ...ofProcess];
}

const noNote = (context: IExecuteFunctions) =>
	`'${context.getNode().name}' cannot write its crash note into n8n's database. A Retry of this execution will send nothing.`;

const overwritten = (context: IExecuteFunctions) =>
	`Another process has overwritten the crash note of '${context.getNode().name}'. If n8n is killed before this execution ends, its Retry may send messages again.`;

const noteFailed = (error: unknown) =>
	`n8n's database failed (${sentenceOf(error)}): if n8n were killed now, a Retry would send everything again. Try again when the database works.`;
