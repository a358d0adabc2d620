import * as crypto from 'crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { ADDRESS, KEY } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { Hook, SECRET, withLogs } from './hook';

/* What receive.test.ts promises, in n8n-core's webhook context: with its expressions, body parser and static data. */

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
const breaking = (member: Member) => (context: IWebhookFunctions) => {
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
		hook.sabotage = breaking(member);
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
		['an invalid address', { baseUrl: 'file:///etc/passwd' }, 'Base URL'],
	])('a credential with %s: 503, and the log says why', async (_, change, why) => {
		const hook = hookOf();
		hook.credential = { ...hook.credential, ...change };
		const outcome = await hook.deliver({ body });
		expect(outcome).toMatchObject({ status: 503, answers: 1, items: undefined });
		expect(outcome.log).toContain(why);
		expect(outcome.log).not.toContain(KEY);
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

	test('a short one hides only whole values, not text that contains it', async () => {
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

	test('a refused call is not read: no request, nothing saved, nothing logged', async () => {
		const hook = secured();
		const requested = withLogs(hook, 'known');
		const outcome = await hook.deliver({ body });
		expect(outcome).toEqual({
			status: 401,
			message: 'Refused: the webhook secret is missing or wrong.',
			answers: 1,
			items: undefined,
			log: '',
		});
		expect([requested, hook.database.saves]).toEqual([[], 0]);
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

describe('a call by a stranger', () => {
	test('cannot write lines into the log', async () => {
		const hook = hookOf();
		withLogs(hook, 'unknown');
		const { log } = await hook.deliver({ body: { campaign_id: 'x\u2028y "z"' } });
		expect(log.trimEnd().split('\n')).toHaveLength(1);
	});

	test('with a wide body starts one execution', async () => {
		const hook = hookOf();
		const wide = Array.from({ length: 300_000 }, (_, index) => ({ a: { b: index } }));
		const { items } = await hook.deliver({ body: { wide, other: { wide } } });
		expect(items).toHaveLength(1);
	});

	test.each<[string, string]>([
		['names an unknown campaign', '"campaign_id":"c"'],
		['names a campaign in a wrapper', '"data":{"campaign_id":"c"}'],
		['names a status', '"event":"messageStatus","campaign_id":"c"'],
		['names nothing', '"a":1'],
	])('a body with very many names, which are not enumerated: it %s', async (_, more) => {
		const names = Array.from({ length: 20_000 }, (_value, index) => `"name${index}":${index}`);
		const raw = `{${names.join()},${more},"again":{${names.join()}}}`;
		const hook = hookOf({ parameters: { events: ['campaignCompleted'] } });
		withLogs(hook, 'unknown');
		const access = { enumerated: 0, read: 0 };
		const before = hook.sabotage;
		hook.sabotage = (context, response) => {
			before(context, response);
			const request = context.getRequestObject();
			const counted = <Value extends object>(value: Value): Value =>
				new Proxy(value, {
					ownKeys: (target) => {
						access.enumerated++;
						return Reflect.ownKeys(target);
					},
					get: (target, name) => {
						access.read++;
						return Reflect.get(target, name) as unknown;
					},
				});
			const parsed = request.body as IDataObject;
			request.body = counted({ ...parsed, again: counted(parsed.again as IDataObject) });
		};
		const outcome = await hook.deliver({ body: raw, contentType: 'application/json' });
		expect(outcome).toMatchObject({ status: 200, items: undefined });
		expect(outcome.message).toContain('Ignored');
		expect(access.enumerated).toBe(0);
		expect(access.read).toBeLessThan(200);
	});

	test('leaves out the files of a multipart form, which are streams', async () => {
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
