import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { text } from '../n8n/values';
import { getChannels } from '../service/endpoints';
import type { Channel } from '../service/types';
import { inWords, joined, matches, pageOf, withoutBraces } from './listEntries';
import { connectEditor } from './editorRequests';

/** Lists the channels with phone and status; the value is the id. */
export async function searchChannels(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const channels = await findChannels(this, filter);
	const entries = channels.map(({ id, name, phone, medium, status }) => ({
		name: withoutBraces(joined([text(name) || id, text(phone) || medium, inWords(status)])),
		value: id,
	}));
	return pageOf(entries, paginationToken);
}

/** Lists the channels that have a phone, active ones first; the value is the phone. */
export async function searchSenders(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const channels = await findChannels(this, filter);
	const entries = channels
		.filter(({ phone }) => phone)
		.sort((a, b) => Number(isActive(b)) - Number(isActive(a)))
		.map((channel) => {
			const state = joined([inWords(channel.status), !isActive(channel) && 'cannot send'], ', ');
			return {
				name: withoutBraces(joined([channel.name, channel.phone, state])),
				value: channel.phone!,
			};
		});
	return pageOf(entries, paginationToken);
}

const isActive = ({ status }: Channel) => status === 'ACTIVE';

/**
 * Returns the channels that match a search (docs/development/interface.md, "Get channels"). The service itself does not
 * document how it compares names, and it cannot search for part of a phone number.
 */
async function findChannels(context: ILoadOptionsFunctions, filter?: string): Promise<Channel[]> {
	const ask = await connectEditor(context);
	const channels = await ask(getChannels());
	return channels.filter(({ name, phone, status, id }) =>
		matches(joined([name, phone, status, id], ' '), filter),
	);
}
