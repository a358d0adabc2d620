/** Sends campaigns without n8n, and returns their ids. Webhooks report their completion. */
export async function campaigns(
	sandbox: { url: string; apiKey: string },
	count: number,
): Promise<string[]> {
	const ids: string[] = [];
	while (ids.length < count) {
		const some = Array.from({ length: Math.min(50, count - ids.length) }, async () => {
			const answer = await fetch(`${sandbox.url}/api/public/chatapp/campaign`, {
				method: 'POST',
				headers: { apiKey: sandbox.apiKey, 'content-type': 'application/json' },
				body: JSON.stringify({
					from: '447700900100',
					messages: [{ to: '385917000100', template: { name: 'opening_hours' } }],
				}),
			});
			const { data } = (await answer.json()) as { data: { campaign_id: string } };
			return data.campaign_id;
		});
		ids.push(...(await Promise.all(some)));
	}
	return ids;
}
