import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { asNodeError, inputError, serviceError } from '../n8n/errors';
import { failedItem } from '../n8n/failedItems';
import { formatNumber } from '../utils/text';
import type { Memory } from './memory';
import type { Problem } from './message';
import type { Result } from './results';

type Failed = Extract<Result, { fate: 'failed' }>;
type Accepted = Extract<Result, { fate: 'accepted' }>;

const isFailed = (result: Result): result is Failed => result.fate === 'failed';

const messages = (count: number) =>
	`${formatNumber(count)} ${count === 1 ? 'message' : 'messages'}`;

/** One output item for each recipient, in the order of the recipients. */
export const recipientItems = (results: Result[]): INodeExecutionData[] =>
	results.map((result) =>
		isFailed(result)
			? asFailedItem(result)
			: { json: result.json, pairedItem: { item: result.message.item } },
	);

function asFailedItem({ sentence, item, httpStatus, outcome, recipient, identifier }: Failed) {
	return failedItem(sentence, { httpStatus, outcome, recipient, identifier }, item);
}

/**
 * One output item for each accepted request, in the order of their first recipients; recipients that
 * were left out or failed still have an item each.
 */
export function requestItems(
	results: Result[],
	summary: (accepted: Accepted[]) => INodeExecutionData['json'],
): INodeExecutionData[] {
	const requests = new Map<unknown, Accepted[]>();
	const items: Array<INodeExecutionData | Accepted[]> = [];
	for (const result of results) {
		if (result.fate !== 'accepted') {
			items.push(...recipientItems([result]));
			continue;
		}
		const id = result.kept.campaign_id;
		const together = requests.get(id);
		if (together) {
			together.push(result);
		} else {
			requests.set(id, [result]);
			items.push(requests.get(id)!);
		}
	}
	return items.map((entry) =>
		Array.isArray(entry)
			? {
					json: summary(entry),
					pairedItem: [...new Set(entry.map(({ message }) => message.item))].map((item) => ({
						item,
					})),
				}
			: entry,
	);
}

/** So many bad recipients are told in the headline; more only in the text below it. */
const IN_HEADLINE = 5;

/**
 * The error that says why nothing was sent, and names every bad recipient.
 *
 * @param hasSentBefore an earlier try has sent something
 */
export function refusal(
	node: INode,
	problems: Problem[],
	recipients: number,
	place: (position: number) => string,
	hasSentBefore: boolean,
) {
	const lines = problems.map(
		({ position, recipient, message }) =>
			`${place(position)}${recipient ? ` (${recipient})` : ''}: ${message}`,
	);
	const few = lines.length <= IN_HEADLINE;
	const one = lines.length === 1;
	const nothing = hasSentBefore ? 'Nothing more was sent, because' : 'Nothing was sent, because';
	const headline = one
		? `${nothing} of ${lines[0]}`
		: `${nothing} ${formatNumber(lines.length)} of ${formatNumber(recipients)} messages cannot be sent${few ? `: ${lines.join(' ')}` : '.'}`;
	const again = hasSentBefore ? 'retry this execution' : 'execute again';
	const advice = `Correct ${one ? 'it' : 'them'} and ${again}. To send to everyone else all the same, set 'On Error' in the node's settings: with 'Continue (using error output)' the bad ones leave through the error output, with 'Continue' they come out among the others, as items with the field 'error'.`;
	return inputError(node, headline, {
		description: few ? advice : `${lines.join('\n')}\n${advice}`,
		itemIndex: one ? problems[0].item : undefined,
	});
}

/** Adds to an error from before sending how many messages an earlier attempt of the execution sent. */
export function withEarlierAttempt(node: INode, error: unknown, memory: Memory): unknown {
	if (memory.isEmpty) return error;
	let accepted = 0;
	let unknown = 0;
	for (const place of memory.all()) {
		if (memory.fateOf(place).fate === 'accepted') accepted++;
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

/** Recipients that are named one by one: an error is read by a person. */
const NAMED = 100;

/** The error that says where sending stopped, and what was accepted before. */
export function interruption(
	context: IExecuteFunctions,
	results: Result[],
	place: (position: number) => string,
) {
	const node = context.getNode();
	const failures = results
		.map((result, position) => ({ result, position }))
		.filter((entry): entry is { result: Failed; position: number } => isFailed(entry.result));
	// What merely stood behind the failure is counted, not told.
	const causes = failures.filter(({ result }) => result.outcome !== 'notSent' || result.httpStatus);
	const [{ result: first }] = causes.length > 0 ? causes : failures;
	const accepted = results.filter(({ fate }) => fate === 'accepted').length;
	const unknown = failures.filter(({ result }) => result.outcome === 'unknown');
	const left = failures.length - unknown.length;
	const counts = [
		`${formatNumber(accepted)} of ${messages(results.length)} ${accepted === 1 || results.length === 1 ? 'was' : 'were'} accepted before sending stopped`,
		...(unknown.length > 0 ? [`${formatNumber(unknown.length)} may have been sent`] : []),
		`${formatNumber(left)} ${left === 1 ? 'was' : 'were'} not sent`,
	].join(', ');
	const description = [
		...otherReasons(causes, first.reason, place),
		...mayHaveBeenSent(unknown, place),
		howToGoOn(context, results),
	].join('\n');
	return serviceError(
		node,
		{ message: `${first.sentence} ${counts}.`, httpStatus: first.httpStatus },
		{ itemIndex: first.item, description },
	);
}

/** What sends the rest, and what would send to everyone again: that depends on who runs the node. */
function howToGoOn(context: IExecuteFunctions, results: Result[]): string {
	if (context.isToolExecution?.() || context.getNode().type.endsWith('Tool')) {
		const accepted = results.flatMap((result) =>
			result.fate === 'accepted' ? [result.message.to] : [],
		);
		return `Calling this tool again sends to everyone in the call again. Accepted already: ${named(accepted)}. Call it again for the others only.`;
	}
	const others =
		"With 'On Error' set to continue, one failed recipient does not stop the others, and each has an item that says what happened.";
	return context.getMode() === 'manual'
		? `Do not execute this step or the workflow again: that sends to everyone again. Press Retry on this execution in the list of executions: it sends only what is sure not to have been sent. ${others}`
		: `Retrying this execution, or 'Retry On Fail', sends only what is sure not to have been sent. ${others}`;
}

type Place = (position: number) => string;
type Placed = { result: Failed; position: number };

/** What else went wrong, each reason once: a request fails for all of its messages. */
function otherReasons(causes: Placed[], told: string, place: Place): string[] {
	const firstOf = new Map<string, Placed>();
	for (const cause of causes) {
		if (!firstOf.has(cause.result.reason)) firstOf.set(cause.result.reason, cause);
	}
	firstOf.delete(told);
	return [...firstOf.values()].map(
		({ result, position }) => `Also ${place(position)}: ${result.sentence}`,
	);
}

function mayHaveBeenSent(unknown: Placed[], place: Place): string[] {
	if (unknown.length < 2) return [];
	const names = unknown.map(({ result, position }) => `${place(position)} (${result.recipient})`);
	return [`May have been sent: ${named(names)}.`];
}

function named(names: string[]): string {
	if (names.length === 0) return 'nobody';
	const more = names.length - NAMED;
	return `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`;
}
