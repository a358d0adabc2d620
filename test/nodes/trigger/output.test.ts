import type { IDataObject } from 'n8n-workflow';
import nock from 'nock';
import {
	failure,
	serve,
	success,
	type ServiceRequest,
	type ServiceAnswer,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { useSandbox } from '../../support/sandbox';
import { Hook } from './hook';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

const harness = useHarness();
let workflows = 0;
const hookOf = (output: string, settings: Partial<Hook> = {}) =>
	new Hook(harness, {
		parameters: { events: ['campaignCompleted', 'smsDeliveryReport', 'other'], output },
		workflowId: `workflow-${++workflows}`,
		...settings,
	});

const record = (index: number): IDataObject => ({
	id: `log-${index}`,
	campaign_id: 'c',
	to: `38591${index}`,
	status: index % 3 === 0 ? 'failed' : 'delivered',
	reason: index % 3 === 0 ? 'No such number' : null,
	units: 1,
	createdAt: '2026-01-01T10:00:00.000Z',
	delivered_time: index % 3 === 0 ? null : '2026-01-01T10:00:30.000Z',
	identifier: `i${index}`,
	something_new: index,
});

/** The logs of a campaign with so many records, in pages as they are asked for. */
function logsOf(count: number) {
	const records = Array.from({ length: count }, (_, index) => record(index));
	return ({ query }: ServiceRequest): ServiceAnswer => {
		const size = Number(query['page[size]']);
		const from = (Number(query['page[number]']) - 1) * size;
		return success(records.slice(from, from + size), {
			count,
			totalPage: Math.ceil(count / size),
		});
	};
}

const body = { campaign_id: 'c', status: 'completed' };

describe('the output', () => {
	test('event: the call as it was received', async () => {
		const requests = serve(logsOf(3));
		const { items } = await hookOf('event').deliver({ body, query: { a: '1' } });
		expect(items).toEqual([
			{
				event: 'campaignCompleted',
				campaign_id: 'c',
				receivedAt: expect.any(String),
				headers: { 'content-type': 'application/json' },
				query: { a: '1' },
				body,
			},
		]);
		expect(requests).toHaveLength(1);
	});

	test('report: one item, the whole campaign', async () => {
		serve(logsOf(250));
		const { items } = await hookOf('report').deliver({ body });
		expect(items).toEqual([
			expect.objectContaining({
				event: 'campaignCompleted',
				campaign_id: 'c',
				receivedAt: expect.any(String),
				recipients: 250,
				statuses: { delivered: 166, failed: 84 },
				units: 250,
				reasons: [{ reason: 'No such number', count: 84 }],
			}),
		]);
	});

	test('recipients: every record as the service has it, over all pages', async () => {
		serve(logsOf(250));
		const { items } = await hookOf('recipients').deliver({ body });
		expect(items).toEqual(Array.from({ length: 250 }, (_, index) => record(index)));
	});

	test.each(['report', 'recipients'])(
		'%s: of a list, one campaign after the other',
		async (output) => {
			serve(({ query }) =>
				success([{ ...record(1), campaign_id: query.campaign_id }], { count: 1 }),
			);
			const { items } = await hookOf(output).deliver({
				body: [{ campaign_id: 'a' }, { campaign_id: 'b' }],
			});
			expect(items?.map(({ campaign_id }) => campaign_id)).toEqual(['a', 'b']);
		},
	);

	test.each(['report', 'recipients'])('%s: other events are output as they are', async (output) => {
		const hook = hookOf(output);
		const sms = { event: 'smsDeliveryReport', message: null, conversation: { id: 'x' } };
		expect((await hook.deliver({ body: sms })).items).toMatchObject([
			{ event: 'smsDeliveryReport', campaign_id: null, body: sms },
		]);
		expect((await hook.deliver({ body: { a: 1 } })).items).toMatchObject([
			{ event: 'other', campaign_id: null, body: { a: 1 } },
		]);
	});

	test('recipients: of a campaign without records, the event with a warning', async () => {
		serve(success([], { count: 0 }));
		const hook = hookOf('recipients');
		hook.parameters.confirm = false;
		const { items, log } = await hook.deliver({ body });
		const error = 'The logs have no records of this campaign.';
		expect(items).toEqual([
			{
				event: 'campaignCompleted',
				campaign_id: 'c',
				receivedAt: expect.any(String),
				headers: { 'content-type': 'application/json' },
				query: {},
				body,
				error,
			},
		]);
		expect(log).toBe(`Messaging Trigger: campaign "c". ${error}\n`);
	});

	test('report: a campaign without records has nobody in it, and says so', async () => {
		serve(success([], { count: 0 }));
		const hook = hookOf('report');
		hook.parameters.confirm = false;
		const { items, log } = await hook.deliver({ body });
		const warning = 'The logs have no records of this campaign.';
		expect(items).toMatchObject([
			{ event: 'campaignCompleted', campaign_id: 'c', recipients: 0, warning },
		]);
		expect(log).toBe(`Messaging Trigger: campaign "c". ${warning}\n`);
	});

	test('recipients: when some are missing, each item says so', async () => {
		serve(success([record(1), record(2)], { count: 50, totalPage: 1 }));
		const { items, log } = await hookOf('recipients').deliver({ body });
		const warning =
			'The service counts 50 records but gave only 2, also when asked again: 48 are missing.';
		expect(items).toEqual([1, 2].map((n) => ({ ...record(n), incomplete: true, warning })));
		expect(log).toBe(`Messaging Trigger: campaign "c". ${warning}\n`);
	});

	test('recipients: none came, though there are some', async () => {
		serve(success([], { count: 50, totalPage: 1 }));
		const hook = hookOf('recipients');
		hook.parameters.confirm = false;
		const [item, ...more] = (await hook.deliver({ body })).items!;
		expect(more).toEqual([]);
		expect(item.error).toBe(
			'The logs have no records of this campaign. The service counts 50 records but gave only 0, also when asked again: 50 are missing.',
		);
	});

	/** The logs of a service that does not filter by the campaign. */
	const everything = [
		record(1),
		{ ...record(2), campaign_id: 'another' },
		{ ...record(3), campaign_id: 7 },
		{ ...record(4), campaign_id: null },
		{ id: 'log-5' },
	];

	test('recipients: records of another campaign are left out, not those that name none', async () => {
		serve(success(everything, { count: everything.length }));
		const { items } = await hookOf('recipients').deliver({ body });
		const warning = 'The service also gave 2 records of other campaigns: they were left out.';
		const own = [everything[0], everything[3], everything[4]];
		expect(items).toEqual(own.map((each) => ({ ...each, warning })));
	});

	test('report: records of another campaign are not counted', async () => {
		serve(success(everything, { count: everything.length }));
		const { items } = await hookOf('report').deliver({ body });
		expect(items).toMatchObject([{ campaign_id: 'c', recipients: 3, units: 2 }]);
	});

	test.each(['7', 7])('recipients: the id %j of a record is that of campaign 7', async (id) => {
		const own = { ...record(1), campaign_id: id };
		serve(success([own], { count: 1 }));
		const { items } = await hookOf('recipients').deliver({ body: { campaign_id: 7 } });
		expect(items).toEqual([own]);
	});
});

describe('the logs cannot be read after the answer: outputs the event, nothing is lost', () => {
	const replies: Array<[string, ServiceAnswer, string]> = [
		['the service failed', failure('Maintenance', 503), 'Maintenance'],
		['the key is refused', failure('Invalid API Key', 200), 'API key'],
		['a web page', { body: '<html></html>' }, 'web page'],
		['no data', success(null), 'list of log records'],
	];
	const cases = ['report', 'recipients'].flatMap((output) =>
		replies.map(([name, reply, why]) => ({ output, name, reply, why })),
	);
	test.each(cases)('$output: $name', async ({ output, reply, why }) => {
		let isConfirmed = false;
		serve(() => {
			if (isConfirmed) return reply;
			isConfirmed = true;
			return success([record(1)], { count: 1 });
		});
		const hook = hookOf(output);
		const outcome = await hook.deliver({ body });
		expect(outcome).toMatchObject({ status: 200, message: 'Accepted.', answers: 1 });
		expect(outcome.items).toEqual([
			expect.objectContaining({
				event: 'campaignCompleted',
				campaign_id: 'c',
				body,
				error: expect.stringMatching(`^The campaign's logs cannot be read\\. .*${why}`),
			}),
		]);
		expect(outcome.log).toContain(why);
		// It was answered, so it counts as delivered.
		expect((await hook.deliver({ body })).items).toBeUndefined();
	});

	test('of a list: the failure of one campaign does not affect the others', async () => {
		const asked: string[] = [];
		serve(({ query }) => {
			const id = query.campaign_id;
			const isSecond = asked.includes(id);
			asked.push(id);
			return isSecond && id === 'a'
				? failure('Maintenance', 503)
				: success([{ ...record(1), campaign_id: id }], { count: 1 });
		});
		const { items } = await hookOf('report').deliver({
			body: [{ campaign_id: 'a' }, { campaign_id: 'b' }],
		});
		expect(items).toMatchObject([
			{ campaign_id: 'a', error: expect.any(String) },
			{ campaign_id: 'b', recipients: 1 },
		]);
	});
});

describe('with the sandbox', () => {
	const sandbox = useSandbox();
	afterAll(() => {
		nock.activate();
	});

	const send = async (phones: string[]) => {
		const answer = await fetch(`${sandbox.url}/api/public/chatapp/campaign`, {
			method: 'POST',
			headers: { apiKey: sandbox.apiKey, 'content-type': 'application/json' },
			body: JSON.stringify({
				from: '447700900100',
				messages: phones.map((to) => ({ to, template: { name: 'opening_hours' } })),
			}),
		});
		return ((await answer.json()) as { data: { campaign_id: string } }).data.campaign_id;
	};

	test('a campaign is confirmed, reported and listed', async () => {
		const phones = Array.from({ length: 45 }, (_, index) => `3859170001${10 + index}`);
		const campaign_id = await send(phones);
		const credential = { ...sandbox.credentials.messagingApi, webhookSecret: '' };
		const outputs = ['event', 'report', 'recipients'].map(
			async (output) =>
				(await hookOf(output, { credential }).deliver({ body: { campaign_id } })).items,
		);
		const [event, report, recipients] = await Promise.all(outputs);
		expect(event).toMatchObject([{ campaign_id, body: { campaign_id } }]);
		expect(report).toMatchObject([{ campaign_id, recipients: 45 }]);
		expect(recipients?.map(({ to }) => to)).toEqual(phones);
	});

	test('a forged one is not', async () => {
		const credential = { ...sandbox.credentials.messagingApi, webhookSecret: '' };
		const forged = { campaign_id: '5d0c6e4e-0000-4000-8000-000000000001' };
		const outcome = await hookOf('report', { credential }).deliver({ body: forged });
		expect(outcome).toMatchObject({ status: 200, items: undefined, answers: 1 });
		expect(outcome.message).toContain('know no such campaign');
	});
});
