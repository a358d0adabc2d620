import { randomBytes } from 'crypto';
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { isObject } from '../service/types';
import type { Question } from './question';

/** How a question reached the person. */
export type Way = 'session' | 'template';

/**
 * The question that the execution waits for, as it was asked. Its page shows this and not the
 * parameters: they may have been expressions, and what those read has changed meanwhile.
 */
export type OpenQuestion = {
	id: string;
	question: Question;
	sentAs?: Way;
	/** In ms: from then on no answer is taken, even if n8n has not continued the execution yet. */
	closesAt: number;
};

/** In the node's own context, which n8n saves with the waiting execution. */
const FIELD = 'messagingOpenQuestion';

/**
 * Gives the question a name of its own. In a loop the same node asks again: the link of an earlier
 * question, whose signature is still good, must not answer the later one.
 */
export const newQuestionId = () => randomBytes(9).toString('base64url');

export function keepOpen(context: IExecuteFunctions, open: OpenQuestion) {
	context.getContext('node')[FIELD] = open;
}

/** The question of this id, as long as it is open. */
export function openQuestion(context: IWebhookFunctions, id: unknown): OpenQuestion | undefined {
	// Webhooks see the node's context only through an expression, which braces in a name would end.
	const node = JSON.stringify(context.getNode().name).replace(
		/[{}]/g,
		(brace) => `\\u00${brace.charCodeAt(0).toString(16)}`,
	);
	const open: unknown = context.evaluateExpression(`{{ $node[${node}].context.${FIELD} }}`);
	return typeof id === 'string' && isObject(open) && open.id === id
		? // A question that an earlier version asked has no time of its own.
			{ closesAt: Infinity, ...(open as Omit<OpenQuestion, 'closesAt'>) }
		: undefined;
}
