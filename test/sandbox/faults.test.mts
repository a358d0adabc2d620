import assert from 'node:assert/strict';
import { describe } from 'node:test';

import {
	assertFailure,
	campaignTo,
	from,
	setFaults,
	itInSandbox,
	type TestSandbox,
} from './support.mts';

const to = '12025550155';
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
			{ match: { recipient: '12025550156' }, times: 0, fault: fault(500) },
			{ match: { endpoint: 'getLogs' }, times: 0, fault: fault(502) },
			{ match: { method: 'GET' }, times: 0, fault: fault(503) },
		);
		const campaign = async (...recipients: string[]) =>
			(await sandbox.post('/api/public/chatapp/campaign', campaignTo(...recipients))).status;
		assert.equal(await campaign(to), 200);
		assert.equal(await campaign(to, '12025550156'), 500);
		assert.equal((await sandbox.get('/api/public/logs')).status, 502);
		assert.equal((await sandbox.get(channels)).status, 503);
	});
});
