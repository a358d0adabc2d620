import { startSandbox } from '../../sandbox/server.mts';

/** The requests of the demo to the sandbox. */
export interface Service {
	url: string;
	apiKey: string;
	/** Registers the webhook. Users of the real service do this in their account. */
	registerWebhook: (url: string) => Promise<void>;
	/** The last text that a recipient received: sandbox/README.md, "The final text". */
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
		textReadBy: async (phone) => {
			const query = new URLSearchParams({ recipient: phone });
			const messages = await call<Array<{ text?: string }>>(`/_sandbox/accepted?${query}`);
			return messages.at(-1)?.text;
		},
		stop: close,
	};
}
