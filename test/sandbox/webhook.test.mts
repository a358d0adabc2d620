import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { campaignTo, eventually, withReceiver, withSandbox, type TestSandbox } from './support.mts';

const path = '/api/public/chatapp/campaign';
const to = '12025550155';

async function startCampaign(sandbox: TestSandbox, ...recipients: string[]): Promise<string> {
	return (await sandbox.post(path, campaignTo(...recipients))).json.data.campaign_id;
}

describe('the webhook', () => {
	it('is called again after a failure, at most `attempts` times', async () =>
		await withReceiver([500, 503, 500, 500, 500], async (url, received) => {
			await withSandbox(async (sandbox) => {
				await sandbox.control('PUT', '/webhook', { url, attempts: 3, retryDelayMs: 1 });
				await startCampaign(sandbox, to);
				await eventually(() => sandbox.world.webhook.deliveries.length === 3);
				await new Promise((resolve) => setTimeout(resolve, 50));
				assert.equal(received.length, 3);
				assert.deepEqual(
					sandbox.world.webhook.deliveries.map(({ attempt, status }) => [attempt, status]),
					[
						[1, 500],
						[2, 503],
						[3, 500],
					],
				);
			});
		}));

	const shapes: Record<string, (id: string) => { query?: string; body?: RegExp }> = {
		camel: (id) => ({ body: new RegExp(`"campaignId":"${id}"`) }),
		nested: (id) => ({ body: new RegExp(`"data":{"campaign_id":"${id}"`) }),
		object: (id) => ({ body: new RegExp(`"campaign":{"id":"${id}"`) }),
		form: (id) => ({ body: new RegExp(`^event=campaignCompleted&campaign_id=${id}$`) }),
		query: (id) => ({ query: `?event=campaignCompleted&campaign_id=${id}`, body: /^$/ }),
		withoutId: () => ({ body: /^{"event":"campaignCompleted","status":"completed"}$/ }),
	};
	for (const [payload, expected] of Object.entries(shapes)) {
		it(`can have the payload ${payload}`, async () =>
			await withReceiver([], async (url, received) => {
				await withSandbox(async (sandbox) => {
					await sandbox.control('PUT', '/webhook', { url, payload });
					const { query = '', body = /^/ } = expected(await startCampaign(sandbox, to));
					const [call] = await eventually(() => received.length > 0 && received);
					assert.equal(call?.url, `/hook${query}`);
					assert.match(call?.body ?? '', body);
				});
			}));
	}
});
