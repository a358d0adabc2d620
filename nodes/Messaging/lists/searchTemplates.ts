import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { asNodeError } from '../host/errors';
import type { ChannelTemplate } from '../service/types';
import { templatesOfSender } from '../templates/catalogue';
import { askFor } from './ask';
import { chosenSender } from './chosen';
import { inWords, matches, pageOf, shortened, withoutBraces } from './page';

const textOf = ({ components }: ChannelTemplate): string =>
	(Array.isArray(components) ? components : [])
		.map(({ text }) => text)
		.filter(Boolean)
		.join(' ');

/** Templates of the channel chosen in `from`; the value is the name (4.5). */
export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const from = chosenSender(this);
	const ask = await askFor(this);
	const templates = await templatesOfSender(ask, from).catch((error: unknown) => {
		throw asNodeError(this.getNode(), error);
	});
	const entries = templates
		.filter((template) =>
			matches(`${template.name} ${template.language} ${textOf(template)}`, filter),
		)
		.map((template) => {
			const { name, language, category, status, rejected_reason: rejected } = template;
			const state = rejected ? `rejected: ${rejected}` : inWords(status);
			return {
				name: withoutBraces(`${name} · ${language} · ${inWords(category)} · ${state}`),
				value: name,
				description: shortened(textOf(template)),
			};
		});
	return pageOf(entries, paginationToken);
}
