import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { text } from '../n8n/values';
import { getOtpTemplates } from '../service/endpoints';
import { inWords, joined, matches, pageOf, shortened, withoutBraces } from './listEntries';
import { connectEditor } from './editorRequests';

/** Lists the OTP templates with language, status and text; the value is the id. Implements docs/development/interface.md, "Get OTP templates". */
export async function searchOtpTemplates(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const ask = await connectEditor(this);
	const templates = await ask(getOtpTemplates());
	const entries = templates
		.filter(({ id, name, locale, body }) => matches(joined([name, locale, body, id], ' '), filter))
		.map(({ id, name, locale, status, body }) => ({
			name: withoutBraces(joined([text(name) || id, locale, inWords(status)])),
			value: id,
			description: shortened(text(body)),
		}));
	return pageOf(entries, paginationToken);
}
