import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Returns the token that n8n gives an execution and all its retries, also the retries of a crashed one;
 * undefined before n8n 2.14, and where there is no execution.
 */
export function executionToken(context: IExecuteFunctions): string | undefined {
	const { $execution } = context.getWorkflowDataProxy(0);
	const { resumeUrl } = ($execution ?? {}) as { resumeUrl?: unknown };
	const query = typeof resumeUrl === 'string' ? resumeUrl.split('?')[1] : undefined;
	return new URLSearchParams(query).get('signature') ?? undefined;
}
