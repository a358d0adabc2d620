import { type IExecuteFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { isAgentsCall } from '../n8n/execution';
import { asNodeError, sentenceOf, serviceError } from '../n8n/nodeErrors';
import { NO_DEFAULT_CODE } from '../phone/phone';
import { meetsAll } from '../service/outcomes';
import { formatNumber, numberOf } from '../utils/text';
import { badRows, countsIn, type Tally } from './tally';
import type { Journal } from './journal';
import { othersSent } from './otherRuns';
import { nameOf, sentenceFor } from './results';

/*
 * The errors of a run that sends. By the first words of the headline people decide between executing and retrying
 * (docs/when-it-fails.md); then come the counts and the first problem. Below, and for an agent behind it, stand what to
 * do and the first recipients, by reason.
 */

type Run = { context: IExecuteFunctions; journal: Journal };

type CountedRun = Run & {
	tally: Tally;
	/** A retry refuses a test. */
	isTest?: boolean;
};

/** Returns an error that names the rows that cannot be sent, so that nothing is sent. */
export function badRowsError(run: CountedRun) {
	const { context, tally } = run;
	const [{ message: first, why }] = tally.failures;
	const isOne = tally.failures.length === 1;
	const whom = isOne ? nameOf(first).replace('i', 'I') : badRows(tally);
	const reason = isOne || tally.hasOneReason ? `: ${why.message}` : '.';
	const look = tally.isOfAll ? " Check the node's fields, and the names of columns in them." : '';
	const { message, ...more } = wordsOf(run, whom + reason + look);
	// Without `itemIndex`: n8n would add "[item 3]", counted from 0, to a sentence that says item 4.
	return new NodeOperationError(context.getNode(), message, more);
}

/** Returns an error that says why sending stopped, and what was accepted. */
export function interruption(run: CountedRun) {
	const { context, journal, tally } = run;
	const { all, counts, failures, hasOneReason, isOfAll } = tally;
	const [first] = failures;
	const whom = hasOneReason ? `${formatNumber(failures.length)} recipients` : first.message.to;
	const begins = journal.hasSent ? 'Do not execute again.' : nothingSent(run);
	// What all have in common needs no counts.
	const isCounted = journal.hasSent && all > 1 && !isOfAll;
	const counted = isCounted ? ` ${numberOf(all, 'message')}: ${countsIn(counts)}.` : '';
	const headline = `${begins}${counted} ${sentenceFor(whom, first)}`;
	const { message, ...more } = wordsOf(run, headline);
	const { httpStatus } = first.why;
	return serviceError(context.getNode(), { message, httpStatus }, more);
}

/** An agent's model gets only the message of an error, so all of it is there. */
function wordsOf(run: CountedRun, headline: string): { message: string; description?: string } {
	const reasons = reasonsIn(run.tally);
	if (isAgentsCall(run.context))
		return { message: [headline, howAgentGoesOn(run), ...reasons].join(' ') };
	// n8n's editor shows it as HTML.
	const below = [howToGoOn(run), ...reasons].map((line) => line.replaceAll('<', '&lt;'));
	return { message: headline, description: below.join('<br>') };
}

const HOW_TO_RETRY =
	"Under 'Executions', press its arrow 'Retry execution' (not 'Debug in editor'), then 'Retry with currently saved workflow'. The saved list is used: a corrected spreadsheet is not read again.";

const LOOK_INTO_LOGS = "Send only to those who are not in the logs ('Log → Get Many').";

const ONLY_SUB_WORKFLOW =
	'Retry the execution of this sub-workflow, not that of the workflow that called it, which sends to everyone again. That does not continue the calling workflow.';

const CALL_AGAIN =
	'Once that is corrected, execute the workflow that called this one. Only if it has sent to others already, retry the execution of this sub-workflow instead. That does not continue the calling workflow.';

/** Says how to go on without sending to anybody twice. */
function howToGoOn(run: CountedRun): string {
	const { context, tally } = run;
	const { accepted = 0, unknown = 0, ready = 0 } = tally.counts;
	const mode = context.getMode();
	if (maySendTwice(run) && context.getExecutionCancelSignal?.()?.aborted)
		return `n8n offers no retry of a canceled execution. ${LOOK_INTO_LOGS}`;
	if (mode === 'integrated')
		return `${maySendTwice(run) ? ONLY_SUB_WORKFLOW : CALL_AGAIN} ${HOW_TO_RETRY}`;
	if (maySendTwice(run)) {
		if (accepted + unknown === tally.all) return LOOK_INTO_LOGS;
		const without =
			accepted > 0 ? " To go on without them, first set 'On Error' to 'Continue'." : '';
		return `To send the rest: correct the node, save, and retry this execution. ${HOW_TO_RETRY}${without}`;
	}
	// Anything but the service's refusal of this message would stop the others, too.
	const [first] = tally.failures;
	const isOnlyThis = first?.why.cause === 'refused' && !meetsAll(first.why);
	const hasOthers = ready > 0 || (tally.stopped > 0 && isOnlyThis);
	const others = hasOthers ? " To send to the others now: Settings → 'On Error' → 'Continue'." : '';
	const again = `Once that is corrected, execute again.${others}`;
	return mode === 'manual' || run.isTest
		? again
		: `${again} Or retry this execution. ${HOW_TO_RETRY}`;
}

/** An agent cannot look into the logs or retry an execution: it is told whether to call again. */
const howAgentGoesOn = ({ journal, tally: { counts } }: CountedRun) =>
	journal.mayHaveSent || counts.accepted || counts.unknown
		? 'Do not call this tool again for anybody in this call: they have the message, or may have.'
		: 'Call this tool again once the cause is gone.';

/** Returns a line for each reason of the first failures, such as "item 2 (12), item 4: It is too short.", and counts the others. */
function reasonsIn({ failures, hasOneReason, isOfAll, names, unnamed }: Tally): string[] {
	if (failures.length === 1 || isOfAll) return [];
	// The headline has said it.
	const lines = [...names].map(([reason, named]) =>
		hasOneReason
			? `${named.join(', ')}.`
			: `${named.join(', ')}: ${reason.replace(` ${NO_DEFAULT_CODE}`, '')}`,
	);
	if (unnamed > 0) lines.push(`And ${formatNumber(unnamed)} more.`);
	// True of all rows, so it is said once.
	const isAbout = !hasOneReason && [...names.keys()].some((each) => each.includes(NO_DEFAULT_CODE));
	return isAbout ? [...lines, NO_DEFAULT_CODE] : lines;
}

/** Words an unexpected error that came while messages were sent, or behind that. */
export function asInterruption(context: IExecuteFunctions, error: unknown, journal: Journal) {
	if (error instanceof NodeApiError || !journal.hasSent) return error;
	const counts = countsIn(journal.counts());
	const soFar = counts && ` So far: ${counts}.`;
	const message = `Do not execute again.${soFar} Something unexpected happened (${sentenceOf(error)}).`;
	return new NodeOperationError(context.getNode(), message);
}

/** Words an error with which this attempt failed before it sent anything. */
export function asNothingSent(context: IExecuteFunctions, error: unknown, journal: Journal) {
	const nodeError = asNodeError(context.getNode(), error);
	const message = withEarlierAttempt(nodeError.message, journal);
	nodeError.message = `${nothingSent({ context, journal })} ${message}`;
	return nodeError;
}

/** Adds to a sentence what an earlier attempt sent: a person may read only this one. */
export function withEarlierAttempt(message: string, journal: Journal): string {
	const counts = countsIn(journal.counts());
	const earlier = counts ? ` In an earlier attempt: ${counts}.` : '';
	const cutOff = ' An attempt was cut off: any message may have been sent.';
	return message + earlier + (journal.wasCutOff ? cutOff : '');
}

/** The first words of an error that ended a run before this attempt sent anything. */
const nothingSent = (run: Run) => `Nothing ${maySendTwice(run) ? 'more ' : ''}was sent.`;

/** Whether messages of this execution have left, or may have. */
const maySendTwice = ({ context, journal }: Run) =>
	journal.mayHaveSent || othersSent(context, journal);
