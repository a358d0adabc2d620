import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { text } from '../n8n/values';
import { askFor } from './ask';
import { findChannels } from './findChannels';
import { inWords, joined, pageOf, withoutBraces } from './page';

/** Chat-app channels with their phone and status; the value is the id (4.2). */
export async function searchChannels(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const ask = await askFor(this);
	const channels = await findChannels(ask, filter);
	const entries = channels.map(({ id, name, phone, medium, status }) => ({
		name: withoutBraces(joined([text(name) || id, text(phone) || medium, inWords(status)])),
		value: id,
	}));
	return pageOf(entries, paginationToken);
}
