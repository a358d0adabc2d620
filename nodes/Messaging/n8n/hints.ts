import type { IExecuteFunctions } from 'n8n-workflow';

/** Shows a sentence above the node's output. An n8n that has no such hints writes it to its log. */
export function showHint(context: IExecuteFunctions, sentence: string) {
	if (typeof context.addExecutionHints === 'function') {
		context.addExecutionHints({ message: sentence, type: 'warning', location: 'outputPane' });
	} else {
		context.logger.warn(`Messaging: ${sentence}`);
	}
}
