import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { Execution, type Plan } from '../../../support/execution';
import { Harness } from '../../../support/harness';
import { useSandbox } from '../../../support/sandbox';
import {
	phones,
	reportedFates,
	sendParameters,
	SENDS,
	type SendName,
} from '../../../support/sends';

jest.mock('../../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../../support/fastClock'),
);

jest.setTimeout(60_000);

const sandbox = useSandbox();
let harness: Harness;

beforeAll(async () => {
	harness = await Harness.load();
});

beforeEach(async () => {
	await sandbox.reset();
});

const run = async (
	send: SendName,
	items: IDataObject[],
	{ options = {}, ...plan }: Partial<Plan> & { options?: object } = {},
) =>
	await Execution.start(harness, {
		parameters: sendParameters(send, options),
		items,
		credentials: sandbox.credentials,
		...plan,
	});

describe('a campaign whose answer was lost', () => {
	const items = phones(6).map((phone) => ({ phone }));
	const lose = async () => {
		await sandbox.fault({
			match: { endpoint: 'sendCampaign' },
			act: true,
			fault: { kind: 'reset' },
		});
	};

	test('is found in the logs by its identifiers, and counts as sent', async () => {
		await lose();
		const execution = await run('campaign send', items);
		expect(execution.error).toBeUndefined();
		const [taken] = await sandbox.accepted(items[0].phone);
		for (const { json } of execution.items) expect(json.campaign_id).toBe(taken.campaign_id);
	});

	test('is not taken for an earlier one with the same identifiers', async () => {
		const parameters = {
			...SENDS['campaign send'].parameters,
			identifier: '={{ "id-" + $json.phone }}',
		};
		await run('campaign send', items, { parameters });
		// The service tells its clock in whole seconds: what is so close together cannot be told apart.
		await sleep(3000);
		await sandbox.fault({ match: { endpoint: 'sendCampaign' }, fault: { kind: 'reset' } });
		const execution = await run('campaign send', items, {
			parameters,
			node: { onError: 'continueRegularOutput' },
		});
		const fates = reportedFates(
			execution,
			items.map(({ phone }) => phone),
		);
		expect(fates.unknown).toHaveLength(6);
		expect((await sandbox.counts()).maxPerRecipient).toBe(1);
	});

	test.each([0, 500, 1500])(
		'is not taken for one with the same identifiers that left %i ms before it',
		async (before) => {
			const parameters = {
				...SENDS['campaign send'].parameters,
				identifier: '={{ "id-" + $json.phone }}',
			};
			const accepted = await run('campaign send', items, { parameters });
			expect(accepted.error).toBeUndefined();
			await sleep(before);
			await sandbox.fault({
				match: { endpoint: 'sendCampaign' },
				fault: { kind: 'status', status: 503 },
			});
			const execution = await run('campaign send', items, {
				parameters,
				node: { onError: 'continueRegularOutput' },
			});
			const persons = items.map(({ phone }) => phone);
			expect(reportedFates(execution, persons).unknown).toEqual(persons);
			expect((await sandbox.counts()).maxPerRecipient).toBe(1);
		},
	);

	test('of two in the same moment with the same identifiers, both lost, neither is said to be sent', async () => {
		const parameters = {
			...SENDS['campaign send'].parameters,
			identifier: '={{ "id-" + $json.phone }}',
		};
		const endpoint = 'sendCampaign';
		await sandbox.fault(
			{ match: { endpoint }, times: 1, act: true, fault: { kind: 'status', status: 503 } },
			{ match: { endpoint }, times: 1, fault: { kind: 'status', status: 503 } },
		);
		const both = await Promise.all(
			[1, 2].map(async () => await run('campaign send', items, { parameters })),
		);
		for (const { error } of both) expect(error?.message).toContain('6 may have been sent');
	});

	test('is not taken for another one that left in the same moment', async () => {
		const endpoint = 'sendCampaign';
		await sandbox.fault(
			{ match: { endpoint }, act: true, fault: { kind: 'status', status: 500 } },
			{ match: { endpoint }, fault: { kind: 'status', status: 500 } },
			{ match: { endpoint: 'getLogs' }, times: 0, fault: { kind: 'status', status: 400 } },
		);
		const sameMoment = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
		const first = await run('campaign send, 3 per request', items);
		sameMoment.mockRestore();
		expect(first.error?.message).toContain('6 may have been sent');
		await sandbox.clearFaults();
		const second = await first.retry();
		expect(second.error?.message).toContain('3 of 6 messages were accepted');
		expect(second.error?.message).toContain('3 may have been sent');
	});

	test.each([-3_600_000, 3_600_000])(
		'is found when the clocks differ by %i ms',
		async (difference) => {
			await lose();
			const now = Date.now;
			const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + difference);
			const execution = await run('campaign send', items);
			clock.mockRestore();
			expect(execution.error).toBeUndefined();
		},
	);

	test('is looked up again on the next try, when the logs were away at first', async () => {
		await lose();
		await sandbox.fault({
			match: { endpoint: 'getLogs' },
			times: 0,
			fault: { kind: 'status', status: 400 },
		});
		const first = await run('campaign send', items);
		expect(first.error?.message).toContain('6 may have been sent');
		await sandbox.clearFaults();
		const second = await first.retry();
		expect(second.status).toBe('success');
		expect((await sandbox.counts()).maxPerRecipient).toBe(1);
	});

	test('that was sent once more on request, with another recipient: each is looked for itself', async () => {
		const three = items.slice(0, 3);
		const [endpoint, logs] = ['sendCampaign', 'getLogs'] as const;
		const status = (code: number) => ({ kind: 'status', status: code }) as const;
		await sandbox.fault(
			{ match: { endpoint }, act: true, fault: status(503) },
			{ match: { endpoint }, fault: status(400) },
			{ match: { endpoint: logs }, times: 0, fault: status(400) },
		);
		const first = await run('campaign send', three, { options: { maxRecipients: 2 } });
		expect(first.error?.message).toContain('2 may have been sent');
		await sandbox.clearFaults();
		// The logs know the two from before, but are away at first; the third one never gets there.
		await sandbox.fault(
			{ match: { endpoint: logs }, fault: status(400) },
			{ match: { endpoint }, fault: status(503) },
		);
		const node = { onError: 'continueRegularOutput' } as const;
		const parameters = sendParameters('campaign send', { resendUnknown: true });
		const second = await first.retry({ parameters, node });
		const persons = three.map(({ phone }) => phone);
		expect((await sandbox.accepted()).map(({ to }) => to)).toEqual(persons.slice(0, 2));
		expect(reportedFates(second, persons)).toMatchObject({
			accepted: persons.slice(0, 2),
			unknown: persons.slice(2),
		});
	});

	test('that was sent once more on request: all of it is found', async () => {
		const three = items.slice(0, 3);
		const [endpoint, logs] = ['sendCampaign', 'getLogs'] as const;
		const status = (code: number) => ({ kind: 'status', status: code }) as const;
		await sandbox.fault(
			{ match: { endpoint }, fault: status(503) },
			{ match: { endpoint: logs }, times: 0, fault: status(400) },
		);
		const first = await run('campaign send', three);
		expect(first.error?.message).toContain('3 may have been sent');
		await sandbox.clearFaults();
		await sandbox.fault({ match: { endpoint }, act: true, fault: status(503) });
		const parameters = sendParameters('campaign send', { resendUnknown: true });
		const second = await first.retry({ parameters });
		const [{ campaign_id: taken }] = await sandbox.accepted(three[0].phone);
		expect(second.items.map(({ json }) => json.campaign_id)).toEqual([taken, taken, taken]);
	});
});
