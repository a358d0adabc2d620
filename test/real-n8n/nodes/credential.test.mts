import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createCredential, testCredential } from '../../../demo/n8n/rest/credentials.mts';
import { freePort } from '../../../demo/ports.mjs';
import { looksLikeASentence } from './world/sentences.mts';
import { world, type World } from './world/world.mts';

describe("the credential's test button", () => {
	let stage: World;
	before(async () => {
		stage = await world();
	});

	const testWith = async (data: { baseUrl: string; apiKey: string }) => {
		const { id } = await createCredential(stage.session, {
			name: 'To be tested',
			type: 'messagingApi',
			data,
		});
		return await testCredential(stage.session, id);
	};

	it('succeeds with the right key', async () => {
		const { url, apiKey } = stage.sandbox;
		const { status, message } = await testWith({ baseUrl: url, apiKey });
		assert.equal(status, 'OK', message);
	});

	it('tolerates a slash at the end and spaces around the address', async () => {
		const { url, apiKey } = stage.sandbox;
		const { status, message } = await testWith({ baseUrl: ` ${url}/ `, apiKey });
		assert.equal(status, 'OK', message);
	});

	it('reports a wrong key, and does not show it', async () => {
		const apiKey = 'wrong-example-key';
		const { status, message } = await testWith({ baseUrl: stage.sandbox.url, apiKey });
		assert.equal(status, 'Error', message);
		assert.match(message, /key/i);
		assert.ok(!message.includes(apiKey), message);
	});

	it('fails on success: false under HTTP 200', async () => {
		stage.sandbox.world.faults.add([
			{
				match: { endpoint: 'getChannels' },
				fault: { kind: 'successFalse', message: 'Invalid API Key', status: 200 },
			},
		]);
		const { url, apiKey } = stage.sandbox;
		const { status, message } = await testWith({ baseUrl: url, apiKey });
		assert.equal(status, 'Error', message);
		assert.match(message, /key/i);
	});

	it('fails when the service cannot be reached', async () => {
		const baseUrl = `http://127.0.0.1:${await freePort()}`;
		const { status, message } = await testWith({ baseUrl, apiKey: 'x' });
		assert.equal(status, 'Error', message);
		// n8n's own message: the error code of a broken connection, or a sentence in older versions. A credential cannot
		// change it.
		assert.match(message, /^(ECONNREFUSED|The service refused the connection.*)$/);
	});

	const refuses = async (baseUrl: string) => {
		const { status, message } = await testWith({ baseUrl, apiKey: 'x' });
		assert.equal(status, 'Error', `${baseUrl}: ${message}`);
		looksLikeASentence(message);
	};

	it('refuses addresses that are no http(s) addresses', async () => {
		for (const baseUrl of ['messaging', 'ftp://127.0.0.1/']) await refuses(baseUrl);
	});

	it('refuses an empty address', async () => {
		await refuses('');
	});

	it('refuses an address where something else answers', async () => {
		const baseUrl = `${stage.n8n.url}/no-such-place`;
		const { status, message } = await testWith({ baseUrl, apiKey: 'x' });
		assert.equal(status, 'Error', `${baseUrl}: ${message}`);
		looksLikeASentence(message);
	});
});
