import { type ILoadOptionsFunctions, NodeOperationError } from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { asNodeError, serviceError } from '../n8n/errors';
import { text } from '../n8n/values';
import type { Ask } from '../service/endpoints';
import { isObject, type ChannelTemplate } from '../service/types';
import { channelAndTemplates, templateNamed } from '../templates/catalogue';

/** Shorter than in an execution, because a person waits at the screen. Times in ms. */
export const EDITOR_LIMITS = { timeout: 20_000, maxRetries: 1, longestWait: 3_000 };

/**
 * Connects to the service for the editor.
 *
 * @returns a function that sends a request and returns the payload of its answer
 * @throws NodeApiError or NodeOperationError, which the editor shows
 */
export async function connectEditor(context: ILoadOptionsFunctions): Promise<Ask> {
	const service = await connect(context).catch((error: unknown) => {
		throw asNodeError(context.getNode(), error);
	});
	return async (request) => {
		const answer = await service.call(request, EDITOR_LIMITS);
		if (!answer.ok) throw serviceError(context.getNode(), answer);
		return answer.payload;
	};
}

/** Returns all templates of the sender's channel. */
export async function fetchTemplates(
	context: ILoadOptionsFunctions,
	from: string,
): Promise<ChannelTemplate[]> {
	const ask = await connectEditor(context);
	const { templates } = await channelAndTemplates(ask, from).catch((error: unknown) => {
		throw asNodeError(context.getNode(), error);
	});
	return templates;
}

/** Returns the value of a resource locator; '' when it is empty, or an expression without a value. */
export function selectedValue(
	context: ILoadOptionsFunctions,
	parameter: 'from' | 'template' | 'options.language',
): string {
	const current: unknown = context.getCurrentNodeParameter(parameter);
	return text(isObject(current) ? current.value : current);
}

/** Returns the channel's translation of the selected template in the selected language, if any; undefined without one. */
export function selectedTranslation(
	context: ILoadOptionsFunctions,
	templates: ChannelTemplate[],
	name: string,
): ChannelTemplate | undefined {
	const language = selectedValue(context, 'options.language') || undefined;
	return templateNamed(templates, name, language) ?? templateNamed(templates, name);
}

/** @throws NodeOperationError when no sender is selected */
export function selectedSender(context: ILoadOptionsFunctions): string {
	const from = selectedValue(context, 'from');
	if (from !== '') return from;
	throw new NodeOperationError(context.getNode(), "Choose a sender in 'From' first", {
		description:
			"The list shows the templates of the sender's channel. If 'From' is an expression that needs data from an execution, its value is not known here.",
	});
}
