import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { text } from '../host/values';

/** What the user has chosen in another field so far; empty when nothing, or not to be resolved here. */
export function chosen(context: ILoadOptionsFunctions, parameter: 'from' | 'template'): string {
	return text(context.getCurrentNodeParameter(parameter, { extractValue: true }));
}

/** The chosen sender, for lists that depend on it. */
export function chosenSender(context: ILoadOptionsFunctions): string {
	const from = chosen(context, 'from');
	if (from !== '' && !from.startsWith('=')) return from;
	throw new NodeOperationError(context.getNode(), 'Choose a sender in "From" first', {
		description: "Templates belong to a channel: the list shows those of the sender's channel.",
	});
}
