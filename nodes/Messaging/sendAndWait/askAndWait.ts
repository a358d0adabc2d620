import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	UserError,
	WAIT_INDEFINITELY,
} from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { serviceError } from '../n8n/errors';
import { failedItem } from '../n8n/failedItems';
import { text, without } from '../n8n/values';
import { now } from '../service/clock';
import { getChannels, sendTemplate, sendText } from '../service/endpoints';
import type { Service } from '../service/service';
import type { SendOperation } from '../sending/sendOperation';
import { optionsOf } from '../sending/options';
import { recipientsOf } from '../sending/recipients';
import type { Result } from '../sending/results';
import { sendForResults } from '../sending/send';
import { channelWithPhone } from '../templates/catalogue';
import { templateComposer } from '../templates/compose';
import { resumeLinks, type LinkFor } from './links';
import { keepOpen, newQuestionId, type SentAs } from './openQuestion';
import { isReview, placeholderValue, readQuestion, sessionText, type Question } from './question';
import {
	answersCloseAt,
	limitFromNow,
	waitForAnswer,
	waitForEarlierLimit,
	waitUntil,
} from './waitLimit';

/** To which number the question was sent, and as which kind of message. */
type Sent = { to: string; sentAs: SentAs };

type Failed = Extract<Result, { fate: 'failed' }>;

const ONE_QUESTION =
	"Send and Wait asks one question at a time, but several items came in. Put a 'Loop Over Items' node in front, connect its 'loop' output to this node, and connect this node back to it.";

const NOT_AS_TOOL =
	'Nothing was sent: as a tool of an agent, Send and Wait cannot wait for the answer. Choose Messaging under Human review, between the agent and the tool that needs an approval.';

/**
 * Sends the question and puts the execution to wait for its answer.
 *
 * n8n replaces the returned item by the answer (see answerWebhook.ts).
 *
 * @returns the item for the case that nobody answers in time
 */
export async function askAndWait(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	if (isTool(context)) {
		// An agent that calls the tool itself does not get a thrown error, and would report that the question was sent.
		if (context.isToolExecution?.()) return [failedItem(NOT_AS_TOOL, { outcome: 'notSent' }, 0)];
		throw new UserError(NOT_AS_TOOL);
	}
	if (context.getInputData().length > 1) throw new UserError(ONE_QUESTION);
	const question = readQuestion(context);
	await waitForEarlierLimit(context);
	const limit = waitUntil(context);
	const checkedAt = now();
	const id = newQuestionId();

	const sent = await sendQuestion(context, question, resumeLinks(context, id));
	if ('fate' in sent) return [failedQuestion(context, sent)];
	const until = limitFromNow(context, limit, checkedAt);

	keepOpen(context, { id, question, ...sent, closesAt: answersCloseAt(until) });
	const unanswered = unansweredItem(context, question, sent, until);
	// When the time is up, n8n outputs the input of this node: replace it by the item that says so.
	const executeData = context.getExecuteData();
	executeData.data = { ...executeData.data, main: [[unanswered]] };
	await waitForAnswer(context, until);
	// With Retry On Fail n8n runs a node again when its first item has a field `error`, and would ask twice.
	return [{ ...unanswered, json: without(unanswered.json, 'error') }];
}

/**
 * Whether the node runs as a tool that cannot wait. Some versions of the agent, and MCP, call a tool
 * themselves; others let n8n run it like any node.
 */
const isTool = (context: IExecuteFunctions) =>
	!isReview(context) &&
	(context.isToolExecution?.() === true || context.getNode().type.endsWith('Tool'));

/**
 * Returns the input item with a note in `data` that nobody answered. Without a limit it does not say `timedOut`, because
 * n8n then outputs the item only when a person stops the execution and retries it.
 */
function unansweredItem(
	context: IExecuteFunctions,
	{ responseType }: Question,
	sent: Sent,
	until: Date,
): INodeExecutionData {
	const [item] = context.getInputData();
	return {
		...item,
		json: {
			// In a human review the input comes from the agent, and n8n would take it for the person's answer.
			...(isReview(context) ? {} : item.json),
			data: {
				...(until === WAIT_INDEFINITELY ? { answered: false } : { timedOut: true }),
				...(responseType === 'approval' && { approved: false }),
				...sent,
			},
		},
		pairedItem: { item: 0 },
	};
}

/** Returns the failed item of a question that was not sent. @throws NodeApiError unless Continue On Fail is set */
function failedQuestion(context: IExecuteFunctions, failure: Failed): INodeExecutionData {
	const { sentence, httpStatus, outcome, recipient, item } = failure;
	if (context.continueOnFail()) {
		return failedItem(sentence, { httpStatus, outcome, recipient }, item);
	}
	// Without `itemIndex`: there is only one item, and n8n would add "[item 0]" to the sentence.
	throw serviceError(context.getNode(), { message: sentence, httpStatus });
}

/** By the value of *Send As*: the kinds of message to try, in order. */
const ATTEMPTS: Record<string, SentAs[]> = {
	session: ['session'],
	sessionThenTemplate: ['session', 'template'],
	template: ['template'],
};

const USE_TEMPLATE =
	"If the recipient has not written to you within the last 24 hours, set 'Send As' to Template.";

/** Sends the question as the user chose in *Send As*. @returns what was accepted, or the failure */
async function sendQuestion(
	context: IExecuteFunctions,
	question: Question,
	linkFor: LinkFor,
): Promise<Sent | Failed> {
	const service = await connect(context);
	const attempts =
		ATTEMPTS[context.getNodeParameter('deliverAs', 0, 'session') as string] ?? ATTEMPTS.session;
	// Compose the template first, so that a mistake in it is found even in a test in which the session message is accepted.
	const template = attempts.includes('template')
		? await composeTemplate(context, service, question, linkFor)
		: undefined;
	let sessionFailure: Failed | undefined;
	for (const sentAs of attempts) {
		const operation =
			sentAs === 'session'
				? sessionMessage(sessionText(question, linkFor), template ? undefined : USE_TEMPLATE)
				: templateMessage(template!);
		const [result] = await sendForResults(context, operation, service);
		if (result.fate !== 'failed') return { to: result.message.to, sentAs };
		if (sessionFailure) {
			return withAddition(
				result,
				`That was the template. The session message before it was not sent: ${sessionFailure.reason}`,
			);
		}
		// Try the template only when the service refused the message itself. Otherwise the message may have
		// arrived, or the template would fail for the same reason.
		if (sentAs === attempts.at(-1) || result.outcome !== 'rejected' || result.cause !== 'refused') {
			return result;
		}
		const problem = await senderProblem(context, service);
		if (problem) return withAddition(result, problem);
		sessionFailure = result;
	}
	return sessionFailure!;
}

const withAddition = (failed: Failed, addition: string): Failed => ({
	...failed,
	sentence: `${failed.sentence} ${addition}`,
});

/** Returns why the sender's channel cannot send a template either; undefined when the list of channels shows no reason. */
async function senderProblem(
	context: IExecuteFunctions,
	service: Service,
): Promise<string | undefined> {
	const from = text(recipientsOf(context, false)[0].read('from'));
	const { timeout } = optionsOf(context);
	const signal = context.getExecutionCancelSignal?.();
	const answer = await service.call(getChannels(), { timeout, maxRetries: 0, signal });
	if (!answer.ok) return undefined;
	const channel = channelWithPhone(answer.payload, from);
	return channel?.status === 'INACTIVE' || channel?.status === 'PENDING'
		? `The template was not tried: the channel of the sender ${from} is ${channel.status}. Choose another sender in 'From'.`
		: undefined;
}

/** @throws UserError when the template is invalid, or has no link for the answer */
async function composeTemplate(
	context: IExecuteFunctions,
	service: Service,
	question: Question,
	linkFor: LinkFor,
): Promise<IDataObject> {
	const [recipient] = recipientsOf(context, false);
	const setup = { context, service, options: optionsOf(context) };
	const compose = templateComposer(setup, (value) => placeholderValue(value, question, linkFor));
	const { template } = await compose(recipient, text(recipient.read('from')));
	if (!JSON.stringify(template).includes(linkFor().split('?')[0])) {
		throw new UserError(
			"The template has no place for the link. Set 'Placeholder Values' to Chat-App Standard (Usual), and write [link] in the field of a placeholder.",
		);
	}
	return template;
}

/** A sending operation for one message, without output items. */
const oneMessage = (
	body: IDataObject,
	request: (from: string, to: string) => ReturnType<SendOperation<unknown>['request']>,
): SendOperation<unknown> => ({
	compose: ({ read }) => ({ from: text(read('from')), to: text(read('to')), body }),
	request: (from, [{ to }]) => request(from, to),
	keep: () => [{}],
});

/**
 * docs/interface.md, "Send session message".
 *
 * @param ifRefused advice for the person who asks
 */
const sessionMessage = (message: string, ifRefused?: string): SendOperation<unknown> => ({
	...oneMessage({ message }, (from, to) => sendText({ from, to, message })),
	ifRefused,
});

/** docs/interface.md, "Send template message". */
const templateMessage = (template: IDataObject) =>
	oneMessage({ template }, (from, to) =>
		sendTemplate({ from, messages: [{ to, save: false, template }] }),
	);
