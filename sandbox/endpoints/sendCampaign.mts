import { randomUUID } from 'node:crypto';

import type { App } from '../http/app.mts';
import { Refusal } from '../http/refusal.mts';
import { endpoints } from '../interface/endpoints.mts';
import { CampaignRequest } from '../interface/requests.mts';
import { startRun } from '../state/run.mts';
import { activeSender, requireTemplates } from './sender.mts';

/** 4.4: takes a campaign, which then completes by itself. */
export function sendCampaign(app: App): void {
	app.post(
		endpoints.sendCampaign.path,
		{ config: { endpoint: 'sendCampaign' }, schema: { body: CampaignRequest } },
		async ({ world, body: { from, messages } }) => {
			requireTemplates(world, activeSender(world, from), messages);
			requireUniqueIdentifiers(messages);
			const seconds = world.settings.campaignSeconds;
			const run = startRun(randomUUID(), from, messages.length, seconds);
			world.messages.accept('sendCampaign', run, messages);
			world.campaigns.begin(run);
			return { data: { campaign_id: run.id }, message: 'Campaign accepted', success: true };
		},
	);
}

/** "Caller-chosen unique id" (4.4): unique within the request; across requests nobody checks. */
function requireUniqueIdentifiers(
	messages: ReadonlyArray<{ readonly identifier?: string | undefined }>,
): void {
	const seen = new Set<string>();
	for (const [index, { identifier }] of messages.entries()) {
		if (!identifier) continue;
		if (seen.has(identifier)) {
			throw new Refusal(422, `messages[${index}]: "identifier" ${identifier} is not unique`);
		}
		seen.add(identifier);
	}
}
