import type { App } from '../http/app.mts';
import { Refusal } from '../http/refusal.mts';
import { endpoints } from '../interface/endpoints.mts';
import { IdParams } from '../interface/requests.mts';

/** 4.5: the templates of a chat-app channel, in `body`. */
export function getChannelTemplates(app: App): void {
	app.get(
		endpoints.getChannelTemplates.path,
		{ config: { endpoint: 'getChannelTemplates' }, schema: { params: IdParams } },
		async ({ world, params: { id } }) => {
			const channel = world.directory.channel(id);
			if (!channel) throw new Refusal(404, 'Channel not found');
			if (channel.medium !== 'CHATAPP') {
				throw new Refusal(422, `A channel of medium ${channel.medium} has no templates`);
			}
			const body = world.directory.templates(channel);
			return { body, message: 'Templates fetched', success: true };
		},
	);
}
