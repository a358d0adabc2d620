import assert from 'node:assert/strict';
import { describe } from 'node:test';

import { assertFailure, campaignTo, from, itInSandbox, type TestSandbox } from './support.mts';

/* What the sandbox does with a request: it counts and refuses. */

const to = '12025550155';
const campaign = '/api/public/chatapp/campaign';

const counts = async (sandbox: TestSandbox) => (await sandbox.control('GET', '/counts')).json;

describe('counts', () => {
	itInSandbox('accepted messages, per recipient and identifier', async (sandbox) => {
		await sandbox.post(campaign, campaignTo(to, '12025550156'));
		await sandbox.post('/api/public/conversation/text', { from, to, message: 'Hello' });
		await sandbox.post('/api/public/conversation/text', { from, to: 'x', message: 'Hello' });
		const { requests, accepted, maxPerRecipient } = await counts(sandbox);
		assert.deepEqual(accepted, {
			messages: 3,
			campaigns: 1,
			byRecipient: { [to]: 2, '12025550156': 1 },
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
			assertFailure(await text({ to: '12025550124' }), 422, /24 hours/);
			assertFailure(await text({ from: '12125550199' }), 422, /not connected/);
			assertFailure(await text({ from: '13035550142' }), 422, /INACTIVE/);
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
