import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	UserError,
} from 'n8n-workflow';
import { isAgentsCall, isReview } from '../n8n/execution';
import { connect } from '../n8n/connect';
import { itemReader } from '../n8n/itemParameters';
import { failedItem } from '../n8n/failedItems';
import { oneOf, text } from '../n8n/values';
import { now } from '../service/clock';
import type { Service } from '../service/service';
import { tallyOf } from '../sending/tally';
import { noteRefusal } from '../sending/crashNote';
import { asNothingSent, interruption } from '../sending/errors';
import { Journal } from '../sending/journal';
import type { SendOperation } from '../sending/sendOperation';
import { optionsOf } from '../sending/options';
import { recipientItems } from '../sending/output';
import { type Failed, isFailed } from '../sending/results';
import { runSendForResult } from '../sending/runSend';
import { templateComposer } from '../templates/compose';
import { resumeLink } from './links';
import { keepOpen, newQuestionId, type SentAs } from './openQuestion';
import { chatText, placeholderValue, readQuestion, type Question } from './question';
import { freeText, templateMessage } from './questionMessage';
import { answersCloseAt, readLimit, waitForAnswer, waitForEarlierLimit } from './waitLimit';

/** To which number the question was sent, and as which kind of message. */
type Asked = { to: string; sentAs: SentAs };

const ONE_QUESTION =
	"Send and Wait asks one question at a time, but several items came in. Put a 'Loop Over Items' node in front, connect its 'loop' output to this node, and both outputs of this node back to it, if it has two.";

const NOT_AS_TOOL =
	'As a tool of an agent, Send and Wait cannot wait for the answer. Choose Messaging under Human review, between the agent and the tool that needs an approval.';

/** Key beside the input of a node that waits: the input is what it outputs when the time is up, and then the answer. */
const ASKED = 'messagingAsked';

/**
 * Sends the question and puts the execution to wait for its answer.
 *
 * n8n replaces the returned item by the answer (see answerWebhook.ts).
 *
 * @returns the item for the case that nobody answers in time
 */
export async function askAndWait(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	if (isAgentsCall(context) && context.isToolExecution?.()) {
		// An agent that calls the tool itself does not get a thrown error, and would report that the question was sent.
		return [failedItem(`Nothing was sent. ${NOT_AS_TOOL}`, { outcome: 'notSent' }, 0)];
	}
	if (hasAsked(context)) return context.getInputData();
	const { question, id, limitFrom, sent } = await sendTheQuestion(context).catch(
		async (error) => await refuse(context, error),
	);
	if ('why' in sent) return [await failedQuestion(context, sent)];
	const until = limitFrom(now());

	keepOpen(context, { id, question, ...sent, closesAt: answersCloseAt(until) });
	const output = outputIfNobodyAnswers(context, question, sent);
	await waitForAnswer(context, until);
	return output;
}

/** Ends a run that asks nobody. @throws why */
async function refuse(context: IExecuteFunctions, error: unknown): Promise<never> {
	const journal = new Journal(context);
	const why = asNothingSent(context, error, journal);
	if (context.continueOnFail()) await noteRefusal(context, journal);
	throw why;
}

/** Whether an earlier attempt may have sent the question. */
export const mayHaveAsked = (context: IExecuteFunctions) => new Journal(context).mayHaveSent;

/** Reads the question and sends it. @throws UserError when nothing may be sent */
async function sendTheQuestion(context: IExecuteFunctions) {
	if (isAgentsCall(context)) throw new UserError(NOT_AS_TOOL);
	if (context.getInputData().length > 1) throw new UserError(ONE_QUESTION);
	const question = readQuestion(context);
	const limitFrom = readLimit(context);
	await waitForEarlierLimit(context);
	const id = newQuestionId();
	const sent = await sendQuestion(context, question, resumeLink(context, id));
	return { question, id, limitFrom, sent };
}

/**
 * Prepares the output for the case that nobody answers. It says only what holds now, too: whoever looks at the waiting execution
 * sees it, and n8n does not let a node change it later.
 *
 * @returns what the node outputs now; n8n does not pass it on while the execution waits
 */
function outputIfNobodyAnswers(
	context: IExecuteFunctions,
	{ responseType }: Question,
	sent: Asked,
): INodeExecutionData[] {
	const data = {
		answered: false,
		...(responseType === 'approval' && { approved: false }),
		...sent,
	};
	const output = [{ json: { data }, pairedItem: { item: 0 } }];
	// When the time is up, n8n outputs the input of this node: replace it. In a human review the input comes from the agent, and
	// n8n would take it for the person's answer.
	const executeData = context.getExecuteData?.();
	if (executeData) {
		// A list of its own: with an error output, n8n empties the list that this node returns.
		executeData.data = { ...executeData.data, main: [[...output]] };
		executeData.metadata = Object.assign({}, executeData.metadata, { [ASKED]: true });
	}
	return output;
}

/**
 * Whether the node has asked, and its input is the output: n8n runs it again when a person retries, with the node as it is saved
 * now, an execution that crashed after the answer. A human review asks again: what it once approved may not be wanted any more.
 */
const hasAsked = (context: IExecuteFunctions) =>
	!isReview(context) && ASKED in (context.getExecuteData?.().metadata ?? {});

/** Returns the failed item of a question that was not sent. @throws NodeApiError unless Continue On Fail is set */
async function failedQuestion(
	context: IExecuteFunctions,
	failure: Failed,
): Promise<INodeExecutionData> {
	if (context.continueOnFail()) return (await recipientItems(context, [failure]))[0];
	const journal = new Journal(context);
	throw interruption({ context, journal, tally: await tallyOf([failure]) });
}

const SEND_AS = ['session', 'sessionThenTemplate', 'template'] as const;

const USE_TEMPLATE =
	"Set 'Send As' to Template: it needs no message from them in the last 24 hours.";

/** Sends the question as the user chose in *Send As*. @returns what was accepted, or the failure */
async function sendQuestion(
	context: IExecuteFunctions,
	question: Question,
	link: string,
): Promise<Asked | Failed> {
	const sendAs = oneOf(itemReader(context)(0).read('deliverAs', 'session'), SEND_AS, 'Send As');
	const service = await connect(context);
	const text = chatText(question, link);
	const { message: shown } = question;
	if (sendAs === 'session') {
		return await sendQuestionAs(context, service, 'session', freeText(shown, text, USE_TEMPLATE));
	}
	// Compose the template first, so that a mistake in it is found even in a test in which the free text is accepted.
	const composed = await composeTemplate(context, service, question, link);
	const template = templateMessage(shown, composed);
	if (sendAs === 'template') return await sendQuestionAs(context, service, 'template', template);

	const first = await sendQuestionAs(context, service, 'session', freeText(shown, text));
	if (!isRefusedMessage(first)) return first;
	const second = await sendQuestionAs(context, service, 'template', template);
	if (!('why' in second)) return second;
	const why = `${second.why.message} That was the template. The free text before it was not sent: ${first.why.message}`;
	return { ...second, why: { ...second.why, message: why } };
}

/**
 * Whether the service refused the message itself. Otherwise the message may have arrived, or a template would fail for the
 * same reason.
 */
const isRefusedMessage = (result: Asked | Failed): result is Failed =>
	'why' in result && result.outcome === 'rejected' && result.why.cause === 'refused';

async function sendQuestionAs(
	context: IExecuteFunctions,
	service: Service,
	sentAs: SentAs,
	operation: SendOperation<unknown>,
): Promise<Asked | Failed> {
	const result = await runSendForResult(context, operation, service);
	return isFailed(result) ? result : { to: result.message.to, sentAs };
}

/** @throws UserError when the template is invalid, or has no place for the link */
async function composeTemplate(
	context: IExecuteFunctions,
	service: Service,
	question: Question,
	link: string,
): Promise<IDataObject> {
	const input = itemReader(context)(0);
	// A question may quote anything.
	const setup = { context, service, options: { ...optionsOf(context), sendUnusual: true } };
	// Before the values are checked, so that the link is checked as a part of a button's address.
	const insert = <Value>(given: Value) =>
		everyText(given, (part) => placeholderValue(part, question, link));
	const { body } = await templateComposer(setup, insert)(input, text(input.read('from')));
	const { template } = body;
	// The address of a button may already have the link's beginning, but never its signature.
	const signature = new URL(link).searchParams.get('signature')!;
	if (!JSON.stringify(template).includes(signature)) {
		throw new UserError(
			'The template has no place for the link. Choose a template with a placeholder for it, and write [link] in its field.',
		);
	}
	return template;
}

/** Returns a copy of a value with every text in it changed. */
function everyText<Value>(given: Value, change: (text: string) => string): Value {
	const changed = JSON.stringify(given, (_, value: unknown) =>
		typeof value === 'string' ? change(value) : value,
	);
	return JSON.parse(changed) as Value;
}
