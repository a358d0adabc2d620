import { text } from '../n8n/values';
import { getChannels, type Ask } from '../service/endpoints';
import type { Channel } from '../service/types';
import { joined, matches } from './page';

/** The statuses that the service filters by (4.2). */
const STATUSES = ['ACTIVE', 'INACTIVE', 'PENDING'];

/**
 * Chat-app channels that fit a search: a name is left to the service (4.2). How it compares names it does
 * not say, and it cannot look for a part of a number; so when it finds nothing, all channels are searched
 * here. So they are for the word of a status, which may also be in a name.
 */
export async function findChannels(ask: Ask, filter = ''): Promise<Channel[]> {
	const search = filter.trim();
	if (search === '') return await ask(getChannels());
	const status = STATUSES.find((candidate) => candidate === search.toUpperCase());
	if (status) {
		const channels = await ask(getChannels());
		return channels.filter(
			(channel) => channel.status === status || matches(text(channel.name), search),
		);
	}
	const named = await ask(getChannels({ name: search }));
	if (named.length > 0) return named;
	const channels = await ask(getChannels());
	return channels.filter(({ name, phone, status, id }) =>
		matches(joined([name, phone, status, id], ' '), search),
	);
}
