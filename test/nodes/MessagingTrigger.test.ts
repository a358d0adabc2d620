import type { IDataObject } from 'n8n-workflow';
import { ADDRESS, KEY } from '../support/mockService';
import { useHarness } from '../support/harness';

const harness = useHarness();
const SECRET = 'example-secret-of-the-webhook';
const ALL = ['campaignCompleted', 'other', 'smsDeliveryReport'];

type Call = { body?: IDataObject; rawBody?: Buffer; query?: IDataObject; headers?: IDataObject };

/** Calls the webhook of a trigger, and returns its answer and the events with which the workflow starts. */
async function call(
	request: Call,
	{ events = ALL, webhookSecret = '' }: { events?: string[]; webhookSecret?: string } = {},
) {
	const trigger = harness.trigger(
		'messagingTrigger',
		{ events, confirm: false, deduplicate: false },
		{ messagingApi: { baseUrl: ADDRESS, apiKey: KEY, webhookSecret } },
	);
	const { result, response } = await trigger.receive(request);
	return {
		status: response.statusCode,
		body: response.body as { message?: string },
		answers: response.answers,
		items: result.workflowData?.flat().map(({ json }) => json),
	};
}

describe('the campaign id is found wherever it stands', () => {
	const ID = '5d0c6e4e-0000-4000-8000-000000000001';
	test.each<[string, Call]>([
		['campaign_id', { body: { campaign_id: ID } }],
		['campaignId', { body: { campaignId: ID } }],
		['campaign.id', { body: { campaign: { id: ID, name: 'x' } } }],
		['data.campaign_id', { body: { success: true, data: { campaign_id: ID } } }],
		['data.campaignId', { body: { data: { campaignId: ID } } }],
		['data.campaign.id', { body: { data: { campaign: { id: ID } } } }],
		['body.campaign_id', { body: { body: { campaign_id: ID } } }],
		['payload.data.campaign_id', { body: { payload: { data: { campaign_id: ID } } } }],
		['beside another event name', { body: { event: 'campaignCompleted', campaign_id: ID } }],
		['event.campaign_id', { body: { event: { type: 'done', campaign_id: ID } } }],
		['with spaces', { body: { campaign_id: ` ${ID} ` } }],
		['the query', { query: { campaign_id: ID } }],
		['the query, in the other spelling', { query: { campaignId: ID }, body: {} }],
		[
			'a form',
			{
				body: { campaign_id: ID },
				headers: { 'content-type': 'application/x-www-form-urlencoded' },
			},
		],
	])('%s', async (_, request) => {
		const { status, answers, items } = await call(request);
		expect({ status, answers }).toEqual({ status: 200, answers: 1 });
		expect(items).toEqual([
			expect.objectContaining({ event: 'campaignCompleted', campaign_id: ID }),
		]);
	});

	test('each campaign of a list is an event of its own, and so is an element without a campaign', async () => {
		const body = [{ campaign_id: 'c1' }, { type: 'ping' }, { campaignId: 'c2' }];
		const { items } = await call({ body: body as never });
		expect(items?.map(({ campaign_id }) => campaign_id)).toEqual(['c1', null, 'c2']);
	});

	test('a number is an id too', async () => {
		const { items } = await call({ body: { campaign_id: 12 } });
		expect(items?.[0].campaign_id).toBe('12');
	});

	test.each<[string, Call]>([
		['an empty body', {}],
		['an empty id', { body: { campaign_id: '' } }],
		['an id that is null', { body: { campaign_id: null } }],
		['an id that is an object', { body: { campaign_id: { a: 1 } } }],
		['only fields named `id`', { body: { id: 'x', data: { id: 'y' } } }],
		['an inherited name', { body: JSON.parse('{"__proto__": {"campaign_id": "x"}}') as never }],
		['a list of something else', { body: [{ id: 'x' }, { a: 1 }] as never }],
		['an empty list', { body: [] as never }],
	])('%s: the call is `other`', async (_, request) => {
		const { status, items } = await call(request);
		expect(status).toBe(200);
		expect(items).toEqual([expect.objectContaining({ event: 'other', campaign_id: null })]);
	});
});

test.each([
	['neither JSON nor a form', 'hello, world', 'the body is neither JSON nor a form'],
	['truncated JSON', '{"campaign_id": "c1', 'the body is neither JSON nor a form'],
	['nested without end', `${'['.repeat(500)}${']'.repeat(500)}`, 'the body is nested too deeply'],
])('a body that is %s is unreadable: 400, and nothing starts', async (_, text, why) => {
	expect(await call({ body: text as never, rawBody: Buffer.from(text) })).toEqual({
		status: 400,
		body: { message: `Unreadable: ${why}.` },
		answers: 1,
		items: undefined,
	});
});

test('an SMS delivery report is recognised by its event name', async () => {
	const body = { event: 'smsDeliveryReport', message: null, conversation: { id: 'x' } };
	const { items } = await call({ body });
	expect(items).toEqual([expect.objectContaining({ event: 'smsDeliveryReport', body })]);
});

describe('only the chosen events start the workflow', () => {
	const REQUESTS: Record<string, Call> = {
		campaignCompleted: { body: { campaign_id: 'c1' } },
		other: { body: { hello: 'world' } },
		smsDeliveryReport: { body: { event: 'smsDeliveryReport', conversation: {} } },
	};
	const cases = ALL.flatMap((chosen) => ALL.map((event) => ({ chosen, event })));

	test.each(cases)('chosen $chosen, called with $event', async ({ chosen, event }) => {
		const { status, body, answers, items } = await call(REQUESTS[event], { events: [chosen] });
		expect({ status, answers }).toEqual({ status: 200, answers: 1 });
		if (chosen === event) {
			expect(items).toEqual([expect.objectContaining({ event })]);
			expect(body).toEqual({ message: 'Accepted.' });
		} else {
			expect(items).toBeUndefined();
			expect(body).toEqual({ message: 'Ignored: this workflow does not start on it.' });
		}
	});
});

test('the output holds the event, the id, the time, and the call as it came', async () => {
	const request = {
		body: { campaign_id: 'c1', counts: { delivered: 2 } },
		query: { a: '1' },
		headers: { 'content-type': 'application/json', 'user-agent': 'service/1' },
	};
	const before = Date.now();
	const { items } = await call(request);
	expect(items).toEqual([
		{
			event: 'campaignCompleted',
			campaign_id: 'c1',
			receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
			...request,
		},
	]);
	expect(Date.parse(items?.[0].receivedAt as string)).toBeGreaterThanOrEqual(before);
});

describe('with a webhook secret', () => {
	const body = { campaign_id: 'c1' };
	const secured = async (request: Call) =>
		await call({ body, ...request }, { webhookSecret: SECRET });

	test.each<[string, Call]>([
		['the query', { query: { secret: SECRET, other: 'kept' } }],
		['the header', { headers: { 'x-webhook-secret': SECRET, other: 'kept' } }],
		['both', { query: { secret: SECRET }, headers: { 'x-webhook-secret': SECRET } }],
	])(
		'a call that carries it in %s is accepted, and it is not in the output',
		async (_, request) => {
			const { status, items } = await secured(request);
			expect(status).toBe(200);
			expect(items).toHaveLength(1);
			expect(JSON.stringify(items)).not.toContain(SECRET);
			const { query, headers } = items![0] as { query: IDataObject; headers: IDataObject };
			const expected = (values: IDataObject = {}) => (values.other ? { other: 'kept' } : {});
			expect({ query, headers }).toEqual({
				query: expected(request.query),
				headers: expected(request.headers),
			});
		},
	);

	test.each<[string, Call]>([
		['no secret', {}],
		['a wrong one in the query', { query: { secret: 'wrong' } }],
		['a wrong one in the header', { headers: { 'x-webhook-secret': 'wrong' } }],
		['an empty one', { query: { secret: '' } }],
		['a longer one', { query: { secret: `${SECRET}x` } }],
		['a part of it', { query: { secret: SECRET.slice(0, -1) } }],
		['it in another case', { query: { secret: SECRET.toUpperCase() } }],
		['it twice', { query: { secret: [SECRET, SECRET] as never } }],
		['it as a nested value', { query: { secret: { a: SECRET } as never } }],
		['it in the body', { body: { ...body, secret: SECRET } }],
	])('a call with %s is refused and starts nothing', async (_, request) => {
		expect(await secured(request)).toEqual({
			status: 401,
			body: { message: 'Refused: the webhook secret is missing or wrong.' },
			answers: 1,
			items: undefined,
		});
	});

	test('a call without the secret is refused, even if its event was not chosen', async () => {
		const { status } = await call({ body }, { webhookSecret: SECRET, events: ['other'] });
		expect(status).toBe(401);
	});
});

test('a secret is not in the output even if the credential has none', async () => {
	const { items } = await call({
		body: { campaign_id: 'c1' },
		query: { secret: SECRET },
		headers: { 'x-webhook-secret': SECRET },
	});
	expect(JSON.stringify(items)).not.toContain(SECRET);
});

test('n8n takes the webhook for registered, because the service has no endpoint to register it', async () => {
	const trigger = harness.trigger(
		'messagingTrigger',
		{ events: ALL },
		{ messagingApi: { baseUrl: ADDRESS, apiKey: KEY } },
	);
	expect([await trigger.checkExists(), await trigger.create(), await trigger.delete()]).toEqual([
		true,
		true,
		true,
	]);
});
