import { FaultRules } from './faults/rules.mts';
import type { Settings } from './settings.mts';
import { CampaignStore } from './state/campaignStore.mts';
import { Directory } from './state/directory.mts';
import { MessageStore } from './state/messageStore.mts';
import { Traffic } from './state/traffic.mts';
import { Webhook } from './webhook/webhook.mts';

/** The state of the sandbox. A reset replaces it. */
export interface World {
	readonly settings: Settings;
	readonly directory: Directory;
	readonly messages: MessageStore;
	readonly campaigns: CampaignStore;
	readonly webhook: Webhook;
	readonly faults: FaultRules;
	readonly traffic: Traffic;
	/** Aborted by a reset, so that every wait ends. */
	readonly ended: AbortSignal;
	end(): void;
}

export function createWorld(settings: Settings): World {
	const ending = new AbortController();
	const webhook = new Webhook();
	const campaigns = new CampaignStore((run) => webhook.completed(run));
	const traffic = new Traffic();
	return {
		settings,
		directory: new Directory(settings),
		messages: new MessageStore(),
		campaigns,
		webhook,
		faults: new FaultRules(),
		traffic,
		ended: ending.signal,
		end() {
			ending.abort();
			campaigns.end();
			webhook.end();
			traffic.end();
		},
	};
}
