import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { text } from '../n8n/values';
import { rejectionOf } from '../templates/catalogue';
import { fetchTemplates, selectedSender, selectedValue } from './editorRequests';
import { inWords, joined, matches, withoutBraces } from './listEntries';

/** Lists the languages of the selected template with their status; the value is the language's code. */
export async function searchLanguages(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const templates = await fetchTemplates(this, selectedSender(this));
	const name = selectedValue(this, 'template');
	const entries = templates
		.filter((template) => template.name === name && text(template.language) !== '')
		.map((template) => {
			const rejection = rejectionOf(template);
			const state = rejection ? `rejected: ${rejection}` : inWords(template.status);
			return {
				name: withoutBraces(joined([template.language, state])),
				value: template.language,
			};
		});
	return { results: entries.filter((entry) => matches(entry.name, filter)) };
}
