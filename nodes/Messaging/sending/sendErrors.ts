import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { asNodeError, inputError, serviceError } from '../n8n/errors';
import { formatNumber } from '../utils/text';
import type { Problem } from './message';
import { isFailed, type Failed, type Result } from './results';
import type { RunMemory } from './runMemory';

/** Names a position for the user, for example "item 3". */
type Place = (position: number) => string;

const messages = (count: number) =>
	`${formatNumber(count)} ${count === 1 ? 'message' : 'messages'}`;

/** Bad recipients that fit the headline; more are listed in the description only. */
const IN_HEADLINE = 5;

/**
 * Returns the error that says why nothing was sent, and names every bad recipient.
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

/** Adds how many messages an earlier attempt sent to an error from before sending. */
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

/** Recipients that an error names at most: a person reads it. */
const MOST_NAMED = 100;

/** Returns the error that says where sending stopped, and what was accepted before. */
export function interruption(context: IExecuteFunctions, results: Result[], place: Place) {
	const node = context.getNode();
	const failures = results
		.map((result, position) => ({ result, position }))
		.filter((entry): entry is { result: Failed; position: number } => isFailed(entry.result));
	// Messages that were only stopped by another failure are counted, without a sentence of their own.
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

/** Says how to send the rest without sending to everyone again; this depends on who runs the node. */
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

type Placed = { result: Failed; position: number };

/** The other reasons of failures, each once: a request fails for all of its messages. */
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
	const more = names.length - MOST_NAMED;
	return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`;
}
