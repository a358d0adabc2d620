import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { text } from './values';

/** Shows a sentence above the node's output. */
export const showHint = (
	context: IExecuteFunctions,
	message: string,
	type: 'info' | 'warning' = 'warning',
) => context.addExecutionHints({ message, type, location: 'outputPane' });

/** Notes the first campaign of the output in the execution, so that the list of executions can be filtered by it. */
export function noteCampaign(context: IExecuteFunctions, outputs: INodeExecutionData[][]) {
	const id = text(outputs[0].find(({ json }) => json.campaign_id)?.json.campaign_id);
	try {
		// n8n complains in its log about longer ones.
		if (id) context.customData.set('campaign_id', id.slice(0, 255));
	} catch {
		// Nobody loses a message or a report because an execution cannot be found by its campaign.
	}
	return outputs;
}
