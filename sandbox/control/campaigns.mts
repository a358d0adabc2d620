import type { App } from '../http/app.mts';
import { Refusal } from '../http/refusal.mts';
import { IdParams } from '../interface/requests.mts';

const shown = 100;

/** Shows the last campaigns and completes one before its time. */
export function controlCampaigns(app: App): void {
	app.get('/campaigns', async ({ world }) => world.campaigns.list(shown));

	app.post(
		'/campaigns/:id/complete',
		{ schema: { params: IdParams } },
		async ({ world, params: { id } }) => {
			const completedNow = world.campaigns.complete(id);
			if (completedNow === null) throw new Refusal(404, `There is no campaign ${id}`);
			return { ok: true, campaign_id: id, completedNow };
		},
	);
}
