import type { IDataObject } from 'n8n-workflow';
import { unpacked } from '../../../nodes/Messaging/trigger/packedTimes';
import { webhookCall, type Given } from '../../support/webhookCall';
import { WebhookResponse } from '../../support/webhookResponse';
import {
	ACCEPTED,
	ALL_EVENTS,
	DUPLICATE,
	NO_CREDENTIAL,
	NOT_CONFIRMED,
	NOT_HANDLED,
	SECRET,
	completion,
	known,
	list,
	moments,
	openTriggerOf,
	triggerOf,
	withSecret,
} from './triggerCall';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);
afterEach(() => jest.restoreAllMocks());

describe('a call with events', () => {
	test('starts one execution with all its data, and is answered once', async () => {
		jest.spyOn(Date, 'now').mockReturnValue(5);
		const outcome = await triggerOf()({
			...completion('c'),
			query: { page: '1' },
			headers: { 'x-a': 'b' },
		});
		expect(outcome).toEqual({
			answers: [ACCEPTED],
			log: [],
			ids: ['c'],
			items: [
				{
					event: 'campaignCompleted',
					campaign_id: 'c',
					receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
					headers: { 'x-a': 'b' },
					query: { page: '1' },
					body: { campaign_id: 'c' },
				},
			],
		});
	});

	test('an event without a campaign outputs no campaign ID', async () => {
		const { items } = await triggerOf()({ body: { a: 1 } });
		expect(items).toMatchObject([{ event: 'other', campaign_id: null, body: { a: 1 } }]);
	});

	test('a list starts one execution with an item for each event', async () => {
		const { answers, ids } = await triggerOf()(list('a', 'b', 'c'));
		expect([answers, ids]).toEqual([[ACCEPTED], ['a', 'b', 'c']]);
	});

	test('a list may hold a hundred events, not more', async () => {
		const many = Array.from({ length: 101 }, (_, index) => `c${index}`);
		expect((await triggerOf()(list(...many.slice(1)))).ids).toHaveLength(100);
		expect(await triggerOf()(list(...many))).toEqual({
			answers: [{ status: 400, message: 'Unreadable: more than 100 events in one call.' }],
			log: [],
			items: undefined,
			ids: undefined,
		});
	});

	test('of a list that is too long, only the beginning is read, and n8n’s log says so', async () => {
		const body = [
			...Array.from({ length: 6000 }, () => ({ campaign_id: 'a' })),
			{ campaign_id: 'b' },
		];
		const { ids, log } = await triggerOf()({ body });
		expect(ids).toEqual(['a']);
		expect(log).toEqual([expect.stringContaining('only the beginning of a call was read')]);
	});
});

describe('the secret', () => {
	test.each<[string, Given, number]>([
		['right in the query', { query: { secret: SECRET } }, 200],
		['right in the header', { headers: { 'x-webhook-secret': SECRET } }, 200],
		['missing', {}, 401],
		['wrong', { query: { secret: 'x' } }, 401],
	])('%s', async (_, given, status) => {
		const service = jest.fn(known);
		const { answers, items, log } = await triggerOf({ ...withSecret, service })({
			...completion('c'),
			...given,
		});
		expect(answers.map((answer) => answer.status)).toEqual([status]);
		expect(items?.length).toBe(status === 200 ? 1 : undefined);
		if (status === 401) {
			expect(answers[0].message).toBe('Refused: the webhook secret is missing or wrong.');
			expect([service.mock.calls, log]).toEqual([[], []]);
		}
	});

	test('is nowhere in the output', async () => {
		const { items } = await triggerOf(withSecret)({
			body: { campaign_id: 'c', copy: SECRET },
			query: { secret: SECRET, copy: SECRET },
			headers: { 'x-webhook-secret': SECRET, referer: `?secret=${SECRET}` },
		});
		expect(items).toMatchObject([
			{ body: { copy: '***' }, query: { copy: '***' }, headers: { referer: '?secret=***' } },
		]);
		expect(JSON.stringify(items)).not.toContain(SECRET);
	});

	test.each([SECRET, ` ${SECRET}`])(
		'is compared without the blanks around it in the credential: %j',
		async (given) => {
			const credential = { ...withSecret.credential, webhookSecret: ` ${SECRET} \n` };
			const call = triggerOf({ credential });
			const { answers, items } = await call({
				body: { campaign_id: 'c', copy: `in ${SECRET} text` },
				query: { secret: given },
			});
			expect([answers, items]).toMatchObject([[ACCEPTED], [{ body: { copy: 'in *** text' } }]]);
			expect((await call({ body: {}, query: { secret: 'x' } })).answers).toMatchObject([
				{ status: 401 },
			]);
		},
	);

	test.each([undefined, null, ''])('is off with %p in the credential', async (webhookSecret) => {
		const credential = { ...withSecret.credential, webhookSecret } as IDataObject;
		expect((await triggerOf({ credential })(completion('c'))).answers).toEqual([ACCEPTED]);
	});
});

describe('a body that cannot be read', () => {
	test('is refused, and says why', async () => {
		const { answers, items } = await triggerOf()({ body: 'hello' });
		expect([answers, items]).toEqual([
			[{ status: 400, message: 'Unreadable: the body is neither JSON nor a form.' }],
			undefined,
		]);
	});
});

describe('Deduplicate', () => {
	test('a second delivery starts nothing, also after a restart', async () => {
		const call = triggerOf();
		const staticData: IDataObject = {};
		expect((await call({ ...completion('c'), staticData })).answers).toEqual([ACCEPTED]);
		expect(await call({ ...completion('c'), staticData })).toMatchObject({
			answers: [DUPLICATE],
			items: undefined,
		});
		expect(await triggerOf()({ ...completion('c'), staticData })).toMatchObject({
			answers: [DUPLICATE],
			items: undefined,
		});
	});

	test.each<[string, Given]>([
		['turned off', { parameters: { events: ALL_EVENTS, deduplicate: false } }],
		['in a test', { mode: 'manual' }],
	])('%s: each delivery starts, and nothing is saved', async (_, given) => {
		const call = triggerOf();
		const staticData: IDataObject = {};
		for (let delivery = 0; delivery < 2; delivery++) {
			const outcome = await call({ ...completion('c'), ...given, staticData });
			expect([outcome.answers, outcome.ids]).toEqual([[ACCEPTED], ['c']]);
		}
		expect(staticData).toEqual({});
	});

	test.each([undefined, null, true, ''])('is on with the setting %p', async (deduplicate) => {
		const call = triggerOf({ parameters: { deduplicate } as IDataObject });
		await call(completion('c'));
		expect((await call(completion('c'))).answers).toEqual([DUPLICATE]);
	});

	test('distinguishes calls without a body by their query, not by the secret', async () => {
		const call = triggerOf();
		const secured = (secret: string) => ({
			credential: { ...withSecret.credential, webhookSecret: secret },
			query: { order: '1', secret },
		});
		expect((await call(secured('old-secret'))).answers).toEqual([ACCEPTED]);
		expect((await call(secured('new-secret'))).answers).toEqual([DUPLICATE]);
		expect((await call({ query: { order: '2' } })).answers).toEqual([ACCEPTED]);
	});
});

describe('whatever breaks, a call is answered once', () => {
	const breaking = (member: string) => ({
		more: {
			[member]: () => {
				throw new RangeError(`${member} is broken`);
			},
		},
	});

	test.each([
		'getNodeParameter',
		'getWorkflowStaticData',
		'getQueryData',
		'getHeaderData',
		'getRequestObject',
	])('%s throws: the redelivered event starts', async (member) => {
		const call = triggerOf();
		const outcome = await call({ ...completion('c'), ...breaking(member) });
		expect([outcome.answers, outcome.items, outcome.log]).toEqual([
			[NOT_HANDLED],
			undefined,
			[`error Messaging Trigger: a call was not handled. ${member} is broken`],
		]);
		expect((await call(completion('c'))).ids).toEqual(['c']);
	});

	test.each(['getCredentials', 'getWorkflow', 'getNode', 'getMode'])(
		'%s throws',
		async (member) => {
			const outcome = await triggerOf()({ ...completion('c'), ...breaking(member) });
			expect([outcome.answers, outcome.items, outcome.log]).toEqual([
				[NO_CREDENTIAL],
				undefined,
				[`error Messaging Trigger: no credential. ${member} is broken`],
			]);
		},
	);

	test('the answer cannot be written: nothing breaks', async () => {
		const call = triggerOf({ parameters: { events: [] } });
		const response = {
			status: () => {
				throw new RangeError('write EPIPE');
			},
		};
		const outcome = await call({ ...completion('c'), more: { getResponseObject: () => response } });
		expect([outcome.ids, outcome.log]).toEqual([
			undefined,
			['warn Messaging Trigger: no answer to a call. write EPIPE'],
		]);
	});

	test('the call was answered before: it is not answered again', async () => {
		const response = new WebhookResponse();
		response.status(204).end();
		const more = { getResponseObject: () => response };
		const call = triggerOf();
		expect((await call({ ...completion('c'), more })).ids).toEqual(['c']);
		expect((await call({ ...completion('c'), more })).ids).toBeUndefined();
		expect(response.answers).toBe(1);
	});

	test('the memory cannot be saved: the event has begun, and starts once', async () => {
		const call = triggerOf();
		const staticData = new Proxy({} as IDataObject, {
			set: () => {
				throw new RangeError('read only');
			},
		});
		const outcome = await call({ ...completion('c'), staticData });
		expect(outcome.ids).toEqual(['c']);
		expect(outcome.log).toEqual(['error Messaging Trigger: an event is not saved. read only']);
		// The next delivery saves it, and is answered only then.
		const next: IDataObject = {};
		expect((await call({ ...completion('c'), staticData: next })).answers).toEqual([DUPLICATE]);
		expect(unpacked(next).size).toBe(1);
	});
});

describe('the logs of a report take too long', () => {
	test.each(['was answered', 'has left'])(
		'the first caller %s: a redelivery is answered at once',
		async (end) => {
			let finish = () => {};
			const logs = new Promise<void>((resolve) => (finish = resolve));
			let requests = 0;
			const service = async (options: IDataObject) => {
				// The confirmation is quick, the report is not.
				if (++requests > 1) await logs;
				return known(options);
			};
			const call = openTriggerOf({ parameters: { events: ALL_EVENTS, output: 'report' }, service });
			const { response } = webhookCall({});
			if (end === 'has left') response.leave();
			const first = call({ ...completion('c'), more: { getResponseObject: () => response } });
			await moments();
			const repeated: object[] = [];
			const second = call(completion('c')).then(({ answers }) => repeated.push(...answers));
			await moments();
			const answer = end === 'was answered' ? DUPLICATE : NOT_CONFIRMED;
			expect(repeated).toEqual([answer]);
			finish();
			await second;
			expect([repeated, (await first).result.workflowData?.length]).toEqual([[answer], 1]);
		},
	);

	test('the trigger answers instead of n8n, and nobody reads what n8n answers afterwards', async () => {
		// The clock jumps ahead here, so reading the logs for a report always takes too long.
		const given = { parameters: { events: ALL_EVENTS, output: 'report' } };
		const { result, answers, response } = await openTriggerOf(given)(completion('c'));
		expect(answers).toEqual([ACCEPTED]);
		expect(result.workflowData?.flat()).toMatchObject([{ json: { recipients: 1 } }]);
		response.answerAsN8n(result);
		expect(response.answers).toBe(1);
	});
});

describe('the output', () => {
	test('as a report: the campaign’s, made of its logs', async () => {
		const { items } = await triggerOf({ parameters: { output: 'report' } })(completion('c'));
		expect(items).toMatchObject([{ event: 'campaignCompleted', campaign_id: 'c', recipients: 1 }]);
	});

	test('as recipients: of a very large campaign too', async () => {
		// More than a function may have arguments.
		const ids = Array.from({ length: 200_000 }, (_, id) => `l${id}`);
		const service = () => ({
			statusCode: 200,
			headers: {},
			body: {
				success: true,
				data: ids.map((id) => ({ id, campaign_id: 'c' })),
				count: ids.length,
			},
		});
		const call = triggerOf({ service, parameters: { output: 'recipients' } });
		const { items, log } = await call(completion('c'));
		expect([items?.length, items?.at(-1), log]).toEqual([
			200_000,
			{ id: 'l199999', campaign_id: 'c' },
			[],
		]);
	});

	test('as a report that is not complete: it says so, and so does the log', async () => {
		const service = (options: IDataObject) => {
			const { body, ...reply } = known(options);
			return { ...reply, body: { ...body, count: 3, totalPage: 1 } };
		};
		const { items, log } = await triggerOf({ service, parameters: { output: 'report' } })(
			completion('c'),
		);
		const { warning } = items![0];
		expect(items).toMatchObject([{ incomplete: true, warning: expect.stringContaining('3') }]);
		expect(log).toEqual([`warn Messaging Trigger: campaign "c". ${String(warning)}`]);
	});

	test('the event itself when nothing else is chosen', async () => {
		const { items } = await triggerOf({ parameters: { output: undefined } })(completion('c'));
		expect(items).toMatchObject([{ event: 'campaignCompleted', body: { campaign_id: 'c' } }]);
	});
});
