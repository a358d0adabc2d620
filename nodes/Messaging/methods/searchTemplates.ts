import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { text } from '../n8n/values';
import type { ChannelTemplate } from '../service/types';
import { rejectionOf } from '../templates/catalogue';
import { textPartsOf } from '../templates/placeholders';
import { inWords, joined, matches, pageOf, shortened, withoutBraces } from './listEntries';
import { fetchTemplates, selectedSender } from './editorRequests';

/**
 * Lists the templates of the channel selected in `from`, approved ones first and rejected ones last; the value is the name. Implements
 * docs/development/interface.md, "Get channel templates".
 */
export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const templates = await fetchTemplates(this, selectedSender(this));
	const entries = byName(templates)
		.filter((translations) => translations.some((template) => fits(template, filter)))
		.sort((a, b) => rank(a) - rank(b))
		.map((translations) => {
			const [first] = translations;
			const languages = distinct(translations.map(({ language }) => language));
			const states = distinct(translations.map(stateOf));
			const name = joined([first.name, states, languages, inWords(first.category)]);
			return {
				name: withoutBraces(name),
				value: first.name,
				description: shortened(textOf(first)),
			};
		});
	return pageOf(entries, paginationToken);
}

/** Groups translations, because they share a name and the editor shows one entry for each value. */
function byName(templates: ChannelTemplate[]): ChannelTemplate[][] {
	const groups = new Map<string, ChannelTemplate[]>();
	for (const template of templates) {
		// A template without a name cannot be sent.
		if (text(template.name) === '') continue;
		groups.set(template.name, [...(groups.get(template.name) ?? []), template]);
	}
	return [...groups.values()];
}

function fits(template: ChannelTemplate, filter?: string): boolean {
	const { name, language, category } = template;
	const searched = [name, language, category, stateOf(template), textOf(template)];
	return matches(joined(searched, ' '), filter);
}

/** Approved templates first, then those of which nothing is known, rejected ones last. */
function rank(translations: ChannelTemplate[]): number {
	const states = translations.map(stateOf);
	if (states.includes('approved')) return 0;
	return states.every((state) => state.startsWith('rejected')) ? 2 : 1;
}

export function stateOf(template: ChannelTemplate) {
	const rejection = rejectionOf(template);
	return rejection ? `rejected: ${rejection}` : inWords(template.status);
}

const textOf = (template: ChannelTemplate): string =>
	joined(
		textPartsOf(template).map((part) => part.button ?? part.text),
		' ',
	);

const distinct = (values: string[]) => joined([...new Set(values)], ', ');
