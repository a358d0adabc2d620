import { sleep } from 'n8n-workflow';
import { useHarness } from '../../../support/harness';
import { useSandbox } from '../../../support/sandbox';
import {
	phones,
	reportedOutcomes,
	sendingTo,
	sendParameters,
	SENDS,
} from '../../../support/sendOperations';
import {
	findLostCampaign,
	trackCampaign,
} from '../../../../nodes/Messaging/resources/campaign/lostCampaign';
import type { Message } from '../../../../nodes/Messaging/sending/message';
import { Service } from '../../../../nodes/Messaging/service/service';
import { message } from '../../../support/messages';

jest.mock('../../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../../support/fastClock'),
);

jest.setTimeout(60_000);

const sandbox = useSandbox();
const harness = useHarness();

beforeEach(async () => {
	await sandbox.reset();
});

const run = sendingTo(sandbox, harness);

describe('a campaign whose answer was lost', () => {
	const items = phones(6).map((phone) => ({ phone }));
	const lose = async () => {
		await sandbox.fault({
			match: { endpoint: 'sendCampaign' },
			act: true,
			fault: { kind: 'reset' },
		});
	};

	test('is found in the logs by its identifiers, and is accepted', async () => {
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
		// The service's clock has whole seconds: campaigns must be further apart than that.
		await sleep(3000);
		await sandbox.fault({ match: { endpoint: 'sendCampaign' }, fault: { kind: 'reset' } });
		const execution = await run('campaign send', items, {
			parameters,
			node: { onError: 'continueRegularOutput' },
		});
		const outcomes = reportedOutcomes(
			execution,
			items.map(({ phone }) => phone),
		);
		expect(outcomes.unknown).toHaveLength(6);
		expect((await sandbox.counts()).maxPerRecipient).toBe(1);
	});

	test.each([0, 500, 1500])(
		'is not taken for one with the same identifiers that was sent %i ms before it',
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
			expect(reportedOutcomes(execution, persons).unknown).toEqual(persons);
			expect((await sandbox.counts()).maxPerRecipient).toBe(1);
		},
	);

	test('with another lost one at the same moment with the same identifiers, both are unknown', async () => {
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

	test('is not taken for another one that was sent at the same moment', async () => {
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
		'is found if the clocks differ by %i ms',
		async (difference) => {
			await lose();
			const now = Date.now;
			const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + difference);
			const execution = await run('campaign send', items);
			clock.mockRestore();
			expect(execution.error).toBeUndefined();
		},
	);

	test('is looked up again by the next attempt, if the logs were unavailable before', async () => {
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

	test('that was sent again with Resend Unknown and another recipient: each message is looked up by itself', async () => {
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
		// The logs have the first two messages, but are unavailable at first; the third was never accepted.
		await sandbox.fault(
			{ match: { endpoint: logs }, fault: status(400) },
			{ match: { endpoint }, fault: status(503) },
		);
		const node = { onError: 'continueRegularOutput' } as const;
		const parameters = sendParameters('campaign send', { resendUnknown: true });
		const second = await first.retry({ parameters, node });
		const persons = three.map(({ phone }) => phone);
		expect((await sandbox.accepted()).map(({ to }) => to)).toEqual(persons.slice(0, 2));
		expect(reportedOutcomes(second, persons)).toMatchObject({
			accepted: persons.slice(0, 2),
			unknown: persons.slice(2),
		});
	});

	test('that was sent again with Resend Unknown: each of its messages is found', async () => {
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

/* Every test has its own identifier: the lookup remembers the campaigns of this process. */
describe('findLostCampaign', () => {
	let count = 0;
	const campaign = (isGenerated: boolean, more: Partial<Message> = {}): Message[] => [
		message(0, { identifier: `id-${++count}`, isGenerated, ...more }),
	];

	type Shown = { createdAt?: unknown; campaign_id?: string; to?: string; identifier?: string };
	const at = (ms: number) => new Date(ms).toISOString();

	/** Looks up a campaign in logs with these records of its identifier. */
	async function find(
		messages: Message[],
		shown: Shown[],
		{
			sentAt = Date.now(),
			date = new Date(Date.now()).toUTCString() as string | null,
			request = 'r',
		} = {},
	) {
		const [{ identifier, to }] = messages;
		const records = shown.map((record) => ({ id: 'l', identifier, to, ...record }));
		const service = new Service(
			async () => ({
				statusCode: 200,
				headers: date === null ? {} : { Date: date },
				body: { success: true, data: records },
			}),
			'host',
		);
		const found = await findLostCampaign(service, { request, messages, sentAt }, {});
		return found?.[0].campaign_id;
	}

	/** A whole second, so that the service's `Date` is exact. */
	const now = Math.floor(Date.now() / 1000) * 1000;
	beforeEach(() => {
		jest.spyOn(Date, 'now').mockReturnValue(now);
	});
	afterEach(() => {
		jest.restoreAllMocks();
	});

	describe("the customer's own identifiers", () => {
		test('a record that was created after the request was sent is proof', async () => {
			const shown = [{ createdAt: at(now + 5), campaign_id: 'own-1' }];
			expect(await find(campaign(false), shown, { sentAt: now })).toBe('own-1');
		});

		test.each([1, 500, 1500, 60_000])(
			'a record that was created %i ms before that is not',
			async (before) => {
				const shown = [{ createdAt: at(now - before), campaign_id: `early-${before}` }];
				expect(await find(campaign(false), shown, { sentAt: now })).toBeUndefined();
			},
		);

		test('a record that was created long after the request’s time limit is not', async () => {
			const shown = [{ createdAt: at(now + 3_600_000), campaign_id: 'late' }];
			expect(await find(campaign(false), shown, { sentAt: now })).toBeUndefined();
		});

		test('a creation time in whole seconds may be in the second in which the request was sent', async () => {
			const second = at(now).replace('.000', '');
			const shown = [{ createdAt: second, campaign_id: 'second' }];
			expect(await find(campaign(false), shown, { sentAt: now + 400 })).toBe('second');
		});

		test.each([-3_600_000, 3_600_000])(
			'times are compared by the service’s clock, %i ms ahead',
			async (ahead) => {
				const date = new Date(now + ahead).toUTCString();
				const own = campaign(false);
				const shown = (made: number) => [{ createdAt: at(made + ahead), campaign_id: `c${ahead}` }];
				expect(await find(own, shown(now - 1), { date })).toBeUndefined();
				expect(await find(own, shown(now + 1), { date })).toBe(`c${ahead}`);
			},
		);

		test('without the service’s clock nothing is proof', async () => {
			const shown = [{ createdAt: at(now + 5), campaign_id: 'clockless' }];
			expect(await find(campaign(false), shown, { date: null })).toBeUndefined();
		});

		test.each([null, undefined, 1_767_225_600_000, 'soon'])(
			'a record with the time %p is not',
			async (createdAt) => {
				const shown = [{ createdAt, campaign_id: 'timeless' }];
				expect(await find(campaign(false), shown)).toBeUndefined();
			},
		);

		test('a record for another recipient is not', async () => {
			const shown = [{ createdAt: at(now + 5), campaign_id: 'foreign', to: '385919999999' }];
			expect(await find(campaign(false), shown)).toBeUndefined();
		});

		test('a campaign that was accepted for another request is not', async () => {
			const messages = campaign(false);
			trackCampaign({ request: 'other', messages })({ campaign_id: 'TAKEN-1' });
			const shown = [{ createdAt: at(now + 5), campaign_id: 'taken-1' }];
			expect(await find(messages, shown)).toBeUndefined();
			// The request's own campaign is still found beside it.
			shown.push({ createdAt: at(now + 6), campaign_id: 'own-2' });
			expect(await find(messages, shown)).toBe('own-2');
		});

		test('a campaign that another request, in flight or lost, may have created is not', async () => {
			const messages = campaign(false);
			const answered = trackCampaign({ request: 'other', messages });
			const shown = [{ createdAt: at(now + 5), campaign_id: 'whose' }];
			expect(await find(messages, shown)).toBeUndefined();
			// The other request was refused, so it created no campaign.
			answered();
			expect(await find(messages, shown)).toBe('whose');
		});

		test('the request itself does not count as another one', async () => {
			const messages = campaign(false);
			trackCampaign({ request: 'own', messages });
			const shown = [{ createdAt: at(now + 5), campaign_id: 'own-3' }];
			expect(await find(messages, shown, { request: 'own' })).toBe('own-3');
		});

		test('two possible campaigns are no proof', async () => {
			const shown = ['x', 'y'].map((id) => ({ createdAt: at(now + 5), campaign_id: id }));
			expect(await find(campaign(false), shown)).toBeUndefined();
		});

		test('a campaign that was found belongs to the request that found it', async () => {
			const messages = campaign(false);
			const shown = [{ createdAt: at(now + 5), campaign_id: 'found-once' }];
			expect(await find(messages, shown, { request: 'first' })).toBe('found-once');
			expect(await find(messages, shown, { request: 'second' })).toBeUndefined();
		});
	});

	describe('generated identifiers', () => {
		test.each([null, undefined, 1_767_225_600_000, at(now - 3_600_000)])(
			'a record is proof, whenever it was created (%p)',
			async (createdAt) => {
				const shown = [{ createdAt, campaign_id: `made-${String(createdAt)}`, to: '091 123' }];
				expect(await find(campaign(true), shown, { date: null })).toBe(`made-${String(createdAt)}`);
			},
		);

		test('a record without a campaign is not', async () => {
			expect(await find(campaign(true), [{ createdAt: at(now) }])).toBeUndefined();
		});
	});

	test('beside a generated identifier, the customer’s own one is no proof: others may have it, too', async () => {
		const [own] = campaign(false);
		const [made] = campaign(true, { position: 1 });
		// These records are for the customer's own identifier.
		const shown = [
			{ createdAt: at(now + 5), campaign_id: 'of-others', identifier: own.identifier },
		];
		expect(await find([own, made], shown, { sentAt: now })).toBeUndefined();
	});
});
