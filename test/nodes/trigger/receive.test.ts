import type { IDataObject, IWebhookResponseData } from 'n8n-workflow';
import { unpacked } from '../../../nodes/Messaging/trigger/packedTimes';
import type * as fastClock from '../../support/fastClock';
import { receive } from '../../../nodes/Messaging/trigger/receive';
import { webhookCall, type Given } from '../../support/webhookCall';
import { WebhookResponse } from '../../support/webhookResponse';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);
afterEach(() => jest.restoreAllMocks());

const SECRET = 'example-secret';
const ALL = ['campaignCompleted', 'smsDeliveryReport', 'other'];
const ACCEPTED = { status: 200, message: 'Accepted.' };
const DUPLICATE = { status: 200, message: 'Duplicate: this event was accepted before.' };
const BUSY = {
	status: 503,
	message: 'n8n is busy, and has not saved the event yet. Please deliver it again.',
};
const NOT_CONFIRMED = {
	status: 503,
	message: 'The event could not be confirmed with the service. Please deliver it again.',
};
const UNKNOWN = { status: 200, message: 'Ignored: the logs know no such campaign.' };
const NOT_WANTED = { status: 200, message: 'Ignored: this workflow does not start on it.' };
const NOT_HANDLED = {
	status: 503,
	message: 'The call could not be handled. Please deliver it again.',
};
const NO_CREDENTIAL = { status: 503, message: 'The credential of this trigger cannot be read.' };

const idAsked = (options: IDataObject) => (options.qs as { campaign_id: string }).campaign_id;
const records = (...ids: unknown[]) => ({
	statusCode: 200,
	headers: {},
	body: { success: true, data: ids.map((campaign_id) => ({ id: 'l', campaign_id })) },
});
const known = (options: IDataObject) => records(idAsked(options));
const unknown = () => records();
const away = () => ({ statusCode: 503, headers: {}, body: '' });
const busy = (retryAfter: string) => () => ({
	statusCode: 429,
	headers: { 'retry-after': retryAfter },
	body: '',
});

let triggers = 0;
/** A trigger with an empty memory: it listens to all events, and the logs know every campaign. */
function triggerOf({ parameters, ...settings }: Given = {}) {
	const own: Given = {
		workflowId: `workflow-${++triggers}`,
		staticData: {},
		service: known,
		parameters: { events: ALL, ...parameters },
		...settings,
	};
	return async (given: Given = {}) => {
		const call = webhookCall({ ...own, ...given });
		const response: IWebhookResponseData = await receive(call.context);
		const [items, ...more] = response.workflowData ?? [];
		// One output; n8n does not answer a call that starts nothing.
		expect(more).toEqual([]);
		if (!items) expect(response.noWebhookResponse ?? 'webhookResponse' in response).toBe(true);
		const answered = call.context.getResponseObject() as unknown as WebhookResponse;
		if (answered instanceof WebhookResponse) answered.answerAsN8n(response);
		// The trigger may keep n8n's answer back.
		for (let tick = 0; tick < 500; tick++) await null;
		return {
			answers: call.answers,
			log: call.log,
			items: items?.map(({ json }) => json),
			ids: items?.map(({ json }) => json.campaign_id),
		};
	};
}

const completion = (id: string) => ({ body: { campaign_id: id } });
const list = (...ids: string[]) => ({ body: ids.map((campaign_id) => ({ campaign_id })) });
const withSecret = {
	credential: { baseUrl: 'https://api.messaging.test', apiKey: 'k', webhookSecret: SECRET },
};

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

	test('waits for a redelivery when the logs count records of the campaign but return none', async () => {
		const body = { success: true, data: [], count: 5 };
		const service = () => ({ statusCode: 200, headers: {}, body });
		const { answers, ids, log } = await triggerOf({ service })(completion('c'));
		expect([answers, ids]).toEqual([[NOT_CONFIRMED], undefined]);
		expect(log.join()).toContain('The logs count 5 records of it, and gave none.');
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

describe('events that the workflow does not listen to', () => {
	test.each([
		[['smsDeliveryReport'], [NOT_WANTED], undefined],
		[['other'], [NOT_WANTED], undefined],
		[[], [NOT_WANTED], undefined],
		[['campaignCompleted'], [ACCEPTED], ['c']],
	])('it listens to %j', async (events, answers, ids) => {
		const service = jest.fn(known);
		const outcome = await triggerOf({ parameters: { events }, service })(completion('c'));
		expect(outcome).toMatchObject({ answers, log: [] });
		expect(outcome.ids).toEqual(ids);
		expect(service.mock.calls).toHaveLength(ids ? 1 : 0);
	});

	test('of a list, only the others start', async () => {
		const body = [{ campaign_id: 'c' }, { event: 'smsDeliveryReport' }];
		const { answers, items } = await triggerOf({ parameters: { events: ['smsDeliveryReport'] } })({
			body,
		});
		expect(answers).toEqual([ACCEPTED]);
		expect(items).toMatchObject([{ event: 'smsDeliveryReport' }]);
	});

	test('of a list that is too long, n8n’s log says that its end was not read', async () => {
		const body = [
			...Array.from({ length: 6000 }, () => ({ campaign_id: 'a' })),
			{ campaign_id: 'b' },
		];
		const { ids, log } = await triggerOf()({ body });
		expect(ids).toEqual(['a']);
		expect(log).toEqual([expect.stringContaining('only the beginning of a call was read')]);
	});

	test('a trigger without events starts on nothing', async () => {
		const call = triggerOf({ parameters: { events: undefined } });
		expect((await call(completion('c'))).items).toBeUndefined();
		const none = webhookCall({ ...completion('c'), workflowId: 'none', service: known });
		await receive(none.context);
		expect(none.answers).toEqual([NOT_WANTED]);
	});
});

describe('the confirmation', () => {
	const IGNORED =
		'warn Messaging Trigger: ignored the completion of campaign "c", which the service\'s logs do not know.';
	const TROUBLE = 'warn Messaging Trigger: the completion of campaign "c" cannot be confirmed. ';

	test.each<[string, (options: IDataObject) => unknown, object, string[]]>([
		['the logs know it', known, ACCEPTED, []],
		['of several records one is of it', () => records('x', 'c'), ACCEPTED, []],
		['the logs know nothing', unknown, UNKNOWN, [IGNORED]],
		['the logs know another one', () => records('cc'), UNKNOWN, [IGNORED]],
		[
			'the service fails',
			away,
			NOT_CONFIRMED,
			[`${TROUBLE}The service failed (HTTP 503). Try again later.`],
		],
	])('%s', async (_, service, answer, log) => {
		const outcome = await triggerOf({ service })(completion('c'));
		expect([outcome.answers, outcome.log]).toEqual([[answer], log]);
		expect(outcome.items?.length).toBe(answer === ACCEPTED ? 1 : undefined);
	});

	test('an id is the same in upper and lower case: it is confirmed, and starts once', async () => {
		const trigger = triggerOf({ service: () => records('3f2a-b') });
		expect((await trigger(completion('3F2A-B'))).ids).toEqual(['3F2A-B']);
		expect((await trigger(completion('3f2a-b'))).answers).toEqual([DUPLICATE]);
	});

	test('a number as an id is the same campaign', async () => {
		expect((await triggerOf({ service: () => records(17) })(completion('17'))).ids).toEqual(['17']);
	});

	test.each<[string, unknown]>([
		['null', null],
		['undefined', undefined],
		['true', true],
		['[object Object]', {}],
		['c', ['c']],
	])('an id %j is not confirmed by a record whose campaign is %j', async (id, campaign) => {
		const outcome = await triggerOf({ service: () => records(campaign) })(completion(id));
		expect([outcome.answers, outcome.items]).toEqual([[UNKNOWN], undefined]);
	});

	test('asks the logs about this campaign, for one record, and not for long', async () => {
		const service = jest.fn(known);
		await triggerOf({ service })(completion('c'));
		expect(service.mock.calls).toHaveLength(1);
		expect(service.mock.calls[0][0]).toMatchObject({
			method: 'GET',
			url: 'https://api.messaging.test/api/public/logs',
			qs: { campaign_id: 'c', 'page[size]': 1, 'page[number]': 1 },
			timeout: 5000,
		});
	});

	test.each<[string, () => unknown, number]>([
		['failed', away, 2],
		['too many requests, wait two seconds', busy('2'), 2],
		['too many requests, wait longer', busy('2.001'), 1],
		['too many requests, wait very long', busy('86400'), 1],
		['refused', () => ({ statusCode: 400, headers: {}, body: { success: false } }), 1],
	])('%s: asked %#', async (_, service, times) => {
		jest.spyOn(Date, 'now').mockReturnValue(1e12);
		const asked = jest.fn(service);
		const { answers } = await triggerOf({ service: asked })(completion('c'));
		expect([answers, asked.mock.calls.length]).toEqual([[NOT_CONFIRMED], times]);
	});

	test('there is no retry when the first attempt took too long', async () => {
		let now = 1e12;
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		const slow = jest.fn(() => {
			now += 1001;
			return busy('1')();
		});
		await triggerOf({ service: slow })(completion('c'));
		expect(slow).toHaveBeenCalledTimes(1);
	});

	test('a retry may succeed', async () => {
		const service = jest.fn(known).mockImplementationOnce(away as never);
		const { answers, ids } = await triggerOf({ service })(completion('c'));
		expect([answers, ids, service.mock.calls.length]).toEqual([[ACCEPTED], ['c'], 2]);
	});

	test('with an invalid base URL, nothing is confirmed, and the log says why', async () => {
		const credential = { baseUrl: 'nonsense', apiKey: 'k' };
		const { answers, log } = await triggerOf({ credential })(completion('c'));
		expect(answers).toEqual([NOT_CONFIRMED]);
		expect(log).toEqual([expect.stringContaining(TROUBLE)]);
		expect(log[0]).toContain('Base URL');
	});

	test.each<[unknown, boolean]>([
		[false, false],
		[true, true],
		[undefined, true],
		[null, true],
		['', true],
	])('the setting %p: asked %p', async (confirm, isAsked) => {
		const service = jest.fn(unknown);
		const parameters = confirm === undefined ? {} : ({ confirm } as IDataObject);
		const { items } = await triggerOf({ parameters, service })(completion('c'));
		expect([service.mock.calls.length > 0, items?.length]).toEqual([
			isAsked,
			isAsked ? undefined : 1,
		]);
	});

	test('is not asked for about an event without a campaign', async () => {
		const service = jest.fn(unknown);
		expect((await triggerOf({ service })({ body: { a: 1 } })).items).toHaveLength(1);
		expect(service).not.toHaveBeenCalled();
	});

	test('of a list, a few campaigns are asked about at once', async () => {
		let now = 0;
		let most = 0;
		const service = async (options: IDataObject) => {
			most = Math.max(most, ++now);
			for (let tick = 0; tick < 50; tick++) await null;
			now--;
			return known(options);
		};
		await triggerOf({ service })(list(...'abcdefghijklmnopqrst'));
		expect(most).toBe(5);
	});

	test('of a list, once one cannot be confirmed the rest is left for the next delivery', async () => {
		const service = jest.fn(away);
		const { answers, ids } = await triggerOf({ service })(list(...'abcdefghijklmnopqrst'));
		expect([answers, ids]).toEqual([[NOT_CONFIRMED], undefined]);
		// Five requests are in flight when the first fails; each is retried once.
		expect(service.mock.calls.length).toBeLessThanOrEqual(10);
	});

	test.each([
		[7000, 200],
		[7001, 503],
	])('of a list, after %d ms: %d', async (ms, status) => {
		let now = 1e12;
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		let asked = 0;
		const service = (options: IDataObject) => {
			if (++asked === 1) now += ms;
			return known(options);
		};
		const { answers, ids } = await triggerOf({ service })(list(...'abcdefghij'));
		expect(answers).toEqual([status === 200 ? ACCEPTED : NOT_CONFIRMED]);
		expect(ids!.length < 10).toBe(status === 503);
	});
});

describe('the memory', () => {
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
		['it is turned off', { parameters: { events: ALL, deduplicate: false } }],
		['it is a test', { mode: 'manual' }],
	])('%s: each delivery starts, and nothing is saved', async (_, given) => {
		const call = triggerOf();
		const staticData: IDataObject = {};
		for (let delivery = 0; delivery < 2; delivery++) {
			const outcome = await call({ ...completion('c'), ...given, staticData });
			expect([outcome.answers, outcome.ids]).toEqual([[ACCEPTED], ['c']]);
		}
		expect(staticData).toEqual({});
	});

	test.each([undefined, null, true, ''])('the setting %p: still once', async (deduplicate) => {
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

	test('of a list, accepted events start and are remembered; the others start when they are redelivered', async () => {
		let isAway = true;
		const service = (options: IDataObject) =>
			isAway && idAsked(options) === 'b' ? away() : known(options);
		const call = triggerOf({ service });
		const first = await call(list('a', 'b'));
		expect([first.answers, first.ids]).toEqual([[NOT_CONFIRMED], ['a']]);
		isAway = false;
		const second = await call(list('a', 'b'));
		expect([second.answers, second.ids]).toEqual([[ACCEPTED], ['b']]);
	});

	test('without one, no event of a list starts before all of them can', async () => {
		const service = (options: IDataObject) => (idAsked(options) === 'b' ? away() : known(options));
		const call = triggerOf({ service, parameters: { deduplicate: false } });
		expect(await call(list('a', 'b'))).toMatchObject({
			answers: [NOT_CONFIRMED],
			items: undefined,
		});
	});

	test.each<[string, Given, object]>([
		['a duplicate and what is not wanted', {}, DUPLICATE],
		['a duplicate and an unknown campaign', { service: unknown }, DUPLICATE],
	])('a list with %s is answered by what matters most', async (_, given, answer) => {
		const call = triggerOf({ parameters: { events: ['campaignCompleted'] } });
		await call(completion('a'));
		const body = [{ campaign_id: 'a' }, { campaign_id: 'b' }];
		const sms = [{ campaign_id: 'a' }, { event: 'smsDeliveryReport' }];
		expect((await call({ body: given.service ? body : sms, ...given })).answers).toEqual([answer]);
	});

	test('a list with an unknown campaign and what is not wanted', async () => {
		const call = triggerOf({ service: unknown, parameters: { events: ['campaignCompleted'] } });
		const body = [{ event: 'smsDeliveryReport' }, { campaign_id: 'b' }];
		expect((await call({ body })).answers).toEqual([UNKNOWN]);
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

	test('one event of a list fails: the others start, and it may be redelivered', async () => {
		const between = (element: unknown) => ({
			body: [{ campaign_id: 'a' }, element, { campaign_id: 'c' }],
		});
		const call = triggerOf();
		const broken = {
			toJSON: () => {
				throw new RangeError('out of memory');
			},
		};
		const outcome = await call(between(broken));
		expect(outcome.ids).toEqual(['a', 'c']);
		expect(outcome.answers).toEqual([NOT_CONFIRMED]);
		expect(outcome.log).toEqual([
			'error Messaging Trigger: an event was not handled. out of memory',
		]);
		expect((await call(between({ x: 1 }))).ids).toEqual([null]);
	});
});

/** Long enough for everything that does not wait. */
const moments = async () => {
	for (let tick = 0; tick < 20_000; tick++) await null;
};

const ids = Array.from({ length: 30 }, (_, index) => `c${index}`);

describe('a burst', () => {
	/** Reads of the credential: those in flight, the highest number at once, and all of them. */
	function counted(credential: IDataObject, fail: (read: number) => boolean = () => false) {
		const reads = { now: 0, most: 0, all: 0 };
		const getCredentials = async () => {
			reads.most = Math.max(reads.most, ++reads.now);
			const read = ++reads.all;
			for (let tick = 0; tick < 100; tick++) await null;
			reads.now--;
			if (fail(read)) throw new RangeError('operation timed out');
			return credential;
		};
		return { reads, more: { getCredentials } };
	}
	const credential = { baseUrl: 'https://api.messaging.test', apiKey: 'k', webhookSecret: '' };

	test('shares one read of the credential', async () => {
		const { reads, more } = counted(credential);
		const call = triggerOf({ parameters: { events: [] } });
		await Promise.all(ids.map(async (id) => await call({ ...completion(id), more })));
		expect(reads).toEqual({ now: 0, most: 1, all: 1 });
	});

	test('n8n answers at once, as before 2.8: a call is handled as long as there is a queue at its database', async () => {
		const { reads, more } = counted(credential, (read) => read > 1);
		const call = triggerOf();
		const outcomes = await Promise.all(
			ids.map(async (id) => await call({ ...completion(id), more })),
		);
		expect(outcomes.map((outcome) => outcome.ids)).toEqual(ids.map((id) => [id]));
		expect(reads).toEqual({ now: 0, most: 8, all: 1 + ids.length });
		expect(outcomes[0].log).toEqual([
			'debug Messaging Trigger: the database is busy. RangeError: operation timed out',
		]);
		expect((await call(completion('later'))).ids).toEqual(['later']);
	});

	test('the credential is read again for a call that comes a second later', async () => {
		const { reads, more } = counted(credential);
		const call = triggerOf({ parameters: { events: [] } });
		await call({ ...completion('a'), more });
		await moments();
		await call({ ...completion('b'), more });
		expect(reads.all).toBe(2);
	});

	test('a read that failed is not shared with a later call', async () => {
		const { more } = counted(credential, (read) => read === 1);
		const call = triggerOf();
		expect((await call({ ...completion('a'), more })).answers).toEqual([NO_CREDENTIAL]);
		expect((await call({ ...completion('a'), more })).answers).toEqual([ACCEPTED]);
	});

	test.each<[string, Given]>([
		['another workflow', { workflowId: 'another' }],
		['another trigger', { nodeId: 'another' }],
		['another credential', { credentials: { messagingApi: { id: '2', name: 'b' } } }],
		['a test', { mode: 'manual' }],
	])('%s does not get the credential of this one', async (_, given) => {
		const call = triggerOf(withSecret);
		const here = counted({ ...credential, webhookSecret: 'here' });
		const there = counted({ ...credential, webhookSecret: 'there' });
		const outcomes = await Promise.all([
			call({ ...completion('a'), query: { secret: 'here' }, more: here.more }),
			call({ ...completion('a'), query: { secret: 'there' }, more: there.more, ...given }),
		]);
		expect(outcomes.map(({ answers }) => answers[0].status)).toEqual([200, 200]);
	});

	test('a call that starts nothing does not read the database', async () => {
		const { reads, more } = counted(credential);
		await triggerOf({ parameters: { events: [] } })({ ...completion('a'), more });
		expect(reads.all).toBe(1);
	});
});

describe('n8n answers a call that starts the workflow', () => {
	/** Calls the trigger, and leaves it to the test what n8n does then. */
	function callOf(given: Given = {}) {
		const own: Given = {
			workflowId: `workflow-${++triggers}`,
			service: known,
			parameters: { events: ALL },
			...given,
		};
		return async (more: Given) => {
			const call = webhookCall({ ...own, staticData: {}, ...more });
			const result = await receive(call.context);
			open.push({ response: call.context.getResponseObject() as never, result });
			return { ...call, result };
		};
	}
	/** n8n ends every call: one that stays open has timers that keep the tests from ending. */
	const open: Array<{ response: WebhookResponse; result: IWebhookResponseData }> = [];
	afterEach(() => {
		for (const { response, result } of open.splice(0)) response.answerAsN8n(result, false);
	});
	test('when it has stored the execution', async () => {
		const { result, response } = await callOf()(completion('c'));
		expect(result).toMatchObject({ webhookResponse: { message: 'Accepted.' } });
		expect([result.noWebhookResponse, response.answers]).toEqual([undefined, 0]);
	});

	test('n8n cannot begin: the event starts when it is redelivered', async () => {
		const call = callOf();
		const first = await call(completion('c'));
		const meanwhile = call(completion('c'));
		await moments();
		first.response.answerAsN8n(first.result, false);
		expect((await meanwhile).answers).toEqual([BUSY]);
		expect((await call(completion('c'))).result.workflowData).toHaveLength(1);
	});

	test('redelivered before n8n has begun: the call waits, and is a duplicate then', async () => {
		const call = callOf();
		const first = await call(completion('c'));
		const meanwhile = call(completion('c'));
		let isAnswered = false;
		void meanwhile.then(() => (isAnswered = true));
		await moments();
		expect(isAnswered).toBe(false);
		first.response.answerAsN8n(first.result);
		expect((await meanwhile).answers).toEqual([DUPLICATE]);
	});

	test('two lists that hold each other’s events do not wait for each other', async () => {
		const call = callOf();
		const calls = [call(list('a', 'b')), call(list('b', 'a'))];
		const first = await Promise.race(calls);
		first.response.answerAsN8n(first.result);
		const [one, two] = await Promise.all(calls);
		const ids = [one, two].flatMap(({ result }) => result.workflowData?.flat() ?? []);
		expect(ids.map(({ json }) => json.campaign_id).sort()).toEqual(['a', 'b']);
	});

	test.each(['before it is handed over', 'after'])(
		'the caller leaves %s: it starts all the same, once',
		async (when) => {
			const call = callOf();
			const { response } = webhookCall({});
			if (when !== 'after') response.leave();
			const first = {
				...(await call({ ...completion('c'), more: { getResponseObject: () => response } })),
				response,
			};
			if (when === 'after') response.leave();
			expect(first.result.workflowData).toHaveLength(1);
			first.response.answerAsN8n(first.result);
			await moments();
			const repeated = await call(completion('c'));
			repeated.response.answerAsN8n(repeated.result);
			await moments();
			expect(repeated.answers).toEqual([DUPLICATE]);
		},
	);

	test('n8n cannot begin, and the caller has left: the redelivered event starts', async () => {
		const call = callOf();
		const first = await call(completion('c'));
		first.response.leave();
		first.response.answerAsN8n(first.result, false);
		await moments();
		expect((await call(completion('c'))).result.workflowData).toHaveLength(1);
	});

	describe('several begin at the same time', () => {
		type Called = Awaited<ReturnType<ReturnType<typeof callOf>>>;
		const keysIn = (staticData: IDataObject) => unpacked(staticData).size;

		/** Calls at the same moment; those that the trigger has handed to n8n are in `handed`. */
		async function burst(...names: string[]) {
			const call = callOf();
			const data: Record<string, IDataObject> = Object.fromEntries(names.map((id) => [id, {}]));
			const handed: Record<string, Called> = {};
			const begin = async (id: string) => {
				handed[id] = await call({ ...completion(id), staticData: data[id] });
			};
			for (const id of names) void begin(id);
			await moments();
			/** n8n has written the execution of a call, or has not, and is saving. */
			const write = (id: string) => handed[id].result.webhookResponse;
			const answer = async (id: string, canBegin = true) => {
				handed[id].response.answerAsN8n(handed[id].result, canBegin);
				await moments();
			};
			const told = () => names.map((id) => handed[id]?.answers.map(({ status }) => status));
			return { call, data, handed, write, answer, told };
		}

		test('the last one waits until the others have begun, so that its save holds them all', async () => {
			const { data, handed, answer, told } = await burst('a', 'b', 'c');
			expect(Object.keys(handed)).toEqual(['a', 'b']);
			await answer('a');
			expect(Object.keys(handed)).toEqual(['a', 'b']);
			await answer('b');
			expect(Object.keys(handed)).toEqual(['a', 'b', 'c']);
			await answer('c');
			expect(told()).toEqual([[200], [200], [200]]);
			expect(keysIn(data.c)).toBe(3);
		});

		test('an event that begins while n8n saves another one is saved with the next, and answered then', async () => {
			const { data, write, answer, told } = await burst('a', 'b', 'c');
			write('a');
			await answer('b');
			await answer('a');
			expect([keysIn(data.a), keysIn(data.b)]).toEqual([1, 0]);
			expect(told()).toEqual([[200], [], []]);
			await answer('c');
			expect(keysIn(data.c)).toBe(3);
			expect(told()).toEqual([[200], [200], [200]]);
		});

		test('a duplicate of an event that is not saved is answered when the next save has ended', async () => {
			const { call, write, answer, told } = await burst('a', 'b', 'c');
			write('a');
			await answer('b');
			const staticData: IDataObject = {};
			const repeated = call({ ...completion('b'), staticData });
			await moments();
			await answer('a');
			await answer('c');
			const { response, result, answers } = await repeated;
			expect(answers).toEqual([]);
			expect(result.workflowData).toBeUndefined();
			response.answerAsN8n(result);
			await moments();
			expect([answers, keysIn(staticData)]).toEqual([[DUPLICATE], 3]);
			expect(told()).toEqual([[200], [200], [200]]);
		});

		test('one that n8n cannot begin is answered at once, and starts when it is redelivered', async () => {
			const { call, data, answer, told } = await burst('a', 'b', 'c');
			await answer('b', false);
			expect(told()).toEqual([[], [500], undefined]);
			await answer('a');
			await answer('c');
			expect(told()).toEqual([[200], [500], [200]]);
			expect(keysIn(data.c)).toBe(2);
			expect((await call(completion('b'))).result.workflowData).toHaveLength(1);
		});

		test('the caller of one leaves: it starts all the same, and is saved', async () => {
			const { data, handed, answer } = await burst('a', 'b', 'c');
			handed.b.response.leave();
			await answer('b');
			await answer('a');
			await answer('c');
			expect(keysIn(data.c)).toBe(3);
		});

		test('no more than eight are handed to n8n', async () => {
			const { handed, answer } = await burst(...ids);
			for (const id of ids) {
				expect(Object.keys(handed).length).toBeLessThanOrEqual(8 + ids.indexOf(id));
				await answer(id);
			}
			expect(ids.map((id) => handed[id].answers)).toEqual(ids.map(() => [ACCEPTED]));
		});
	});

	describe('n8n does not begin an execution for a long time', () => {
		/** A clock that stands still until the test moves it. @returns a function that moves it by `ms` */
		function stoppedClock() {
			const clock = jest.requireMock<typeof fastClock>('../../../nodes/Messaging/service/clock');
			let now = Date.now();
			jest.spyOn(Date, 'now').mockImplementation(() => now);
			let limits: Array<{ until: number; end: () => void }> = [];
			const timeLimit = async (ms: number) => {
				if (ms > 0) await new Promise<void>((end) => limits.push({ until: now + ms, end }));
			};
			jest.spyOn(clock, 'timeLimit').mockImplementation(timeLimit);
			jest
				.spyOn(clock, 'waitAtMost')
				.mockImplementation(
					async (ms, work) => await Promise.race([work, timeLimit(ms).then(() => undefined)]),
				);
			return async (ms: number) => {
				now += ms;
				const over = limits.filter(({ until }) => until <= now);
				limits = limits.filter(({ until }) => until > now);
				for (const { end } of over) end();
				await moments();
			};
		}
		const memoryOf = (staticData: IDataObject) => unpacked(staticData).size;

		test('its call is not answered with 200, nothing of it is saved, and others go on; once it has begun, it is a duplicate', async () => {
			const pass = stoppedClock();
			const call = callOf();
			const slow = await call(completion('a'));
			// n8n's database takes long to store the execution.
			JSON.stringify(slow.result.workflowData);
			await moments();
			expect(slow.answers).toEqual([]);
			await pass(10_000);
			expect(slow.answers).toEqual([BUSY]);
			const staticData: IDataObject = {};
			const next = await call({ ...completion('b'), staticData });
			next.response.answerAsN8n(next.result);
			await moments();
			expect([next.answers, memoryOf(staticData)]).toEqual([[ACCEPTED], 1]);
			await pass(10_000);
			const redelivered = call(completion('a'));
			await moments();
			await pass(14_000);
			const meanwhile = await redelivered;
			expect([meanwhile.answers, meanwhile.result.workflowData]).toEqual([[BUSY], undefined]);

			slow.response.answerAsN8n(slow.result);
			await moments();
			expect(slow.response.answers).toBe(1);
			const again = await call({ ...completion('a'), staticData });
			again.response.answerAsN8n(again.result);
			await moments();
			expect([again.answers, again.result.workflowData]).toEqual([[DUPLICATE], undefined]);
			expect(memoryOf(staticData)).toBe(2);
		});

		test('the call behind it waits for it no longer than that', async () => {
			const pass = stoppedClock();
			const call = callOf();
			const slow = await call(completion('a'));
			const behind = call(completion('b'));
			await moments();
			await pass(10_000);
			expect([slow.answers, (await behind).result.workflowData?.length]).toEqual([[BUSY], 1]);
		});

		test('but it begins others: no call is refused before ten seconds without any', async () => {
			const pass = stoppedClock();
			const call = callOf();
			const [slow, other] = [await call(completion('a')), call(completion('b'))];
			void call(completion('c'));
			const redelivered = call(completion('a'));
			const outcomes: object[] = [];
			void redelivered.then(({ answers }) => outcomes.push(...answers));
			await moments();
			await pass(9_000);
			const { response, result } = await other;
			response.answerAsN8n(result);
			await moments();
			await pass(9_999);
			expect([slow.answers, outcomes]).toEqual([[], []]);
			await pass(1);
			expect([slow.answers, outcomes]).toEqual([[BUSY], [BUSY]]);
		});

		test('but it begins others: no call is handed to n8n in its place', async () => {
			const pass = stoppedClock();
			const call = callOf();
			const handed: Array<Awaited<ReturnType<typeof call>>> = [];
			for (const id of ids) void call(completion(id)).then((each) => handed.push(each));
			await moments();
			expect(handed).toHaveLength(8);
			await pass(9_000);
			handed[0].response.answerAsN8n(handed[0].result);
			await moments();
			await pass(9_000);
			expect(handed).toHaveLength(9);
			await pass(1_000);
			expect(handed).toHaveLength(17);
		});

		test('and cannot begin it after all: the event starts when it is redelivered', async () => {
			const pass = stoppedClock();
			const call = callOf();
			const slow = await call(completion('a'));
			await pass(10_000);
			slow.response.answerAsN8n(slow.result, false);
			await moments();
			expect((await call(completion('a'))).result.workflowData).toHaveLength(1);
		});

		test('without Deduplicate its caller waits: a redelivery would start it twice', async () => {
			const pass = stoppedClock();
			const parameters = { events: ALL, deduplicate: false };
			const { answers, response, result } = await callOf({ parameters })(completion('a'));
			await pass(10_000);
			expect(answers).toEqual([]);
			response.answerAsN8n(result);
			await moments();
			expect(answers).toEqual([ACCEPTED]);
		});
	});

	test.each(['was answered', 'has left'])(
		'the logs take too long, and the first caller %s: a redelivery is answered at once',
		async (end) => {
			let finish = () => {};
			const logs = new Promise<void>((resolve) => (finish = resolve));
			let asked = 0;
			const service = async (options: IDataObject) => {
				// The confirmation is quick, the report is not.
				if (++asked > 1) await logs;
				return known(options);
			};
			const call = callOf({ parameters: { events: ALL, output: 'report' }, service });
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

	test('but the trigger does when the logs take too long, and nobody reads what n8n answers', async () => {
		// The clock jumps ahead here, so reading the logs for a report always takes too long.
		const given = { parameters: { events: ALL, output: 'report' } };
		const { result, answers, response } = await callOf(given)(completion('c'));
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
