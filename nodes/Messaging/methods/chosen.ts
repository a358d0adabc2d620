import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { text } from '../n8n/values';

/**
 * What the user has chosen in another field so far; empty when nothing. An expression is resolved as
 * far as that is possible while nothing runs.
 */
export function chosen(context: ILoadOptionsFunctions, parameter: 'from' | 'template'): string {
	const value = text(context.getCurrentNodeParameter(parameter, { extractValue: true }));
	return value.startsWith('=') ? resolved(context, parameter) : value;
}

function resolved(context: ILoadOptionsFunctions, parameter: string): string {
	try {
		return text(context.getNodeParameter(`${parameter}.value`, ''));
	} catch {
		// It needs data that only a run brings.
		return '';
	}
}

/** The chosen sender, for lists that depend on it. */
export function chosenSender(context: ILoadOptionsFunctions): string {
	const from = chosen(context, 'from');
	if (from !== '') return from;
	throw new NodeOperationError(context.getNode(), "Choose a sender in 'From' first", {
		description:
			"The list shows the templates of the sender's channel. If 'From' is an expression that needs data from an execution, its value is not known here.",
	});
}
