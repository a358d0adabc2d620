import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { failIfCancelled, unlessCancelled } from '../n8n/cancellation';
import { connect } from '../n8n/connect';
import { type FailureDetails, errorAsFailedItems, hasErrorOutput } from '../n8n/failedItems';
import { showHint } from '../n8n/hints';
import { Throttle } from '../service/throttle';
import type { Service } from '../service/service';
import { TimeSlice } from '../utils/concurrency';
import { groupMessages } from './messageGroups';
import { check } from './check';
import { CrashMarks } from './crashMarks';
import { deliver } from './deliver';
import { dryRun } from './dryRun';
import { findEarlierMessages, isDecidedEarlier, type EarlierMessage } from './earlierAttempt';
import { listTag, settingsHash } from './fingerprint';
import type { Message, Problem } from './message';
import { optionsOf, refuseDifferentOptions } from './options';
import { recipientDigits } from './phone';
import { recipientsOf, refuseDifferentLists, type Recipient } from './recipients';
import { Requests } from './requests';
import { resolveMessages } from './resolveMessages';
import {
	countResults,
	explainSkipped,
	isFailed,
	leftOutOfTest,
	recipientItems,
	refusedBeforehand,
	requestItems,
	skipped,
	type Result,
	asPossiblySent,
} from './results';
import { RunMemory } from './runMemory';
import { interruption, refusal, withEarlierAttempt } from './sendErrors';
import type { SendOperation, SendRun } from './sendOperation';
import { testMessage } from './testMessage';

/**
 * Runs a sending operation: resolve → check → send → record → report. Everything that is special to one operation is in
 * its {@link SendOperation}.
 *
 * @returns the node's outputs: an item per recipient, or as the option `output` says
 * @throws NodeOperationError or NodeApiError when something failed, unless Continue On Fail is set
 */
export async function send<Payload, Prepared>(
	context: IExecuteFunctions,
	operation: SendOperation<Payload, Prepared>,
): Promise<INodeExecutionData[][]> {
	const details: FailureDetails = { outcome: 'notSent' };
	return await errorAsFailedItems(context, details, async () => {
		const memory = new RunMemory(context);
		// If this attempt fails, an earlier one may still have sent something.
		if (!memory.isEmpty || memory.mayHaveCrashed) details.outcome = 'unknown';
		const continueOnFail = context.continueOnFail();
		const run = await startRun(context, operation, { memory, continueOnFail });
		if (run.options.dryRun) return await dryRun(run, run.messages, run.results);

		const results = await deliverAll(run);
		// A cancelled run throws, too: n8n would take its output for a success, and continue after this node.
		if (!continueOnFail && results.some(isFailed)) {
			const kind = { isCampaign: operation.summary !== undefined, isNothingSent: memory.isEmpty };
			throw interruption(context, results, run.place, kind);
		}
		const test = run.messages.find(({ isTest }) => isTest);
		if (test && results[test.position].fate === 'accepted') {
			showHint(
				context,
				`Only a test was sent, to ${test.to}. Remove the option 'Test Recipient' to send to everyone.`,
			);
		}
		if (results.some(isFailed)) {
			showHint(context, `${countResults(results)}. The failed items say why.`);
		}
		const items =
			run.options.output === 'campaign' && operation.summary
				? requestItems(results, hasErrorOutput(context), operation.summary)
				: recipientItems(results, hasErrorOutput(context));
		if (!results.some(isFailed) && !isRunAgain(context.getNode(), items)) memory.forget();
		return items;
	});
}

/** With *Retry On Fail* n8n runs a node again if its first item has a field `error`, even after a success. */
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
	/** Messages that are refused, or left out of a test. An attempt that crashed may have sent them. */
	leftOut: Message[];
	/** By position, the messages that an earlier attempt may have sent. */
	earlier: Map<number, EarlierMessage>;
	/** By position. At the start, only the recipients that nothing is sent to have results. */
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
		return await failIfCancelled(context, start, whyCancelled);
	} catch (error) {
		// A person may read only this error, so it also says what an earlier attempt has sent.
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
	if (recipients.length === 0) {
		showHint(context, "'Recipient List' is empty: there is nobody to send to.");
	}
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
	const leftOut = problems
		.filter(({ recipient = '' }) => recipientDigits(recipient))
		.map(asMessage);
	const toSend = options.testRecipient
		? await onlyTest(run, checked.messages, { recipients, leftOut, earlier, results })
		: checked.messages;
	const messages = [...toSend, ...found.filter(isDecided).map(asMessage)];
	for (const duplicate of checked.skipped) {
		if (isDecided(duplicate.message)) messages.push(duplicate.message);
		else results[duplicate.message.position] = skipped(duplicate);
	}
	if (operation.hasIdentifier) {
		for (const message of toSend) {
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
	return { ...run, messages, leftOut, earlier, results, place };
}

/**
 * Replaces the first message by the test, and skips the others. Messages of an earlier attempt stay as they are, to be
 * reported.
 */
async function onlyTest<Payload>(
	{ memory, options }: SendRun<Payload>,
	messages: Message[],
	{
		recipients,
		leftOut,
		earlier,
		results,
	}: Pick<StartedRun<Payload>, 'leftOut' | 'earlier' | 'results'> & { recipients: Recipient[] },
): Promise<Message[]> {
	const kept: Message[] = [];
	let test: Message | undefined;
	for (const message of messages) {
		const { position } = message;
		const entry = earlier.get(position);
		if (isDecidedEarlier(memory, entry, options)) {
			kept.push(message);
		} else if (entry) {
			// Resend Unknown would send it, to its recipient.
			results[position] = leftOutOfTest(
				message,
				'But an earlier attempt may have sent the message.',
			);
		} else if (test) {
			results[position] = leftOutOfTest(message);
			leftOut.push(message);
		} else {
			leftOut.push(message);
			test = await testMessage(message, recipients[position], options);
			kept.push(test);
			const before = options.dryRun ? [] : await findEarlierMessages(memory, [test]);
			earlier.delete(position);
			for (const [, entry] of before) earlier.set(position, entry);
		}
	}
	return kept;
}

/** Turns a problem into a message that is not sent: its result is that of an earlier attempt. */
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
	const { context, memory, messages, leftOut, earlier, results, signal } = run;
	const requests = new Requests(run, results);
	let hasCrashed = false;
	const work = async () => {
		const unsent = await requests.takeOverEarlier(messages, earlier);
		if (unsent.length === 0 || signal?.aborted) return;
		// Without an execution (a tool called outside of one) there is nothing that a person could retry.
		const marks = memory.execution && new CrashMarks(context, memory, messages);
		hasCrashed = (await marks?.begin()) ?? false;
		if (hasCrashed) {
			// The next attempt may have all of them, and no mark of the crash.
			if (leftOut.length > 0) {
				memory.noteUnknown(memory.noteLeaving(leftOut, Date.now()), { cutOff: true });
			}
			for (const [position, result] of results.entries()) {
				if (result) results[position] = asPossiblySent(result);
			}
		}
		const toSend = hasCrashed ? await requests.takeOverCrashed(unsent) : unsent;
		if (toSend.length === 0) return;
		await deliver(groupMessages(toSend, run.perRequest), run, requests.send);
		await marks?.end();
	};
	await unlessCancelled(signal, work());
	if (signal?.aborted) {
		requests.cancel(messages, ({ position }) => hasCrashed || earlier.has(position));
	}
	explainSkipped(results);
	return results;
}
