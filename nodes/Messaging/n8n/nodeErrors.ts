import {
	type INode,
	ExpressionError,
	NodeApiError,
	NodeOperationError,
	UserError,
} from 'n8n-workflow';
import { failedExpression } from './failedExpression';
import { RequestFailed, type Failure } from '../service/outcomes';

/** An error that concerns the whole run, found while one item was read. */
export class RunError extends UserError {}

/** Turns an error of the service, of our own code or of n8n's evaluation into one that n8n can show. */
export function asNodeError(node: INode, error: unknown, itemIndex?: number) {
	if (error instanceof RequestFailed) return serviceError(node, error.failure, { itemIndex });
	return error instanceof NodeApiError || error instanceof NodeOperationError
		? error
		: new NodeOperationError(node, sentenceOf(error), { itemIndex });
}

/** Makes the error with which a node fails because of the service. */
export function serviceError(
	node: INode,
	{ message, httpStatus }: Pick<Failure, 'message' | 'httpStatus'>,
	details: { itemIndex?: number; description?: string } = {},
) {
	const httpCode = httpStatus?.toString();
	return new NodeApiError(node, { message }, { message, httpCode, ...details });
}

/** Returns what went wrong as a sentence, for any thrown value. */
export function sentenceOf(error: unknown): string {
	if (error instanceof ExpressionError) {
		const { parameter } = error.context as { parameter?: string };
		return failedExpression(error, parameter);
	}
	return error instanceof Error ? error.message : String(error);
}
