import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { asNodeError, inputError, serviceError } from '../n8n/errors';
import type { FailureReason } from '../service/failure';
import { formatNumber, numberOf } from '../utils/text';
import type { Problem } from './message';
import { EMPTY_RECIPIENT } from './phone';
import { isFailed, sentenceFor, type Failed, type Result } from './results';
import type { RunMemory } from './runMemory';

/** Names a position for the user, for example "item 3". */
type Place = (position: number) => string;

const messages = (count: number) => numberOf(count, 'message');

/** The most bad recipients that the headline names; if there are more, only the description names them. */
const IN_HEADLINE = 5;

/** The most bad recipients that the description names; the rest is counted. */
const IN_DESCRIPTION = 20;

/** Joins lines into a description, which n8n's editor shows as HTML. */
const lines = (...all: string[]) => all.map((line) => line.replaceAll('<', '&lt;')).join('<br>');

/**
 * Returns an error that says why nothing was sent, and names the bad recipients.
 *
 * @param hasSentBefore an earlier attempt has sent something
 */
export function refusal(
	node: INode,
	problems: Problem[],
	recipients: number,
	place: Place,
	hasSentBefore: boolean,
) {
	const groups = byReason(problems);
	const one = problems.length === 1;
	const few = problems.length <= IN_HEADLINE;
	const isOfAll = problems.length === recipients;
	const [[reason]] = groups;
	let why: string;
	if (one) {
		why = `of ${lineOf(problems, problems, place)}`;
	} else if (isOfAll && groups.size === 1) {
		why = whyNone(reason, recipients, place);
	} else {
		const count = `${formatNumber(problems.length)} of ${formatNumber(recipients)} messages cannot be sent`;
		if (few) why = `${count}: ${grouped(groups, place).join(' ')}`;
		else why = groups.size === 1 ? `${count}: ${reason}` : `${count}.`;
	}
	const again = hasSentBefore ? 'retry this execution' : 'execute again';
	const others = isOfAll
		? ''
		: " To send to everyone else, set 'On Error' in the node's settings: with 'Continue (using error output)' the node returns the bad ones at its error output, with 'Continue' among the others, as items with the field 'error'.";
	const advice = `Correct ${one ? 'it' : 'them'} and ${again}.${others}`;
	const nothing = hasSentBefore ? 'Nothing more was sent, because' : 'Nothing was sent, because';
	// Without `itemIndex`: n8n would add "[item 3]", counted from 0, to a sentence that says item 4.
	return inputError(node, `${nothing} ${why}`, {
		description: few ? lines(advice) : lines(advice, ...grouped(groups, place)),
	});
}

/** Groups problems by their reason, without the recipient's own number in it. */
function byReason(problems: Problem[]): Map<string, Problem[]> {
	const groups = new Map<string, Problem[]>();
	for (const problem of problems) {
		const { message, recipient } = problem;
		const reason = message.replace(`"${recipient}" is not a phone number`, 'Not a phone number');
		const group = groups.get(reason);
		if (group) group.push(problem);
		else groups.set(reason, [problem]);
	}
	return groups;
}

/** Says why no message can be sent: usually an expression has the wrong name of a column. */
function whyNone(reason: string, recipients: number, place: Place): string {
	const field =
		reason === EMPTY_RECIPIENT ? 'To' : /^'(.+?)' is empty\. .*expression/.exec(reason)?.[1];
	const count = formatNumber(recipients);
	if (!field) return `none of the ${count} messages can be sent: ${reason}`;
	return place(0).startsWith('item')
		? `'${field}' is empty for all ${count} items: check the column's exact name.`
		: `'${field}' is empty for all ${count} recipients: check the field's exact name.`;
}

/** Writes a line for each reason. The lines name the first bad recipients and count the others. */
function grouped(groups: Map<string, Problem[]>, place: Place): string[] {
	const all = [...groups.values()];
	const first = new Set(
		all
			.flat()
			.sort((a, b) => a.position - b.position)
			.slice(0, IN_DESCRIPTION),
	);
	const written = all.flatMap((group) => {
		const named = group.filter((problem) => first.has(problem));
		return named.length > 0 ? [{ group, line: lineOf(group, named, place) }] : [];
	});
	const left = all.flat().length - written.flatMap(({ group }) => group).length;
	return [
		...written.map(({ line }) => line),
		...(left > 0 ? [`${messages(left)} more, for other reasons.`] : []),
	];
}

/** Names recipients with one reason, for example "item 2 (abc), item 4 (x) and 10 more: Not a phone number: …" */
function lineOf(group: Problem[], named: Problem[], place: Place): string {
	const names = named
		.map(({ position, recipient }) => `${place(position)}${recipient ? ` (${recipient})` : ''}`)
		.join(', ');
	const [[reason]] = byReason(group);
	return group.length === 1
		? `${names}: ${group[0].message}`
		: `${names}${andMore(group.length - named.length)}: ${reason}`;
}

const andMore = (count: number) => (count > 0 ? ` and ${formatNumber(count)} more` : '');

/** Adds to an error, with which this attempt failed before it sent anything, how many messages an earlier attempt sent. */
export function withEarlierAttempt(node: INode, error: unknown, memory: RunMemory): unknown {
	if (memory.isEmpty) return error;
	let accepted = 0;
	let unknown = 0;
	for (const { entry } of memory.all()) {
		if (memory.fateOf(entry).fate === 'accepted') accepted++;
		else unknown++;
	}
	const sent = [
		...(accepted > 0 ? [`${messages(accepted)} ${accepted === 1 ? 'was' : 'were'} accepted`] : []),
		...(unknown > 0 ? [`${messages(unknown)} may have been sent`] : []),
	].join(' and ');
	const nodeError = asNodeError(node, error);
	nodeError.message += ` In an earlier attempt, ${sent}.`;
	return nodeError;
}

/** The most recipients that an error names, because a person reads it. */
const MOST_NAMED = 100;

/** Reasons that have nothing to do with one recipient. */
const SHARED_REASONS: Array<FailureReason | undefined> = [
	'keyRefused',
	'refusedOnTheWay',
	'rateLimited',
	'redirected',
	'notConnected',
	'blocked',
	'cancelled',
	'stopped',
];

/**
 * Returns an error that says why sending stopped, and what was accepted before.
 *
 * @param isCampaign each request is a campaign
 * @param isNothingSent no attempt has sent anything
 */
export function interruption(
	context: IExecuteFunctions,
	results: Result[],
	place: Place,
	{ isCampaign = false, isNothingSent = false } = {},
) {
	const node = context.getNode();
	const failures = results
		.map((result, position) => ({ result, position }))
		.filter((entry): entry is { result: Failed; position: number } => isFailed(entry.result));
	// Messages that another failure stopped are counted, but are not named.
	const causes = failures.filter(({ result }) => result.outcome !== 'notSent' || result.httpStatus);
	const [{ result: first }] = causes.length > 0 ? causes : failures;
	const accepted = results.filter(({ fate }) => fate === 'accepted').length;
	const hasTest = results.some((result) => result.fate === 'accepted' && result.message.isTest);
	const skipped = results.length - accepted - failures.length;
	const unknown = failures.filter(({ result }) => result.outcome === 'unknown');
	const left = failures.length - unknown.length;
	const counts = [
		`${formatNumber(accepted)} of ${messages(results.length)} ${accepted === 1 || results.length === 1 ? 'was' : 'were'} accepted before sending stopped${hasTest ? ' (one of them is the test)' : ''}`,
		...(unknown.length > 0 ? [`${formatNumber(unknown.length)} may have been sent`] : []),
		`${formatNumber(left)} ${left === 1 ? 'was' : 'were'} not sent`,
		...(skipped > 0 ? [`${formatNumber(skipped)} skipped`] : []),
	].join(', ');
	const together = failures.filter(
		({ result: { reason, outcome } }) => reason === first.reason && outcome === first.outcome,
	);
	const mayDiffer = first.outcome === 'unknown' || !SHARED_REASONS.includes(first.cause);
	const isOfOne = results.length === 1 || (together.length === 1 && mayDiffer);
	const isOfSome = together.length < results.length - skipped && mayDiffer;
	const isOnlyTest = first.isTest === true && failures.length === 1 && accepted === 0;
	const description = lines(
		isOnlyTest ? testAdvice(context, first) : howToGoOn(context, results, isNothingSent),
		...(isOfSome && !isOnlyTest && !isTool(context)
			? [
					"With 'On Error' set to continue, one failed recipient does not stop the others, and each has an item that says what happened.",
				]
			: []),
		...(isOfSome && !isOfOne && first.outcome !== 'unknown'
			? [`This concerns ${named(together, place, IN_DESCRIPTION)}.`]
			: []),
		...otherReasons(causes, first.reason, place),
		...(unknown.length > 1 ? [`May have been sent: ${named(unknown, place)}.`] : []),
	);
	let message: string;
	if (isOfOne) message = isOnlyTest ? first.sentence : `${first.sentence} ${counts}.`;
	else if (!isNothingSent) {
		message = `${sentenceFor(`${formatNumber(together.length)} recipients`, first)} ${counts}.`;
	} else if (isCampaign && first.outcome === 'rejected' && mayDiffer) {
		message = `The campaign was refused, nobody was sent anything: ${first.reason}`;
	} else message = `Nobody was sent anything: ${first.reason}`;
	return serviceError(node, { message, httpStatus: first.httpStatus }, { description });
}

const isTool = (context: IExecuteFunctions) =>
	context.isToolExecution?.() === true || context.getNode().type.endsWith('Tool');

const testAdvice = (context: IExecuteFunctions, { recipient }: Failed) =>
	`This was a test: only ${recipient} was to get a message.${context.getMode() === 'manual' ? ' You can execute this step again.' : ''}`;

/** Says how to send the rest without sending to everyone again; this depends on who runs the node. */
function howToGoOn(context: IExecuteFunctions, results: Result[], isNothingSent: boolean): string {
	if (isTool(context)) {
		const accepted = results.flatMap((result) =>
			result.fate === 'accepted' ? [result.message.to] : [],
		);
		return `Calling this tool again sends to everyone in the call again. Accepted already: ${firstOf(accepted, MOST_NAMED)}. Call it again for the others only.`;
	}
	if (isNothingSent) {
		return context.getMode() === 'manual'
			? 'Nobody got a message, so you can execute this step again.'
			: 'Nobody got a message, so retrying this execution sends to everyone.';
	}
	return context.getMode() === 'manual'
		? 'Do not execute this step or the workflow again: that sends to everyone again. Press Retry on this execution in the list of executions: it sends only the messages that were certainly not sent.'
		: "Retrying this execution, or 'Retry On Fail', sends only the messages that were certainly not sent.";
}

type Placed = { result: Failed; position: number };

/** Names the other reasons of failures, each once, because all messages of a request fail for one reason. */
function otherReasons(causes: Placed[], first: string, place: Place): string[] {
	const byCause = new Map<string, Placed>();
	for (const cause of causes) {
		if (!byCause.has(cause.result.reason)) byCause.set(cause.result.reason, cause);
	}
	byCause.delete(first);
	const others = [...byCause.values()];
	return [
		...others
			.slice(0, IN_DESCRIPTION)
			.map(({ result, position }) => `Also ${place(position)}: ${result.sentence}`),
		...(others.length > IN_DESCRIPTION
			? [`And ${formatNumber(others.length - IN_DESCRIPTION)} other reasons.`]
			: []),
	];
}

/** Names recipients, for example "item 3 (385911234567), item 5 (385911234568) and 10 more". */
const named = (placed: Placed[], place: Place, most = MOST_NAMED) =>
	firstOf(
		placed.map(({ result, position }) => `${place(position)} (${result.recipient})`),
		most,
	);

function firstOf(names: string[], most: number): string {
	if (names.length === 0) return 'nobody';
	return `${names.slice(0, most).join(', ')}${andMore(names.length - most)}`;
}
