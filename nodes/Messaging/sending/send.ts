import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { orCancelled, unlessCancelled } from '../n8n/cancellation';
import { connect } from '../n8n/connect';
import { type FailureDetails, orFailedItems } from '../n8n/failedItems';
import { Throttle } from '../service/throttle';
import type { Service } from '../service/service';
import { TimeSlice } from '../utils/concurrency';
import { makeBatches } from './batches';
import { check } from './check';
import { CrashMarks } from './crashMarks';
import { deliver } from './deliver';
import { dryRun } from './dryRun';
import { findEarlierMessages, isDecidedEarlier, type EarlierMessage } from './earlierAttempt';
import { listTag, settingsHash } from './fingerprint';
import type { Message, Problem } from './message';
import { optionsOf, refuseDifferentOptions } from './options';
import { recipientDigits } from './phone';
import { recipientsOf, refuseDifferentLists } from './recipients';
import { Requests } from './requests';
import { resolveMessages } from './resolveMessages';
import {
	explainSkipped,
	isFailed,
	recipientItems,
	refusedBeforehand,
	requestItems,
	skipped,
	type Result,
} from './results';
import { RunMemory } from './runMemory';
import { interruption, refusal, withEarlierAttempt } from './sendErrors';
import type { SendOperation, SendRun } from './sendOperation';

/**
 * Runs a sending operation: resolve → check → send → record → report. It knows no operation; what makes them different
 * is in {@link SendOperation}.
 *
 * @returns the node's outputs: an item per recipient, or as the option `output` says
 * @throws NodeOperationError or NodeApiError when something failed, unless Continue On Fail is set
 */
export async function send<Payload, Prepared>(
	context: IExecuteFunctions,
	operation: SendOperation<Payload, Prepared>,
): Promise<INodeExecutionData[][]> {
	const details: FailureDetails = { outcome: 'notSent' };
	return await orFailedItems(context, details, async () => {
		const memory = new RunMemory(context);
		// If this attempt fails, an earlier one may still have sent something.
		if (!memory.isEmpty || memory.mayHaveCrashed) details.outcome = 'unknown';
		const continueOnFail = context.continueOnFail();
		const run = await startRun(context, operation, { memory, continueOnFail });
		if (run.options.dryRun) return await dryRun(run, run.messages, run.results);

		const results = await deliverAll(run);
		// Also if it was cancelled: n8n takes an output for success, and continues after this node.
		if (!continueOnFail && results.some(isFailed)) throw interruption(context, results, run.place);
		const items =
			run.options.output === 'campaign' && operation.summary
				? requestItems(results, operation.summary)
				: recipientItems(results);
		if (!results.some(isFailed) && !isRunAgain(context.getNode(), items)) memory.forget();
		return items;
	});
}

/** With *Retry On Fail* n8n runs a node again whose first item has a field `error`, success or not. */
const isRunAgain = ({ retryOnFail }: INode, [first]: INodeExecutionData[]) =>
	retryOnFail === true && first?.json.error !== undefined;

/** Sends like {@link send}, but returns each message's result instead of items. */
export async function sendForResults<Payload>(
	context: IExecuteFunctions,
	operation: SendOperation<Payload>,
	service: Service,
): Promise<Result[]> {
	const memory = new RunMemory(context);
	const run = await startRun(context, operation, { memory, continueOnFail: true, service });
	const results = await deliverAll(run);
	if (!results.some(isFailed)) memory.forget();
	return results;
}

/** A run whose messages are ready to be sent. */
type StartedRun<Payload> = SendRun<Payload> & {
	messages: Message[];
	/** By position, the messages that an earlier attempt may have sent. */
	earlier: Map<number, EarlierMessage>;
	/** By position: recipients that are left out have their results. */
	results: Result[];
	/** Names a position for the user, for example "item 3". */
	place: (position: number) => string;
};

/**
 * Reads and checks everything before anything is sent.
 *
 * @param given `service` if the caller is connected already
 * @throws NodeOperationError naming every bad recipient, unless `continueOnFail`
 * @throws UserError when the execution was cancelled
 */
async function startRun<Payload, Prepared>(
	context: IExecuteFunctions,
	operation: SendOperation<Payload, Prepared>,
	given: Pick<SendRun, 'memory' | 'continueOnFail'> & { service?: Service },
): Promise<StartedRun<Payload>> {
	const { memory } = given;
	const options = optionsOf(context);
	const signal = context.getExecutionCancelSignal?.();
	const start = async () => {
		const service = given.service ?? (await connect(context));
		const perRequest = operation.perRequest?.(options) ?? 1;
		const throttle = new Throttle(signal);
		const setup = { context, service, options };
		return await checkMessages({ ...given, ...setup, operation, perRequest, throttle, signal });
	};
	const whyCancelled = () =>
		`The execution was cancelled before anything ${memory.isEmpty ? '' : 'more '}was sent.`;
	try {
		return await orCancelled(context, start, whyCancelled);
	} catch (error) {
		// This error may be the last thing that a person reads of this execution.
		throw withEarlierAttempt(context.getNode(), error, memory);
	}
}

/** Resolves all recipients and checks their messages; recipients that are left out get their results. */
async function checkMessages<Payload>(run: SendRun<Payload>): Promise<StartedRun<Payload>> {
	const { context, operation, options, memory } = run;
	const slice = new TimeSlice();
	await refuseDifferentOptions(context);
	await refuseDifferentLists(context, operation.takesList);
	const recipients = recipientsOf(context, operation.takesList);
	await slice.yieldIfOver();
	const prepared = operation.prepare?.(run);
	const place = (position: number) =>
		recipients[position].entry ? `recipient ${position + 1}` : `item ${position + 1}`;

	const resolved = await resolveMessages(
		recipients,
		(recipient) => operation.compose(recipient, prepared),
		options,
		settingsHash(context),
	);
	const all = [...resolved.messages, ...resolved.problems];
	if (operation.hasIdentifier) memory.list = listTag(context);
	const earlier = options.dryRun
		? new Map<number, EarlierMessage>()
		: await findEarlierMessages(memory, all);
	await slice.yieldIfOver();
	const checked = check(resolved.messages, options, place);
	await slice.yieldIfOver();

	const isDecided = ({ position }: Pick<Message, 'position'>) =>
		isDecidedEarlier(memory, earlier.get(position), options);
	const found = [...resolved.problems, ...checked.problems];
	const problems = found
		.filter((problem) => !isDecided(problem))
		.sort((a, b) => a.position - b.position);
	if (problems.length > 0 && !run.continueOnFail) {
		throw refusal(context.getNode(), problems, recipients.length, place, !memory.isEmpty);
	}
	const results = new Array<Result>(recipients.length);
	for (const problem of problems) results[problem.position] = refusedBeforehand(problem);
	const messages = [...checked.messages, ...found.filter(isDecided).map(asMessage)];
	for (const duplicate of checked.skipped) {
		if (isDecided(duplicate.message)) messages.push(duplicate.message);
		else results[duplicate.message.position] = skipped(duplicate);
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
			.map(({ fingerprint }) => fingerprint);
	}
	return { ...run, messages, earlier, results, place };
}

/** A problem as a message that is not sent: an earlier attempt decided its result. */
const asMessage = ({ position, item, recipient, identifier, fingerprint }: Problem): Message => ({
	position,
	item,
	key: '',
	fingerprint,
	from: '',
	to: recipient!,
	digits: recipientDigits(recipient!),
	identifier,
	body: {},
});

/** Sends the messages that no earlier attempt has sent. @returns every recipient's result, by position */
async function deliverAll<Payload>(run: StartedRun<Payload>): Promise<Result[]> {
	const { context, memory, messages, earlier, results, signal } = run;
	const requests = new Requests(run, results);
	let hasCrashed = false;
	const work = async () => {
		const unsent = await requests.takeOverEarlier(messages, earlier);
		if (unsent.length === 0 || signal?.aborted) return;
		// Without an execution (a tool called outside of one) there is nothing that a person could retry.
		const marks = memory.execution && new CrashMarks(context, memory, messages);
		hasCrashed = (await marks?.begin()) ?? false;
		const toSend = hasCrashed ? await requests.takeOverCrashed(unsent) : unsent;
		if (toSend.length === 0) return;
		await deliver(makeBatches(toSend, run.perRequest), run, requests.send);
		await marks?.end();
	};
	await unlessCancelled(signal, work());
	if (signal?.aborted) {
		requests.cancel(messages, ({ position }) => hasCrashed || earlier.has(position));
	}
	explainSkipped(results);
	return results;
}
