import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { getChannels } from '../service/endpoints';
import type { Channel } from '../service/types';
import { askFor } from './ask';
import { inWords, matches, pageOf, withoutBraces } from './page';

const isActive = ({ status }: Channel) => status === 'ACTIVE';

/** Channels that can send chat-app messages, active ones first; the value is the phone (4.2). */
export async function searchSenders(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const ask = await askFor(this);
	const channels = await ask(getChannels());
	const entries = channels
		.filter(({ phone, name, status }) => phone && matches(`${name} ${phone} ${status}`, filter))
		.sort((a, b) => Number(isActive(b)) - Number(isActive(a)))
		.map((channel) => ({
			name: withoutBraces(
				`${channel.name} · ${channel.phone}${isActive(channel) ? '' : ` · ${inWords(channel.status)}, cannot send`}`,
			),
			value: channel.phone!,
			description: inWords(channel.status),
		}));
	return pageOf(entries, paginationToken);
}
