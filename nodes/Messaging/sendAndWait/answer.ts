import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { sentenceOf } from '../n8n/errors';
import { text } from '../n8n/values';
import { isAnswered, rememberAnswered } from './answeredQuestions';
import { openQuestion } from './openQuestion';
import { ANSWER, DECISION, LONGEST_ANSWER, noticePage, PAGE_HEADERS, questionPage } from './page';
import type { Question } from './question';

/**
 * A link of a question was opened, or a button on its page pressed. n8n has checked the link's
 * signature. Whatever opens links (previews, scanners, people) only gets the page; what continues the
 * workflow is a form that was sent from it.
 *
 * Never throws: n8n would end the waiting execution, and the question with it.
 */
export async function answer(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return take(context);
	} catch (error) {
		return apologise(context, error);
	}
}

function take(context: IWebhookFunctions): IWebhookResponseData {
	const { question: asked, choice } = context.getQueryData() as IDataObject;
	const open = openQuestion(context, asked);
	if (!open) return showClosed(context, 'This question has been answered or has expired.');
	const { id, question, sentAs, closesAt } = open;
	if (isAnswered(id)) {
		return showClosed(
			context,
			'This question has already been answered. Only the first answer counts.',
		);
	}
	// n8n continues an execution whose time is up only as soon as it gets to it.
	if (Date.now() >= closesAt) {
		return showClosed(context, 'The time for an answer is over. Nothing has been recorded.');
	}
	const isAnswer = context.getRequestObject().method === 'POST';
	const reading = isAnswer ? answerIn(context, question) : {};
	if (!reading.data) {
		return show(context, questionPage(question, { first: text(choice), trouble: reading.trouble }));
	}
	const data = { ...reading.data, sentAs, respondedAt: new Date().toISOString() };
	const thanked = show(
		context,
		noticePage('Thank you', 'Your answer has been recorded. You can close this page.'),
	);
	rememberAnswered(id, closesAt);
	return { ...thanked, workflowData: [[{ json: { data }, pairedItem: { item: 0 } }]] };
}

const showClosed = (context: IWebhookFunctions, why: string) =>
	show(context, noticePage('No longer open', why));

function show(context: IWebhookFunctions, html: string): IWebhookResponseData {
	const response = context.getResponseObject();
	for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
	response.status(200).send(html);
	return { noWebhookResponse: true };
}

/** The last resort: whatever went wrong, the question stays open. */
function apologise(context: IWebhookFunctions, error: unknown): IWebhookResponseData {
	try {
		context.logger.error(`Messaging: a question's page cannot be shown. ${sentenceOf(error)}`);
		show(context, noticePage('Something went wrong', 'Please open the link again later.'));
	} catch {
		// The connection is gone: there is nobody left to tell.
	}
	return { noWebhookResponse: true };
}

/** The answer in a form that was sent, or what is wrong with it. */
function answerIn(
	context: IWebhookFunctions,
	{ responseType, disapproveLabel }: Question,
): { data?: IDataObject; trouble?: string } {
	// n8n hands over nothing at all for an empty body.
	const form = (context.getBodyData() as IDataObject | undefined) ?? {};
	if (responseType === 'freeText') {
		// A form has the line breaks of the web; a text in a workflow has the usual ones.
		const written = text(form[ANSWER]).replace(/\r\n?/g, '\n');
		if (written === '') return { trouble: 'Please write an answer.' };
		if (written.length > LONGEST_ANSWER) return { trouble: 'This answer is too long.' };
		return { data: { text: written } };
	}
	const decision = form[DECISION];
	const isOffered = decision === 'approve' || (decision === 'disapprove' && disapproveLabel);
	return isOffered ? { data: { approved: decision === 'approve' } } : {};
}
