import assert from 'node:assert/strict';
import { describe } from 'node:test';

import {
	assertFailure,
	campaignTo,
	from,
	mainChannel,
	itInSandbox,
	type TestSandbox,
} from './support.mts';

/* What the sandbox does with a request: it counts, keeps logs and statuses, and refuses. */

const to = '447700900555';
const campaign = '/api/public/chatapp/campaign';

const complete = async (sandbox: TestSandbox, id: string) =>
	await sandbox.control('POST', `/campaigns/${id}/complete`);

describe('the status of a message', () => {
	itInSandbox('is in the logs', { campaignSeconds: 600 }, async (sandbox) => {
		const id = (await sandbox.post(campaign, campaignTo(to, '447700900001'))).json.data.campaign_id;
		const statuses = async () =>
			(await sandbox.get(`/api/public/logs?campaign_id=${id}`)).json.data.map(
				(each: { status: string }) => each.status,
			);
		assert.deepEqual(await statuses(), ['queued', 'queued']);
		assert.equal((await complete(sandbox, id)).json.completedNow, true);
		assert.deepEqual(await statuses(), ['delivered', 'failed']);
		assert.equal((await complete(sandbox, id)).json.completedNow, false);
		assert.equal((await complete(sandbox, 'none')).status, 404);
	});
});

const logs = '/api/public/logs';
const number = (index: number) => `4477${(10_000_000 + index).toString().padStart(8, '0')}`;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => number(index));

describe('logs', () => {
	itInSandbox('have each record on exactly one page', async (sandbox) => {
		const sent = await sandbox.post(campaign, campaignTo(...numbers(45)));
		const id = sent.json.data.campaign_id;
		const first = (await sandbox.get(logs)).json;
		assert.deepEqual(
			[first.count, first.data.length, first.currentPage, first.totalPage],
			[45, 20, 1, 3],
		);
		const seen: string[] = [];
		for (let page = 1; page <= 5; page++) {
			const query = `campaign_id=${id}&page[size]=10&page[number]=${page}`;
			const { json } = await sandbox.get(`${logs}?${query}`);
			assert.deepEqual([json.currentPage, json.totalPage], [page, 5]);
			seen.push(...json.data.map((each: { identifier: string }) => each.identifier));
		}
		assert.deepEqual(
			seen,
			numbers(45).map((_, index) => `id-${index}`),
		);
		const beyond = (await sandbox.get(`${logs}?page[number]=9`)).json;
		assert.deepEqual([beyond.count, beyond.data, beyond.currentPage], [45, [], 9]);
		const encoded = (await sandbox.get(`${logs}?page%5Bsize%5D=2`)).json;
		assert.equal(encoded.data.length, 2);
	});
});

const counts = async (sandbox: TestSandbox) => (await sandbox.control('GET', '/counts')).json;

describe('counts', () => {
	itInSandbox('accepted messages, per recipient and identifier', async (sandbox) => {
		await sandbox.post(campaign, campaignTo(to, '447700900556'));
		await sandbox.post('/api/public/conversation/text', { from, to, message: 'Hello' });
		await sandbox.post('/api/public/conversation/text', { from, to: 'x', message: 'Hello' });
		const { requests, accepted, maxPerRecipient } = await counts(sandbox);
		assert.deepEqual(accepted, {
			messages: 3,
			campaigns: 1,
			byRecipient: { [to]: 2, '447700900556': 1 },
			byIdentifier: { 'id-0': 1, 'id-1': 1 },
		});
		assert.equal(maxPerRecipient, 2);
		assert.equal(requests.total, 3);
		assert.equal(requests.byEndpoint.sendText, 2);
		assert.equal(requests.byEndpoint.getLogs, 0);
	});

	itInSandbox(
		'requests in flight and sockets, without those of the control API',
		{ latencyMs: 200 },
		async (sandbox) => {
			const calls = Array.from({ length: 7 }, () => sandbox.get('/api/public/logs'));
			await Promise.all(calls);
			const { inFlight, sockets } = await counts(sandbox);
			assert.deepEqual(inFlight, { now: 0, max: 7 });
			assert.equal(sockets.max, 7);
		},
	);

	itInSandbox('all messages to one recipient, in their order', async (sandbox) => {
		const template = { name: 'order_ready', parameters: ['Ada'] };
		const metadata = { order: 'A-1' };
		await sandbox.post('/api/public/conversation/text', { from, to, message: 'first' });
		await sandbox.post('/api/public/conversation/template', {
			from,
			messages: [{ to, template, metadata }],
		});
		const id = (await sandbox.post(campaign, campaignTo(to))).json.data.campaign_id;
		const { json } = await sandbox.control('GET', `/accepted?recipient=${to}`);
		assert.deepEqual(
			json.map((each: { endpoint: string }) => each.endpoint),
			['sendText', 'sendTemplate', 'sendCampaign'],
		);
		assert.equal(json[0].message, 'first');
		assert.deepEqual([json[1].template, json[1].metadata], [template, metadata]);
		assert.deepEqual([json[2].identifier, json[2].campaign_id], ['id-0', id]);
		assert.equal((await sandbox.control('GET', '/accepted')).json.length, 3);
		assert.deepEqual((await sandbox.control('GET', '/accepted?recipient=1')).json, []);
	});

	itInSandbox('the last requests, with the key masked', async (sandbox) => {
		const body = campaignTo(to);
		await sandbox.post(campaign, body);
		await sandbox.get('/api/public/channel/..%2Flogs%3Fx=/templates?a=b%20c');
		await sandbox.get('/api/public/channels/chatapp', { apiKey: 'stolen' });
		const { json, text } = await sandbox.control('GET', '/requests?last=3');
		assert.equal(json[0].endpoint, 'sendCampaign');
		assert.deepEqual(json[0].body, body);
		assert.equal(json[0].headers.apikey, '*** (valid)');
		assert.equal(json[1].endpoint, 'getChannelTemplates');
		assert.equal(json[1].path, '/api/public/channel/..%2Flogs%3Fx=/templates');
		assert.equal(json[1].query, 'a=b%20c');
		assert.equal(json[2].headers.apikey, '*** (wrong)');
		assert.ok(!text.includes(sandbox.apiKey) && !text.includes('stolen'));
		assert.equal((await sandbox.control('GET', '/requests?last=1')).json.length, 1);
	});
});

describe('reset', () => {
	itInSandbox('returns to the seed data', async (sandbox) => {
		const fresh = await counts(sandbox);
		await sandbox.post(campaign, campaignTo(to));
		await sandbox.control('POST', '/faults', [{ fault: { kind: 'reset' } }]);
		await sandbox.control('PUT', '/webhook', { url: 'http://127.0.0.1:1/' });
		assert.equal((await sandbox.control('POST', '/reset')).status, 200);
		assert.deepEqual(await counts(sandbox), fresh);
		assert.deepEqual((await sandbox.control('GET', '/faults')).json, []);
		assert.equal((await sandbox.control('GET', '/webhook')).json.webhook, null);
		assert.equal((await sandbox.get('/api/public/logs')).json.count, 0);
	});

	itInSandbox('generates many channels and templates', async (sandbox) => {
		const settings = { channels: 500, templates: 200, campaignSeconds: 1 };
		const { json } = await sandbox.control('POST', '/reset', settings);
		assert.deepEqual(json.settings, { ...settings, latencyMs: 0 });
		const channels = (await sandbox.get('/api/public/channels/chatapp')).json.data;
		assert.equal(channels.length, 500);
		assert.equal(new Set(channels.map((each: { phone: string }) => each.phone)).size, 500);
		const templates = await sandbox.get(`/api/public/channel/${mainChannel}/templates`);
		assert.equal(templates.json.body.length, 200);
		await sandbox.control('POST', '/reset');
		assert.equal((await sandbox.get('/api/public/channels/chatapp')).json.data.length, 4);
		assert.equal((await sandbox.control('POST', '/reset', { chanels: 1 })).status, 400);
	});
});

const message = { to, template: { name: 'order_ready' } };
const textRequest = { from, to, message: 'Hello' };

const paths = {
	sendText: '/api/public/conversation/text',
	sendCampaign: '/api/public/chatapp/campaign',
	sendTemplate: '/api/public/conversation/template',
} as const;

describe('a refusal says what is wrong with the request', () => {
	const bad: Array<[keyof typeof paths, unknown, RegExp]> = [
		['sendCampaign', { from, messages: [{ to, identifier: 'one' }] }, /"template" is required/],
		[
			'sendTemplate',
			{ from, messages: [message, { to }] },
			/messages\[1\]: "template" is required/,
		],
		['sendCampaign', { from, messages: [{ to, template: {} }] }, /"name" is required/],
		['sendTemplate', { from, messages: [] }, /"messages" must not be empty/],
		['sendCampaign', { messages: [message] }, /"from" is required/],
		['sendCampaign', { from, messages: [{ ...message, to: 'Ada' }] }, /"to" is not valid/],
		['sendCampaign', { from, messages: [{ ...message, save: 'yes' }] }, /"save" must be boolean/],
		[
			'sendTemplate',
			{ from, messages: [{ ...message, metadata: 'x' }] },
			/"metadata" must be object/,
		],
		['sendText', { from, to }, /"message" is required/],
		['sendText', { from, to, message: 5 }, /"message" must be string/],
	];
	itInSandbox('in one sentence for each mistake, and nothing is accepted', async (sandbox) => {
		for (const [endpoint, body, sentence] of bad) {
			assertFailure(await sandbox.post(paths[endpoint], body), 400, sentence);
		}
		assert.equal((await sandbox.control('GET', '/counts')).json.accepted.messages, 0);
	});

	itInSandbox(
		'after 24 hours, for senders of other accounts, and for templates that are not approved',
		async (sandbox) => {
			const text = (change: object) => sandbox.post(paths.sendText, { ...textRequest, ...change });
			assertFailure(await text({ to: '447700900024' }), 422, /24 hours/);
			assertFailure(await text({ from: '447700900999' }), 422, /not connected/);
			assertFailure(await text({ from: '12025550142' }), 422, /INACTIVE/);
			const campaign = (name: string) =>
				sandbox.post(paths.sendCampaign, { from, messages: [{ to, template: { name } }] });
			assertFailure(await campaign('no_such'), 422, /"no_such" is not registered/);
			assertFailure(await campaign('free_cake'), 422, /"free_cake" was rejected/);
			const twice = campaignTo(to, to);
			for (const each of twice.messages) each.identifier = 'same';
			assertFailure(await sandbox.post(paths.sendCampaign, twice), 422, /not unique/);
		},
	);
});
