import { randomBytes } from 'crypto';
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

/** In the node's own context, which n8n saves with the waiting execution. */
const FIELD = 'messagingOpenQuestion';

/**
 * Names the question that the execution now waits for. In a loop the same node asks again: the link of
 * an earlier question, whose signature is still good, must not answer the later one.
 */
export function openQuestion(context: IExecuteFunctions): string {
	const id = randomBytes(9).toString('base64url');
	context.getContext('node')[FIELD] = id;
	return id;
}

/** The question that is open; webhooks see the node's context only through an expression. */
export function isOpen(context: IWebhookFunctions, id: unknown): boolean {
	const node = JSON.stringify(context.getNode().name);
	const open: unknown = context.evaluateExpression(`{{ $node[${node}].context.${FIELD} }}`);
	return typeof id === 'string' && id !== '' && id === open;
}
