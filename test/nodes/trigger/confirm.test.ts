import type { IDataObject } from 'n8n-workflow';
import { waited } from '../../support/fastClock';
import {
	ACCEPTED,
	DUPLICATE,
	NOT_CONFIRMED,
	UNKNOWN_CAMPAIGN,
	completion,
	failing,
	keyRefused,
	known,
	recordsOf,
	tooManyRequests,
	triggerOf,
	unknown,
} from './triggerCall';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);
afterEach(() => jest.restoreAllMocks());

describe('the confirmation', () => {
	const IGNORED =
		'warn Messaging Trigger: ignored the completion of campaign "c", which the service\'s logs do not know.';
	const TROUBLE = 'warn Messaging Trigger: the completion of campaign "c" cannot be confirmed. ';

	const counted = (count: number, ...campaigns: string[]) => {
		const { body, ...answer } = recordsOf(...campaigns);
		return { ...answer, body: { ...body, count } };
	};

	test.each<[string, (options: IDataObject) => unknown, object, string[]]>([
		['the logs know it', known, ACCEPTED, []],
		['of several records one is of it', () => recordsOf('x', 'c'), ACCEPTED, []],
		['the logs know nothing', unknown, UNKNOWN_CAMPAIGN, [IGNORED]],
		['the logs know another one', () => recordsOf('cc'), UNKNOWN_CAMPAIGN, [IGNORED]],
		['the logs count another one', () => counted(1, 'cc'), UNKNOWN_CAMPAIGN, [IGNORED]],
		['the logs count no record', () => counted(0), UNKNOWN_CAMPAIGN, [IGNORED]],
		[
			'the service fails',
			failing,
			NOT_CONFIRMED,
			[`${TROUBLE}The service failed (HTTP 503). Try again later.`],
		],
	])('%s', async (_, service, answer, log) => {
		const outcome = await triggerOf({ service })(completion('c'));
		expect([outcome.answers, outcome.log]).toEqual([[answer], log]);
		expect(outcome.items?.length).toBe(answer === ACCEPTED ? 1 : undefined);
	});

	test('an id is the same in upper and lower case: it is confirmed, and starts once', async () => {
		const trigger = triggerOf({ service: () => recordsOf('3f2a-b') });
		expect((await trigger(completion('3F2A-B'))).ids).toEqual(['3F2A-B']);
		expect((await trigger(completion('3f2a-b'))).answers).toEqual([DUPLICATE]);
	});

	test('a number as an id is the same campaign', async () => {
		expect((await triggerOf({ service: () => recordsOf(17) })(completion('17'))).ids).toEqual([
			'17',
		]);
	});

	test.each<[string, unknown]>([
		['c', undefined],
		['null', null],
		['undefined', undefined],
		['true', true],
		['[object Object]', {}],
		['c', ['c']],
	])('an id %j is not confirmed by a record whose campaign is %j', async (id, campaign) => {
		const outcome = await triggerOf({ service: () => recordsOf(campaign) })(completion(id));
		expect([outcome.answers, outcome.items]).toEqual([[UNKNOWN_CAMPAIGN], undefined]);
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
		['the service fails', failing, 2],
		['too many requests', tooManyRequests(), 2],
		['too many requests, wait two seconds', tooManyRequests('2'), 2],
		['too many requests, wait longer', tooManyRequests('2.001'), 1],
		['too many requests, wait a day', tooManyRequests('86400'), 1],
		['the service refuses', () => ({ statusCode: 400, headers: {}, body: { success: false } }), 1],
		['the key is refused', keyRefused, 1],
	])('%s: 503, and a retry begins within two seconds', async (_, answer, requests) => {
		jest.spyOn(Date, 'now').mockReturnValue(1e12);
		const times: number[] = [];
		const service = () => {
			times.push(waited());
			return answer();
		};
		const { answers, ids } = await triggerOf({ service })(completion('c'));
		expect([answers, ids]).toEqual([[NOT_CONFIRMED], undefined]);
		expect(times).toHaveLength(requests);
		expect(times.at(-1)! - times[0]).toBeLessThanOrEqual(2_000);
	});

	const page = (body: unknown) => ({ statusCode: 200, headers: {}, body });
	test.each<[string, unknown]>([
		['nothing', undefined],
		['null', null],
		['text', 'text'],
		['an answer without a status', { body: {} }],
		['a web page', page('<html></html>')],
		['an empty list', page([])],
		['no data', page({ success: true })],
		['data that is null', page({ success: true, data: null })],
		['records that are numbers', page({ success: true, data: [1] })],
	])('an answer that is %s confirms nothing: 503', async (_, answer) => {
		const { answers, ids } = await triggerOf({ service: () => answer })(completion('c'));
		expect([answers, ids]).toEqual([[NOT_CONFIRMED], undefined]);
	});

	test('there is no retry when the first attempt took too long', async () => {
		let now = 1e12;
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		const slow = jest.fn(() => {
			now += 1001;
			return tooManyRequests('1')();
		});
		await triggerOf({ service: slow })(completion('c'));
		expect(slow).toHaveBeenCalledTimes(1);
	});

	test('a retry may succeed', async () => {
		const service = jest.fn(known).mockImplementationOnce(failing as never);
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

	test('waits for a redelivery when the logs count records of the campaign but return none', async () => {
		const { answers, ids, log } = await triggerOf({ service: () => counted(5) })(completion('c'));
		expect([answers, ids]).toEqual([[NOT_CONFIRMED], undefined]);
		expect(log.join()).toContain('The logs count 5 records of it, and gave none.');
	});
});
