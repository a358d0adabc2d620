import type { IExecuteFunctions } from 'n8n-workflow';

/** Shows a sentence above the node's output. */
export const showHint = (
	context: IExecuteFunctions,
	message: string,
	type: 'info' | 'warning' = 'warning',
) => context.addExecutionHints({ message, type, location: 'outputPane' });
