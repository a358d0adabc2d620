import { type IExecuteFunctions, type INode, NodeOperationError } from 'n8n-workflow';
import { isAgentsCall } from '../n8n/agentsCall';
import { asNodeError, serviceError } from '../n8n/errors';
import type { Failure } from '../service/failure';
import { formatNumber, numberOf } from '../utils/text';
import type { Journal } from './journal';
import { EMPTY_RECIPIENT } from '../phone/phone';
import { isFailed, mayHaveArrived, nameOf, sentenceFor, type Failed, type Result } from './results';
import type { Message } from './message';

/*
 * The errors of a run that sends. The headline is the first problem's sentence and the counts; below it, and for an agent behind
 * it, stand what to do and the first recipients, by reason.
 */

type Counts = { accepted: number; unknown: number; notSent?: number; skipped?: number };

type Shown = { context: IExecuteFunctions; journal: Journal; results: readonly Result[] };

/** The most recipients that an error names; the others are counted. */
const MOST_NAMED = 20;

/** Returns the reason of a failure. It says so when the message may have been sent: most were not. */
const lineOf = ({ outcome, why }: Failed) =>
	outcome === 'unknown' ? sentenceFor(undefined, outcome, why.message) : why.message;

const haveOneReason = ([first, ...others]: Failed[]) =>
	others.length > 0 && others.every((other) => lineOf(other) === lineOf(first));

/** Returns a line for each reason of the first recipients, such as "item 2 (12), item 4: It is too short.", and counts the others. */
function byReason(troubles: Failed[]): string[] {
	const first = troubles.slice(0, MOST_NAMED);
	const written = [...new Set(first.map(lineOf))].map((reason) => {
		const named = first.filter((each) => lineOf(each) === reason);
		return `${named.map(({ message }) => nameOf(message)).join(', ')}: ${reason}`;
	});
	const others = troubles.length - first.length;
	return others > 0 ? [...written, `And ${formatNumber(others)} more.`] : written;
}

const RETRY =
	"In the list of executions, press the arrow 'Retry execution', not 'Debug in editor'. 'Retry with currently saved workflow' takes the corrected node, 'Retry with original workflow' the node as it was. Both use the saved input: a corrected spreadsheet is not read again.";

/** Says how to go on without sending to anybody twice: what an earlier round of a loop, another node or a crashed attempt sent is not known here. */
function howToGoOn({ context, journal, results }: Shown): string {
	if (context.getExecutionCancelSignal?.()?.aborted) {
		return "n8n offers no Retry for a canceled execution. Do not execute the workflow again: that sends to everyone again. Look into the logs ('Log → Get Many'), and send to the rest.";
	}
	if (context.getMode() === 'integrated') {
		return `Retry the execution of this sub-workflow: that sends only what was certainly not sent. Do not retry the workflow that called it: that sends to everyone again. ${RETRY}`;
	}
	if (journal.hasSent) {
		return `Do not execute this step or the workflow again: that sends to everyone again. A retry of this execution, also by 'Retry On Fail', sends only what was certainly not sent. ${RETRY}${howToEnd(results)}`;
	}
	const again =
		"Once the cause is gone, execute again. If other messages were sent in this execution (by another node, an earlier attempt or an earlier round of a loop), retry it under 'Executions' instead, so that nobody gets them twice.";
	return context.getMode() === 'manual' ? again : `${again} ${RETRY}`;
}

/** Says how the next nodes run for those who got a message; '' when nobody did. */
function howToEnd(results: readonly Result[]): string {
	const accepted = results.filter(({ outcome }) => outcome === 'accepted').length;
	const left = results.filter(isFailed).length;
	if (accepted === 0 || left === 0) return '';
	const these = left === 1 ? 'this one' : `these ${formatNumber(left)}`;
	const were = accepted === 1 ? 'was' : 'were';
	return ` Done with ${these}? Set 'On Error' to 'Continue', save and retry: the next nodes run for the ${formatNumber(accepted)} that ${were} accepted.`;
}

/** An agent cannot look into the logs or retry an execution: it is told to whom it must not send again. */
function howAgentGoesOn(results: readonly Result[], mayHaveSent: boolean): string {
	const sent = results.flatMap((result) => {
		return mayHaveArrived(result) ? [result.message.to ?? 'unreadable'] : [];
	});
	if (sent.length === 0) {
		return mayHaveSent
			? 'An earlier attempt of this call may have sent messages: do not call this tool again for anybody in it.'
			: 'Nobody in this call got a message: call this tool again once the cause is gone.';
	}
	const again = 'Calling this tool again sends to everyone in the call again.';
	return sent.length > MOST_NAMED
		? `${again} Accepted, or possibly sent: ${formatNumber(sent.length)} recipients. Do not call it again for anybody in this call.`
		: `${again} Accepted, or possibly sent: ${sent.join(', ')}. Do not call it again for these, only for the others.`;
}

const ON_ERROR =
	"To send all other messages now, set 'On Error' in the node's settings to 'Continue (using error output)' or 'Continue'.";

/**
 * Returns the words of an error: its headline, what to do, and the first recipients by reason. An agent's model gets only the
 * message of an error, so all of it is there.
 *
 * @param hasOthers some messages would be sent if the failed ones did not stop them
 */
function wordsOf(
	{ context, journal, results }: Shown,
	headline: string,
	troubles: Failed[],
	hasOthers: boolean,
): { message: string; description?: string } {
	const reasons = troubles.length > 1 ? byReason(troubles) : [];
	if (isAgentsCall(context)) {
		const advice = howAgentGoesOn(results, journal.mayHaveSent);
		return { message: [headline, advice, ...reasons].join(' ') };
	}
	const advice = [howToGoOn({ context, journal, results }), ...(hasOthers ? [ON_ERROR] : [])];
	const below = [...advice, ...reasons];
	// n8n's editor shows it as HTML.
	const description = below.map((line) => line.replaceAll('<', '&lt;')).join('<br>');
	return { message: headline, description };
}

/** Returns an error that says why nothing was sent, and names the messages that cannot be sent: those that have failed so far. */
export function refusal(run: Shown) {
	const { context, journal, results } = run;
	const troubles = results.filter(isFailed);
	const [first] = troubles;
	const isOfAll = troubles.length === results.length;
	const some = `${formatNumber(troubles.length)} of ${formatNumber(results.length)}`;
	const all = `all ${formatNumber(results.length)} recipients`;
	let why = `of ${nameOf(first.message)}: ${first.why.message}`;
	if (haveOneReason(troubles))
		why = `of ${isOfAll ? `the same problem for ${all}` : `${some} recipients`}: ${first.why.message}`;
	else if (troubles.length > 1)
		why += ` In all, ${some} messages cannot be sent${isOfAll ? '' : ', so the others were not sent either'}.`;
	if (isOfAll && haveOneReason(troubles) && first.why.message.startsWith(EMPTY_RECIPIENT))
		why = `'To' is empty for ${all}: check the exact name of the column or field.${first.why.message.slice(EMPTY_RECIPIENT.length)}`;
	const nothing = `Nothing ${journal.mayHaveSent ? 'more ' : ''}was sent, because`;
	// Without `itemIndex`: n8n would add "[item 3]", counted from 0, to a sentence that says item 4.
	const { message, ...more } = wordsOf(run, `${nothing} ${why}`, troubles, !isOfAll);
	return new NodeOperationError(context.getNode(), message, more);
}

/**
 * Writes counts, for example "3 messages were accepted, 1 may have been sent". An outcome that nobody has is left out: "0 were
 * accepted" would be wrong of messages that may have been sent.
 *
 * @param first writes the first count, with its noun
 */
function counted(
	{ accepted, unknown, notSent = 0, skipped = 0 }: Counts,
	first: (count: number) => string,
): string {
	const were = (count: number) => (count === 1 ? 'was' : 'were');
	const all: Array<[count: number, outcome: string]> = [
		[accepted, `${were(accepted)} accepted`],
		[unknown, 'may have been sent'],
		[notSent, `${were(notSent)} not sent`],
		[skipped, `${were(skipped)} skipped`],
	];
	return all
		.filter(([count]) => count > 0)
		.map(([count, outcome], nth) => `${(nth === 0 ? first : formatNumber)(count)} ${outcome}`)
		.join(', ');
}

/** Adds to an error with which this attempt failed before it sent anything: that, and how many messages an earlier attempt sent. */
export function withEarlierAttempt(node: INode, error: unknown, journal: Journal): unknown {
	const nodeError = asNodeError(node, error);
	nodeError.description ??= `Nothing ${journal.mayHaveSent ? 'more ' : ''}was sent.`;
	const counts = counted(journal.counts(), (count) => numberOf(count, 'message'));
	if (counts) nodeError.message += ` In an earlier attempt, ${counts}.`;
	if (journal.wasCutOff)
		nodeError.message += ' An attempt was cut off: any message may have been sent.';
	return nodeError;
}

/** Counts results, for example "3 of 10 messages were accepted, 1 may have been sent, 6 were not sent". */
export function countResults(results: readonly Result[]): string {
	const having = (...outcomes: Array<Result['outcome']>) =>
		results.filter(({ outcome }) => outcomes.includes(outcome)).length;
	const counts = {
		accepted: having('accepted'),
		unknown: having('unknown'),
		notSent: having('notSent', 'rejected'),
		skipped: having('skipped'),
	};
	const ofAll = ` of ${numberOf(results.length, 'message')}`;
	return counted(counts, (count) => formatNumber(count) + ofAll);
}

/** Returns an error that says why sending stopped, and what was accepted. */
export function interruption(run: Shown) {
	const { context, journal, results } = run;
	const failures = results.filter(isFailed);
	// Messages that another failure stopped are counted, but not named.
	const causes = failures.filter(({ outcome, why }) => outcome !== 'notSent' || why.httpStatus);
	const troubles = causes.length > 0 ? causes : failures;
	const [first] = troubles;
	const whom = haveOneReason(troubles)
		? `${formatNumber(troubles.length)} recipients`
		: first.message.to;
	const isWarned = journal.hasSent && !isAgentsCall(context);
	const headline = `${isWarned ? 'Do not execute again, see below. ' : ''}${sentenceFor(whom, first.outcome, first.why.message)} ${countResults(results)}.`;
	const hasOthers = first.why.reason === 'refused' && failures.length > troubles.length;
	const { message, ...more } = wordsOf(run, headline, troubles, hasOthers);
	return serviceError(context.getNode(), { message, httpStatus: first.why.httpStatus }, more);
}

const CORRECT = 'Correct or remove this recipient.';

/** Names the recipients in a refusal in which the service names `messages[2]`, and says what to do about them. */
export function nameRecipients(failure: Failure, sent: Message[]): Failure {
	const named: Message[] = [];
	const message = failure.message.replace(
		/\bmessages\[(\d+)\](\.?)/g,
		(text: string, index: string, dot: string) => {
			const found = sent[Number(index)];
			if (!found) return text;
			named.push(found);
			return `${nameOf(found)}${dot && ': '}`;
		},
	);
	if (named.length === 0) return failure;
	const isOfAll = named.length === sent.length;
	return isOfAll ? { ...failure, message } : { ...failure, message: `${message} ${CORRECT}` };
}
