import type { App } from '../http/app.mts';
import { endpoints } from '../interface/endpoints.mts';
import { ChannelsQuery } from '../interface/requests.mts';

/** 4.2: the chat-app channels, by exact name and by status. */
export function getChannels(app: App): void {
	app.get(
		endpoints.getChannels.path,
		{ config: { endpoint: 'getChannels' }, schema: { querystring: ChannelsQuery } },
		async ({ world, query: { name, status } }) => {
			const data = world.directory
				.chatAppChannels()
				.filter((channel) => !name || channel.name === name)
				.filter((channel) => !status || channel.status === status);
			return { data, message: 'Channels fetched', success: true };
		},
	);
}
