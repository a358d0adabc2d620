import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { text } from './values';

/** The longest value that n8n keeps without a complaint in its log. */
const MAX_LENGTH = 255;

/** Notes the first campaign of the output in the execution, so that the list of executions can be filtered by it. */
export function noteCampaign(
	context: IExecuteFunctions,
	outputs: INodeExecutionData[][],
): INodeExecutionData[][] {
	const id = text(outputs[0].find(({ json }) => json.campaign_id)?.json.campaign_id);
	try {
		if (id) context.customData.set('campaign_id', id.slice(0, MAX_LENGTH));
	} catch {
		// Nobody loses a message or a report because an execution cannot be found by its campaign.
	}
	return outputs;
}
