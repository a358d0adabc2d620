import type { INode } from 'n8n-workflow';
import { ExpressionError, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { RequestFailed, type Failure } from '../service/failure';

/** The error with which a node fails because of what the service did. */
export function serviceError(
	node: INode,
	{ message, httpStatus }: Pick<Failure, 'message' | 'httpStatus'>,
	details: { itemIndex?: number; description?: string } = {},
) {
	return new NodeApiError(
		node,
		{ message },
		{ message, httpCode: httpStatus === undefined ? undefined : String(httpStatus), ...details },
	);
}

/** The error with which a node fails because of what it was given. */
export const inputError = (
	node: INode,
	message: string,
	details: { itemIndex?: number; description?: string } = {},
) => new NodeOperationError(node, message, details);

/** What went wrong, as a sentence, whoever threw it. */
export function sentenceOf(error: unknown): string {
	if (error instanceof ExpressionError) {
		const { parameter } = error.context as { parameter?: string };
		return `The expression${parameter ? ` in "${parameter}"` : ''} failed: ${error.message}`;
	}
	return error instanceof Error ? error.message : String(error);
}

/** An error that n8n can show, made of one that the service, our own code or n8n's evaluation gave. */
export function asNodeError(node: INode, error: unknown, itemIndex?: number) {
	if (error instanceof RequestFailed) return serviceError(node, error.failure, { itemIndex });
	return error instanceof NodeApiError || error instanceof NodeOperationError
		? error
		: new NodeOperationError(node, sentenceOf(error), { itemIndex });
}
