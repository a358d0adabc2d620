import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { UserError, WAIT_INDEFINITELY } from 'n8n-workflow';
import { connect } from '../host/connect';
import { serviceError } from '../host/errors';
import { failedItem } from '../host/failedItem';
import { text, without } from '../host/values';
import { now } from '../service/clock';
import { getChannels, sendTemplate, sendText } from '../service/endpoints';
import type { Service } from '../service/service';
import type { SendingOperation } from '../sending/operation';
import { optionsOf } from '../sending/options';
import { recipientDigits } from '../sending/phone';
import { recipientsOf } from '../sending/recipients';
import type { Result } from '../sending/results';
import { settle } from '../sending/send';
import { templateComposer } from '../templates/compose';
import { linksTo, type LinkFor } from './links';
import { keepOpen, newQuestionId, type Way } from './openQuestion';
import { chatText, filledIn, isReview, readQuestion, type Question } from './question';
import { closingTime, limitFromNow, pastEarlierLimit, waitForAnswer, waitUntil } from './waitLimit';

type Failed = Extract<Result, { fate: 'failed' }>;

const ONE_BY_ONE =
	"Send and Wait asks one question at a time, but several items came in. Put a 'Loop Over Items' node in front, connect its 'loop' output to this node, and connect this node back to it.";

const NO_TOOL =
	'Nothing was sent: as a tool of an agent, Send and Wait cannot wait for the answer. Choose Messaging under Human review, between the agent and the tool that needs an approval.';

/**
 * Sends the question and lets the execution wait for its answer.
 *
 * What it returns is what comes out when nobody answers in time: the input item with
 * `data: { timedOut: true }`. n8n puts the answer in its place. Without a limit no time runs out: n8n then
 * outputs the item only when somebody stops the execution and retries it.
 */
export async function askAndWait(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	if (isTool(context)) {
		// An older agent that calls the tool itself is told nothing of an error, and would believe that
		// somebody was asked.
		if (context.isToolExecution?.()) return [failedItem(NO_TOOL, { outcome: 'notSent' }, 0)];
		throw new UserError(NO_TOOL);
	}
	const items = context.getInputData();
	if (items.length > 1) throw new UserError(ONE_BY_ONE);
	const question = readQuestion(context);
	await pastEarlierLimit(context);
	const limit = waitUntil(context);
	const checkedAt = now();
	const id = newQuestionId();

	const sentAs = await deliver(context, question, linksTo(context, id));
	if (typeof sentAs !== 'string') return [notAsked(context, sentAs)];
	const until = limitFromNow(context, limit, checkedAt);

	keepOpen(context, { id, question, sentAs, closesAt: closingTime(until) });
	const unanswered: INodeExecutionData = {
		...items[0],
		json: {
			// A review's input is the agent's: n8n would take it for the person's words.
			...(isReview(context) ? {} : items[0].json),
			data: {
				...(until === WAIT_INDEFINITELY ? { answered: false } : { timedOut: true }),
				...(question.responseType === 'approval' && { approved: false }),
				sentAs,
			},
		},
		pairedItem: { item: 0 },
	};
	// n8n passes on what the node was given: that must tell that nobody answered.
	const executeData = context.getExecuteData();
	executeData.data = { ...executeData.data, main: [[unanswered]] };
	await waitForAnswer(context, until);
	// With Retry On Fail n8n runs a node again whose item has a field `error`, and would ask once more.
	return [{ ...unanswered, json: without(unanswered.json, 'error') }];
}

/** Some versions of the agent, and MCP, call a tool themselves; others let n8n run it like any node. */
const isTool = (context: IExecuteFunctions) =>
	!isReview(context) &&
	(context.isToolExecution?.() === true || context.getNode().type.endsWith('Tool'));

/** @throws NodeApiError unless the node is to go on with an error item */
function notAsked(context: IExecuteFunctions, failure: Failed): INodeExecutionData {
	const { sentence, httpStatus, outcome, recipient, item } = failure;
	if (context.continueOnFail()) {
		return failedItem(sentence, { httpStatus, outcome, recipient }, item);
	}
	throw serviceError(context.getNode(), { message: sentence, httpStatus }, { itemIndex: item });
}

const WAYS: Record<string, Way[]> = {
	session: ['session'],
	sessionThenTemplate: ['session', 'template'],
	template: ['template'],
};

/** Sends the question in the way that the user chose; returns the way that worked, or what did not. */
async function deliver(
	context: IExecuteFunctions,
	question: Question,
	linkFor: LinkFor,
): Promise<Way | Failed> {
	const service = await connect(context);
	const ways = WAYS[context.getNodeParameter('deliverAs', 0, 'session') as string] ?? WAYS.session;
	// Composed first also where it is the second way: that it is no good must not show one day at night.
	const template = ways.includes('template')
		? await composeTemplate(context, service, question, linkFor)
		: undefined;
	let earlier: Failed | undefined;
	for (const way of ways) {
		const operation =
			way === 'session' ? sessionMessage(chatText(question, linkFor)) : templateMessage(template!);
		const [result] = await settle(context, operation, service);
		if (result.fate !== 'failed') return way;
		if (earlier) {
			return withAddition(
				result,
				`That was the template. The session message before it was not sent: ${earlier.reason}`,
			);
		}
		// Only a message that the service refused may go another way: all else may have arrived, or would
		// fail in the same way.
		if (way === ways.at(-1) || result.outcome !== 'rejected' || result.cause !== 'refused') {
			return result;
		}
		const trouble = await troubleWithSender(context, service);
		if (trouble) return withAddition(result, trouble);
		earlier = result;
	}
	return earlier!;
}

const withAddition = (failed: Failed, addition: string): Failed => ({
	...failed,
	sentence: `${failed.sentence} ${addition}`,
});

/** Why a template would be refused as well, where the list of channels tells; nothing where it cannot be read. */
async function troubleWithSender(
	context: IExecuteFunctions,
	service: Service,
): Promise<string | undefined> {
	const from = text(recipientsOf(context, false)[0].read('from'));
	const digits = recipientDigits(from);
	const { timeout } = optionsOf(context);
	const signal = context.getExecutionCancelSignal?.();
	const answer = await service.call(getChannels(), { timeout, maxRetries: 0, signal });
	if (!answer.ok) return undefined;
	const channel = answer.payload.find(({ phone }) => phone && recipientDigits(phone) === digits);
	return channel?.status === 'INACTIVE' || channel?.status === 'PENDING'
		? `The template was not tried: the channel of the sender ${from} is ${channel.status}. Choose another sender in 'From'.`
		: undefined;
}

/** @throws UserError when the template is no good, or the person could not answer it */
async function composeTemplate(
	context: IExecuteFunctions,
	service: Service,
	question: Question,
	linkFor: LinkFor,
): Promise<IDataObject> {
	const [recipient] = recipientsOf(context, false);
	const setup = { context, service, options: optionsOf(context) };
	const compose = templateComposer(setup, (value) => filledIn(value, question, linkFor));
	const { template } = await compose(recipient, text(recipient.read('from')));
	if (!JSON.stringify(template).includes(linkFor().split('?')[0])) {
		throw new UserError(
			"The template has no place for the link. Choose a 'Parameter Format', and write [link] in the field of a placeholder.",
		);
	}
	return template;
}

/** One message, of which nothing is put out. */
const oneMessage = (
	body: IDataObject,
	request: (from: string, to: string) => ReturnType<SendingOperation<unknown>['request']>,
): SendingOperation<unknown> => ({
	takesList: false,
	hasIdentifier: false,
	prepare:
		() =>
		({ read }) => ({ from: text(read('from')), to: text(read('to')), body }),
	perRequest: () => 1,
	request: (from, [{ to }]) => request(from, to),
	keep: () => [{}],
	output: () => ({}),
});

const sessionMessage = (message: string) =>
	oneMessage({ message }, (from, to) => sendText({ from, to, message }));

const templateMessage = (template: IDataObject) =>
	oneMessage({ template }, (from, to) =>
		sendTemplate({ from, messages: [{ to, save: false, template }] }),
	);
