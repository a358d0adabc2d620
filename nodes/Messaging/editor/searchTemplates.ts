import { text } from '../n8n/values';
import type { ChannelTemplate } from '../service/types';
import { rejectionOf } from '../templates/catalogue';
import { textPartsOf } from '../templates/placeholders';
import { fetchTemplates, selectedSender, selectedValue } from './editorRequests';
import { inWords, joined, editorList } from './listEntries';

/**
 * Lists the templates of the channel selected in `from`, approved ones first and rejected ones last; the value is the name. Implements
 * docs/development/interface.md, "Get channel templates".
 */
export const searchTemplates = editorList(async (context) => {
	const templates = await fetchTemplates(context, selectedSender(context));
	return byName(templates)
		.sort((a, b) => rank(a) - rank(b))
		.map((translations) => {
			const [first] = translations;
			const languages = distinct(translations.map(({ language }) => language));
			const states = distinct(translations.map(stateOf));
			return {
				shown: [first.name, states, languages, inWords(first.category)],
				value: first.name,
				description: joined(textsOf(first), ' '),
				searched: translations.flatMap(textsOf),
			};
		});
});

/** Lists the languages of the selected template with their status; the value is the language's code. */
export const searchLanguages = editorList(async (context) => {
	const templates = await fetchTemplates(context, selectedSender(context));
	const name = selectedValue(context, 'template');
	return templates
		.filter((template) => template.name === name && text(template.language) !== '')
		.map((template) => ({
			shown: [template.language, stateOf(template)],
			value: template.language,
		}));
});

/** Groups translations, because they share a name and the editor shows one entry for each value. */
function byName(templates: ChannelTemplate[]): ChannelTemplate[][] {
	const groups = new Map<string, ChannelTemplate[]>();
	// A template without a name cannot be sent.
	for (const template of templates.filter(({ name }) => text(name) !== '')) {
		groups.set(template.name, [...(groups.get(template.name) ?? []), template]);
	}
	return [...groups.values()];
}

/** Approved templates first, then those of which nothing is known, rejected ones last. */
function rank(translations: ChannelTemplate[]): number {
	const states = translations.map(stateOf);
	if (states.includes('approved')) return 0;
	return states.every((state) => state.startsWith('rejected')) ? 2 : 1;
}

function stateOf(template: ChannelTemplate) {
	const rejection = rejectionOf(template);
	return rejection ? `rejected: ${rejection}` : inWords(template.status);
}

const textsOf = (template: ChannelTemplate) =>
	textPartsOf(template).map((part) => part.button ?? part.text);

const distinct = (values: string[]) => joined([...new Set(values)], ', ');
