import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { sentenceOf } from '../host/errors';
import { text } from '../host/values';
import { isOpen } from './openQuestion';
import { ANSWER, DECISION, noticePage, PAGE_HEADERS, questionPage } from './page';
import { readQuestion } from './question';

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
		context.logger.error(`Messaging: a question's page cannot be shown. ${sentenceOf(error)}`);
		return show(context, noticePage('Something went wrong', 'Please open the link again later.'));
	}
}

function take(context: IWebhookFunctions): IWebhookResponseData {
	const { question: id, choice } = context.getQueryData() as IDataObject;
	if (!isOpen(context, id)) {
		return show(
			context,
			noticePage('No longer open', 'This question has been answered or has expired.'),
		);
	}
	const question = readQuestion(context);
	const isPost = context.getRequestObject().method === 'POST';
	const data = isPost ? answerIn(context, question.responseType) : undefined;
	if (!data) return show(context, questionPage(question, text(choice)));
	return {
		...show(
			context,
			noticePage('Thank you', 'Your answer has been recorded. You can close this page.'),
		),
		workflowData: [[{ json: { data: { ...data, respondedAt: new Date().toISOString() } } }]],
	};
}

function show(context: IWebhookFunctions, html: string): IWebhookResponseData {
	const response = context.getResponseObject();
	for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
	response.status(200).send(html);
	return { noWebhookResponse: true };
}

/** The answer in a form that was sent; undefined when it holds none. */
function answerIn(context: IWebhookFunctions, responseType: string): IDataObject | undefined {
	// n8n hands over nothing at all for an empty body.
	const form = (context.getBodyData() as IDataObject | undefined) ?? {};
	if (responseType === 'freeText') {
		const written = text(form[ANSWER]);
		return written === '' ? undefined : { text: written };
	}
	const decision = form[DECISION];
	return decision === 'approve' || decision === 'disapprove'
		? { approved: decision === 'approve' }
		: undefined;
}
