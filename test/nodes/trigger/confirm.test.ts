import { useHarness } from '../../support/harness';
import { waited } from '../../support/clock';
import { completionOf, Hook, reply, replyOf, withLogs, type Logs } from './hook';

/** Only pauses move the time, however slow the machine is. */
beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(Date.now()));
afterEach(() => jest.restoreAllMocks());

const harness = useHarness();
let workflows = 0;
const hookOf = () =>
	new Hook(harness, {
		parameters: { events: ['campaignCompleted'] },
		workflowId: `workflow-${++workflows}`,
	});

const STARTED = '200 Accepted.';
const UNKNOWN = expect.stringMatching(/^200 Ignored/) as string;
const UNCLEAR = expect.stringMatching(/^503 .* could not be confirmed/) as string;

const listOf = (...ids: unknown[]) => ({ body: ids.map((id) => completionOf(id).body) });
const recordsOf = (...campaigns: unknown[]) =>
	reply({ success: true, data: campaigns.map((campaign_id) => ({ id: 'l', campaign_id })) });
const tooManyRequests = (retryAfter: string) => ({
	...reply({ success: false, message: 'Too many requests', data: null }, 429),
	headers: { 'retry-after': retryAfter },
});

/** Delivers a call, and returns the answer, the times of the questions in seconds since the first, and the campaigns that start. */
async function deliver(
	logs: (id: string, nth: number) => unknown,
	delivery: Parameters<Hook['deliver']>[0] = completionOf('c'),
	hook = hookOf(),
) {
	const questions: Array<{ id: string; at: number }> = [];
	let began: number | undefined;
	withLogs(hook, (id) => {
		began ??= waited();
		questions.push({ id, at: Math.round((waited() - began) / 100) / 10 });
		return logs(id, questions.filter((each) => each.id === id).length);
	});
	const { status, message, items, log } = await hook.deliver(delivery);
	const ids = items?.map(({ campaign_id }) => campaign_id);
	return {
		answer: `${status} ${message}`,
		times: questions.map(({ at }) => at),
		questions,
		ids,
		log,
	};
}
const logged = (logs: Logs) => (id: string) => replyOf(logs, id);

describe('Check in Logs First: the logs are asked', () => {
	test('about this campaign, for one record, and not for long', async () => {
		const hook = hookOf();
		const requests: unknown[] = [];
		hook.sabotage = (context) => {
			context.helpers.httpRequestWithAuthentication = async (...[, options]: unknown[]) => {
				requests.push(options);
				return recordsOf('c');
			};
		};
		await hook.deliver(completionOf('c'));
		expect(requests).toEqual([
			expect.objectContaining({
				method: 'GET',
				url: expect.stringMatching(/\/api\/public\/logs$/) as string,
				qs: { campaign_id: 'c', 'page[size]': 1, 'page[number]': 1 },
				timeout: 5000,
			}),
		]);
	});

	test('again after 2 and after 7 seconds when they do not, and then it is ignored', async () => {
		const { log, ...outcome } = await deliver(logged('unknown'));
		expect(outcome).toMatchObject({ answer: UNKNOWN, times: [0, 2, 7], ids: undefined });
		expect(log).toBe(
			'Messaging Trigger: campaign "c" is not confirmed. The service\'s logs know no such campaign.\n',
		);
	});

	test.each([
		[2, [0, 2]],
		[3, [0, 2, 7]],
	])('until they know it, at the question no. %d', async (last, times) => {
		const late = (id: string, nth: number) => replyOf(nth < last ? 'unknown' : 'known', id);
		expect(await deliver(late)).toMatchObject({ answer: STARTED, times, log: '' });
		const back = (id: string, nth: number) => replyOf(nth < last ? 'unavailable' : 'known', id);
		const outcome = await deliver(back);
		expect(outcome).toMatchObject({ answer: STARTED, log: '' });
		expect(outcome.times).toHaveLength(last);
	});

	test.each<[string, unknown, number[]]>([
		['an unavailable service', replyOf('unavailable', 'c'), [0, 2, 7]],
		['a refused key', replyOf('keyRefused', 'c'), [0]],
		['a refused request', reply({ success: false }, 400), [0]],
		['a wait of 3 seconds', tooManyRequests('3'), [0, 3, 7]],
		['a wait of 10 seconds', tooManyRequests('10'), [0]],
		['a wait of a day', tooManyRequests('86400'), [0]],
		['nothing', undefined, [0, 2, 7]],
		['a web page', reply('<html></html>'), [0]],
	])('no more than makes sense, and then: 503: %s', async (_, answer, times) => {
		const { log, ...outcome } = await deliver(() => answer);
		expect(outcome).toMatchObject({ answer: UNCLEAR, times, ids: undefined });
		expect(log).toMatch(/^Messaging Trigger: campaign "c" is not confirmed\. The .+\.\n$/);
	});

	test('not at all about an event without a campaign, or when Check in Logs First is off', async () => {
		const hook = hookOf();
		hook.parameters = { events: ['other'] };
		expect(await deliver(logged('unknown'), { body: { a: 1 } }, hook)).toMatchObject({
			answer: STARTED,
			times: [],
		});
		hook.parameters = { events: ['campaignCompleted'], confirm: false };
		expect(await deliver(logged('unknown'), undefined, hook)).toMatchObject({
			answer: STARTED,
			times: [],
		});
	});
});

test.each<[unknown, unknown, boolean]>([
	['3F2A-B', ' 3f2a-b ', true],
	['17', 17, true],
	['3319237025400370211', Number('3319237025400370211'), true],
	['3319237025400370211', Number('3319237025400380000'), false],
	['c', 'cc', false],
	['null', null, false],
	['undefined', undefined, false],
	['[object Object]', {}, false],
	['c', ['c'], false],
])(
	'Check in Logs First: the id %j is confirmed by a record of the campaign %j: %p',
	async (id, campaign, isKnown) => {
		const { answer } = await deliver(() => recordsOf('x', campaign), completionOf(id));
		expect(answer).toEqual(isKnown ? STARTED : UNKNOWN);
	},
);

test('Check in Logs First: logs that count records and give none are not believed: 503', async () => {
	const counting = (count: number, ...data: object[]) => reply({ success: true, data, count });
	expect((await deliver(() => counting(5))).answer).toEqual(UNCLEAR);
	expect((await deliver(() => counting(0))).answer).toEqual(UNKNOWN);
	const none = reply({ success: true, data: null, count: 0 });
	expect((await deliver(() => none)).answer).toEqual(UNCLEAR);
	expect((await deliver(() => counting(1, { id: 'l', campaign_id: 'x' }))).answer).toEqual(UNKNOWN);
});

describe('Check in Logs First: a list', () => {
	test('starts the campaigns that the logs know, and asks only about the others again', async () => {
		const logs = (id: string, nth: number) =>
			replyOf(id === 'never' || (id === 'late' && nth < 2) ? 'unknown' : 'known', id);
		const { questions, ...outcome } = await deliver(logs, listOf('a', 'late', 'never'));
		expect(outcome).toMatchObject({ answer: STARTED, ids: ['a', 'late'] });
		expect(questions.map(({ id }) => id).join()).toBe('a,late,never,late,never,never');
	});

	test('of which one cannot be asked about starts nothing; when it can be, all of it', async () => {
		const hook = hookOf();
		let isBack = false;
		const logs = (id: string) => replyOf(id === 'b' && !isBack ? 'unavailable' : 'known', id);
		expect(await deliver(logs, listOf('a', 'b', 'c'), hook)).toMatchObject({
			answer: UNCLEAR,
			ids: undefined,
		});
		isBack = true;
		expect(await deliver(logs, listOf('a', 'b', 'c'), hook)).toMatchObject({
			answer: STARTED,
			ids: ['a', 'b', 'c'],
		});
	});

	test('is not asked about further when the key is refused', async () => {
		const ids = Array.from({ length: 50 }, (_, index) => `c${index}`);
		const { answer, questions } = await deliver(logged('keyRefused'), listOf(...ids));
		expect(answer).toEqual(UNCLEAR);
		expect(questions.length).toBeLessThanOrEqual(5);
	});

	test('is asked about five campaigns at a time', async () => {
		let now = 0;
		let most = 0;
		const ids = Array.from({ length: 20 }, (_, index) => `c${index}`);
		const logs = async (id: string) => {
			most = Math.max(most, ++now);
			for (let tick = 0; tick < 20; tick++) await null;
			now--;
			return replyOf('known', id);
		};
		expect((await deliver(logs, listOf(...ids))).ids).toEqual(ids);
		expect(most).toBe(5);
	});

	test('of which there is no time to ask about all within nine seconds: 503', async () => {
		let clock = Date.now();
		jest.spyOn(Date, 'now').mockImplementation(() => clock);
		const ids = Array.from({ length: 20 }, (_, index) => `c${index}`);
		const slowly = (id: string) => {
			clock += 1_000;
			return replyOf('known', id);
		};
		const { answer, questions, log } = await deliver(slowly, listOf(...ids));
		expect(answer).toEqual(UNCLEAR);
		expect(questions).toHaveLength(10);
		expect(log).toContain('There was no time to ask.');
	});
});
