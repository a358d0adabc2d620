import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { assertFailure, campaignTo, from, withSandbox } from './support.mts';

const to = '447700900555';
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
	for (const [endpoint, body, sentence] of bad) {
		it(`${endpoint} ${sentence.source}`, async () =>
			await withSandbox(async (sandbox) => {
				assertFailure(await sandbox.post(paths[endpoint], body), 400, sentence);
				assert.equal((await sandbox.control('GET', '/counts')).json.accepted.messages, 0);
			}));
	}

	it('after 24 hours, for senders of other accounts, and for templates that are not approved', async () =>
		await withSandbox(async (sandbox) => {
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
		}));

	it('for paths and ids that do not exist', async () =>
		await withSandbox(async (sandbox) => {
			assertFailure(await sandbox.get('/api/public/channel/none'), 404, /not found/);
			assertFailure(await sandbox.get('/api/public/channel/none/templates'), 404, /not found/);
			assertFailure(await sandbox.get('/api/public/dlr/none/sms'), 404, /not found/);
			assertFailure(await sandbox.get('/api/public/nothing'), 404, /No such endpoint/);
			assert.equal((await sandbox.control('GET', '/counts')).json.requests.unknown, 1);
		}));
});
