import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { asNodeError, inputError, serviceError } from '../n8n/errors';
import type { Failure } from '../service/failure';
import { formatNumber, numberOf } from '../utils/text';
import { isAgentsCall, type Journal } from './journal';
import { EMPTY_RECIPIENT } from './phone';
import { isFailed, sentenceFor, type Result } from './results';
import type { Message, Run } from './sendOperation';

/*
 * The errors of a run that sends. The headline is the first problem's sentence and the counts; below it stand what to do and
 * the first recipients, by reason.
 */

/** Names a position for the user, for example "item 3". */
type Place = (position: number) => string;

/** What is wrong with one recipient. */
type Trouble = { position: number; recipient?: string; reason: string };

/** The most recipients that an error names; the others are counted. */
const MOST_NAMED = 20;

/** The most recipients that an agent is told: it must not send to them again. */
const MOST_NAMED_TO_AGENT = 100;

const messages = (count: number) => numberOf(count, 'message');

const were = (count: number) => (count === 1 ? 'was' : 'were');

const andMore = (count: number) => (count > 0 ? ` and ${formatNumber(count)} more` : '');

/** Joins lines into a description, which n8n's editor shows as HTML. */
const lines = (...all: string[]) => all.map((line) => line.replaceAll('<', '&lt;')).join('<br>');

const nameOf = (recipient: string | undefined, place: string) =>
	recipient ? `${place} (${recipient})` : place;

const haveOneReason = ([first, ...others]: Trouble[]) =>
	others.length > 0 && others.every(({ reason }) => reason === first.reason);

/** Returns a line for each reason of the first recipients, such as "item 2 (12), item 4 and 10 more: It is too short." */
function byReason(troubles: Trouble[], place: Place): string[] {
	const first = troubles.slice(0, MOST_NAMED);
	const counts = new Map<string, number>();
	for (const { reason } of troubles) counts.set(reason, (counts.get(reason) ?? 0) + 1);
	let others = troubles.length;
	const written = [...new Set(first.map(({ reason }) => reason))].map((reason) => {
		const named = first.filter((each) => each.reason === reason);
		const names = named.map(({ position, recipient }) => nameOf(recipient, place(position)));
		const count = counts.get(reason)!;
		others -= count;
		return `${names.join(', ')}${andMore(count - named.length)}: ${reason}`;
	});
	return others > 0 ? [...written, `${messages(others)} more, for other reasons.`] : written;
}

const RETRY =
	"In the list of executions, 'Retry with currently saved workflow' takes the corrected node, 'Retry with original workflow' the node as it was. Both use the saved input: a corrected spreadsheet is not read again.";

/** Says how to go on without sending to anybody twice: what an earlier round of a loop or another node sent is not known here. */
function howToGoOn(context: IExecuteFunctions, hasSent: boolean): string {
	if (context.getMode() === 'integrated') {
		return `Retry the execution of this sub-workflow: that sends only what was certainly not sent. Do not retry the workflow that called it: that sends to everyone again. ${RETRY}`;
	}
	const isManual = context.getMode() === 'manual';
	if (!hasSent) {
		return isManual
			? 'This run of the node sent nothing: execute again once the cause is gone. If an earlier round of a loop or another node has sent messages, retry instead: executing again would send those twice.'
			: `This run of the node sent nothing: retry once the cause is gone. ${RETRY}`;
	}
	return isManual
		? `Do not execute this step or the workflow again: that sends to everyone again. A retry of this execution sends only what was certainly not sent. ${RETRY}`
		: `A retry, also by 'Retry On Fail', sends only what was certainly not sent. ${RETRY}`;
}

const ON_ERROR =
	"To send to the others all the same, set 'On Error' in the node's settings to 'Continue (using error output)' or 'Continue'.";

type Shown = Pick<Run, 'context' | 'journal' | 'place' | 'results'>;

/** Returns what stands below a headline: what to do, and the first recipients by reason. */
const below = (advice: Array<string | false>, troubles: Trouble[], place: Place) =>
	lines(
		...advice.filter((line) => line !== false),
		...(troubles.length > 1 ? byReason(troubles, place) : []),
	);

/** Returns an error that says why nothing was sent, and names the messages that cannot be sent. */
export function refusal({ context, journal, place, results }: Shown, refused: Message[]) {
	const hasSent = journal.mayHaveSent;
	const troubles = refused.map(
		({ position, to: recipient, problem: reason = '' }): Trouble => ({
			position,
			recipient,
			reason,
		}),
	);
	const [{ reason, recipient, position }] = troubles;
	const isOfAll = troubles.length === results.length;
	const some = `${formatNumber(troubles.length)} of ${formatNumber(results.length)}`;
	let why = `of ${nameOf(recipient, place(position))}: ${reason}`;
	if (haveOneReason(troubles)) why = `of ${some} recipients: ${reason}`;
	else if (troubles.length > 1) why = `${why} In all, ${some} messages cannot be sent.`;
	if (isOfAll && haveOneReason(troubles) && reason === EMPTY_RECIPIENT) {
		const [all, column] = place(0).startsWith('item')
			? ['items', 'column']
			: ['recipients', 'field'];
		why = `'To' is empty for all ${formatNumber(results.length)} ${all}: check the ${column}'s exact name.`;
	}
	const advice = isAgentsCall(context)
		? [howAgentGoesOn(results)]
		: [howToGoOn(context, hasSent), !isOfAll && ON_ERROR];
	// Without `itemIndex`: n8n would add "[item 3]", counted from 0, to a sentence that says item 4.
	const nothing = `Nothing ${hasSent ? 'more ' : ''}was sent, because`;
	const description = below(advice, troubles, place);
	return inputError(context.getNode(), `${nothing} ${why}`, { description });
}

/** Adds to an error, with which this attempt failed before it sent anything, how many messages an earlier attempt sent. */
export function withEarlierAttempt(
	node: INode,
	error: unknown,
	journal: Pick<Journal, 'isEmpty' | 'counts'>,
): unknown {
	if (journal.isEmpty) return error;
	const { accepted, unknown } = journal.counts();
	const sent = [
		...(accepted > 0 ? [`${messages(accepted)} ${were(accepted)} accepted`] : []),
		...(unknown > 0 ? [`${messages(unknown)} may have been sent`] : []),
	].join(' and ');
	const nodeError = asNodeError(node, error);
	nodeError.message += ` In an earlier attempt, ${sent}.`;
	return nodeError;
}

/** Counts results, for example "3 of 10 messages were accepted, 1 may have been sent, 6 were not sent". */
export function countResults(results: Result[]): string {
	const failures = results.filter(isFailed);
	const accepted = results.filter(({ fate }) => fate === 'accepted').length;
	const unknown = failures.filter(({ outcome }) => outcome === 'unknown').length;
	const notSent = failures.length - unknown;
	const skipped = results.length - accepted - failures.length;
	return [
		`${formatNumber(accepted)} of ${messages(results.length)} ${results.length === 1 ? 'was' : were(accepted)} accepted`,
		...(unknown > 0 ? [`${formatNumber(unknown)} may have been sent`] : []),
		...(notSent > 0 ? [`${formatNumber(notSent)} ${were(notSent)} not sent`] : []),
		...(skipped > 0 ? [`${formatNumber(skipped)} ${were(skipped)} skipped`] : []),
	].join(', ');
}

/** Returns an error that says why sending stopped, and what was accepted. */
export function interruption({ context, journal, place, results }: Shown) {
	const hasSent = !journal.isEmpty || results.some(mayHaveBeenSent);
	const failures = results.flatMap((result, position) =>
		isFailed(result)
			? [{ ...result, position, failed: result, reason: sentenceFor(undefined, result) }]
			: [],
	);
	// Messages that another failure stopped are counted, but not named.
	const causes = failures.filter(({ outcome, httpStatus }) => outcome !== 'notSent' || httpStatus);
	const troubles = causes.length > 0 ? causes : failures;
	const [{ failed, cause, recipient, httpStatus }] = troubles;
	const isAgent = isAgentsCall(context);
	const whom = haveOneReason(troubles) ? `${formatNumber(troubles.length)} recipients` : recipient;
	const warning = hasSent && !isAgent && context.getMode() === 'manual';
	const message = `${warning ? 'Do not execute again, see below. ' : ''}${sentenceFor(whom, failed)} ${countResults(results)}.`;
	const advice = [
		isAgent ? howAgentGoesOn(results) : howToGoOn(context, hasSent),
		cause === 'refused' && failures.length > troubles.length && !isAgent && ON_ERROR,
	];
	const description = below(advice, troubles, place);
	return serviceError(context.getNode(), { message, httpStatus }, { description });
}

const mayHaveBeenSent = (result: Result) => isFailed(result) && result.outcome === 'unknown';

/** An agent cannot look into the logs or retry an execution: it is told to whom it must not send again. */
function howAgentGoesOn(results: Result[]): string {
	const sent = results.flatMap((result) => {
		if (!result || result.fate === 'skipped') return [];
		if (result.fate === 'accepted') return [result.message.to];
		return result.outcome === 'unknown' ? [result.recipient ?? 'unreadable'] : [];
	});
	if (sent.length === 0)
		return 'Nobody in this call got a message: correct it, and call this tool again.';
	const named = sent.slice(0, MOST_NAMED_TO_AGENT);
	return `Calling this tool again sends to everyone in the call again. Accepted, or possibly sent: ${named.join(', ')}${andMore(sent.length - named.length)}. Do not call it again for these, only for the others.`;
}

/** Names the recipients in a refusal in which the service names `messages[2]`, and says what to do about them. */
export function nameRecipients(failure: Failure, sent: Message[], place: Place): Failure {
	const named: Message[] = [];
	const message = failure.message.replace(
		/\bmessages\[(\d+)\](\.?)/g,
		(text: string, index: string, dot: string) => {
			const found = sent[Number(index)];
			if (!found) return text;
			named.push(found);
			return `${place(found.position)} (${found.to})${dot && ': '}`;
		},
	);
	if (named.length === 0) return failure;
	const cure = named.some(({ to }) => /[^\d+]/.test(to))
		? "Its number was sent as it was given: choose Digits in the option 'Phone Format'."
		: 'Correct or remove this recipient.';
	return { ...failure, message: `${message} ${cure}` };
}
