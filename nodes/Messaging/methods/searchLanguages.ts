import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { text } from '../n8n/values';
import { fetchTemplates, selectedSender, selectedValue } from './editorRequests';
import { joined, matches, withoutBraces } from './listEntries';
import { stateOf } from './searchTemplates';

/** Lists the languages of the selected template with their status; the value is the language's code. */
export async function searchLanguages(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const templates = await fetchTemplates(this, selectedSender(this));
	const name = selectedValue(this, 'template');
	const entries = templates
		.filter((template) => template.name === name && text(template.language) !== '')
		.map((template) => ({
			name: withoutBraces(joined([template.language, stateOf(template)])),
			value: template.language,
		}));
	return { results: entries.filter((entry) => matches(entry.name, filter)) };
}
