import { type ILoadOptionsFunctions, NodeOperationError } from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { asNodeError } from '../n8n/nodeErrors';
import { text } from '../n8n/values';
import type { Ask } from '../service/endpoints';
import { EDITOR_LIMITS } from '../service/service';
import { isObject, type ChannelTemplate } from '../service/types';
import { channelAndTemplates } from '../templates/catalogue';

/** Returns all templates of the sender's channel. */
export const fetchTemplates = async (
	context: ILoadOptionsFunctions,
	from: string,
): Promise<ChannelTemplate[]> =>
	await askService(context, async (ask) => (await channelAndTemplates(ask, from)).templates);

/**
 * Asks the service for the editor.
 *
 * @throws NodeApiError or NodeOperationError, which the editor shows
 */
export async function askService<Result>(
	context: ILoadOptionsFunctions,
	work: (ask: Ask) => Promise<Result>,
): Promise<Result> {
	try {
		const service = await connect(context);
		return await work(service.asking(EDITOR_LIMITS));
	} catch (error) {
		throw asNodeError(context.getNode(), error);
	}
}

/** Returns the language in the option *Language*; undefined without one, or when it is not known yet. */
export const selectedLanguage = (context: ILoadOptionsFunctions) =>
	selectedValue(context, 'options.language') || undefined;

/** @throws NodeOperationError when no sender is selected */
export function selectedSender(context: ILoadOptionsFunctions): string {
	const from = selectedValue(context, 'from');
	if (from !== '') return from;
	throw new NodeOperationError(context.getNode(), "Choose a sender in 'From' first", {
		description:
			"The list shows the templates of the sender's channel. If 'From' is an expression that needs data from an execution, the list cannot know its value.",
	});
}

/** Returns the value of a resource locator; '' when it is empty, or an expression without a value. */
export function selectedValue(context: ILoadOptionsFunctions, parameter: string): string {
	const current: unknown = context.getCurrentNodeParameter(parameter);
	return text(isObject(current) ? current.value : current);
}
