import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createCredential } from '../../../demo/n8n/rest/credentials.mts';
import type { Json } from '../../../demo/n8n/rest/executions.mts';
import { freePort } from '../../../demo/ports.mjs';
import { requestsDuring } from './world/counting.mts';
import { runMessaging } from './world/node-run.mts';
import { looksLikeASentence } from './world/sentences.mts';
import { world, type World } from './world/world.mts';

const sendText = {
	resource: 'message',
	operation: 'sendText',
	from: { __rl: true, mode: 'phone', value: '447700900100' },
	to: '={{ $json.phone }}',
	message: 'Good morning',
	options: {},
};
const getChannels = { resource: 'channel', operation: 'getAll', returnAll: true };

describe('errors are sentences that a person understands', () => {
	let stage: World;
	before(async () => {
		stage = await world();
	});

	const credentialFor = async (data: { baseUrl: string; apiKey: string }) => {
		const { id, name } = await createCredential(stage.session, {
			name: 'Wrong in some way',
			type: 'messagingApi',
			data,
		});
		return { id, name };
	};
	const failureWith = async (
		parameters: Json,
		data: { baseUrl: string; apiKey: string },
	): Promise<string> => {
		const credential = await credentialFor(data);
		const { execution, error } = await runMessaging(parameters, { credential });
		assert.equal(execution.status, 'error');
		looksLikeASentence(error);
		return error!;
	};

	it('a wrong key, which is not shown', async () => {
		const { url } = stage.sandbox;
		const key = 'wrong-example-key';
		const error = await failureWith(getChannels, { baseUrl: url, apiKey: key });
		assert.match(error, /key/i);
		assert.ok(!error.includes(key), error);
	});

	it('a service that cannot be reached', async () => {
		const baseUrl = `http://127.0.0.1:${await freePort()}`;
		await failureWith({ ...sendText, options: { maxRetries: 0 } }, { baseUrl, apiKey: 'x' });
	});

	it('an invalid address', async () => {
		for (const baseUrl of ['messaging', 'ftp://127.0.0.1/']) {
			await failureWith(getChannels, { baseUrl, apiKey: 'x' });
		}
	});

	it('an address that was left empty', async () => {
		await failureWith(getChannels, { baseUrl: '', apiKey: 'x' });
	});

	it('HTML instead of JSON', async () => {
		stage.sandbox.world.faults.add([
			{ match: { endpoint: 'getChannels' }, fault: { kind: 'malformed', as: 'html' } },
		]);
		const { execution, error } = await runMessaging(getChannels);
		assert.equal(execution.status, 'error');
		looksLikeASentence(error);
	});

	it('an empty recipient: nothing is sent at all', async () => {
		const { result, requests } = await requestsDuring(
			async () =>
				await runMessaging(sendText, { items: [{ phone: '447700900231' }, { phone: '' }] }),
		);
		assert.equal(result.execution.status, 'error');
		looksLikeASentence(result.error);
		assert.deepEqual(requests, {});
	});
});

describe('Continue On Fail with an error output', () => {
	// The sandbox refuses texts to numbers with this ending: their 24 hours are over.
	const closed = '447700900024';
	const items = ['447700900241', closed, '447700900243', ''].map((phone, row) => ({ phone, row }));

	it('sends the valid items, and returns the invalid ones with their input and the reason', async () => {
		const { result, accepted } = await requestsDuring(
			async () => await runMessaging(sendText, { items, onError: 'continueErrorOutput' }),
		);
		assert.equal(result.execution.status, 'success', result.error);
		assert.equal(accepted, 2);
		assert.equal(result.output.length, 2, JSON.stringify(result.output));
		assert.deepEqual(
			result.errors.map(({ json }) => json.row),
			[1, 3],
			JSON.stringify(result.errors),
		);
		for (const { json } of result.errors) looksLikeASentence(json.error);
		const [{ json }] = result.errors;
		assert.equal(json.details?.recipient, closed, JSON.stringify(json));
		assert.equal(json.details?.outcome, 'rejected', JSON.stringify(json));
	});
});
