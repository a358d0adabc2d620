import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { campaignTo, from, mainChannel, withSandbox, type TestSandbox } from './support.mts';

const to = '447700900555';
const campaign = '/api/public/chatapp/campaign';
const counts = async (sandbox: TestSandbox) => (await sandbox.control('GET', '/counts')).json;

describe('counts', () => {
	it('accepted messages, per recipient and identifier', async () =>
		await withSandbox(async (sandbox) => {
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
		}));

	it('requests in flight and sockets, without those of the control API', async () =>
		await withSandbox(
			async (sandbox) => {
				const calls = Array.from({ length: 7 }, () => sandbox.get('/api/public/logs'));
				await Promise.all(calls);
				const { inFlight, sockets } = await counts(sandbox);
				assert.deepEqual(inFlight, { now: 0, max: 7 });
				assert.equal(sockets.max, 7);
			},
			{ latencyMs: 500 },
		));

	it('of sequential requests, never two are in flight', async () =>
		await withSandbox(async (sandbox) => {
			for (let n = 0; n < 50; n++) await sandbox.get('/api/public/channels/chatapp');
			assert.equal((await counts(sandbox)).inFlight.max, 1);
		}));

	it('all messages to one recipient, in their order', async () =>
		await withSandbox(async (sandbox) => {
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
		}));

	it('the last requests, with the key masked', async () =>
		await withSandbox(async (sandbox) => {
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
		}));
});

describe('reset', () => {
	it('returns to the seed data', async () =>
		await withSandbox(async (sandbox) => {
			const fresh = await counts(sandbox);
			await sandbox.post(campaign, campaignTo(to));
			await sandbox.control('POST', '/faults', [{ fault: { kind: 'reset' } }]);
			await sandbox.control('PUT', '/webhook', { url: 'http://127.0.0.1:1/' });
			assert.equal((await sandbox.control('POST', '/reset')).status, 200);
			assert.deepEqual(await counts(sandbox), fresh);
			assert.deepEqual((await sandbox.control('GET', '/faults')).json, []);
			assert.equal((await sandbox.control('GET', '/webhook')).json.webhook, null);
			assert.equal((await sandbox.get('/api/public/logs')).json.count, 0);
		}));

	it('generates many channels and templates', async () =>
		await withSandbox(async (sandbox) => {
			const settings = { channels: 5000, templates: 2000, campaignSeconds: 1 };
			const { json } = await sandbox.control('POST', '/reset', settings);
			assert.deepEqual(json.settings, { ...settings, latencyMs: 0 });
			const channels = (await sandbox.get('/api/public/channels/chatapp')).json.data;
			assert.equal(channels.length, 5000);
			assert.equal(new Set(channels.map((each: { phone: string }) => each.phone)).size, 5000);
			const templates = await sandbox.get(`/api/public/channel/${mainChannel}/templates`);
			assert.equal(templates.json.body.length, 2000);
			await sandbox.control('POST', '/reset');
			assert.equal((await sandbox.get('/api/public/channels/chatapp')).json.data.length, 4);
			assert.equal((await sandbox.control('POST', '/reset', { chanels: 1 })).status, 400);
		}));
});
