import { randomBytes } from 'crypto';
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { isObject } from '../service/types';
import type { Question } from './question';

/** The kind of message that carried the question. */
export type SentAs = 'session' | 'template';

/**
 * The question that the execution waits for, as it was sent. The page shows this instead of the node's
 * parameters, because an expression could give another text by the time the page is opened.
 */
export type OpenQuestion = {
	id: string;
	question: Question;
	sentAs: SentAs;
	/** The number that the question was sent to. */
	to: string;
	/**
	 * In ms since 1970: no answer is accepted from then on, even if n8n has not continued the execution yet. Undefined without
	 * a limit.
	 */
	closesAt?: number;
};

/** Key in the node's context, which n8n saves with the waiting execution. */
const QUESTION_KEY = 'messagingOpenQuestion';

/**
 * Returns a new question id. Each question needs its own: in a loop the same node asks again, and the signed
 * link of an earlier question must not answer the later one.
 */
export const newQuestionId = () => randomBytes(9).toString('base64url');

export function keepOpen(context: IExecuteFunctions, open: OpenQuestion) {
	context.getContext('node')[QUESTION_KEY] = open;
}

/** Returns the open question with this id; undefined when another question, or none, is open. */
export function findOpenQuestion(
	context: IWebhookFunctions,
	id: unknown,
): OpenQuestion | undefined {
	// A webhook can read the node's context only through an expression. Braces in the node's name would end it.
	const node = JSON.stringify(context.getNode().name).replace(
		/[{}]/g,
		(brace) => `\\u00${brace.charCodeAt(0).toString(16)}`,
	);
	const open: unknown = context.evaluateExpression(`{{ $node[${node}].context.${QUESTION_KEY} }}`);
	return typeof id === 'string' && isObject(open) && open.id === id
		? (open as OpenQuestion)
		: undefined;
}

/**
 * Ids of questions that were answered in this process. n8n reports an execution as waiting until it continues, which the
 * concurrency limit can delay by minutes. In that time only this set shows that a question was answered already.
 */
const answered = new Set<string>();

/** Limits the set to about 1 MB; fewer answered executions than this are still waiting. */
const MAX_ANSWERED = 10_000;

export const isAnswered = ({ id }: OpenQuestion) => answered.has(id);

/** Records that a question was answered. */
export function rememberAnswered({ id }: OpenQuestion) {
	const [oldest] = answered;
	if (answered.size >= MAX_ANSWERED) answered.delete(oldest);
	answered.add(id);
}
