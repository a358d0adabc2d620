import type {
	IDataObject,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { sentenceOf } from '../n8n/errors';
import { text } from '../n8n/values';
import { findOpenQuestion, isAnswered, rememberAnswered } from './openQuestion';
import type { Question } from './question';
import {
	ANSWER,
	DECISION,
	LONGEST_ANSWER,
	noticePage,
	PAGE_HEADERS,
	questionPage,
} from './questionPage';

/**
 * Where the links of a question lead: n8n checks their signature and calls the node's `webhook`. Nothing
 * registers these webhooks with the service, because only people open them.
 */
export const answerWebhooks: IWebhookDescription[] = (['GET', 'POST'] as const).map(
	(httpMethod) => ({
		name: 'default',
		httpMethod,
		responseMode: 'onReceived',
		responseData: '',
		path: '={{ $nodeId }}',
		restartWebhook: true,
		isFullPath: true,
	}),
);

/**
 * Answers a request to a question's link: GET opens the page, POST submits the form on it. Only a submitted
 * form continues the workflow, because link previews and virus scanners open links, too.
 *
 * Never throws: n8n would end the waiting execution, and the person could no longer answer.
 */
export async function answerWebhook(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return handleRequest(context);
	} catch (error) {
		return showError(context, error);
	}
}

function handleRequest(context: IWebhookFunctions): IWebhookResponseData {
	const { question: questionId, choice } = context.getQueryData() as IDataObject;
	const open = findOpenQuestion(context, questionId);
	if (!open) return showClosed(context, 'This question has been answered or has expired.');
	const { id, question, sentAs, closesAt } = open;
	if (isAnswered(id)) {
		return showClosed(
			context,
			'This question has already been answered. Only the first answer counts.',
		);
	}
	// n8n may need a while to continue an execution whose time is up; until then it still forwards answers.
	if (Date.now() >= closesAt) {
		return showClosed(context, 'The time for an answer is over. Nothing has been recorded.');
	}
	const isSubmitted = context.getRequestObject().method === 'POST';
	const { answer, problem } = isSubmitted ? submittedAnswer(context, question) : {};
	if (!answer) return show(context, questionPage(question, { first: text(choice), problem }));
	const data = { ...answer, sentAs, respondedAt: new Date().toISOString() };
	const thanked = show(
		context,
		noticePage('Thank you', 'Your answer has been recorded. You can close this page.'),
	);
	rememberAnswered(id, closesAt);
	return { ...thanked, workflowData: [[{ json: { data }, pairedItem: { item: 0 } }]] };
}

/** Reads the submitted form. @returns the answer, or what is wrong with it, or nothing for an unknown decision */
function submittedAnswer(
	context: IWebhookFunctions,
	{ responseType, disapproveLabel }: Question,
): { answer?: IDataObject; problem?: string } {
	// For an empty body, n8n gives undefined.
	const form = (context.getBodyData() as IDataObject | undefined) ?? {};
	if (responseType === 'freeText') {
		// Forms send CRLF line breaks; text in workflows usually has LF.
		const written = text(form[ANSWER]).replace(/\r\n?/g, '\n');
		if (written === '') return { problem: 'Please write an answer.' };
		if (written.length > LONGEST_ANSWER) return { problem: 'This answer is too long.' };
		return { answer: { text: written } };
	}
	const decision = form[DECISION];
	const isOffered = decision === 'approve' || (decision === 'disapprove' && disapproveLabel);
	return isOffered ? { answer: { approved: decision === 'approve' } } : {};
}

const showClosed = (context: IWebhookFunctions, why: string) =>
	show(context, noticePage('No longer open', why));

function show(context: IWebhookFunctions, html: string): IWebhookResponseData {
	const response = context.getResponseObject();
	for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
	response.status(200).send(html);
	return { noWebhookResponse: true };
}

/** Shows that something failed, and leaves the question open. */
function showError(context: IWebhookFunctions, error: unknown): IWebhookResponseData {
	try {
		context.logger.error(`Messaging: a question's page cannot be shown. ${sentenceOf(error)}`);
		show(context, noticePage('Something went wrong', 'Please open the link again later.'));
	} catch {
		// The person has closed the connection.
	}
	return { noWebhookResponse: true };
}
