import { stage } from './stage.mts';

/** Sends a campaign to the sandbox and returns its id. It completes only when a test completes it. */
export async function campaign(recipients = 1): Promise<string> {
	const { sandbox } = await stage();
	const answer = await fetch(`${sandbox.url}/api/public/chatapp/campaign`, {
		method: 'POST',
		headers: { apiKey: sandbox.apiKey, 'content-type': 'application/json' },
		body: JSON.stringify({
			from: '447700900100',
			messages: Array.from({ length: recipients }, (_, index) => ({
				to: String(385917000100 + index),
				template: { name: 'opening_hours' },
			})),
		}),
	});
	const { data } = (await answer.json()) as { data: { campaign_id: string } };
	return data.campaign_id;
}

/** Sends a request to the sandbox's control API. */
export async function control(method: string, path: string, body?: unknown): Promise<any> {
	const { sandbox } = await stage();
	const answer = await fetch(`${sandbox.url}/_sandbox${path}`, {
		method,
		headers: { 'content-type': 'application/json' },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	const text = await answer.text();
	if (!answer.ok) throw new Error(`Sandbox ${method} ${path}: ${text}`);
	return JSON.parse(text);
}
