import type { IExecuteFunctions } from 'n8n-workflow';
import { failIfCancelled } from '../n8n/cancellation';
import { connect } from '../n8n/connect';
import { showHint } from '../n8n/hints';
import { Throttle } from '../service/throttle';
import type { Service } from '../service/service';
import { TimeSlice } from '../utils/concurrency';
import { check } from './check';
import { refusal, withEarlierAttempt } from './errors';
import type { Earlier, Journal } from './journal';
import type { Message, Problem } from './message';
import { optionsOf, refuseDifferentOptions } from './options';
import { recipientsOf, refuseListOfItems, type Recipient } from './recipients';
import { identitiesOf } from './recipientsHash';
import { resolveMessages } from './resolveMessages';
import { refusedBeforehand, skipped, type Result } from './results';
import type { Run, SendOperation } from './sendOperation';
import { refuseTestAfterSending } from './testRun';

type Given = {
	journal: Journal;
	continueOnFail: boolean;
	/** If the caller is connected already. */
	service?: Service;
	/** Called once the recipients are known: a failure of the whole run then has an item for each. */
	onRecipients?: (recipients: Recipient[]) => void;
};

/**
 * Reads and checks everything before anything is sent.
 *
 * @throws NodeOperationError naming every bad recipient, unless `continueOnFail`
 * @throws UserError when the execution was cancelled, or the recipients have changed since an earlier attempt
 */
export async function prepare<Payload, Prepared>(
	context: IExecuteFunctions,
	operation: SendOperation<Payload, Prepared>,
	given: Given,
): Promise<Run<Payload>> {
	const { journal } = given;
	const whyCancelled = () =>
		`The execution was cancelled before anything ${mayHaveSent(journal) ? 'more ' : ''}was sent.`;
	try {
		return await failIfCancelled(
			context,
			async () => await checkAll(context, operation, given),
			whyCancelled,
		);
	} catch (error) {
		// A person may read only this error, so it also says what an earlier attempt has sent.
		throw withEarlierAttempt(context.getNode(), error, journal);
	}
}

async function checkAll<Payload, Prepared>(
	context: IExecuteFunctions,
	operation: SendOperation<Payload, Prepared>,
	given: Given,
): Promise<Run<Payload>> {
	const { journal, continueOnFail } = given;
	const options = optionsOf(context);
	const service = given.service ?? (await connect(context));
	await refuseDifferentOptions(context);
	refuseListOfItems(context, operation.takesList);
	const recipients = recipientsOf(context, operation.takesList);
	given.onRecipients?.(recipients);
	if (options.mode === 'test') refuseTestAfterSending(journal);
	if (recipients.length === 0) {
		showHint(context, "'Recipient List' is empty: there is nobody to send to.");
	}
	const prepared = operation.prepare?.({ context, service, options }) as Prepared;
	const composed = await resolveMessages(
		recipients,
		(recipient) => operation.compose(recipient, prepared),
		options,
	);
	const identified = await identitiesOf(recipients, composed);
	const sent =
		options.mode === 'dryRun' ? new Map<number, Earlier>() : await journal.earlier(identified);
	const signal = context.getExecutionCancelSignal?.();
	const place = (position: number) =>
		recipients[position].entry ? `recipient ${position + 1}` : `item ${position + 1}`;
	const run: Run<Payload> = {
		context,
		operation,
		service,
		options,
		journal,
		continueOnFail,
		signal,
		throttle: new Throttle(signal),
		perRequest: operation.perRequest?.(options) ?? 1,
		recipients,
		identities: identified.identities,
		messages: [],
		earlier: [],
		results: new Array<Result>(recipients.length),
		place,
	};
	await checkTogether(run, composed, sent);
	return run;
}

/** Checks the messages that are left to send. What was sent is decided, whatever would be refused now. */
async function checkTogether<Payload>(
	run: Run<Payload>,
	composed: { messages: Message[]; problems: Problem[] },
	sent: Map<number, Earlier>,
): Promise<void> {
	const { context, options, journal, recipients, results, place } = run;
	const slice = new TimeSlice();
	const isSent = ({ position }: Message | Problem) => sent.has(position);
	// Usually no earlier attempt has sent anything, and there may be very many messages.
	const [decided, unsent] =
		sent.size === 0
			? [[], composed.messages]
			: [
					[...composed.messages, ...composed.problems.map(asMessage)].filter(isSent),
					composed.messages.filter((message) => !isSent(message)),
				];
	run.earlier = decided.map((message) => ({ ...sent.get(message.position)!, message }));
	await slice.yieldIfOver();
	const checked = check(unsent, options, place, decided);
	await slice.yieldIfOver();
	const problems = [
		...composed.problems.filter((problem) => !isSent(problem)),
		...checked.problems,
	].sort((a, b) => a.position - b.position);
	if (problems.length > 0 && !run.continueOnFail) {
		throw refusal(context, problems, recipients.length, place, mayHaveSent(journal));
	}
	for (const problem of problems) results[problem.position] = refusedBeforehand(problem);
	for (const each of checked.skipped) results[each.message.position] = skipped(each);
	run.messages = checked.messages;
}

/** In a Retry, also an attempt that crashed, and left no data, may have sent something. */
const mayHaveSent = ({ isEmpty, isRetry }: Journal) => !isEmpty || isRetry;

/** Turns a problem into a message that is not sent: an earlier attempt has sent it. */
const asMessage = ({ position, item, recipient, digits, identifier }: Problem): Message => ({
	position,
	item,
	from: '',
	to: recipient ?? '',
	digits,
	identifier,
	body: {},
});
