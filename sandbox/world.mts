import { FaultBook } from './faults/rules.mts';
import type { Settings } from './settings.mts';
import { CampaignBook } from './state/campaignBook.mts';
import { Directory } from './state/directory.mts';
import { MessageBook } from './state/messageBook.mts';
import { Traffic } from './state/traffic.mts';
import { Webhook } from './webhook/webhook.mts';

/** The state of the sandbox. A reset replaces it. */
export interface World {
	readonly settings: Settings;
	readonly directory: Directory;
	readonly messages: MessageBook;
	readonly campaigns: CampaignBook;
	readonly webhook: Webhook;
	readonly faults: FaultBook;
	readonly traffic: Traffic;
	/** Aborts at a reset, which ends every wait. */
	readonly ended: AbortSignal;
	end(): void;
}

export function createWorld(settings: Settings): World {
	const ending = new AbortController();
	const webhook = new Webhook();
	const campaigns = new CampaignBook((run) => webhook.completed(run));
	const traffic = new Traffic();
	return {
		settings,
		directory: new Directory(settings),
		messages: new MessageBook(),
		campaigns,
		webhook,
		faults: new FaultBook(),
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
