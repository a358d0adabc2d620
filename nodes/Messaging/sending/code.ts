import { hash, randomBytes } from 'crypto';
import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { executionData } from '../n8n/execution';
import { deleteNotes, findNotes, takeNote, writeNotes } from '../n8n/noteStore';
import { forEachInSlices } from '../utils/concurrency';
import { formatNumber } from '../utils/text';
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

/** The code of a dry run. Of several rounds the last one has it, for all of them. */
type Offered = { count: number; wereSent: boolean; isBad: boolean; note?: string };

/** What a code still lets the node send. `wereSent`: the dry run has said that some of its messages were sent before. */
type Released = { left: number; wereSent: boolean };

/** What the rounds of the node have in common in an execution. */
type Own = { messagingOffered?: Offered; messagingReleased?: Released };

/** Without vowels, and letters that look like digits. A code is one word, so that a double click selects it. */
const SIGNS = 'BCDFGHJKMNPQRTVWXZ';

/** The most messages of a run that are noted: those with the smallest numbers, so that similar lists have similar notes. */
const NOTED = 64;

const MANUAL_TRIGGER = 'n8n-nodes-base.manualTrigger';

/** Whether a person started this execution, or the one of which it is a Retry or a sub-workflow, to try a workflow. */
export function isByHand(context: IExecuteFunctions): boolean {
	if (context.isToolExecution?.()) return false;
	const mode = context.getMode();
	// Without n8n's word on how the execution of a Retry began, every Retry is asked.
	const { source = mode === 'retry' ? 'manual' : mode, triggerNode } =
		context.getExecutionContext?.() ?? {};
	const isChild = source === 'integrated' && triggerNode?.type === MANUAL_TRIGGER;
	return source === 'manual' || source === 'evaluation' || isChild;
}

/** In a loop, one message is asked, too: it is one of many. */
function isInLoop(context: IExecuteFunctions): boolean {
	const { name } = context.getNode();
	const behind = new Set(context.getChildNodes(name).map((node) => node.name));
	return context.getParentNodes(name).some((node) => behind.has(node.name));
}

const noteOf = (code: string, wereSent: boolean) => hash('sha256', `code ${code} ${wereSent}`);

/** Makes the code of a dry run by hand, if all its rows can be sent. @returns what the dry run says about it */
export async function offerCode(plan: Send): Promise<string | undefined> {
	const { context, continueOnFail, results, toSend } = plan;
	if (!isByHand(context)) return undefined;
	const own: Own = executionData(context) ?? {};
	const { messagingOffered: earlier } = own;
	const sent = await sentBefore(context, toSend);
	const offered: Offered = {
		count: (earlier?.count ?? 0) + toSend.length,
		wereSent: sent !== '' || earlier?.wereSent === true,
		isBad: (results.some(isFailed) && !continueOnFail) || earlier?.isBad === true,
	};
	own.messagingOffered = offered;
	if (earlier?.note) await deleteNotes(context, [earlier.note]);
	const { count, wereSent, isBad } = offered;
	const isAsked = count > 1 || (count > 0 && isInLoop(context));
	const ofEarlier = earlier?.wereSent && !sent ? SENT_IN_EARLIER_ROUNDS : '';
	if (!isAsked || isBad) return sent || undefined;
	const signs = [...randomBytes(4)].map((byte) => SIGNS[byte % SIGNS.length]).join('');
	const code = `${count}${signs}`;
	offered.note = noteOf(code, wereSent);
	await writeNotes(context, [offered.note]);
	const all = earlier ? ` all ${formatNumber(count)} messages of this execution` : '';
	return `${sent}${ofEarlier}To send${all} with '${context.getNode().name}' from the editor: 'Mode' Send, 'Code' ${code} (once).`;
}

const SENT_IN_EARLIER_ROUNDS =
	'Some messages of the earlier rounds were sent from the editor before, or may have been. ';

/** Says how many of these messages were sent before; '' for none. */
async function sentBefore(context: IExecuteFunctions, messages: readonly Message[]) {
	if (messages.length === 0) return '';
	const { length } = await findNotes(context, await notesOf(messages));
	if (length === 0) return '';
	const some = messages.length > NOTED ? 'Some' : length;
	return `${some} of these ${formatNumber(messages.length)} messages were sent from the editor before, or may have been. `;
}

/** Returns the notes of some of the messages. */
async function notesOf(messages: readonly Message[]): Promise<string[]> {
	let some: Message[] = [];
	const smallest = () => some.sort((a, b) => (a.digits < b.digits ? -1 : 1)).slice(0, NOTED);
	await forEachInSlices(messages, (message) => {
		some.push(message);
		if (some.length === 100 * NOTED) some = smallest();
	});
	return smallest().map(({ from, digits, body }) =>
		hash('sha256', JSON.stringify([from, digits, body])),
	);
}

/**
 * Lets a send by hand begin.
 *
 * @returns to be called with what has become of the messages: when nobody got one, the code counts again
 * @throws CodeNeeded without a code for at least so many messages
 */
export async function askForCode({ context, options, toSend }: Send, journal: Journal) {
	// *Send and Wait* asks one person, and has no code.
	if (!isByHand(context) || context.getNode().parameters.operation === 'sendAndWait')
		return undefined;
	if (context.getMode() === 'evaluation')
		throw new CodeNeeded(context.getNode(), IN_EVALUATION, NOT_IN_EVALUATION);
	// A Retry that sends the rest is asked nothing.
	const isAsked = !journal.hasSent && (toSend.length > 1 || isInLoop(context));
	if (!isAsked && !journal.hasSent) return undefined;
	const own: Own = executionData(context) ?? {};
	const before = own.messagingReleased;
	const sent = isAsked ? await sentBefore(context, toSend) : '';
	const isReleased = before && before.left >= toSend.length && (before.wereSent || !sent);
	const code =
		isAsked && !isReleased
			? await takeCode(context, journal, options.code, toSend, sent)
			: undefined;
	const released = code ?? before;
	const release = (count: number) =>
		(own.messagingReleased = released && { ...released, left: released.left - count });
	if (isAsked) release(toSend.length);
	// Before they leave: n8n may be killed meanwhile.
	const noted = await notesOf(toSend);
	const earlier = await writeNotes(context, noted).catch(() => noted);
	return async (results: readonly Result[]) => {
		const reached = results.filter(mayHaveArrived).map(({ message }) => message as Message);
		const isUnused = code !== undefined && reached.length === 0;
		if (isUnused) own.messagingReleased = before;
		else if (isAsked) release(reached.length);
		const kept = new Set([...earlier, ...(await notesOf(reached))]);
		await deleteNotes(
			context,
			noted.filter((note) => !kept.has(note)),
		).catch(() => {});
		if (isUnused) await writeNotes(context, [code.note]).catch(() => {});
	};
}

/** Takes away the entered code. @param sent says which messages were sent before */
async function takeCode(
	context: IExecuteFunctions,
	journal: Journal,
	entered: string,
	toSend: readonly Message[],
	sent: string,
): Promise<Released & { note: string }> {
	const code = entered.replace(/[^\p{L}\p{Nd}]/gu, '').toUpperCase();
	const left = Number.parseInt(code, 10);
	// The dry run must have said it.
	for (const wereSent of sent ? [true] : [false, true]) {
		const note = noteOf(code, wereSent);
		if (left >= toSend.length && (await takeNote(context, note))) return { note, left, wereSent };
	}
	// A Retry sends to nobody again.
	const isMiddle = journal.identity.isLaterRound && !context.continueOnFail();
	throw codeNeeded(context, code, toSend.length, sent, isMiddle);
}

/** Nothing leaves by hand without a code. */
export class CodeNeeded extends NodeOperationError {}

function codeNeeded(
	context: IExecuteFunctions,
	entered: string,
	count: number,
	sent: string,
	isMiddle: boolean,
) {
	const wrong =
		entered && !sent && `${entered} was used, or is for fewer messages, or is of another node. `;
	const messages =
		count === 1 ? 'a message in a loop leaves' : `these ${formatNumber(count)} messages leave`;
	const asked = `In the editor, ${messages} only with a code from the dry run of this node.`;
	const press = isInLoop(context) ? 'Execute workflow' : 'Execute step';
	const how = context.getMode() === 'integrated' ? HOW_CHILD : howBy(press, isMiddle);
	const description = `${sent && !isMiddle ? REST : ''}${how} ${BUILD}`;
	return new CodeNeeded(context.getNode(), `${sent || wrong}${asked}`, { description });
}

const IN_EVALUATION = 'An evaluation sends to nobody.';
const NOT_IN_EVALUATION = { description: "Set 'Mode' to Dry Run." };

const REST =
	'To reach only the others, retry the execution that failed, or take those out of the list. ';

const RETRY = "save, and under 'Executions' retry this one with the currently saved workflow";

const howBy = (press: string, isMiddle: boolean) =>
	`To send ${isMiddle ? 'to these, too' : 'to all'}: set 'Mode' to Dry Run and press '${press}': it shows who gets what, and the code. Then set 'Mode' to Send, enter the code, ${isMiddle ? RETRY : `and press '${press}'`}.`;

const HOW_CHILD =
	"To send to all: set 'Mode' to Dry Run, save, execute the workflow that calls this one, and press 'View sub-execution' in its node: there this node shows the code. Then set 'Mode' to Send, enter the code, save, and execute that workflow.";

const BUILD =
	"To build the next nodes, leave 'Mode' on Dry Run. A published workflow needs no code.";
