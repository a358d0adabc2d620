import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { asNodeError } from '../n8n/errors';
import { text } from '../n8n/values';
import type { ChannelTemplate } from '../service/types';
import { rejectionOf, templatesOfSender } from '../templates/catalogue';
import { askFor } from './ask';
import { chosenSender } from './chosen';
import { inWords, joined, matches, pageOf, shortened, withoutBraces } from './page';

const textOf = ({ components }: ChannelTemplate): string =>
	joined(
		(Array.isArray(components) ? components : []).map((component) => component?.text),
		' ',
	);

function stateOf(template: ChannelTemplate) {
	const rejection = rejectionOf(template);
	return rejection ? `rejected: ${rejection}` : inWords(template.status);
}

const distinct = (values: string[]) => joined([...new Set(values)], ', ');

/** The translations of a template share a name, and the editor shows one entry for each value. */
function byName(templates: ChannelTemplate[]): ChannelTemplate[][] {
	const groups = new Map<string, ChannelTemplate[]>();
	for (const template of templates) {
		groups.set(template.name, [...(groups.get(template.name) ?? []), template]);
	}
	return [...groups.values()];
}

const isRejected = (translations: ChannelTemplate[]) =>
	translations.every((template) => rejectionOf(template) !== '');

/** Templates of the channel chosen in `from`, rejected ones last; the value is the name (4.5). */
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
	// Without a name there is nothing to send it by.
	const named = templates.filter(({ name }) => text(name) !== '');
	const entries = byName(named)
		.filter((translations) =>
			translations.some((template) => {
				const { name, language, category } = template;
				const state = stateOf(template);
				return matches(joined([name, language, category, state, textOf(template)], ' '), filter);
			}),
		)
		.sort((a, b) => Number(isRejected(a)) - Number(isRejected(b)))
		.map((translations) => {
			const [first] = translations;
			const languages = distinct(translations.map(({ language }) => language));
			const states = distinct(translations.map(stateOf));
			return {
				name: withoutBraces(joined([first.name, languages, states, inWords(first.category)])),
				value: first.name,
				description: shortened(textOf(first)),
			};
		});
	return pageOf(entries, paginationToken);
}
