import { type IExecuteFunctions, UserError } from 'n8n-workflow';
import { unlessCancelled } from '../n8n/cancellation';
import { connect } from '../n8n/connect';
import { sentenceOf } from '../n8n/errors';
import { showHint } from '../n8n/hints';
import { requiredText } from '../n8n/values';
import type { Service } from '../service/service';
import { Throttle } from '../service/throttle';
import { inSlices, yieldBefore } from '../utils/concurrency';
import { check, markTwins } from './check';
import { beginToSend } from './crashNote';
import { withEarlierAttempt } from './errors';
import { requestsOf } from './requests';
import { optionsOf, writtenNumber } from './options';
import { recipientDigits } from './phone';
import { readTo, recipientsOf, type Recipient, type Recipients } from './recipients';
import { asPossiblySent, type Result } from './results';
import { RunError, type Draft, type Message, type Run, type SendOperation } from './sendOperation';

/** What the caller knows; the service if it is connected already. */
type Given = Pick<Run, 'journal' | 'continueOnFail'> & { service?: Service };

const NOT_IN_A_RETRY =
	'A test or a dry run does not work in a Retry, because this execution may have sent messages before. Execute the workflow anew to test.';

/**
 * Does everything that comes before the first request: reads and checks all, and looks for what earlier attempts sent. Here
 * an error or a cancellation concerns the whole run.
 *
 * @throws NodeOperationError naming every bad recipient, unless `continueOnFail`
 * @throws UserError when nothing may be sent
 */
export async function prepare<Payload, Prepared>(
	context: IExecuteFunctions,
	operation: SendOperation<Payload, Prepared>,
	given: Given,
): Promise<Run<Payload>> {
	const { journal } = given;
	const work = async () => {
		const run = await readAll(context, operation, given);
		await check(run);
		if (run.options.mode === 'send') await lookForCrash(run);
		return run;
	};
	try {
		const run = await unlessCancelled(context.getExecutionCancelSignal?.(), work());
		if (run) return run;
		throw new UserError('The execution was cancelled before this attempt sent anything.');
	} catch (error) {
		// A person may read only this error, so it also says what an earlier attempt has sent.
		throw withEarlierAttempt(context.getNode(), error, journal);
	}
}

async function readAll<Payload, Prepared>(
	context: IExecuteFunctions,
	operation: SendOperation<Payload, Prepared>,
	{ journal, continueOnFail, service: connected }: Given,
): Promise<Run<Payload>> {
	// n8n has just handled all items in one piece.
	await yieldBefore(context.getInputData().length);
	const options = optionsOf(context);
	const service = connected ?? (await connect(context));
	const recipients = recipientsOf(context, operation.takesList);
	if (options.mode !== 'send' && journal.mayHaveSent) throw new UserError(NOT_IN_A_RETRY);
	if (recipients.count === 0)
		showHint(context, "'Recipient List' is empty: there is nobody to send to.");
	const prepared = operation.prepare?.({ context, service, options }) as Prepared;
	const compose = (recipient: Recipient) => operation.compose(recipient, prepared);
	const messages = await composeAll(recipients, compose);
	await markTwins(recipients, messages);
	const signal = context.getExecutionCancelSignal?.();
	return {
		context,
		operation,
		service,
		options,
		journal,
		continueOnFail,
		signal,
		throttle: new Throttle(signal),
		recipients,
		messages,
		earlier: await journal.earlier(messages),
		toSend: [],
		results: new Array<Result>(recipients.count),
		place: (position) => `${recipients.isList ? 'recipient' : 'item'} ${position + 1}`,
	};
}

const NO_BODY = {};

/** Begins a message with the recipient's number, also one that cannot be sent: a retry compares the numbers. */
function newMessage(position: number, recipient: Recipient): Message {
	// All fields from the start: an object that gets them later takes more memory, and there may be very many messages.
	const message: Message = {
		position,
		item: recipient.item,
		from: '',
		to: '',
		digits: '',
		isTwin: false,
		identity: undefined,
		identifier: undefined,
		isGenerated: undefined,
		body: NO_BODY,
		text: undefined,
		problem: undefined,
	};
	try {
		message.to = readTo(recipient);
		const number = writtenNumber(recipient, message.to);
		if (number.ok) message.to = number.phone;
		else message.problem = number.message;
	} catch (error) {
		message.problem = sentenceOf(error);
	}
	message.digits = recipientDigits(message.to);
	return message;
}

/**
 * Makes each recipient's message, and checks what concerns one recipient alone: the sender, the number, and what the
 * operation's `compose` refuses. A problem with one recipient does not stop the others.
 *
 * @throws RunError
 */
export async function composeAll(
	recipients: Recipients,
	compose: (recipient: Recipient) => Draft | Promise<Draft>,
): Promise<Message[]> {
	const messages: Message[] = [];
	await inSlices(recipients.count, (position) => {
		const recipient = recipients.at(position);
		const message = newMessage(position, recipient);
		messages.push(message);
		try {
			const draft = compose(recipient);
			if (!(draft instanceof Promise)) return addDraft(message, draft);
			const added = draft.then((composed) => addDraft(message, composed));
			return added.catch((error) => refuse(message, error));
		} catch (error) {
			refuse(message, error);
		}
	});
	return messages;
}

function addDraft(message: Message, { from, identifier, body, text }: Draft) {
	message.identifier = identifier;
	message.body = body;
	message.text = text;
	// Last, because it throws when there is no sender.
	message.from = requiredText(from, 'From');
}

/** Notes why a message cannot be sent: what its operation refuses comes before a problem with the number. */
function refuse(message: Message, error: unknown) {
	if (error instanceof RunError) throw error;
	message.problem = sentenceOf(error);
}

/**
 * Writes the crash note. After a crash any message may have left, also one that is refused now, because the node may have
 * been edited since: then the journal gets all requests as without an answer, and nothing is left to send.
 */
async function lookForCrash<Payload>(run: Run<Payload>): Promise<void> {
	const { context, journal, options, messages, toSend, results } = run;
	if (toSend.length === 0 && !journal.isRetry && !options.resendUnknown) return;
	run.crashNote = await beginToSend(context, journal);
	// Nobody else ends it: the run is over.
	if (run.signal?.aborted) run.crashNote?.end();
	if (!journal.wasCutOff) return;
	results.forEach((result, position) => (results[position] = asPossiblySent(result)));
	for (const request of await requestsOf(run, toSend)) journal.leaving(request, { isCutOff: true });
	run.earlier = await journal.earlier(messages);
	run.toSend = [];
}
