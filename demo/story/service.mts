import { startSandbox } from '../../sandbox/server.mts';
import { tally } from './table.mts';

/** The sandbox as the demo uses it. */
export interface Service {
	url: string;
	apiKey: string;
	/** With the real service a person does this in the account's settings. */
	registerWebhook: (url: string) => Promise<void>;
	/** How far a campaign is, for example "20 sent, 5 delivered". */
	progressOf: (campaignId: string) => Promise<string>;
	stop: () => Promise<void>;
}

export async function startService(port: number): Promise<Service> {
	const { url, apiKey, close } = await startSandbox({ port });

	const call = async <T,>(path: string, init: RequestInit = {}): Promise<T> => {
		const answer = await fetch(url + path, {
			...init,
			headers: { apiKey, 'content-type': 'application/json' },
		});
		const text = await answer.text();
		if (!answer.ok) throw new Error(`The stand-in service answered ${answer.status}: ${text}`);
		return JSON.parse(text) as T;
	};

	return {
		url,
		apiKey,
		registerWebhook: async (webhook) => {
			await call('/_sandbox/webhook', { method: 'PUT', body: JSON.stringify({ url: webhook }) });
		},
		progressOf: async (campaignId) => {
			const query = new URLSearchParams({ campaign_id: campaignId, 'page[size]': '100' });
			const logs = await call<{ data: Array<{ status: string }> }>(`/api/public/logs?${query}`);
			return tally(logs.data.map(({ status }) => status));
		},
		stop: close,
	};
}
