import type { IExecuteFunctions } from 'n8n-workflow';

/** Shows a sentence above the node's output. Where n8n has no such hints, it goes to the log. */
export function showHint(context: IExecuteFunctions, sentence: string) {
	if (typeof context.addExecutionHints === 'function') {
		context.addExecutionHints({ message: sentence, type: 'warning', location: 'outputPane' });
	} else {
		context.logger.warn(`Messaging: ${sentence}`);
	}
}
