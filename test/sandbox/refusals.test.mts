import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { assertFailure, campaignTo, from, withSandbox } from './support.mts';

const to = '447700900555';
const message = { to, template: { name: 'order_ready' } };
const textRequest = { from, to, message: 'Hello' };

const paths = {
	'4.3': '/api/public/conversation/text',
	'4.4': '/api/public/chatapp/campaign',
	'4.6': '/api/public/conversation/template',
} as const;

describe('section 7: what is wrong with a request is said', () => {
	const bad: Array<[keyof typeof paths, unknown, RegExp]> = [
		['4.4', { from, messages: [{ to, identifier: 'one' }] }, /"template" is required/],
		['4.6', { from, messages: [message, { to }] }, /messages\[1\]: "template" is required/],
		['4.4', { from, messages: [{ to, template: {} }] }, /"name" is required/],
		['4.6', { from, messages: [] }, /"messages" must not be empty/],
		['4.4', { messages: [message] }, /"from" is required/],
		['4.4', { from, messages: [{ ...message, to: 'Ada' }] }, /"to" is not valid/],
		['4.4', { from, messages: [{ ...message, save: 'yes' }] }, /"save" must be boolean/],
		['4.6', { from, messages: [{ ...message, metadata: 'x' }] }, /"metadata" must be object/],
		['4.3', { from, to }, /"message" is required/],
		['4.3', { from, to, message: 5 }, /"message" must be string/],
	];
	for (const [section, body, sentence] of bad) {
		it(`${section} ${sentence.source}`, async () =>
			await withSandbox(async (sandbox) => {
				assertFailure(await sandbox.post(paths[section], body), 400, sentence);
				assert.equal((await sandbox.control('GET', '/counts')).json.accepted.messages, 0);
			}));
	}

	it('8.1, 8.2: closed windows, foreign senders, templates that are not approved', async () =>
		await withSandbox(async (sandbox) => {
			const text = (change: object) => sandbox.post(paths['4.3'], { ...textRequest, ...change });
			assertFailure(await text({ to: '447700900024' }), 422, /24 hours/);
			assertFailure(await text({ from: '447700900999' }), 422, /not connected/);
			assertFailure(await text({ from: '12025550142' }), 422, /INACTIVE/);
			const campaign = (name: string) =>
				sandbox.post(paths['4.4'], { from, messages: [{ to, template: { name } }] });
			assertFailure(await campaign('no_such'), 422, /"no_such" is not registered/);
			assertFailure(await campaign('free_cake'), 422, /"free_cake" was rejected/);
			const twice = campaignTo(to, to);
			for (const each of twice.messages) each.identifier = 'same';
			assertFailure(await sandbox.post(paths['4.4'], twice), 422, /not unique/);
		}));

	it('paths and ids that do not exist', async () =>
		await withSandbox(async (sandbox) => {
			assertFailure(await sandbox.get('/api/public/channel/none'), 404, /not found/);
			assertFailure(await sandbox.get('/api/public/channel/none/templates'), 404, /not found/);
			assertFailure(await sandbox.get('/api/public/dlr/none/sms'), 404, /not found/);
			assertFailure(await sandbox.get('/api/public/nothing'), 404, /No such endpoint/);
			assert.equal((await sandbox.control('GET', '/counts')).json.requests.unknown, 1);
		}));
});
