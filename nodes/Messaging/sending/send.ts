import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { orCancelled, unlessCancelled } from '../host/cancelled';
import { connect } from '../host/connect';
import type { FailureDetails } from '../host/failedItem';
import { orFailedItems } from '../host/orFailedItems';
import { Turns } from '../host/turns';
import { CANCELLED, Gate } from '../service/gate';
import type { Service } from '../service/service';
import { makeBatches } from './batches';
import { check } from './check';
import { CutOffRuns } from './cutOff';
import { deliver } from './deliver';
import { dryRun } from './dryRun';
import { Memory } from './memory';
import type { Message, Problem } from './message';
import type { Batch, SendingOperation } from './operation';
import { optionsOf, refuseDifferentOptions, type SendingOptions } from './options';
import { recipientDigits } from './phone';
import { recipientsOf, refuseDifferentLists } from './recipients';
import { interruption, recipientItems, refusal, requestItems, withEarlierAttempt } from './report';
import { resolve } from './resolve';
import { CUT_SHORT, Requests } from './requests';
import {
	failed,
	refusedBeforehand,
	sayWhenFirstFailed,
	skipped,
	unlessSentByAnother,
	type Result,
} from './results';
import { findEarlier, numberHash, tag, type Earlier } from './sameMessage';

/** What became of every recipient, in order, and what is needed to tell of it. */
type Settled = { results: Result[]; place: (position: number) => string };

/**
 * Runs a sending operation: resolve → check → send → record → report. Knows no operation; what makes
 * them different is in {@link SendingOperation}.
 */
export const sending =
	<Payload>(operation: SendingOperation<Payload>) =>
	async (context: IExecuteFunctions): Promise<INodeExecutionData[][]> => {
		const details: FailureDetails = { outcome: 'notSent' };
		return await orFailedItems(context, details, async () => {
			// What fails before anything is looked up says nothing of what an earlier try has sent.
			const memory = new Memory(context);
			if (!memory.isEmpty || memory.mayHaveCrashed) details.outcome = 'unknown';
			return await run(context, operation, memory);
		});
	};

async function run<Payload>(
	context: IExecuteFunctions,
	operation: SendingOperation<Payload>,
	memory: Memory,
): Promise<INodeExecutionData[]> {
	const options = optionsOf(context);
	const goOn = context.continueOnFail();
	const prepared = await beforeSending(context, memory, async () => {
		const service = await connect(context);
		return await prepare(context, operation, options, { service, memory }, goOn);
	});
	if (options.dryRun) return await dryRun(context, operation, prepared);

	const { results, place } = await deliverAll(context, operation, options, prepared, !goOn);
	// Also when it was cancelled: n8n takes what a node returns then for its success, and goes on with it.
	if (!goOn && results.some(({ fate }) => fate === 'failed')) {
		throw interruption(context, results, place);
	}
	const { summary } = operation;
	const items =
		options.output === 'campaign' && summary
			? requestItems(results, (accepted) =>
					summary(
						accepted.map(({ message }) => message),
						accepted[0].kept,
					),
				)
			: recipientItems(results);
	if (isDone(results) && !isTriedAgain(context.getNode(), items)) memory.forget();
	return items;
}

const isDone = (results: Result[]) => results.every(({ fate }) => fate !== 'failed');

/** With *Retry On Fail* n8n runs a node again whose first item has a field `error`, success or not. */
const isTriedAgain = ({ retryOnFail }: INode, [first]: INodeExecutionData[]) =>
	retryOnFail === true && first?.json.error !== undefined;

/** Sends like {@link sending}, but hands over what became of each message instead of items. */
export async function settle<Payload>(
	context: IExecuteFunctions,
	operation: SendingOperation<Payload>,
	service: Service,
): Promise<Result[]> {
	const options = optionsOf(context);
	const memory = new Memory(context);
	const prepared = await beforeSending(
		context,
		memory,
		async () => await prepare(context, operation, options, { service, memory }, true),
	);
	const { results } = await deliverAll(context, operation, options, prepared, false);
	if (isDone(results)) memory.forget();
	return results;
}

/** @throws what `work` throws, and UserError when the execution is cancelled before it is done */
async function beforeSending<Done extends object>(
	context: IExecuteFunctions,
	memory: Memory,
	work: () => Promise<Done>,
): Promise<Done> {
	const why = () =>
		`The execution was cancelled before anything ${memory.isEmpty ? '' : 'more '}was sent.`;
	try {
		return await orCancelled(context, work, why);
	} catch (error) {
		// It may be the last thing that a person reads of this execution.
		throw withEarlierAttempt(context.getNode(), error, memory);
	}
}

/** What is ready to be sent, and what is settled already. */
type Prepared = Settled & {
	service: Service;
	memory: Memory;
	messages: Message[];
	/** By position, where an earlier try noted a message. */
	earlier: Map<number, Earlier>;
	batches: (messages: Message[]) => Batch[];
};

/**
 * Reads and checks everything before anything leaves.
 *
 * @throws NodeOperationError naming every bad recipient, unless bad ones are to be left out
 */
async function prepare<Payload>(
	context: IExecuteFunctions,
	operation: SendingOperation<Payload>,
	options: SendingOptions,
	{ service, memory }: Pick<Prepared, 'service' | 'memory'>,
	leaveOutBad: boolean,
): Promise<Prepared> {
	const turns = new Turns();
	await refuseDifferentOptions(context);
	await refuseDifferentLists(context, operation.takesList);
	const recipients = recipientsOf(context, operation.takesList);
	await turns.giveWay();
	const compose = await operation.prepare({ context, service, options });
	const place = (position: number) =>
		recipients[position].entry ? `recipient ${position + 1}` : `item ${position + 1}`;

	const resolved = await resolve(recipients, compose, options, settingsOf(context));
	if (resolved.runError) throw resolved.runError;
	const all = [...resolved.messages, ...resolved.problems];
	if (operation.hasIdentifier) memory.list = listTag(context);
	const earlier = options.dryRun ? new Map<number, Earlier>() : await findEarlier(memory, all);
	await turns.giveWay();
	const checked = check(resolved.messages, options, place);
	await turns.giveWay();
	const isSettled = sentBefore(memory, earlier, options);
	const found = [...resolved.problems, ...checked.problems];
	const problems = found
		.filter((problem) => !isSettled(problem))
		.sort((a, b) => a.position - b.position);
	if (problems.length > 0 && !leaveOutBad) {
		throw refusal(context.getNode(), problems, recipients.length, place, !memory.isEmpty);
	}
	const results = new Array<Result>(recipients.length);
	for (const problem of problems) results[problem.position] = refusedBeforehand(problem);
	const messages = [...checked.messages, ...found.filter(isSettled).map(asMessage)];
	for (const left of checked.skipped) {
		if (isSettled(left.message)) messages.push(left.message);
		else results[left.message.position] = skipped(left);
	}
	if (operation.hasIdentifier) {
		for (const message of checked.messages) {
			if (message.identifier) continue;
			message.identifier = memory.identifier(message.key);
			message.isGenerated = true;
		}
	}
	if (!options.dryRun) {
		memory.several = all
			.filter(({ position }) => resolved.several.has(position) && !earlier.has(position))
			.map(({ mark }) => mark);
	}
	const perRequest = operation.perRequest(options);
	const batches = (messages: Message[]) => makeBatches(messages, perRequest);
	return { service, memory, messages, earlier, batches, results, place };
}

/**
 * Tells what would not be sent now, but was by an earlier try (a person may have changed the node between
 * the two): what became of it then is what counts.
 */
const sentBefore =
	(memory: Memory, earlier: Map<number, Earlier>, { resendUnknown }: SendingOptions) =>
	({ position }: Pick<Message, 'position'>): boolean => {
		const place = earlier.get(position);
		if (!place) return false;
		const isAccepted = typeof place !== 'string' && memory.fateOf(place).fate === 'accepted';
		return isAccepted || !resendUnknown;
	};

/** The node as a person has set it, without its options, as a short text; made once, when it is needed. */
function settingsOf(context: IExecuteFunctions): () => string {
	let made: string | undefined;
	return () => {
		made ??= numberHash(JSON.stringify({ ...context.getNode().parameters, options: undefined }));
		return made;
	};
}

/** Tells the list of a campaign as a person has set it from what it was before a change. */
const listTag = (context: IExecuteFunctions) =>
	tag(
		['to', 'identifier', 'recipientList']
			.map((name) => context.getNodeParameter(name, 0, '', { rawExpressions: true }))
			.map((raw) => (typeof raw === 'string' ? raw : JSON.stringify(raw)))
			.join(),
	);

/** It is not sent: only what is remembered of it is told. */
const asMessage = ({ position, item, recipient, identifier, mark }: Problem): Message => ({
	position,
	item,
	key: '',
	mark,
	from: '',
	to: recipient!,
	digits: recipientDigits(recipient!),
	identifier,
	body: {},
});

/** Sends what is ready and was not accepted by an earlier try, and settles every recipient. */
async function deliverAll<Payload>(
	context: IExecuteFunctions,
	operation: SendingOperation<Payload>,
	options: SendingOptions,
	{ service, memory, messages, earlier, batches, results, place }: Prepared,
	stopOnFailure: boolean,
): Promise<Settled> {
	const signal = context.getExecutionCancelSignal?.();
	const gate = new Gate(signal);
	const requests = new Requests(
		operation,
		service,
		memory,
		options,
		results,
		gate,
		signal,
		stopOnFailure,
	);
	const left = new Set<Message['position']>();
	let wasCutOff = false;
	const work = async () => {
		const toSend = await requests.recallEarlierTry(messages, earlier);
		if (toSend.length === 0 || signal?.aborted) return;
		// Without an execution there is no data that could know of an attempt (a tool called without one).
		const runs = memory.execution && new CutOffRuns(context, memory, messages);
		wasCutOff = (await runs?.begin()) ?? false;
		if (wasCutOff) {
			for (const [position, result] of results.entries()) {
				if (result?.fate === 'failed' && result.outcome === 'notSent') {
					results[position] = unlessSentByAnother(result);
				}
			}
		}
		const safe = wasCutOff ? await requests.leaveOutIfCutOff(toSend) : toSend;
		if (safe.length === 0) return;
		await deliver(batches(safe), options, gate, signal, async (batch) => {
			for (const { position } of batch.messages) left.add(position);
			await requests.sendOne(batch);
		});
		await runs?.end();
	};
	await unlessCancelled(signal, work());
	for (const message of signal?.aborted ? messages : []) {
		const { position } = message;
		const mayHaveLeft = wasCutOff || left.has(position) || earlier.has(position);
		results[position] ??= failed(message, mayHaveLeft ? CUT_SHORT : CANCELLED);
	}
	sayWhenFirstFailed(results);
	return { results, place };
}
