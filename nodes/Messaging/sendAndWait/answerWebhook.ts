import type {
	IBinaryKeyData,
	IDataObject,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { sentenceOf } from '../n8n/errors';
import { text } from '../n8n/values';
import { findOpenQuestion, isAnswered, type OpenQuestion, rememberAnswered } from './openQuestion';
import { ENGLISH, type PageLanguage, readLanguage } from './pageTexts';
import type { Question } from './question';
import {
	ANSWER,
	DECISION,
	noticePage,
	PAGE_HEADERS,
	questionPage,
	type Shown,
	shownForm,
	thanksPage,
} from './questionPage';
import { type Entered, formOutput, LONGEST_ANSWER, readForm, submittedForm } from './submittedForm';

/**
 * The webhooks that the links of a question call: n8n checks their signature and calls the node's `webhook`. Nothing
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
		return await handleRequest(context);
	} catch (error) {
		return showError(context, error);
	}
}

async function handleRequest(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { question: questionId, choice } = context.getQueryData() as IDataObject;
	const open = findOpenQuestion(context, questionId);
	if (!open) return showClosed(context, 'gone', languageOf(context));
	const { id, question, sentAs, to, closesAt } = open;
	const closed = closedBecause(open);
	if (closed) return showClosed(context, closed, question);
	const isSubmitted = context.getRequestObject().method === 'POST';
	const { answer, shown, ...more } = isSubmitted ? await submittedAnswer(context, question) : {};
	if (!answer) {
		const { problem, entered } = more;
		return show(context, questionPage(question, { first: text(choice), problem, entered }));
	}
	// While files were stored, somebody else may have answered.
	const closedMeanwhile = closedBecause(open);
	if (closedMeanwhile) return showClosed(context, closedMeanwhile, question);
	const data = { ...answer, ...(to && { to }), sentAs, respondedAt: new Date().toISOString() };
	const thanked = show(context, thanksPage(question, shown ?? []));
	rememberAnswered(id, closesAt);
	const { binary } = more;
	const item = { json: { data }, ...(binary && { binary }), pairedItem: { item: 0 } };
	return { ...thanked, workflowData: [[item]] };
}

/** Returns the page's text that says why a question is closed; undefined while it is open. */
function closedBecause({ id, closesAt }: OpenQuestion): 'answered' | 'late' | undefined {
	if (isAnswered(id)) return 'answered';
	// n8n may continue an execution some time after its limit; until then it still passes on answers.
	return Date.now() >= closesAt ? 'late' : undefined;
}

type Answered = {
	answer?: IDataObject;
	binary?: IBinaryKeyData;
	/** The answer in the words of the page. */
	shown?: Shown[];
	/** What is wrong with the answer. */
	problem?: string;
	/** What was entered in the form, to correct it. */
	entered?: Entered[];
};

/** Reads the submitted form. @returns the answer, or what is wrong with it; an empty object for an unknown decision */
async function submittedAnswer(context: IWebhookFunctions, question: Question): Promise<Answered> {
	const { responseType, approveLabel, disapproveLabel, texts, form } = question;
	const submitted = submittedForm(context);
	if (responseType === 'customForm') {
		const entered = readForm(form, submitted, texts);
		if (entered.some(({ problem }) => problem)) return { problem: texts.check, entered };
		return { ...(await formOutput(context, form, entered)), shown: shownForm(form, entered) };
	}
	if (responseType === 'freeText') {
		// Forms send CRLF line breaks; text in workflows usually has LF.
		const written = text(submitted.data[ANSWER]).replace(/\r\n?/g, '\n');
		const entered = [{ written: [written], value: written, files: [] }];
		if (written === '') return { problem: texts.required };
		if (written.length > LONGEST_ANSWER) return { problem: texts.tooLong, entered };
		return { answer: { text: written }, shown: [{ label: texts.answer, value: written }] };
	}
	const decision = submitted.data[DECISION];
	const isOffered = decision === 'approve' || (decision === 'disapprove' && disapproveLabel);
	if (!isOffered) return {};
	const approved = decision === 'approve';
	const value = approved ? approveLabel : (disapproveLabel ?? '');
	return { answer: { approved }, shown: [{ label: texts.answer, value }] };
}

const showClosed = (
	context: IWebhookFunctions,
	why: 'answered' | 'late' | 'gone',
	language: PageLanguage,
) => show(context, noticePage(language, language.texts.closedTitle, language.texts[why]));

/** Returns the language of the node's parameters, for a page without a question. */
function languageOf(context: IWebhookFunctions): PageLanguage {
	try {
		return readLanguage(context.getNodeParameter('options', {}) as IDataObject);
	} catch {
		return ENGLISH;
	}
}

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
		const language = languageOf(context);
		show(context, noticePage(language, language.texts.errorTitle, language.texts.error));
	} catch {
		// The person has closed the connection.
	}
	return { noWebhookResponse: true };
}
