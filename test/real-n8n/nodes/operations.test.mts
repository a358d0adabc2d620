import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json } from '../../../demo/n8n/rest/executions.mts';
import { until } from '../../../demo/n8n/until.mts';
import { channelIds, otpTemplateIds, smsMessageIds } from '../../../sandbox/seed/ids.mts';
import { requestsDuring } from './world/counting.mts';
import { runMessaging, type NodeRunOptions } from './world/node-run.mts';
import { world } from './world/world.mts';

const from = { __rl: true, mode: 'phone', value: '447700900100' };
const template = { __rl: true, mode: 'name', value: 'opening_hours' };
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const people = ['447700900221', '447700900222', '447700900223'].map((phone) => ({ phone }));

/** Runs the node, which must succeed. Returns its output, the requests by endpoint and the accepted messages. */
async function run(resource: string, operation: string, more: Json, options?: NodeRunOptions) {
	const { result, requests, accepted } = await requestsDuring(
		async () => await runMessaging({ resource, operation, ...more }, options),
	);
	assert.equal(result.execution.status, 'success', result.error);
	return { ...result, requests, accepted };
}

/** Sends one campaign to three people. */
async function sendCampaign() {
	const sent = await run(
		'campaign',
		'send',
		{ from, template, to: '={{ $json.phone }}', options: {} },
		{ items: people },
	);
	return { ...sent, campaignId: sent.output[0]?.campaign_id as string };
}

describe('every operation, once, in the real n8n', () => {
	it('campaign: send', async () => {
		const { output, items, requests, accepted, campaignId } = await sendCampaign();
		assert.equal(output.length, 3, JSON.stringify(output));
		assert.match(campaignId, /^[0-9a-f-]{36}$/);
		assert.deepEqual(new Set(output.map((item) => item.campaign_id)), new Set([campaignId]));
		assert.deepEqual(
			items.map(({ pairedItem }) => pairedIndex(pairedItem)),
			[0, 1, 2],
		);
		assert.deepEqual(requests, { sendCampaign: 1 });
		assert.equal(accepted, 3);
	});

	it('campaign: getReport', async () => {
		const { campaignId } = await sendCampaign();
		await completed(campaignId);
		const { output, requests } = await run('campaign', 'getReport', { campaignId });
		assert.equal(output.length, 1, JSON.stringify(output));
		assert.match(JSON.stringify(output), /"delivered":3/);
		assert.deepEqual(requests, { getLogs: 1 });
	});

	it('channel: get', async () => {
		const { output, requests } = await run('channel', 'get', { channelId: byId(channelIds.sms) });
		assert.deepEqual(
			output.map(({ id, medium }) => [id, medium]),
			[[channelIds.sms, 'SMS']],
		);
		assert.deepEqual(requests, { getChannel: 1 });
	});

	it('channel: getAll', async () => {
		const { output, requests } = await run('channel', 'getAll', {
			returnAll: true,
			channelFilters: { status: 'INACTIVE' },
		});
		assert.deepEqual(
			output.map(({ name, status }) => [name, status]),
			[['Old shop', 'INACTIVE']],
		);
		assert.deepEqual(requests, { getChannels: 1 });
	});

	it('channelTemplate: getAll', async () => {
		const { output, requests } = await run('channelTemplate', 'getAll', {
			channelId: byId(channelIds.german),
			returnAll: true,
		});
		assert.deepEqual(
			output.map(({ name }) => name),
			['opening_hours', 'bestellung_fertig', 'commande_prete'],
		);
		assert.deepEqual(requests, { getChannelTemplates: 1 });
	});

	it('log: getAll and get', async () => {
		const { campaignId } = await sendCampaign();
		const all = await run('log', 'getAll', { returnAll: true, logFilters: { campaignId } });
		assert.deepEqual(
			all.output.map(({ to }) => to).sort(),
			people.map(({ phone }) => phone),
		);
		const limited = await run('log', 'getAll', {
			returnAll: false,
			limit: 2,
			logFilters: { campaignId },
		});
		assert.equal(limited.output.length, 2);

		const { id, to } = all.output[0];
		const one = await run('log', 'get', { logId: id });
		assert.deepEqual(
			one.output.map((record) => [record.id, record.to]),
			[[id, to]],
		);
		assert.deepEqual(one.requests, { getLogs: 1 });
	});

	it('message: sendText', async () => {
		const { output, requests, accepted } = await run('message', 'sendText', {
			from,
			to: '={{ $json.phone }}',
			message: 'The bread is out of the oven.',
			options: {},
		});
		assert.deepEqual(
			output.map(({ content }) => content),
			['The bread is out of the oven.'],
		);
		assert.deepEqual(requests, { sendText: 1 });
		assert.equal(accepted, 1);
	});

	it('message: sendTemplate', async () => {
		const { output, requests, accepted } = await run(
			'message',
			'sendTemplate',
			{ from, template, to: '={{ $json.phone }}', options: {} },
			{ items: people },
		);
		assert.deepEqual(
			output.map(({ to, status }) => [to, status]),
			people.map(({ phone }) => [phone, 'success']),
		);
		assert.deepEqual(requests, { sendTemplate: 3 });
		assert.equal(accepted, 3);
	});

	it('otpTemplate: get', async () => {
		const { output, requests } = await run('otpTemplate', 'get', {
			otpTemplateId: byId(otpTemplateIds.ownFirm),
		});
		assert.deepEqual(
			output.map(({ name }) => name),
			['bakery_door'],
		);
		assert.deepEqual(requests, { getOtpTemplates: 1 });
	});

	it('otpTemplate: getAll', async () => {
		const { output, requests } = await run('otpTemplate', 'getAll', { returnAll: true });
		assert.deepEqual(
			output.map(({ id }) => id),
			Object.values(otpTemplateIds),
		);
		assert.deepEqual(requests, { getOtpTemplates: 1 });
	});

	it('smsReport: get', async () => {
		const { output, requests } = await run('smsReport', 'get', {
			messageId: smsMessageIds.delivered,
		});
		assert.deepEqual(
			output.map(({ event, conversation }) => [event, conversation?.status]),
			[['smsDeliveryReport', 'delivered']],
		);
		assert.deepEqual(requests, { getSmsReport: 1 });
	});
});

/** Returns the index of the input item: n8n stores it as a number, an object or a list of either. */
function pairedIndex(pairedItem: unknown): unknown {
	const first = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
	return typeof first === 'object' && first !== null ? (first as { item: number }).item : first;
}

async function completed(campaignId: string): Promise<void> {
	const { sandbox } = await world();
	await until(`the sandbox completes campaign ${campaignId}`, async () =>
		sandbox.world.campaigns
			.list(100)
			.find((campaign) => campaign.id === campaignId && campaign.completed),
	);
}
