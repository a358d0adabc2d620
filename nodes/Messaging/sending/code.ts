import { hash, randomBytes } from 'crypto';
import { type IExecuteFunctions, NodeOperationError, UserError } from 'n8n-workflow';
import { executionData } from '../n8n/execution';
import { sentenceOf } from '../n8n/nodeErrors';
import { deleteNotes, findNotes, giveBack, takeNote, writeNotes } from '../n8n/noteStore';
import { forEachInSlices } from '../utils/concurrency';
import { formatNumber, numberOf } from '../utils/text';
import type { Json } from '../service/types';
import type { Checked } from './check';
import type { Journal } from './journal';
import type { Message } from './message';
import { isFailed, mayHaveArrived, type Result } from './results';
import type { RunSetup } from './sendOperation';

/*
 * By hand, a node sends two or more messages only with a code from its dry run: "25KQPN" lets it send at most 25 in one
 * execution. So whoever sends has seen who gets what; executing again, to build the next nodes, sends nothing; and nobody gets a message
 * again unless the dry run has said so.
 *
 * A code is a note in n8n's database that is taken away when it is used: when notes are lost, nothing is sent. Of the messages
 * that leave, some are noted, too. A code counts only when no more of the messages were sent before than its dry run has said.
 */

type Send = Pick<RunSetup, 'context' | 'options'> & Checked & { continueOnFail: boolean };

/** What the rounds of a dry run have shown. Of several rounds the last one has the code, for all of them. */
type Offered = {
	count: number;
	/** How many of them are known to have been sent before, or perhaps. */
	sent: number;
	/** How many of them are known to be in an earlier round, too. */
	repeats: number;
	/** A round has more messages than are compared. */
	isPartly: boolean;
	/** Some rows would be refused. */
	isBad: boolean;
	/** What a send of the rounds would note: parts of notes. */
	contents: string[];
	note?: string;
};

/** What a dry run has said of its messages: how many were sent before, and that some are in several rounds. */
type Said = { sent: number; saidRepeats: boolean };

/** What a code still lets the node send in this execution: so many messages, and so many of them again. */
type Released = Said & {
	left: number;
	/** What was noted of what the rounds have sent: parts of notes. It was not sent before, but with this code. */
	contents: string[];
};

/** What the rounds of the node have in common in an execution. */
type Own = { messagingOffered?: Offered; messagingReleased?: Released };

/** What was sent before of some messages. */
type Before = Pick<Offered, 'count' | 'sent'>;

/** Without vowels, and letters that look like digits. A code is one word, so that a double click selects it. */
const SIGNS = 'BCDFGHJKMNPQRTVWXZ';

/** The most messages of a run that are compared with the notes, because n8n reads and writes back all of them for that. */
const COMPARED = 1000;

/** The most messages of a run that are noted: the first of those that are compared. */
const NOTED = 64;

/** With these an execution by hand begins that calls a sub-workflow; the second one with *Execute step* of the node that calls it. */
const BEGIN_BY_HAND = ['n8n-nodes-base.manualTrigger', 'n8n-nodes-base.executeWorkflow'];
/** Also *Execute workflow* from it, which tries one row of the evaluation. */
const TRIGGER_OF_EVALUATIONS = 'n8n-nodes-base.evaluationTrigger';

/**
 * Returns how the execution began, or the one of which it is a Retry or a sub-workflow; undefined when no person has started it to
 * try a workflow.
 */
function triedAs(context: IExecuteFunctions): 'byHand' | 'subWorkflow' | 'evaluation' | undefined {
	const mode = context.getMode();
	// Without n8n's word on how the execution of a Retry began, every Retry is asked.
	const { source = mode === 'retry' ? 'manual' : mode, triggerNode } =
		context.getExecutionContext?.() ?? {};
	const isChild = source === 'integrated';
	if (source === 'evaluation' || triggerNode?.type === TRIGGER_OF_EVALUATIONS) return 'evaluation';
	if (context.isToolExecution?.()) return undefined;
	if (isChild && BEGIN_BY_HAND.includes(triggerNode?.type ?? '')) return 'subWorkflow';
	return source === 'manual' ? 'byHand' : undefined;
}

/** In a loop, one message is asked, too: it is one of many. */
function isInLoop(context: IExecuteFunctions): boolean {
	const { name } = context.getNode();
	const behind = new Set(context.getChildNodes(name).map((node) => node.name));
	return context.getParentNodes(name).some((node) => behind.has(node.name));
}

/** Whether so many messages need a code, or leave at all. */
export const needsCode = (context: IExecuteFunctions, count: number) =>
	triedAs(context) !== undefined && (count > 1 || isInLoop(context));

/** So many were sent before, or more: all may be sent again. */
const MANY = COMPARED;

const noteOf = (code: string, { sent, saidRepeats }: Said) =>
	hash('sha256', `code ${code} ${Math.min(sent, MANY)} ${saidRepeats}`);

/** Makes the code of a dry run by hand, if all its rows can be sent. @returns what the dry run says about it */
export async function offerCode(plan: Send): Promise<string | undefined> {
	const { context, continueOnFail, results, toSend } = plan;
	const tried = triedAs(context);
	if (tried === undefined || tried === 'evaluation') return undefined;
	const own: Own = executionData(context) ?? {};
	const { messagingOffered: earlier } = own;
	const notes = await notesOf(toSend);
	const sent = toSend.length > 0 ? (await findNotes(context, notes)).length : 0;
	const inEarlier = new Set(earlier?.contents);
	const repeats = notes.filter((note) => inEarlier.has(contentOf(note))).length;
	const offered: Offered = {
		count: (earlier?.count ?? 0) + toSend.length,
		sent: (earlier?.sent ?? 0) + sent,
		repeats: (earlier?.repeats ?? 0) + repeats,
		isPartly: toSend.length > COMPARED || earlier?.isPartly === true,
		isBad: (results.some(isFailed) && !continueOnFail) || earlier?.isBad === true,
		contents: [...inEarlier, ...notes.slice(0, NOTED).map(contentOf)],
	};
	own.messagingOffered = offered;
	if (earlier?.note) await deleteNotes(context, [earlier.note]);
	const { count, isBad } = offered;
	const said = sentBefore(offered) + repeated(offered) + (offered.isPartly ? PARTLY : '');
	if (count === 0 || !needsCode(context, count)) return said.trim();
	if (isBad) return said + NO_CODE;
	const signs = [...randomBytes(4)].map((byte) => SIGNS[byte % SIGNS.length]).join('');
	const code = `${count}${signs}`;
	offered.note = noteOf(code, { sent: offered.sent, saidRepeats: offered.repeats > 0 });
	await writeNotes(context, [offered.note]);
	const hasRounds = earlier !== undefined || isInLoop(context);
	const all = hasRounds ? `all ${numberOf(count, 'message')} of this execution` : 'them';
	const until = hasRounds ? ' If another round follows, only the code of the last one counts.' : '';
	return `${said}To send ${all} from the editor: in '${context.getNode().name}', set 'Mode' to Send and enter the code ${code} (it works once).${until}`;
}

const NO_CODE =
	"There is no code to send them as long as some rows cannot be sent: correct these rows, or set Settings → 'On Error' to 'Continue'.";

const PARTLY = `Of more than ${formatNumber(COMPARED)} messages, only ${formatNumber(COMPARED)} are compared with those that were sent before. `;

/** Says how many of these messages were sent before; '' for none. Not all that were sent are noted. */
function sentBefore({ count, sent }: Before): string {
	if (sent === 0) return '';
	if (count === 1) return 'This message was sent from the editor before, or may have been. ';
	const known = formatNumber(sent);
	const before = `of these ${formatNumber(count)} messages were sent from the editor before, or may have been`;
	if (sent === count) return `${known} ${before}. `;
	return count > NOTED ? `Some ${before}: at least ${known}. ` : `At least ${known} ${before}. `;
}

/** Says how many of these messages an earlier round of the dry run has, too; '' for none. */
const repeated = ({ count, repeats }: Offered) =>
	repeats > 0
		? `At least ${formatNumber(repeats)} of these ${formatNumber(count)} messages repeat a message of an earlier round, to the same number. `
		: '';

/** Returns the messages that are compared: those with the smallest numbers, so that similar lists have similar ones. */
async function comparedOf(messages: readonly Message[]): Promise<Message[]> {
	let some: Message[] = [];
	/** The largest number that may still be one of them. */
	let bound: string | undefined;
	const reduce = () => {
		some = some.sort((a, b) => (a.digits < b.digits ? -1 : 1)).slice(0, COMPARED);
		if (some.length === COMPARED) bound = some[COMPARED - 1].digits;
	};
	await forEachInSlices(messages, (message) => {
		if (bound !== undefined && message.digits >= bound) return;
		some.push(message);
		if (some.length === 4 * COMPARED) reduce();
	});
	reduce();
	return some;
}

/** By what the recipient gets: a template's language counts alike whether it is named or not. */
function noteOfMessage({ from, digits, body, language }: Message): string {
	const content =
		language === undefined ? body : { ...(body.template as Json), language: undefined };
	return hash('sha256', JSON.stringify([from.replace('+', ''), digits, content, language]));
}

const notesOf = async (messages: readonly Message[]) =>
	(await comparedOf(messages)).map(noteOfMessage);

/** The part of a note that is kept in the execution's data. */
const contentOf = (note: string) => note.slice(0, 16);

/**
 * Lets a send by hand begin.
 *
 * @returns to be called with what has become of the messages, by item: when nobody got one, the code counts again
 * @throws CodeNeeded without a code for at least so many messages
 */
export async function askForCode({ context, options, toSend }: Send, journal: Journal) {
	const tried = triedAs(context);
	const isQuestion = context.getNode().parameters.operation === 'sendAndWait';
	if (tried === 'evaluation') {
		const description = isQuestion ? NO_QUESTION : NO_SEND;
		throw new CodeNeeded(context.getNode(), IN_EVALUATION, { description });
	}
	// *Send and Wait* asks one person, and has no code.
	if (tried === undefined || isQuestion) return undefined;
	// Nothing leaves then. What the crashed attempt may have sent it has noted, and another Retry at this moment looks for notes.
	if (journal.wasCutOff) return undefined;
	const isFirst = !journal.hasSent;
	if (isFirst && !needsCode(context, toSend.length)) return undefined;
	const own: Own = executionData(context) ?? {};
	const before = own.messagingReleased;
	const compared = await comparedOf(toSend);
	const toNote = compared.slice(0, NOTED);
	const notes = toNote.map(noteOfMessage);
	const ofThisCode = new Set(before?.contents);
	const found = await findNotes(context, compared.map(noteOfMessage)).catch(databaseFailed);
	const repeats = found.filter((note) => ofThisCode.has(contentOf(note))).length;
	const again = found.length - repeats;
	const { left: mostLeft = 0, sent: mostAgain = 0, saidRepeats: mayRepeat = false } = before ?? {};
	// The rest of what a code has let leave needs no other one, unless it was sent meanwhile by another execution.
	// A Retry of an n8n that does not say how the execution began may be that of a published one, which has no code.
	const isCounted = isFirst || context.getExecutionContext?.()?.source !== undefined;
	const mayBeMore = !isCounted || !needsCode(context, toSend.length);
	const isReleased =
		again <= mostAgain &&
		(mayRepeat || repeats === 0 || !isFirst) &&
		(mayBeMore || toSend.length <= mostLeft);
	const about = { count: toSend.length, sent: found.length };
	const code = isReleased ? undefined : await takeCode(context, journal, options.code, about);
	const released = code ?? before;
	/** Of what was found, what counts as sent again: with another code, all of it. */
	const spent = new Set(code ? found : found.filter((note) => !ofThisCode.has(contentOf(note))));
	const release = (count: number, sentNow: readonly string[], sentAgain: number) => {
		if (!released) return;
		const { left, sent, saidRepeats } = released;
		const contents = [...(before?.contents ?? []), ...sentNow.map(contentOf)];
		own.messagingReleased = { left: left - count, sent: sent - sentAgain, saidRepeats, contents };
	};
	const refuse = async (error: unknown) => {
		if (code) await giveBack(context, code.note, code.name).catch(() => {});
		return databaseFailed(error);
	};
	// Before they leave: n8n may be killed meanwhile.
	const earlier = await writeNotes(context, notes).catch(refuse);
	release(toSend.length, notes, spent.size);
	return async (results: readonly Result[]) => {
		const hasArrived = ({ item }: Message) => item in results && mayHaveArrived(results[item]);
		let reached = 0;
		await forEachInSlices(toSend, (message) => void (reached += Number(hasArrived(message))));
		const isUnused = code !== undefined && reached === 0;
		const arrived = compared.filter(hasArrived).map(noteOfMessage);
		const kept = arrived.filter((note) => notes.includes(note));
		if (isUnused) own.messagingReleased = before;
		else release(reached, kept, arrived.filter((note) => spent.has(note)).length);
		const keep = new Set([...earlier, ...kept]);
		await deleteNotes(
			context,
			notes.filter((note) => !keep.has(note)),
		).catch(() => {});
		if (isUnused) await giveBack(context, code.note, code.name).catch(() => {});
	};
}

function databaseFailed(error: unknown): never {
	throw new UserError(
		`n8n's database failed (${sentenceOf(error)}), and nothing is sent to many by hand meanwhile. Try again when the database works.`,
	);
}

/** A code that was taken away: its note can be written again. */
type Taken = Said & { note: string; name: string; left: number };

/** Takes away the entered code. @throws CodeNeeded without one */
async function takeCode(
	context: IExecuteFunctions,
	journal: Journal,
	entered: string,
	about: Before,
): Promise<Taken> {
	const code = entered.replace(/[^\p{L}\p{Nd}]/gu, '').toUpperCase();
	const left = Number.parseInt(code, 10);
	/** Takes it if its dry run has said that so many were sent before. */
	const takeOf = async (least: number, most: number): Promise<Taken | undefined> => {
		const said: Said[] = [];
		for (let sent = least; sent <= most; sent++)
			said.push({ sent, saidRepeats: false }, { sent, saidRepeats: true });
		const notes = said.map((each) => noteOf(code, each));
		const note = await takeNote(context, notes, code).catch(databaseFailed);
		if (!note) return undefined;
		const { sent, saidRepeats } = said[notes.indexOf(note)];
		return { note, name: code, left, sent: sent === MANY ? left : sent, saidRepeats };
	};
	const { count, sent } = about;
	if (left >= count) {
		// Usually the dry run has said the same: then few notes are looked for.
		const taken = (await takeOf(sent, sent)) ?? (await takeOf(sent + 1, Math.min(left, MANY)));
		if (taken) return taken;
	}
	throw codeNeeded(context, journal, code, about);
}

/** Nothing leaves by hand without a code. */
export class CodeNeeded extends NodeOperationError {}

function codeNeeded(context: IExecuteFunctions, journal: Journal, entered: string, about: Before) {
	const { count, sent } = about;
	const messages = count === 1 ? 'a message in a loop' : `these ${formatNumber(count)} messages`;
	const isRest = journal.hasSent;
	const isAgain = isRest && sent > 0;
	const asked = isAgain
		? 'A retry sends again only with a code from a dry run that says so.'
		: `In the editor, this node sends ${messages} only with a code from its dry run.`;
	// A Retry sends to nobody again.
	const isMiddle = isRest || (journal.identity.isLaterRound && !context.continueOnFail());
	const hasOthers = sent > 0 && !isMiddle && (sent < count || isInLoop(context));
	const others = isAgain ? TO_THE_REST : hasOthers ? TO_THE_OTHERS : '';
	const description = `${others}${howToSend(context, isMiddle)}${isRest ? '' : ` ${BUILD}`}`;
	const message = `${sentBefore(about)}${entered && whyNot(context, entered, about)}${asked}`;
	return new CodeNeeded(context.getNode(), message, { description });
}

/** Says why the entered code does not count. */
function whyNot(context: IExecuteFunctions, code: string, { count, sent }: Before): string {
	const most = Number.parseInt(code, 10);
	if (most < count) return `The code ${code} is for at most ${numberOf(most, 'message')}. `;
	const round = isInLoop(context) ? ' or an earlier round' : '';
	const saidLess = sent > 0 ? ' or a dry run that said fewer' : '';
	return `The code ${code} does not count. Perhaps it was used before, is from another node${round}${saidLess}, or is mistyped. `;
}

const IN_EVALUATION = 'In an evaluation, this node sends nothing.';
const NO_SEND = "Set 'Mode' to Dry Run.";
const NO_QUESTION = "Put 'Evaluation → Check If Evaluating' before it.";

const TO_THE_OTHERS =
	'To reach only the others, take those who have it out of the list. If an execution failed while it was sending, retry that one instead. ';

const TO_THE_REST =
	'To reach only those who have not got it, execute again with only them in the list. ';

const RETRY = "save, and under 'Executions' retry this one with the currently saved workflow";

/** Says how to get the code, and how to send with it. */
function howToSend(context: IExecuteFunctions, isMiddle: boolean): string {
	const isCalled = triedAs(context) === 'subWorkflow';
	const press = isInLoop(context) ? 'Execute workflow' : 'Execute step';
	const behind = context.getChildNodes(context.getNode().name).length;
	const alsoBehind =
		press === 'Execute step' && behind > 0
			? ", or 'Execute workflow' if the nodes behind it are to run, too"
			: '';
	const whom = isMiddle ? 'to these, too' : 'to all';
	const dryRun = isCalled
		? "save, execute the workflow that calls this one, and press 'View sub-execution' in its node: there this node shows the code."
		: `and press '${press}'. It shows who gets what, and the code.`;
	const byHand = isCalled ? 'save, and execute that workflow' : `and press '${press}'${alsoBehind}`;
	// The workflow that calls this one may have sent to others already.
	const then = isMiddle || (isCalled && context.getMode() === 'retry') ? RETRY : byHand;
	return `To send ${whom}: set 'Mode' to Dry Run${isCalled ? ', ' : ' '}${dryRun} Then set 'Mode' to Send, enter the code, ${then}.`;
}

const BUILD =
	"To build the next nodes, leave 'Mode' on Dry Run. A published workflow needs no code.";
