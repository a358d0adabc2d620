import * as crypto from 'crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { ADDRESS, KEY } from '../../support/mockService';
import { waited } from '../../support/fastClock';
import { useHarness } from '../../support/harness';
import { Hook, replyOf, SECRET, withLogs } from './hook';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);
jest.mock('crypto', () => {
	const actual = jest.requireActual<typeof crypto>('crypto');
	return {
		...actual,
		timingSafeEqual: jest.fn(actual.timingSafeEqual),
		createHash: jest.fn(actual.createHash),
	};
});

const harness = useHarness();
const EVENTS = ['campaignCompleted', 'smsDeliveryReport', 'other'];

let workflows = 0;
const hookOf = (settings: Partial<Hook> = {}) =>
	new Hook(harness, {
		parameters: { events: EVENTS },
		workflowId: `workflow-${++workflows}`,
		...settings,
	});

const body = { campaign_id: 'c' };
type Member = keyof IWebhookFunctions;

/** Makes a member of the context throw. */
const breaks = (member: Member) => (context: IWebhookFunctions) => {
	Object.defineProperty(context, member, {
		value: () => {
			throw new Error(`${member} is broken`);
		},
	});
};

describe('whatever breaks, a call is answered once', () => {
	const members: Member[] = [
		'getCredentials',
		'getNodeParameter',
		'getWorkflowStaticData',
		'getQueryData',
		'getHeaderData',
		'getRequestObject',
		'getMode',
		'getWorkflow',
		'getNode',
	];
	test.each(members)('%s throws', async (member) => {
		const hook = hookOf();
		withLogs(hook, 'known');
		const whole = hook.sabotage;
		hook.sabotage = breaks(member);
		const outcome = await hook.deliver({ body });
		expect(outcome).toMatchObject({ status: 503, answers: 1, items: undefined });
		expect(outcome.log).toMatch(/Messaging Trigger: .* is broken/);
		// The event is not remembered: the redelivered call starts the workflow.
		hook.sabotage = whole;
		expect((await hook.deliver({ body })).items).toHaveLength(1);
	});

	describe('an expression that fails', () => {
		const failing = '={{ $json.body.no.such.thing }}';

		test('in "events": 503, so the call is redelivered', async () => {
			const hook = hookOf({ parameters: { events: failing } });
			withLogs(hook, 'known');
			expect(await hook.deliver({ body })).toMatchObject({ status: 503, answers: 1 });
			hook.parameters = { events: EVENTS };
			expect((await hook.deliver({ body })).items).toHaveLength(1);
		});

		test('in "output": outputs the event', async () => {
			const hook = hookOf({ parameters: { events: EVENTS, output: failing } });
			withLogs(hook, 'known');
			expect((await hook.deliver({ body })).items).toMatchObject([{ body }]);
		});

		test('in "confirm": it does not let anybody in', async () => {
			const hook = hookOf({ parameters: { events: EVENTS, confirm: failing } });
			withLogs(hook, 'unknown');
			expect(await hook.deliver({ body })).toMatchObject({ status: 200, items: undefined });
		});

		test('in "deduplicate": one execution', async () => {
			const hook = hookOf({ parameters: { events: EVENTS, deduplicate: failing } });
			withLogs(hook, 'known');
			expect((await hook.deliver({ body })).items).toHaveLength(1);
			expect((await hook.deliver({ body })).items).toBeUndefined();
		});
	});

	test('one event of a list fails: the others start, and it may be redelivered', async () => {
		const hook = hookOf({ parameters: { events: EVENTS, confirm: false } });
		const hash = jest.mocked(crypto.createHash);
		const list = [{ campaign_id: 'a' }, { campaign_id: 'b' }];
		let calls = 0;
		hash.mockImplementation((algorithm) => {
			if (++calls === 2) throw new Error('out of memory');
			return jest.requireActual<typeof crypto>('crypto').createHash(algorithm);
		});
		const first = await hook.deliver({ body: list });
		expect([first.status, first.items?.length, first.answers]).toEqual([503, 1, 1]);
		const second = await hook.deliver({ body: list });
		expect(second).toMatchObject({ status: 200, items: [{ campaign_id: 'b' }] });
		hash.mockReset();
		hash.mockImplementation(jest.requireActual<typeof crypto>('crypto').createHash);
	});

	test('the call was answered before: it is not answered again, and nothing is lost', async () => {
		const hook = hookOf();
		withLogs(hook, 'known');
		const before = hook.sabotage;
		hook.sabotage = (context, response) => {
			before(context, response);
			response.headersSent = true;
			response.writableFinished = true;
		};
		expect(await hook.deliver({ body })).toMatchObject({
			answers: 0,
			items: [{ event: 'campaignCompleted' }],
		});
	});

	test('the answer cannot be written: nothing breaks', async () => {
		const hook = hookOf();
		withLogs(hook, 'known');
		expect(await hook.deliver({ body })).toMatchObject({ status: 200, message: 'Accepted.' });
		const before = hook.sabotage;
		hook.sabotage = (context, response) => {
			before(context, response);
			response.json = () => {
				throw new Error('write EPIPE');
			};
		};
		const outcome = await hook.deliver({ body });
		expect(outcome.items).toBeUndefined();
		expect(outcome.log).toContain('write EPIPE');
	});

	test.each<[string, IDataObject, string]>([
		['no address', { baseUrl: '' }, 'Base URL'],
		['no key', { apiKey: ' ' }, 'API Key'],
		['an address that is none', { baseUrl: 'file:///etc/passwd' }, 'Base URL'],
	])('a credential with %s: 503, and the log says why', async (_, change, why) => {
		const hook = hookOf();
		hook.credential = { ...hook.credential, ...change };
		const outcome = await hook.deliver({ body });
		expect(outcome).toMatchObject({ status: 503, answers: 1, items: undefined });
		expect(outcome.log).toContain(why);
		expect(outcome.log).not.toContain(KEY);
	});

	test.each<[string, unknown]>([
		['nothing', undefined],
		['null', null],
		['text', 'text'],
		['an answer without a status', { body: {} }],
		['a web page', { statusCode: 200, headers: {}, body: '<html></html>' }],
		['an empty list', { statusCode: 200, headers: {}, body: [] }],
		['no data', { statusCode: 200, headers: {}, body: { success: true } }],
		['data that is null', { statusCode: 200, headers: {}, body: { success: true, data: null } }],
		['records that are none', { statusCode: 200, headers: {}, body: { success: true, data: [1] } }],
	])('the logs answer %s: 503', async (_, reply) => {
		const hook = hookOf();
		withLogs(hook, () => reply);
		expect(await hook.deliver({ body })).toMatchObject({
			status: 503,
			answers: 1,
			items: undefined,
		});
	});

	test.each<[string, unknown]>([
		['of another campaign', [{ id: 'l', campaign_id: 'other' }]],
		['of a campaign whose id begins like it', [{ id: 'l', campaign_id: 'cc' }]],
		['without a campaign', [{ id: 'l' }]],
		['whose campaign is an object', [{ id: 'l', campaign_id: { c: 'c' } }]],
	])('a record %s confirms nothing', async (_, data) => {
		const hook = hookOf();
		withLogs(hook, () => ({ statusCode: 200, headers: {}, body: { success: true, data } }));
		const outcome = await hook.deliver({ body });
		expect(outcome).toMatchObject({ status: 200, items: undefined });
		expect(outcome.message).toContain('Ignored');
		expect(outcome.log).toContain('"c"');
	});
});

describe('the wait for a confirmation is limited', () => {
	const tooMany = (retryAfter?: string) => ({
		statusCode: 429,
		headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
		body: { success: false, message: 'Too many requests', data: null },
	});

	test.each<[string, unknown, number]>([
		['too many requests, wait a second', tooMany('1'), 2],
		['too many requests, wait five minutes', tooMany('300'), 1],
		['too many requests, wait a day', tooMany('86400'), 1],
		['too many requests', tooMany(), 2],
		['failed', replyOf('away', 'c'), 2],
		['the key is refused', replyOf('keyRefused', 'c'), 1],
	])('%s', async (_, reply, questions) => {
		const hook = hookOf();
		const asked = withLogs(hook, () => reply);
		const before = waited();
		expect(await hook.deliver({ body })).toMatchObject({ status: 503, answers: 1 });
		expect(asked).toHaveLength(questions);
		expect(waited() - before).toBeLessThanOrEqual(2_000);
	});

	test('a second attempt may succeed', async () => {
		const hook = hookOf();
		let first = true;
		withLogs(hook, (id) => {
			const reply = replyOf(first ? 'away' : 'known', id);
			first = false;
			return reply;
		});
		expect(await hook.deliver({ body })).toMatchObject({ status: 200, items: [{}] });
	});

	test('each attempt ends by itself', async () => {
		const hook = hookOf();
		let timeout: unknown;
		hook.sabotage = (context) => {
			context.helpers.httpRequestWithAuthentication = async (...[, options]) => {
				timeout = options.timeout;
				return replyOf('known', 'c');
			};
		};
		await hook.deliver({ body });
		expect(timeout).toBe(5_000);
	});

	test('of a long list and a slow service, what was not asked in time comes again', async () => {
		const hook = hookOf();
		const list = Array.from({ length: 30 }, (_, index) => ({ campaign_id: `c${index}` }));
		const clock = jest.spyOn(Date, 'now');
		let now = 1e12;
		clock.mockImplementation(() => now);
		const asked = withLogs(hook, async (id) => {
			now += 500;
			return replyOf('known', id);
		});
		const started: unknown[] = [];
		for (let delivery = 1; delivery <= 5; delivery++) {
			const { status, items = [] } = await hook.deliver({ body: list });
			started.push(...items.map(({ campaign_id }) => campaign_id));
			if (status === 200) break;
			expect(status).toBe(503);
		}
		clock.mockRestore();
		expect(asked).toHaveLength(30);
		expect(started.sort()).toEqual(list.map(({ campaign_id }) => campaign_id).sort());
	});

	test('of a list, the logs are asked about a few at once, and not on and on when they are away', async () => {
		const hook = hookOf();
		let now = 0;
		let most = 0;
		const list = Array.from({ length: 100 }, (_, index) => ({ campaign_id: `c${index}` }));
		const asked = withLogs(hook, async (id) => {
			most = Math.max(most, ++now);
			await sleep(1);
			now--;
			return replyOf('known', id);
		});
		expect((await hook.deliver({ body: list })).items).toHaveLength(100);
		expect([asked.length, most]).toEqual([100, 5]);

		const other = hookOf();
		const again = withLogs(other, 'keyRefused');
		expect(await other.deliver({ body: list })).toMatchObject({ status: 503, items: undefined });
		expect(again.length).toBeLessThanOrEqual(5);
	});
});

describe('a completion that comes before the logs know its campaign', () => {
	/** Logs that answer each question about a campaign with the next of these, and the last from then on. */
	const answering = (hook: Hook, ...answers: unknown[]) => {
		const questions = new Map<string, number>();
		return withLogs(hook, (id) => {
			const number = questions.get(id) ?? 0;
			questions.set(id, number + 1);
			const answer = answers[Math.min(number, answers.length - 1)];
			return typeof answer === 'string' ? replyOf(answer as 'known', id) : answer;
		});
	};
	const tooMany = (retryAfter: string) => ({
		statusCode: 429,
		headers: { 'retry-after': retryAfter },
		body: { success: false, message: 'Too many requests', data: null },
	});
	const IGNORED = { status: 200, message: 'Ignored: the logs know no such campaign.' };

	test.each<[string, unknown[], object, number]>([
		['known then', ['unknown', 'known'], { status: 200, items: [{ campaign_id: 'c' }] }, 2],
		['after a failure', ['away', 'unknown', 'known'], { status: 200, items: [{}] }, 3],
		['before a failure', ['unknown', 'away', 'known'], { status: 200, items: [{}] }, 3],
		['after a pause', [tooMany('1'), 'unknown', 'known'], { status: 200, items: [{}] }, 3],
		['unknown for good', ['unknown'], { ...IGNORED, items: undefined }, 2],
		['unknown for good, after a failure', ['away', 'unknown'], { ...IGNORED }, 3],
		['then the service fails', ['unknown', 'away'], { status: 503, items: undefined }, 3],
		['then it asks to wait', ['unknown', tooMany('60')], { status: 503, items: undefined }, 2],
		['then the key is refused', ['unknown', 'keyRefused'], { status: 503, items: undefined }, 2],
	])('is asked about a second time: %s', async (_, answers, expected, questions) => {
		const hook = hookOf();
		const asked = answering(hook, ...answers);
		const before = waited();
		expect(await hook.deliver({ body })).toMatchObject({ ...expected, answers: 1 });
		expect(asked).toHaveLength(questions);
		expect(waited() - before).toBeGreaterThanOrEqual(5_000);
		expect(waited() - before).toBeLessThanOrEqual(9_000);
	});

	test('a campaign that stays unknown is logged once', async () => {
		const hook = hookOf();
		answering(hook, 'unknown');
		const { log } = await hook.deliver({ body });
		expect(log.match(/ignored the completion of campaign "c"/g)).toHaveLength(1);
	});

	test('of a list, all are waited for together, and none is asked about in vain', async () => {
		const hook = hookOf();
		const asked = withLogs(hook, (id) => {
			const isSecond = asked.filter((other) => other === id).length > 1;
			return replyOf(id === 'known' || (isSecond && id !== 'c0') ? 'known' : 'unknown', id);
		});
		const late = Array.from({ length: 30 }, (_, index) => ({ campaign_id: `c${index}` }));
		const before = waited();
		const outcome = await hook.deliver({ body: [{ campaign_id: 'known' }, ...late] });
		expect([outcome.status, outcome.items?.length, asked.length]).toEqual([200, 30, 61]);
		// Besides this wait, marking the static data as changed takes less than 1.5 s.
		expect(waited() - before).toBeLessThan(10_000);
	});

	test('of a list that comes again anyway, nothing is asked about twice', async () => {
		const hook = hookOf();
		const asked = withLogs(hook, (id) => replyOf(id === 'b' ? 'keyRefused' : 'unknown', id));
		const list = { body: [{ campaign_id: 'a' }, { campaign_id: 'b' }] };
		expect(await hook.deliver(list)).toMatchObject({ status: 503, items: undefined });
		expect(asked).toEqual(['a', 'b']);
	});

	test('delivered twice at once, it starts once', async () => {
		const hook = hookOf();
		answering(hook, 'unknown', 'known');
		const both = await Promise.all([hook.deliver({ body }), hook.deliver({ body })]);
		expect(both.filter(({ items }) => items)).toHaveLength(1);
		expect(both.map(({ message }) => message).sort()).toEqual([
			'Accepted.',
			'Duplicate: this event was accepted before.',
		]);
	});

	test.each([1_000, 4_999, 6_900, 20_000])(
		'answers of %d ms: the caller is answered within 15 s',
		async (slowness) => {
			const start = 1e12;
			let now = start;
			const before = waited();
			const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + waited() - before);
			const hook = hookOf();
			hook.sabotage = (context) => {
				context.helpers.httpRequestWithAuthentication = async (...[, options]) => {
					const timeout = options.timeout!;
					now += Math.min(slowness, timeout);
					if (slowness <= timeout) return replyOf('unknown', 'c');
					throw Object.assign(new Error('timeout'), { code: 'ECONNABORTED' });
				};
			};
			const many = Array.from({ length: 12 }, (_, index) => ({ campaign_id: `c${index}` }));
			for (const sent of [body, many]) {
				const began = Date.now();
				await hook.deliver({ body: sent });
				// Five questions at once take as long as one; here they take their time one after the other.
				const most = sent === body ? 15_000 : 15_000 * 5;
				expect(Date.now() - began).toBeLessThanOrEqual(most);
			}
			clock.mockRestore();
		},
	);
});

describe('a burst', () => {
	/** Every read of the credential takes a while; counts those in flight. */
	function slowCredential(hook: Hook, fail = false) {
		const reads = { now: 0, most: 0, all: 0 };
		const before = hook.sabotage;
		hook.sabotage = (context, response) => {
			before(context, response);
			const read = context.getCredentials.bind(context);
			const counted = async () => {
				reads.most = Math.max(reads.most, ++reads.now);
				await sleep(2);
				reads.now--;
				if (++reads.all > 1 && fail) throw new Error('operation timed out');
				return await read('messagingApi');
			};
			Object.defineProperty(context, 'getCredentials', { value: counted });
		};
		return reads;
	}
	const burst = async (hook: Hook) =>
		await Promise.all(
			Array.from(
				{ length: 100 },
				async (_, index) => await hook.deliver({ body: { campaign_id: `c${index}` } }),
			),
		);

	test('calls that come at once share the credential', async () => {
		const hook = hookOf();
		withLogs(hook, 'known');
		const reads = slowCredential(hook);
		// Equal timers fire in the order in which they were set: the trigger has returned before n8n has written.
		hook.database.beforeWrite = async () => await sleep(0);
		const outcomes = await burst(hook);
		expect(outcomes.filter(({ items }) => items?.length === 1)).toHaveLength(100);
		expect(reads).toMatchObject({ now: 0, most: 1 });
	});

	test('n8n’s database gives up: what was answered begins all the same', async () => {
		const hook = hookOf();
		withLogs(hook, 'known');
		slowCredential(hook, true);
		const outcomes = await burst(hook);
		expect(outcomes.filter(({ status, items }) => status === 200 && items)).toHaveLength(100);
		// And the limiter lets the next call begin.
		const other = hookOf();
		withLogs(other, 'known');
		expect((await other.deliver({ body })).items).toHaveLength(1);
	});

	test('the credential cannot be read: all calls are answered 503', async () => {
		const hook = hookOf();
		withLogs(hook, 'known');
		const whole = hook.sabotage;
		hook.sabotage = breaks('getCredentials');
		const outcomes = await burst(hook);
		expect(outcomes.filter(({ status }) => status === 503)).toHaveLength(100);
		hook.sabotage = whole;
		expect((await burst(hook)).filter(({ items }) => items)).toHaveLength(100);
	});
});

describe('the secret', () => {
	const secured = (secret = SECRET) => {
		const hook = hookOf();
		hook.credential = { baseUrl: ADDRESS, apiKey: KEY, webhookSecret: secret };
		withLogs(hook, 'known');
		return hook;
	};
	const encoded = encodeURIComponent(SECRET);

	test('is compared in constant time, as hashes of one length', async () => {
		const compare = jest.mocked(crypto.timingSafeEqual);
		const hook = secured();
		for (const secret of ['', 'x', SECRET, 'x'.repeat(1_000_000)]) {
			compare.mockClear();
			await hook.deliver({ body, query: { secret }, headers: { 'x-webhook-secret': secret } });
			expect(compare.mock.calls.map(([a, b]) => [a.byteLength, b.byteLength])).toEqual([
				[32, 32],
				[32, 32],
				[32, 32],
			]);
		}
	});

	test('is hidden wherever a proxy or the sender has put it', async () => {
		const hook = secured();
		const url = `https://n8n.test/webhook/1/webhook?a=1&secret=${encoded}&b=2`;
		const outcome = await hook.deliver({
			query: { secret: SECRET, url: [url], note: { secret: SECRET } },
			headers: { referer: url, 'x-original-uri': `/webhook?secret=${SECRET}`, 'x-copy': SECRET },
			body: {
				...body,
				secret: SECRET,
				webhook: { url, [`key ${SECRET}`]: [encoded, `in ${SECRET} text`] },
				untouched: [1, null, true, 'text', {}],
			},
		});
		const [item] = outcome.items!;
		expect(JSON.stringify(outcome)).not.toContain(SECRET);
		expect(JSON.stringify(outcome)).not.toContain(encoded);
		const hidden = 'https://n8n.test/webhook/1/webhook?a=1&secret=***&b=2';
		expect(item).toMatchObject({
			campaign_id: 'c',
			query: { url: [hidden], note: { secret: '***' } },
			headers: { referer: hidden, 'x-original-uri': '/webhook?secret=***', 'x-copy': '***' },
			body: {
				campaign_id: 'c',
				secret: '***',
				webhook: { url: hidden, 'key ***': ['***', 'in *** text'] },
				untouched: [1, null, true, 'text', {}],
			},
		});
	});

	test('a short one does not blot out what only looks like it', async () => {
		const hook = secured('1');
		const { items } = await hook.deliver({
			query: { secret: '1', page: '1' },
			body: { campaign_id: '11', count: 1, text: '1 of 11', url: '?secret=1' },
		});
		expect(items).toEqual([
			expect.objectContaining({
				campaign_id: '11',
				query: { page: '***' },
				body: { campaign_id: '11', count: 1, text: '1 of 11', url: '?secret=***' },
			}),
		]);
	});

	test.each<[string, unknown, boolean]>([
		['a number', 12345678, true],
		['nothing', undefined, false],
		['null', null, false],
	])('%s in the credential', async (_, secret, isSet) => {
		const hook = secured();
		hook.credential = { ...hook.credential, webhookSecret: secret as string };
		expect((await hook.deliver({ body })).status).toBe(isSet ? 401 : 200);
		const right = await hook.deliver({ body, query: { secret: String(secret) } });
		expect(right.status).toBe(200);
	});

	test('one that is only blanks lets nobody in, rather than everybody', async () => {
		const hook = secured();
		hook.credential = { ...hook.credential, webhookSecret: ' ' };
		expect((await hook.deliver({ body })).status).toBe(401);
		expect((await hook.deliver({ body, query: { secret: ' ' } })).status).toBe(401);
	});

	test('a refused call is not read: nothing is asked, nothing is saved, nothing is logged', async () => {
		const hook = secured();
		const asked = withLogs(hook, 'known');
		const outcome = await hook.deliver({ body });
		expect(outcome).toEqual({
			status: 401,
			message: 'Refused: the webhook secret is missing or wrong.',
			answers: 1,
			items: undefined,
			log: '',
		});
		expect([asked, hook.database.saves]).toEqual([[], 0]);
	});

	test('after it was changed, only the new one is let in', async () => {
		const hook = secured();
		const oldOne = { body, query: { secret: SECRET } };
		const newOne = { body, query: { secret: 'another-secret' } };
		expect((await hook.deliver(newOne)).status).toBe(401);
		hook.credential = { ...hook.credential, webhookSecret: 'another-secret' };
		expect((await hook.deliver(oldOne)).status).toBe(401);
		expect((await hook.deliver(newOne)).status).toBe(200);
	});
});

describe('strangers', () => {
	test('cannot write lines into the log', async () => {
		const hook = hookOf();
		withLogs(hook, 'unknown');
		const { log } = await hook.deliver({ body: { campaign_id: 'x\u2028y "z"' } });
		expect(log.trimEnd().split('\n')).toHaveLength(1);
	});

	test('with a wide body start one execution', async () => {
		const hook = hookOf();
		const wide = Array.from({ length: 300_000 }, (_, index) => ({ a: { b: index } }));
		const { items } = await hook.deliver({ body: { wide, other: { wide } } });
		expect(items).toHaveLength(1);
	});

	test.each<[string, string, string]>([
		['names an unknown campaign', '"campaign_id":"c"', 'Ignored'],
		['names a campaign in a wrapper', '"data":{"campaign_id":"c"}', 'Ignored'],
		['names a status', '"event":"messageStatus","campaign_id":"c"', 'Ignored'],
		['names nothing', '"a":1', 'Ignored'],
	])('with very many names do not have them enumerated: a call that %s', async (_, more, said) => {
		const names = Array.from({ length: 20_000 }, (_value, index) => `"name${index}":${index}`);
		const raw = `{${names.join()},${more},"again":{${names.join()}}}`;
		const hook = hookOf({ parameters: { events: ['campaignCompleted'] } });
		withLogs(hook, 'unknown');
		const looks = { enumerated: 0, read: 0 };
		const before = hook.sabotage;
		hook.sabotage = (context, response) => {
			before(context, response);
			const request = context.getRequestObject();
			const counted = <Value extends object>(value: Value): Value =>
				new Proxy(value, {
					ownKeys: (target) => {
						looks.enumerated++;
						return Reflect.ownKeys(target);
					},
					get: (target, name) => {
						looks.read++;
						return Reflect.get(target, name) as unknown;
					},
				});
			const parsed = request.body as IDataObject;
			request.body = counted({ ...parsed, again: counted(parsed.again as IDataObject) });
		};
		const outcome = await hook.deliver({ body: raw, contentType: 'application/json' });
		expect(outcome).toMatchObject({ status: 200, items: undefined });
		expect(outcome.message).toContain(said);
		expect(looks.enumerated).toBe(0);
		expect(looks.read).toBeLessThan(200);
	});

	test('files of a multipart form are not handed on: they are streams, and gone', async () => {
		const hook = hookOf();
		withLogs(hook, 'known');
		const circle: IDataObject = {};
		circle.self = circle;
		const before = hook.sabotage;
		hook.sabotage = (context, response) => {
			before(context, response);
			// n8n parses these itself, and keeps no raw body.
			Object.assign(context.getRequestObject(), {
				rawBody: undefined,
				body: { data: { campaign_id: 'c' }, files: { photo: circle } },
			});
		};
		const { items } = await hook.deliver({ contentType: 'multipart/form-data; boundary=x' });
		expect(items).toMatchObject([{ campaign_id: 'c', body: { campaign_id: 'c' } }]);
		expect(JSON.stringify(items)).not.toContain('photo');
	});

	test('cannot give the output another prototype', async () => {
		const hook = hookOf();
		hook.credential = { ...hook.credential, webhookSecret: SECRET };
		const { items } = await hook.deliver({
			body: '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
			contentType: 'application/json',
			query: { secret: SECRET },
			headers: { __proto__: 'x' } as unknown as IDataObject,
		});
		expect(({} as IDataObject).polluted).toBeUndefined();
		expect((items![0].body as IDataObject).polluted).toBeUndefined();
		expect(Object.getPrototypeOf(items![0].body)).toBe(Object.prototype);
	});
});
