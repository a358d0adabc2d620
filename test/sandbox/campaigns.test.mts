import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { progressOf } from '../../sandbox/state/run.mts';
import { campaignTo, withSandbox, type TestSandbox } from './support.mts';

const path = '/api/public/chatapp/campaign';
const to = '447700900555';

async function startCampaign(sandbox: TestSandbox, ...recipients: string[]): Promise<string> {
	return (await sandbox.post(path, campaignTo(...recipients))).json.data.campaign_id;
}

const complete = async (sandbox: TestSandbox, id: string) =>
	await sandbox.control('POST', `/campaigns/${id}/complete`);

describe('the status of a message', () => {
	const run = { id: '', from: '', total: 2, startedAt: 0, durationMs: 1000, endsAt: 1000 };
	const course = (index: number, number: string) =>
		[0, 100, 400, 700, 1000].map((now) => progressOf(run, index, number, now).status);

	it('depends on the time', () => {
		assert.deepEqual(course(0, to), ['queued', 'sent', 'delivered', 'delivered', 'delivered']);
		assert.deepEqual(course(1, to), ['queued', 'queued', 'sent', 'delivered', 'delivered']);
	});

	it('depends at the end on the recipient number', () => {
		assert.equal(course(0, '447700900001').at(-1), 'failed');
		assert.equal(course(0, '447700900002').at(-1), 'read');
		const { reason, units, deliveredAt } = progressOf(run, 0, '447700900001', 1000);
		assert.deepEqual([typeof reason, units, deliveredAt], ['string', 0, null]);
		assert.equal(progressOf(run, 0, to, 1000).deliveredAt, 300);
	});

	it('is final at once when the campaign is completed early or takes no time', () => {
		assert.equal(progressOf({ ...run, endsAt: 10 }, 1, to, 10).status, 'delivered');
		assert.equal(progressOf({ ...run, durationMs: 0, endsAt: 0 }, 1, to, 0).status, 'delivered');
	});

	it('is in the logs', async () =>
		await withSandbox(
			async (sandbox) => {
				const id = await startCampaign(sandbox, to, '447700900001');
				const statuses = async () =>
					(await sandbox.get(`/api/public/logs?campaign_id=${id}`)).json.data.map(
						(each: { status: string }) => each.status,
					);
				assert.deepEqual(await statuses(), ['queued', 'queued']);
				assert.equal((await complete(sandbox, id)).json.completedNow, true);
				assert.deepEqual(await statuses(), ['delivered', 'failed']);
				assert.equal((await complete(sandbox, id)).json.completedNow, false);
				assert.equal((await complete(sandbox, 'none')).status, 404);
			},
			{ campaignSeconds: 600 },
		));
});
