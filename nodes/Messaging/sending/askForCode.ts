import { type IExecuteFunctions, UserError } from 'n8n-workflow';
import { executionData } from '../n8n/execution';
import { sentenceOf } from '../n8n/nodeErrors';
import { deleteNotes, findNotes, writeNotes } from '../n8n/noteStore';
import { forEachInSlices } from '../utils/concurrency';
import { needsCode, triedAs } from './byHand';
import type { Checked } from './check';
import { giveBackCode, plainCode, takeCode, type Allowance, type Taken } from './code';
import { atTheSameMoment, codeNeeded, inEvaluation } from './codeNeeded';
import type { Journal } from './journal';
import type { Message } from './message';
import { mayHaveArrived, type Result } from './results';
import { contentOf, NOTED, notesOf, type MessageNote, type SentBefore } from './sentBefore';
import type { RunSetup } from './sendOperation';

/*
 * A send by hand uses a code up (code.ts). What was sent before is found; the rest of an earlier code, or another one, releases the
 * messages; and before they leave, all of them are spent. What has not arrived is given back afterwards.
 */

type Send = Pick<RunSetup, 'context' | 'options'> & Pick<Checked, 'toSend'>;

/** What a code still lets the node send in this execution. */
type Released = Allowance & {
	/** What was noted of what the rounds have sent: parts of notes. It was not sent before, but with this code. */
	contents: string[];
};

/** What the rounds of the node have in common in an execution. */
type Own = { messagingReleased?: Released };

/** Which of a run's messages were sent before, or perhaps. */
type Found = {
	/** The messages that are compared. */
	compared: MessageNote[];
	/** In this execution, with this code. */
	repeats: string[];
	/** By other executions. */
	others: string[];
};

/**
 * Lets a send by hand begin.
 *
 * @returns to be called with what has become of the messages, by item: when nobody got one, the code counts again
 * @throws CodeNeeded without a code for at least so many messages
 */
export async function askForCode({ context, options, toSend }: Send, journal: Journal) {
	if (!isAsked(context, toSend, journal)) return undefined;
	const own: Own = executionData(context) ?? {};
	const before = own.messagingReleased;
	const found = await findSent(context, toSend, before);
	const all = [...found.repeats, ...found.others];
	const about = { count: toSend.length, sent: all.length };
	const code = isEnough(context, journal, before, found, toSend.length)
		? undefined
		: await otherCode(context, journal, options.code, about);
	const released = code ? { ...code, contents: before?.contents ?? [] } : before;
	/** What counts as sent again: with another code, also what this execution has sent. */
	const again = new Set(code ? all : found.others);
	const notes = found.compared.slice(0, NOTED).map(({ note }) => note);
	// Before they leave: n8n may be killed meanwhile.
	const known = await noteAll(context, notes, all).catch(async (error) => {
		if (code) await giveBackCode(context, code);
		throw error;
	});
	// n8n may save the execution meanwhile, when it is cancelled.
	if (released) own.messagingReleased = spend(released, toSend.length, notes, again.size);
	return async (results: readonly Result[]) => {
		const { count, arrived } = await arrivedOf(results, toSend, found.compared);
		const kept = arrived.filter((note) => notes.includes(note));
		const arrivedAgain = arrived.filter((note) => again.has(note)).length;
		const isUnused = code !== undefined && count === 0;
		if (isUnused) own.messagingReleased = before;
		else if (released) own.messagingReleased = spend(released, count, kept, arrivedAgain);
		const keep = new Set([...known, ...kept]);
		const gone = notes.filter((note) => !keep.has(note));
		await deleteNotes(context, gone).catch(() => {});
		if (isUnused) await giveBackCode(context, code);
	};
}

/** Whether a code may be needed. @throws CodeNeeded in an evaluation, where nothing leaves */
function isAsked(context: IExecuteFunctions, toSend: readonly Message[], journal: Journal) {
	const tried = triedAs(context);
	// It asks one person, and has no code.
	const isQuestion = context.getNode().parameters.operation === 'sendAndWait';
	if (tried === 'evaluation') throw inEvaluation(context, isQuestion);
	if (tried === undefined || isQuestion) return false;
	// Nothing leaves then. What the crashed attempt may have sent it has noted, and another Retry at this moment looks for notes.
	if (journal.wasCutOff) return false;
	// A Retry is asked even for one message: it may have been sent meanwhile.
	return journal.hasSent || needsCode(context, toSend.length);
}

/** Looks for what was sent before. `released`: what this execution has sent itself with its code. */
async function findSent(
	context: IExecuteFunctions,
	toSend: readonly Message[],
	released: Released | undefined,
): Promise<Found> {
	const compared = await notesOf(toSend);
	const notes = compared.map(({ note }) => note);
	const found = await findNotes(context, notes).catch(databaseFailed);
	const ofThisCode = new Set(released?.contents);
	const isRepeat = (note: string) => ofThisCode.has(contentOf(note));
	return {
		compared,
		repeats: found.filter(isRepeat),
		others: found.filter((note) => !isRepeat(note)),
	};
}

/** Whether what an earlier code has released is enough. The rest of what it has let leave needs no other code. */
function isEnough(
	context: IExecuteFunctions,
	journal: Journal,
	released: Released | undefined,
	{ repeats, others }: Found,
	count: number,
): boolean {
	const { left = 0, leftAgain = 0, saidRepeats = false } = released ?? {};
	const isFirst = !journal.hasSent;
	// Sent meanwhile by another execution, or before, and the dry run has not said so.
	if (others.length > leftAgain) return false;
	// In a Retry, it is of its own list: the same number stands there twice.
	if (isFirst && repeats.length > 0 && !saidRepeats) return false;
	// A Retry of an n8n that does not say how the execution began may be that of a published one, which has no code.
	const isCounted = isFirst || context.getExecutionContext?.()?.source !== undefined;
	return !isCounted || !needsCode(context, count) || count <= left;
}

/** Takes away the entered code. @throws CodeNeeded without one that counts */
async function otherCode(
	context: IExecuteFunctions,
	journal: Journal,
	entered: string,
	about: SentBefore,
): Promise<Taken> {
	const code = plainCode(entered);
	const taken = await takeCode(context, code, about).catch(databaseFailed);
	if (taken) return taken;
	throw codeNeeded(context, journal, code, about);
}

/**
 * Notes messages before they leave.
 *
 * @param found those of them that were noted when it was looked for them
 * @returns those of them that were noted before
 * @throws CodeNeeded when another execution has noted some in between: of two presses at the same moment with two codes, one sends
 */
async function noteAll(context: IExecuteFunctions, notes: string[], found: readonly string[]) {
	const known = await writeNotes(context, notes).catch(databaseFailed);
	if (known.every((note) => found.includes(note))) return known;
	const own = notes.filter((note) => !known.includes(note));
	await deleteNotes(context, own).catch(() => {});
	throw atTheSameMoment(context);
}

/** Counts the messages that arrived, or may have, and returns the notes of those that are compared. */
async function arrivedOf(
	results: readonly Result[],
	toSend: readonly Message[],
	compared: readonly MessageNote[],
) {
	const hasArrived = ({ item }: Pick<Message, 'item'>) => mayHaveArrived(results[item]);
	let count = 0;
	await forEachInSlices(toSend, (message) => void (count += Number(hasArrived(message))));
	return { count, arrived: compared.filter(hasArrived).map(({ note }) => note) };
}

/** Returns what is left when so many messages have left, `again` of them for another time. */
const spend = (
	{ left, leftAgain, saidRepeats, contents }: Released,
	count: number,
	notes: readonly string[],
	again: number,
): Released => ({
	left: left - count,
	leftAgain: leftAgain - again,
	saidRepeats,
	contents: [...contents, ...notes.map(contentOf)],
});

function databaseFailed(error: unknown): never {
	throw new UserError(
		`n8n's database failed (${sentenceOf(error)}), and nothing is sent to many by hand meanwhile. Try again when the database works.`,
	);
}
