import type { IContextObject, IExecuteFunctions } from 'n8n-workflow';

/** The node's data in the execution, which n8n saves with it and gives to its retries; undefined where there is no execution. */
export const executionData = (context: IExecuteFunctions) => dataOf(context, 'node');

/** The same, shared by all nodes of the execution. */
export const sharedData = (context: IExecuteFunctions) => dataOf(context, 'flow');

function dataOf(context: IExecuteFunctions, type: 'node' | 'flow'): IContextObject | undefined {
	try {
		return context.getContext(type);
	} catch {
		return undefined;
	}
}

/**
 * Returns the token that n8n gives an execution and all its retries, also the retries of a crashed one;
 * undefined where n8n gives none, or there is no execution.
 */
export function executionToken(context: IExecuteFunctions): string | undefined {
	const { $execution } = context.getWorkflowDataProxy(0);
	const { resumeUrl } = ($execution ?? {}) as { resumeUrl?: unknown };
	const query = typeof resumeUrl === 'string' ? resumeUrl.split('?')[1] : undefined;
	return new URLSearchParams(query).get('signature') ?? undefined;
}
