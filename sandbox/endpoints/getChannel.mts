import type { App } from '../http/app.mts';
import { Refusal } from '../http/refusal.mts';
import { endpoints } from '../interface/endpoints.mts';
import { IdParams } from '../interface/requests.mts';

/** 4.8: one channel of any medium. */
export function getChannel(app: App): void {
	app.get(
		endpoints.getChannel.path,
		{ config: { endpoint: 'getChannel' }, schema: { params: IdParams } },
		async ({ world, params: { id } }) => {
			const data = world.directory.channel(id);
			if (!data) throw new Refusal(404, 'Channel not found');
			return { data, message: 'Channel fetched', success: true };
		},
	);
}
