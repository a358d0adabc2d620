import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { text } from '../n8n/values';
import { getOtpTemplates } from '../service/endpoints';
import { askFor } from './ask';
import { inWords, joined, matches, pageOf, shortened, withoutBraces } from './page';

/** OTP templates with their language, status and text; the value is the id (4.1). */
export async function searchOtpTemplates(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const ask = await askFor(this);
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
