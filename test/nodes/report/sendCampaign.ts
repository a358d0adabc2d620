import type { Sandbox } from '../../support/sandbox';

/** Sends a campaign without the node, as another program would, and returns its id. */
export async function sendCampaign(
	{ url, apiKey }: Sandbox,
	recipients: number,
	phoneOf = (index: number) => `38591${String(7_000_100 + index * 10)}`,
): Promise<string> {
	const messages = Array.from({ length: recipients }, (_, index) => ({
		to: phoneOf(index),
		template: { name: 'opening_hours' },
		identifier: `order-${index}`,
	}));
	const response = await fetch(`${url}/api/public/chatapp/campaign`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', apiKey },
		body: JSON.stringify({ from: '447700900100', messages }),
	});
	const { data } = (await response.json()) as { data: { campaign_id: string } };
	return data.campaign_id;
}
