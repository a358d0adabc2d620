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
	/** The text that somebody read last, as the stand-in's chat-app provider made it of the request. */
	textReadBy: (phone: string) => Promise<string | undefined>;
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
		textReadBy: async (phone) => {
			const query = new URLSearchParams({ recipient: phone });
			const messages = await call<Array<{ text?: string }>>(`/_sandbox/accepted?${query}`);
			return messages.at(-1)?.text;
		},
		stop: close,
	};
}
