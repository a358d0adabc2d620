import { hash, randomBytes } from 'crypto';
import { type IExecuteFunctions, NodeOperationError, UserError } from 'n8n-workflow';
import { executionData } from '../n8n/execution';
import { sentenceOf } from '../n8n/nodeErrors';
import { deleteNotes, findNotes, giveBack, takeNote, writeNotes } from '../n8n/noteStore';
import { forEachInSlices } from '../utils/concurrency';
import { formatNumber, numberOf } from '../utils/text';
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
 * that leave, some are noted, too.
 */

type Send = Pick<RunSetup, 'context' | 'options'> & Checked & { continueOnFail: boolean };

/** What the rounds of a dry run have shown. Of several rounds the last one has the code, for all of them. */
type Offered = {
	count: number;
	/** How many of them were sent before; of more than {@link NOTED} in a round, only some are known. */
	sent: number;
	/** How many of them an earlier round has, too; counted like `sent`. */
	repeats: number;
	isEstimate: boolean;
	/** Some rows would be refused. */
	isBad: boolean;
	/** What the rounds would send: parts of notes. */
	contents: string[];
	note?: string;
};

/** What a dry run has said of its messages: that some were sent before, and that some are in several rounds. */
type Said = { saidSent: boolean; saidRepeats: boolean };

/** What a code still lets the node send in this execution. */
type Released = Said & {
	left: number;
	/** What the rounds have sent: parts of notes. It was not sent before, but with this code. */
	contents: string[];
};

/** What the rounds of the node have in common in an execution. */
type Own = { messagingOffered?: Offered; messagingReleased?: Released };

/** What was sent before of some messages. */
type Before = Pick<Offered, 'count' | 'sent' | 'isEstimate'>;

/** Without vowels, and letters that look like digits. A code is one word, so that a double click selects it. */
const SIGNS = 'BCDFGHJKMNPQRTVWXZ';

/** The most messages of a run that are noted: those with the smallest numbers, so that similar lists have similar notes. */
const NOTED = 64;

/** With these an execution by hand begins that calls a sub-workflow; the second one with *Execute step* of the node that calls it. */
const BEGIN_BY_HAND = ['n8n-nodes-base.manualTrigger', 'n8n-nodes-base.executeWorkflow'];
const TRIGGERS_OF_EVALUATIONS = 'n8n-nodes-base.evaluationTrigger';

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
	if (source === 'evaluation' || (isChild && triggerNode?.type === TRIGGERS_OF_EVALUATIONS))
		return 'evaluation';
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

const noteOf = (code: string, { saidSent, saidRepeats }: Said) =>
	hash('sha256', `code ${code} ${saidSent} ${saidRepeats}`);

/** Makes the code of a dry run by hand, if all its rows can be sent. @returns what the dry run says about it */
export async function offerCode(plan: Send): Promise<string | undefined> {
	const { context, continueOnFail, results, toSend } = plan;
	const tried = triedAs(context);
	if (tried === undefined || tried === 'evaluation') return undefined;
	const own: Own = executionData(context) ?? {};
	const { messagingOffered: earlier } = own;
	const notes = await notesOf(toSend);
	const sent = toSend.length > 0 ? (await findNotes(context, notes)).length : 0;
	const contents = notes.map(contentOf);
	const repeats = contents.filter((each) => earlier?.contents.includes(each)).length;
	const offered: Offered = {
		count: (earlier?.count ?? 0) + toSend.length,
		sent: (earlier?.sent ?? 0) + sent,
		repeats: (earlier?.repeats ?? 0) + repeats,
		isEstimate: toSend.length > NOTED || earlier?.isEstimate === true,
		isBad: (results.some(isFailed) && !continueOnFail) || earlier?.isBad === true,
		contents: [...(earlier?.contents ?? []), ...contents],
	};
	own.messagingOffered = offered;
	if (earlier?.note) await deleteNotes(context, [earlier.note]);
	const { count, isBad } = offered;
	const said = sentBefore(offered) + repeated(offered);
	if (count === 0 || !needsCode(context, count)) return said.trim();
	if (isBad) return said + NO_CODE;
	const signs = [...randomBytes(4)].map((byte) => SIGNS[byte % SIGNS.length]).join('');
	const code = `${count}${signs}`;
	offered.note = noteOf(code, { saidSent: offered.sent > 0, saidRepeats: offered.repeats > 0 });
	await writeNotes(context, [offered.note]);
	const all = earlier ? `all ${formatNumber(count)} messages of this execution` : 'them';
	return `${said}To send ${all} from the editor: in '${context.getNode().name}', set 'Mode' to Send and enter the code ${code} (it works once).`;
}

const NO_CODE =
	"There is no code to send them as long as some rows cannot be sent: correct these rows, or set Settings → 'On Error' to 'Continue'.";

/** Says how many of these messages were sent before; '' for none. */
function sentBefore({ count, sent, isEstimate }: Before): string {
	if (sent === 0) return '';
	if (count === 1) return 'This message was sent from the editor before, or may have been. ';
	const some = isEstimate ? 'Some' : formatNumber(sent);
	return `${some} of these ${formatNumber(count)} messages were sent from the editor before, or may have been. `;
}

/** Says how many of these messages an earlier round of the dry run has, too; '' for none. */
function repeated({ count, repeats, isEstimate }: Offered): string {
	if (repeats === 0) return '';
	const some = isEstimate ? 'some' : formatNumber(repeats);
	return `In ${some} of these ${formatNumber(count)} messages, the recipient gets the same as in an earlier round. `;
}

/** Returns some of the messages: those with the smallest numbers. */
async function sampleOf(messages: readonly Message[]): Promise<Message[]> {
	let some: Message[] = [];
	/** The largest number that may still be one of them. */
	let bound: string | undefined;
	const reduce = () => {
		some = some.sort((a, b) => (a.digits < b.digits ? -1 : 1)).slice(0, NOTED);
		if (some.length === NOTED) bound = some[NOTED - 1].digits;
	};
	await forEachInSlices(messages, (message) => {
		if (bound !== undefined && message.digits >= bound) return;
		some.push(message);
		if (some.length === 4 * NOTED) reduce();
	});
	reduce();
	return some;
}

const noteOfMessage = ({ from, digits, body }: Message) =>
	hash('sha256', JSON.stringify([from, digits, body]));

const notesOf = async (messages: readonly Message[]) =>
	(await sampleOf(messages)).map(noteOfMessage);

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
	// *Send and Wait* asks one person, and has no code.
	if (tried === undefined || context.getNode().parameters.operation === 'sendAndWait')
		return undefined;
	if (tried === 'evaluation')
		throw new CodeNeeded(context.getNode(), IN_EVALUATION, NOT_IN_EVALUATION);
	// A Retry that sends the rest is asked nothing.
	const isAsked = !journal.hasSent && needsCode(context, toSend.length);
	if (!isAsked && !journal.hasSent) return undefined;
	const own: Own = executionData(context) ?? {};
	const before = own.messagingReleased;
	const sample = await sampleOf(toSend);
	const notes = sample.map(noteOfMessage);
	const ofThisCode = new Set(before?.contents);
	const found = isAsked ? await findNotes(context, notes).catch(databaseFailed) : [];
	const sent = found.length;
	const repeats = found.filter((note) => ofThisCode.has(contentOf(note))).length;
	const isSaid =
		before && (before.saidSent || sent === repeats) && (before.saidRepeats || repeats === 0);
	const isReleased = isSaid && before.left >= toSend.length;
	const isTaken = isAsked && !isReleased;
	const about = { count: toSend.length, sent, isEstimate: toSend.length > NOTED };
	const code = isTaken ? await takeCode(context, journal, options.code, about) : undefined;
	const released = code ?? before;
	// Also what a Retry sends without being asked.
	const release = (count: number, sentNow: readonly string[]) => {
		if (!released) return;
		const { left, saidSent, saidRepeats } = released;
		const contents = [...(before?.contents ?? []), ...sentNow.map(contentOf)];
		own.messagingReleased = { left: left - count, saidSent, saidRepeats, contents };
	};
	const refuse = async (error: unknown) => {
		if (code) await giveBack(context, code.note).catch(() => {});
		return databaseFailed(error);
	};
	// Before they leave: n8n may be killed meanwhile. What a Retry sends without being asked leaves in any case.
	const earlier = await writeNotes(context, notes).catch(isAsked ? refuse : () => notes);
	release(toSend.length, notes);
	return async (results: readonly Result[]) => {
		const hasArrived = ({ item }: Message) => item in results && mayHaveArrived(results[item]);
		let reached = 0;
		await forEachInSlices(toSend, (message) => void (reached += Number(hasArrived(message))));
		const isUnused = code !== undefined && reached === 0;
		const kept = sample.filter(hasArrived).map(noteOfMessage);
		if (isUnused) own.messagingReleased = before;
		else release(reached, kept);
		const keep = new Set([...earlier, ...kept]);
		await deleteNotes(
			context,
			notes.filter((note) => !keep.has(note)),
		).catch(() => {});
		if (isUnused) await giveBack(context, code.note).catch(() => {});
	};
}

function databaseFailed(error: unknown): never {
	throw new UserError(
		`n8n's database failed (${sentenceOf(error)}), and nothing is sent to many by hand meanwhile. Try again when the database works.`,
	);
}

/** Takes away the entered code. @throws CodeNeeded without one */
async function takeCode(
	context: IExecuteFunctions,
	journal: Journal,
	entered: string,
	about: Before,
): Promise<Said & { note: string; left: number }> {
	const code = entered.replace(/[^\p{L}\p{Nd}]/gu, '').toUpperCase();
	const left = Number.parseInt(code, 10);
	// The dry run must have said it.
	for (const saidSent of about.sent > 0 ? [true] : [false, true])
		for (const saidRepeats of [false, true]) {
			const said = { saidSent, saidRepeats };
			const note = noteOf(code, said);
			if (left >= about.count && (await takeNote(context, note))) return { ...said, note, left };
		}
	throw codeNeeded(context, journal, code, about);
}

/** Nothing leaves by hand without a code. */
export class CodeNeeded extends NodeOperationError {}

function codeNeeded(context: IExecuteFunctions, journal: Journal, entered: string, about: Before) {
	const { count, sent, isEstimate } = about;
	const messages = count === 1 ? 'a message in a loop' : `these ${formatNumber(count)} messages`;
	const asked = `In the editor, this node sends ${messages} only with a code from its dry run.`;
	// A Retry sends to nobody again.
	const isMiddle = journal.identity.isLaterRound && !context.continueOnFail();
	const hasOthers = sent > 0 && !isMiddle && (isEstimate || sent < count || isInLoop(context));
	const description = `${hasOthers ? TO_THE_OTHERS : ''}${howToSend(context, isMiddle)} ${BUILD}`;
	const message = `${sentBefore(about)}${entered && whyNot(entered, about)}${asked}`;
	return new CodeNeeded(context.getNode(), message, { description });
}

/** Says why the entered code does not count. */
function whyNot(code: string, { count, sent }: Before): string {
	const most = Number.parseInt(code, 10);
	if (most < count) return `The code ${code} is for at most ${numberOf(most, 'message')}. `;
	const isOlder = sent > 0 ? ', is older than that' : '';
	return `The code ${code} does not count. Perhaps it was used before, is from another node${isOlder}, or is mistyped. `;
}

const IN_EVALUATION = 'In an evaluation, this node sends nothing.';
const NOT_IN_EVALUATION = { description: "Set 'Mode' to Dry Run." };

const TO_THE_OTHERS =
	'To reach only the others, take those who have it out of the list. If an execution failed while it was sending, retry that one instead. ';

const RETRY = "save, and under 'Executions' retry this one with the currently saved workflow";

/** Says how to get the code, and how to send with it. */
function howToSend(context: IExecuteFunctions, isMiddle: boolean): string {
	if (triedAs(context) === 'subWorkflow' && context.getMode() !== 'retry') return HOW_SUB_WORKFLOW;
	const press = isInLoop(context) ? 'Execute workflow' : 'Execute step';
	const whom = isMiddle ? 'to these, too' : 'to all';
	const then = isMiddle ? RETRY : `and press '${press}'`;
	return `To send ${whom}: set 'Mode' to Dry Run and press '${press}'. It shows who gets what, and the code. Then set 'Mode' to Send, enter the code, ${then}.`;
}

const HOW_SUB_WORKFLOW =
	"To send to all: set 'Mode' to Dry Run, save, execute the workflow that calls this one, and press 'View sub-execution' in its node: there this node shows the code. Then set 'Mode' to Send, enter the code, save, and execute that workflow.";

const BUILD =
	"To build the next nodes, leave 'Mode' on Dry Run. A published workflow needs no code.";
