import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { Channel } from '../service/types';
import { askFor } from './ask';
import { findChannels } from './findChannels';
import { inWords, joined, pageOf, withoutBraces } from './page';

const isActive = ({ status }: Channel) => status === 'ACTIVE';

/** Channels that can send chat-app messages, active ones first; the value is the phone (4.2). */
export async function searchSenders(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const ask = await askFor(this);
	const channels = await findChannels(ask, filter);
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
