import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { isAgentsCall } from '../n8n/agentsCall';
import { asNodeError, serviceError } from '../n8n/nodeErrors';
import { formatNumber, numberOf } from '../utils/text';
import type { Journal } from './journal';
import { othersSent } from './otherRuns';
import {
	isFailed,
	mayHaveArrived,
	nameOf,
	reasonOf,
	sentenceFor,
	type Failed,
	type Result,
} from './results';

/*
 * The errors of a run that sends. By the first words of the headline people decide between executing and retrying
 * (docs/when-it-fails.md); then come the counts and the first problem. Below, and for an agent behind it, stand what to
 * do and the first recipients, by reason.
 */

type Shown = {
	context: IExecuteFunctions;
	journal: Journal;
	results: readonly Result[];
	/** A retry refuses a test. */
	isTest?: boolean;
};

/** The most recipients that an error names; the others are counted. */
const MOST_NAMED = 20;

/** Whether messages of this execution have left, or may have. */
const maySendTwice = ({ context, journal }: Omit<Shown, 'results'>) =>
	journal.mayHaveSent || othersSent(context, journal);

/** The first words of an error that ended a run before this attempt sent anything. */
const nothingSent = (run: Omit<Shown, 'results'>) =>
	`Nothing ${maySendTwice(run) ? 'more ' : ''}was sent.`;

const haveOneReason = ([first, ...others]: Failed[]) =>
	others.length > 0 && others.every((other) => reasonOf(other) === reasonOf(first));

/** Returns a line for each reason of the first recipients, such as "item 2 (12), item 4: It is too short.", and counts the others. */
function byReason(troubles: Failed[]): string[] {
	const first = troubles.slice(0, MOST_NAMED);
	const isInHeadline = haveOneReason(troubles);
	const written = [...new Set(first.map(reasonOf))].map((reason) => {
		const named = first.filter((each) => reasonOf(each) === reason);
		const names = named.map(({ message }) => nameOf(message)).join(', ');
		return isInHeadline ? `${names}.` : `${names}: ${reason}`;
	});
	const others = troubles.length - first.length;
	return others > 0 ? [...written, `And ${formatNumber(others)} more.`] : written;
}

const RETRY =
	"Under 'Executions', press its arrow 'Retry execution' (not 'Debug in editor'), then 'Retry with currently saved workflow'. The saved list is used: a corrected spreadsheet is not read again.";

const LOOK_INTO_LOGS = "Send only to those who are not in the logs ('Log → Get Many').";

/**
 * Says how to go on without sending to anybody twice.
 *
 * @param hasOthers some messages would be sent if the failed ones did not stop them
 */
function howToGoOn(run: Shown, hasOthers: boolean): string {
	const { context, results } = run;
	const mode = context.getMode();
	if (maySendTwice(run) && context.getExecutionCancelSignal?.()?.aborted)
		return `n8n offers no retry of a canceled execution. ${LOOK_INTO_LOGS}`;
	if (mode === 'integrated')
		return `Retry the execution of this sub-workflow, not that of the workflow that called it, which sends to everyone again. ${RETRY}`;
	if (maySendTwice(run)) {
		if (results.every(({ outcome }) => outcome === 'unknown' || outcome === 'accepted'))
			return LOOK_INTO_LOGS;
		const isDone = results.some(({ outcome }) => outcome === 'accepted');
		const without = isDone ? " To go on without them, first set 'On Error' to 'Continue'." : '';
		return `To send the rest: correct the node, save, and retry this execution. ${RETRY}${without}`;
	}
	const others = hasOthers ? " To send to the others now: Settings → 'On Error' → 'Continue'." : '';
	const again = `Once that is corrected, execute again.${others}`;
	return mode === 'manual' || run.isTest ? again : `${again} Or retry this execution. ${RETRY}`;
}

/** An agent cannot look into the logs or retry an execution: it is told whether to call again. */
const howAgentGoesOn = ({ journal, results }: Shown) =>
	journal.mayHaveSent || results.some(mayHaveArrived)
		? 'Do not call this tool again for anybody in this call: they have the message, or may have.'
		: 'Call this tool again once the cause is gone.';

/**
 * Returns the words of an error: its headline, what to do, and the first recipients by reason. An agent's model gets only the
 * message of an error, so all of it is there.
 */
function wordsOf(run: Shown, headline: string, troubles: Failed[], hasOthers: boolean) {
	// Of all recipients, for one reason, the headline says enough.
	const isSaid = troubles.length === run.results.length && haveOneReason(troubles);
	const reasons = troubles.length > 1 && !isSaid ? byReason(troubles) : [];
	if (isAgentsCall(run.context))
		return { message: [headline, howAgentGoesOn(run), ...reasons].join(' ') };
	const below = [howToGoOn(run, hasOthers), ...reasons];
	// n8n's editor shows it as HTML.
	const description = below.map((line) => line.replaceAll('<', '&lt;')).join('<br>');
	return { message: headline, description };
}

/** Returns an error that names the messages that cannot be sent, so that nothing is sent: those that have failed so far. */
export function refusal(run: Shown) {
	const { context, results } = run;
	const troubles = results.filter(isFailed);
	const [first] = troubles;
	const isOfAll = troubles.length === results.length;
	const some = `${formatNumber(troubles.length)} of ${numberOf(results.length, 'item')}`;
	const named = nameOf(first.message);
	let why = `${named[0].toUpperCase()}${named.slice(1)}: ${first.why.message}`;
	if (haveOneReason(troubles))
		why = isOfAll
			? `The same problem for all ${formatNumber(results.length)} items: ${first.why.message} Check the node's fields, and the names of columns in them.`
			: `The same problem for ${some}: ${first.why.message}`;
	else if (troubles.length > 1) why += ` In all, ${some} cannot be sent.`;
	const { message, ...more } = wordsOf(run, why, troubles, !isOfAll);
	// Without `itemIndex`: n8n would add "[item 3]", counted from 0, to a sentence that says item 4.
	return new NodeOperationError(context.getNode(), message, more);
}

const MAY_HAVE_BEEN = 'may have been sent';

/**
 * Writes counts, for example "3 of 10 messages were accepted, 1 may have been sent". An outcome that nobody has is left out: "0
 * were accepted" would be wrong of messages that may have been sent.
 */
function countedOutcomes(counts: Array<[outcome: string, count: number]>, all?: number): string {
	const written = counts.filter(([, count]) => count > 0);
	const ofAll = (count: number) =>
		all === undefined ? ` message${count === 1 ? '' : 's'}` : ` of ${numberOf(all, 'message')}`;
	return written
		.map(([outcome, count], nth) => {
			const were = outcome === MAY_HAVE_BEEN ? '' : count === 1 ? ' was' : ' were';
			return `${formatNumber(count)}${nth === 0 ? ofAll(count) : ''}${were} ${outcome}`;
		})
		.join(', ');
}

/** Adds to a sentence what an earlier attempt sent: a person may read only this one. */
export function withEarlierAttempt(message: string, journal: Journal): string {
	const { accepted, unknown } = journal.counts();
	const counts = countedOutcomes([
		['accepted', accepted],
		[MAY_HAVE_BEEN, unknown],
	]);
	const earlier = counts ? ` In an earlier attempt, ${counts}.` : '';
	const cutOff = ' An attempt was cut off: any message may have been sent.';
	return message + earlier + (journal.wasCutOff ? cutOff : '');
}

/** Words an error with which this attempt failed before it sent anything. */
export function asNothingSent(context: IExecuteFunctions, error: unknown, journal: Journal) {
	const nodeError = asNodeError(context.getNode(), error);
	const message = withEarlierAttempt(nodeError.message, journal);
	nodeError.message = `${nothingSent({ context, journal })} ${message}`;
	return nodeError;
}

/** Counts results, for example "3 of 10 messages were accepted, 1 may have been sent, 6 were not sent". */
export function countResults(results: readonly Result[]): string {
	const having = (...outcomes: Array<Result['outcome']>) =>
		results.filter(({ outcome }) => outcomes.includes(outcome)).length;
	const counts: Array<[string, number]> = [
		['accepted', having('accepted')],
		[MAY_HAVE_BEEN, having('unknown')],
		['not sent', having('notSent', 'rejected')],
		['skipped', having('skipped')],
	];
	return countedOutcomes(counts, results.length);
}

/** Returns an error that says why sending stopped, and what was accepted. */
export function interruption(run: Shown) {
	const { context, journal, results } = run;
	const failures = results.filter(isFailed);
	// Messages that another failure stopped are counted, but not named.
	const causes = failures.filter(({ outcome, why }) => outcome !== 'notSent' || why.httpStatus);
	const troubles = causes.length > 0 ? causes : failures;
	const [first] = troubles;
	const isOfAll = troubles.length === results.length && haveOneReason(troubles);
	// "Not sent to all 3" would mean that some got it.
	const all = first.outcome === 'unknown' ? 'all ' : 'any of the ';
	const whom = haveOneReason(troubles)
		? `${isOfAll ? all : ''}${formatNumber(troubles.length)} recipients`
		: first.message.to;
	const sentence = sentenceFor(whom, first.outcome, first.why.message);
	// What has the same outcome needs no counts.
	const isCounted = journal.hasSent && results.length > 1 && !isOfAll;
	const counts = isCounted ? `${countResults(results)}. ` : '';
	const begins = journal.hasSent ? 'Do not execute again.' : nothingSent(run);
	const headline = `${begins} ${counts}${sentence}`;
	const hasOthers = first.why.reason === 'refused' && failures.length > troubles.length;
	const { message, ...more } = wordsOf(run, headline, troubles, hasOthers);
	return serviceError(context.getNode(), { message, httpStatus: first.why.httpStatus }, more);
}
