import type { IExecuteFunctions } from 'n8n-workflow';

/** Shows above the node's output that it is not all; in the log where n8n knows no such hints. */
export function sayIncomplete(context: IExecuteFunctions, warning: string) {
	if (typeof context.addExecutionHints === 'function') {
		context.addExecutionHints({ message: warning, type: 'warning', location: 'outputPane' });
	} else {
		context.logger.warn(`Messaging: ${warning}`);
	}
}
