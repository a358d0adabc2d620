import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { assertFailure, campaignTo, setFaults, withSandbox, type TestSandbox } from './support.mts';

const to = '447700900555';
const channels = '/api/public/channels/chatapp';

describe('when a rule fires', () => {
	const statuses = async (sandbox: TestSandbox, count: number) => {
		const seen: number[] = [];
		for (let n = 0; n < count; n++) seen.push((await sandbox.get(channels)).status);
		return seen;
	};
	const fault = (status: number) => ({ kind: 'status', status });

	it('once by default, without a limit with times 0', async () =>
		await withSandbox(async (sandbox) => {
			await setFaults(sandbox, { fault: fault(500) });
			assert.deepEqual(await statuses(sandbox, 3), [500, 200, 200]);
			await setFaults(sandbox, { fault: fault(502), times: 0 });
			assert.deepEqual(await statuses(sandbox, 3), [502, 502, 502]);
			await sandbox.control('DELETE', '/faults');
			assert.deepEqual(await statuses(sandbox, 2), [200, 200]);
		}));

	it('with skip and every', async () =>
		await withSandbox(async (sandbox) => {
			await setFaults(sandbox, { skip: 1, every: 2, times: 2, fault: fault(500) });
			assert.deepEqual(await statuses(sandbox, 7), [200, 200, 500, 200, 500, 200, 200]);
		}));

	it('only the first rule that fires', async () =>
		await withSandbox(async (sandbox) => {
			await setFaults(sandbox, { skip: 1, fault: fault(500) }, { fault: fault(502), times: 2 });
			assert.deepEqual(await statuses(sandbox, 4), [502, 500, 502, 200]);
			const rules = (await sandbox.control('GET', '/faults')).json;
			assert.deepEqual(
				rules.map(({ seen, fired }: { seen: number; fired: number }) => [seen, fired]),
				[
					[4, 1],
					[3, 2],
				],
			);
		}));

	it('only for its method, endpoint and recipient', async () =>
		await withSandbox(async (sandbox) => {
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
		}));

	it('never for a request with a wrong key', async () =>
		await withSandbox(async (sandbox) => {
			await setFaults(sandbox, { fault: fault(500) });
			assertFailure(await sandbox.get(channels, { apiKey: 'wrong' }), 401, 'Invalid API Key');
			assert.equal((await sandbox.get(channels)).status, 500);
		}));

	it('invalid rules are refused with a sentence', async () =>
		await withSandbox(async (sandbox) => {
			const refused = async (rule: object, sentence: RegExp) =>
				assertFailure(await sandbox.control('POST', '/faults', [rule]), 400, sentence);
			await refused({ fault: { kind: 'delay' } }, /"ms" is required/);
			await refused({ fault: { kind: 'nonsense' } }, /known "kind"/);
			await refused({ time: 1, fault: { kind: 'reset' } }, /"time" is not known/);
			const headers = { 'two words': 'x' };
			await refused(
				{ fault: { kind: 'status', status: 500, headers } },
				/"two words" is not known/,
			);
			await refused({ match: { endpoint: 'x' }, fault: { kind: 'reset' } }, /must be one of/);
		}));
});
