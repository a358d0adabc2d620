import assert from 'node:assert/strict';
import { describe } from 'node:test';

import {
	assertFailure,
	campaignTo,
	eventually,
	from,
	setFaults,
	itInSandbox,
	type TestSandbox,
} from './support.mts';

const to = '447700900555';
const text = { from, to, message: 'Hello' };
const channels = '/api/public/channels/chatapp';

const sendText = async (sandbox: TestSandbox) =>
	await sandbox.post('/api/public/conversation/text', text);

const accepted = async (sandbox: TestSandbox): Promise<number> =>
	(await sandbox.control('GET', '/counts')).json.accepted.messages;

describe('faults that answer', () => {
	const cases: Array<[string, object, (answer: Awaited<ReturnType<typeof sendText>>) => void]> = [
		[
			'status',
			{ kind: 'status', status: 503, body: { odd: true }, headers: { 'X-Odd': '1' } },
			({ status, json, headers }) => {
				assert.equal(status, 503);
				assert.deepEqual(json, { odd: true });
				assert.equal(headers.get('x-odd'), '1');
			},
		],
		[
			'rateLimit',
			{ kind: 'rateLimit', retryAfter: 2 },
			(answer) => {
				assertFailure(answer, 429, 'Too many requests');
				assert.equal(answer.headers.get('retry-after'), '2');
			},
		],
		[
			'successFalse',
			{ kind: 'successFalse', message: 'No credit' },
			(answer) => assertFailure(answer, 200, 'No credit'),
		],
		[
			'redirect',
			{ kind: 'redirect', location: 'http://127.0.0.1:9/elsewhere' },
			({ status, headers }) =>
				assert.deepEqual([status, headers.get('location')], [307, 'http://127.0.0.1:9/elsewhere']),
		],
	];
	for (const [name, fault, check] of cases) {
		for (const act of [undefined, true]) {
			itInSandbox(
				`${name}, ${act ? 'after the request was handled' : 'without handling the request'}`,
				async (sandbox) => {
					await setFaults(sandbox, { fault, act });
					check(await sendText(sandbox));
					assert.equal(await accepted(sandbox), act ? 1 : 0);
					assert.equal((await sendText(sandbox)).status, 200);
				},
			);
		}
	}

	const malformed: Record<string, (body: string) => boolean> = {
		html: (body) => body.startsWith('<!doctype html>'),
		truncated: (body) => body.startsWith('{"data":{') && !body.endsWith('}'),
		empty: (body) => body === '',
		array: (body) => body === '[]',
		primitive: (body) => body === '42',
	};
	for (const [as, check] of Object.entries(malformed)) {
		itInSandbox(`malformed as ${as}, by default after the request was handled`, async (sandbox) => {
			const fault = { kind: 'malformed', as };
			await setFaults(sandbox, { fault }, { fault, act: false });
			const answer = await sendText(sandbox);
			assert.equal(answer.status, 200);
			assert.ok(check(answer.text), answer.text);
			assert.equal(await accepted(sandbox), 1);
			await sendText(sandbox);
			assert.equal(await accepted(sandbox), 1);
		});
	}

	itInSandbox('nullData, in the field that the endpoint uses', async (sandbox) => {
		await setFaults(sandbox, { fault: { kind: 'nullData' }, times: 0 });
		const { json } = await sendText(sandbox);
		assert.deepEqual(json, { data: null, message: 'Message sent', success: true });
		assert.equal((await sandbox.get('/api/otp/templates')).json.body, null);
		const logs = (await sandbox.get('/api/public/logs')).json;
		assert.deepEqual([logs.data, logs.count], [null, 1]);
		const report = '/api/public/dlr/d1000000-0000-4000-8000-000000000001/sms';
		assert.equal((await sandbox.get(report)).json.conversation, null);
	});
});

describe('faults that do not answer', () => {
	for (const kind of ['reset', 'hang']) {
		for (const act of [false, true]) {
			itInSandbox(
				`${kind}, ${act ? 'after' : 'before'} the request is handled`,
				async (sandbox) => {
					await setFaults(sandbox, { fault: { kind }, act });
					const patience = new AbortController();
					const lost = fetch(`${sandbox.url}/api/public/conversation/text`, {
						method: 'POST',
						headers: { apiKey: sandbox.apiKey, 'content-type': 'application/json' },
						body: JSON.stringify(text),
						signal: patience.signal,
					});
					const name = kind === 'hang' ? 'AbortError' : 'TypeError';
					const rejected = assert.rejects(lost, { name });
					await eventually(() => sandbox.world.faults.list()[0]?.fired === 1);
					if (act) await eventually(() => sandbox.world.messages.tally().messages === 1);
					if (kind === 'hang') patience.abort();
					await rejected;
					assert.equal(await accepted(sandbox), act ? 1 : 0);
					// When the client gives up, the request is no longer in flight.
					await eventually(
						async () => (await sandbox.control('GET', '/counts')).json.inFlight.now === 0,
					);
				},
			);
		}
	}

	itInSandbox('delay only delays the answer', async (sandbox) => {
		await setFaults(sandbox, { fault: { kind: 'delay', ms: 300 }, act: true });
		const answer = sendText(sandbox);
		await eventually(() => sandbox.world.messages.tally().messages === 1);
		assert.equal((await sandbox.control('GET', '/counts')).json.inFlight.now, 1);
		assert.equal((await answer).json.success, true);
	});
});

describe('when a rule fires', () => {
	const statuses = async (sandbox: TestSandbox, count: number) => {
		const seen: number[] = [];
		for (let n = 0; n < count; n++) seen.push((await sandbox.get(channels)).status);
		return seen;
	};
	const fault = (status: number) => ({ kind: 'status', status });

	itInSandbox('once by default, without a limit with times 0', async (sandbox) => {
		await setFaults(sandbox, { fault: fault(500) });
		assert.deepEqual(await statuses(sandbox, 3), [500, 200, 200]);
		await setFaults(sandbox, { fault: fault(502), times: 0 });
		assert.deepEqual(await statuses(sandbox, 3), [502, 502, 502]);
		await sandbox.control('DELETE', '/faults');
		assert.deepEqual(await statuses(sandbox, 2), [200, 200]);
	});

	itInSandbox('with skip and every', async (sandbox) => {
		await setFaults(sandbox, { skip: 1, every: 2, times: 2, fault: fault(500) });
		assert.deepEqual(await statuses(sandbox, 7), [200, 200, 500, 200, 500, 200, 200]);
	});

	itInSandbox('only for its method, endpoint and recipient', async (sandbox) => {
		await setFaults(
			sandbox,
			{ match: { recipient: '447700900556' }, times: 0, fault: fault(500) },
			{ match: { endpoint: 'getLogs' }, times: 0, fault: fault(502) },
			{ match: { method: 'GET' }, times: 0, fault: fault(503) },
		);
		const campaign = async (...recipients: string[]) =>
			(await sandbox.post('/api/public/chatapp/campaign', campaignTo(...recipients))).status;
		assert.equal(await campaign(to), 200);
		assert.equal(await campaign(to, '447700900556'), 500);
		assert.equal((await sandbox.get('/api/public/logs')).status, 502);
		assert.equal((await sandbox.get(channels)).status, 503);
	});

	itInSandbox('never for a request with a wrong key', async (sandbox) => {
		await setFaults(sandbox, { fault: fault(500) });
		assertFailure(await sandbox.get(channels, { apiKey: 'wrong' }), 401, 'Invalid API Key');
		assert.equal((await sandbox.get(channels)).status, 500);
	});

	itInSandbox('invalid rules are refused with a sentence', async (sandbox) => {
		const refused = async (rule: object, sentence: RegExp) =>
			assertFailure(await sandbox.control('POST', '/faults', [rule]), 400, sentence);
		await refused({ fault: { kind: 'delay' } }, /"ms" is required/);
		await refused({ fault: { kind: 'nonsense' } }, /known "kind"/);
		await refused({ time: 1, fault: { kind: 'reset' } }, /"time" is not known/);
		const headers = { 'two words': 'x' };
		await refused({ fault: { kind: 'status', status: 500, headers } }, /"two words" is not known/);
		await refused({ match: { endpoint: 'x' }, fault: { kind: 'reset' } }, /must be one of/);
	});
});
