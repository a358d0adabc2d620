import type {
	IDataObject,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { sentenceOf } from '../n8n/nodeErrors';
import { text } from '../n8n/values';
import { findOpenQuestion, isAnswered, type OpenQuestion, rememberAnswered } from './openQuestion';
import {
	ANSWER,
	DECISION,
	LONGEST_ANSWER,
	noticePage,
	PAGE_HEADERS,
	questionPage,
	thanksPage,
} from './page';
import { ENGLISH, ERROR, type PageLanguage, readLanguage, timeIn } from './pageTexts';
import type { Question } from './question';

/**
 * The webhooks that the link of a question calls: n8n checks its signature and calls the node's `webhook`. Nothing
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
export function answerWebhook(context: IWebhookFunctions): IWebhookResponseData {
	try {
		return handleRequest(context);
	} catch (error) {
		return showError(context, error);
	}
}

function handleRequest(context: IWebhookFunctions): IWebhookResponseData {
	const open = findOpenQuestion(context, (context.getQueryData() as IDataObject).question);
	if (!open) return showClosed(context, languageOf(context));
	const { question, to, sentAs } = open;
	if (isClosed(open)) return showClosed(context, question);
	const isSubmitted = context.getRequestObject().method === 'POST';
	const submitted = isSubmitted ? submittedAnswer(context, question) : undefined;
	if (!submitted || 'rejected' in submitted) {
		return showPage(
			context,
			questionPage(question, closingTime(context, open), submitted?.rejected),
		);
	}
	const { answer, words } = submitted;
	const data = { answered: true, ...answer, to, sentAs, respondedAt: new Date().toISOString() };
	const thanked = showPage(context, thanksPage(question, words));
	rememberAnswered(open);
	return { ...thanked, workflowData: [[{ json: { data }, pairedItem: { item: 0 } }]] };
}

/** Whether somebody has answered, or the time is up: n8n may continue an execution later, and passes on answers until then. */
const isClosed = (open: OpenQuestion) =>
	isAnswered(open) || (open.closesAt !== undefined && Date.now() >= open.closesAt);

/** Returns until when the question is open, in the workflow's time zone; undefined without a limit. */
const closingTime = (context: IWebhookFunctions, { closesAt, question }: OpenQuestion) =>
	closesAt === undefined ? undefined : timeIn(question.language, context.getTimezone(), closesAt);

type Submitted =
	/** The output's fields, and the answer in the words of the page. */
	| { answer: IDataObject; words: string }
	/** A text that cannot be accepted, as it was written. */
	| { rejected: string };

/** Reads the submitted form, or a JSON body with the same field. @returns undefined for an unknown decision */
function submittedAnswer(context: IWebhookFunctions, question: Question): Submitted | undefined {
	const { responseType, approveLabel, disapproveLabel } = question;
	// n8n returns undefined for an empty body.
	const body = (context.getBodyData() as IDataObject | undefined) ?? {};
	if (responseType === 'freeText') {
		// Forms send CRLF line breaks; text in workflows usually has LF.
		const written = text(body[ANSWER]).replace(/\r\n?/g, '\n');
		return written === '' || written.length > LONGEST_ANSWER
			? { rejected: written }
			: { answer: { text: written }, words: written };
	}
	if (body[DECISION] === 'approve') return { answer: { approved: true }, words: approveLabel };
	if (body[DECISION] === 'disapprove' && disapproveLabel) {
		return { answer: { approved: false }, words: disapproveLabel };
	}
	return undefined;
}

const showClosed = (context: IWebhookFunctions, language: PageLanguage) =>
	showPage(context, noticePage(language, language.texts.closed));

/** Returns the language of the node's parameters, for a page without a question. */
function languageOf(context: IWebhookFunctions): PageLanguage {
	try {
		return readLanguage(context.getNodeParameter('options', {}) as IDataObject);
	} catch {
		return ENGLISH;
	}
}

/** Shows that something failed, and leaves the question open. */
function showError(context: IWebhookFunctions, error: unknown): IWebhookResponseData {
	try {
		context.logger.error(`Messaging: a question's page cannot be shown. ${sentenceOf(error)}`);
		showPage(context, noticePage(ENGLISH, ERROR));
	} catch {
		// The person has closed the connection.
	}
	return { noWebhookResponse: true };
}

function showPage(context: IWebhookFunctions, html: string): IWebhookResponseData {
	const response = context.getResponseObject();
	for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
	response.status(200).send(html);
	return { noWebhookResponse: true };
}
