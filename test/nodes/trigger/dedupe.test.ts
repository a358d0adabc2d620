import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { unpacked } from '../../../nodes/Messaging/trigger/packedTimes';
import { useHarness } from '../../support/harness';
import { Database, Hook, replyOf, withLogs, type Delivery } from './hook';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

const harness = useHarness();
afterEach(() => jest.restoreAllMocks());

const HOUR = 3_600_000;
const EVENTS = ['campaignCompleted', 'smsDeliveryReport', 'other'];

let workflows = 0;
const hookOf = (settings: Partial<Hook> = {}, trigger?: Hook['trigger']) =>
	new Hook(
		harness,
		{ parameters: { events: EVENTS }, workflowId: `workflow-${++workflows}`, ...settings },
		trigger,
	);

/** The same trigger after a restart of n8n, or in another process: only the database is the same. */
function restarted({ parameters, workflowId, database, node, sabotage }: Hook): Hook {
	let trigger: Hook['trigger'] | undefined;
	jest.isolateModules(() => {
		const { MessagingTrigger } = jest.requireActual<
			typeof import('../../../nodes/Messaging/MessagingTrigger.node')
		>('../../../nodes/Messaging/MessagingTrigger.node');
		trigger = new MessagingTrigger();
	});
	return hookOf({ parameters, workflowId, database, node, sabotage }, trigger);
}

const completion = (id: string): Delivery => ({ body: { campaign_id: id } });
const report = (id: string): Delivery => ({
	body: { event: 'smsDeliveryReport', conversation: { id } },
});
const words = async (hook: Hook, ...deliveries: Delivery[]) =>
	(await Promise.all(deliveries.map(async (delivery) => await hook.deliver(delivery)))).map(
		({ status, message, items }) =>
			`${status} ${message.split(/[ .:]/)[0]}${items ? ` ${items.length}` : ''}`,
	);
const ACCEPTED = '200 Accepted 1';
const DUPLICATE = '200 Duplicate';
const times = (count: number, word: string) => Array.from({ length: count }, () => word);
const savedKeys = ({ database }: Hook) => {
	const nodes = Object.values(JSON.parse(database.staticData) as Record<string, IDataObject>);
	return [...unpacked(nodes[0] ?? {}).keys()];
};
const slowly = async (id: string) => {
	await sleep(Math.random() * 20);
	return replyOf('known', id);
};
const atTime = (ms: number) => jest.spyOn(Date, 'now').mockReturnValue(ms);

describe('one event, many deliveries', () => {
	test('ten at once start one execution, and ask the logs once', async () => {
		const hook = hookOf();
		const requested = withLogs(hook, slowly);
		const outcomes = await words(hook, ...Array.from({ length: 10 }, () => completion('c')));
		expect(outcomes.sort()).toEqual([ACCEPTED, ...times(9, DUPLICATE)]);
		expect(requested).toEqual(['c']);
	});

	test('ten at once, in five shapes, start one execution', async () => {
		const hook = hookOf();
		withLogs(hook, slowly);
		const shapes: Delivery[] = [
			{ body: { campaign_id: 'c' } },
			{ body: { campaignId: 'c', attempt: 2 } },
			{ body: { campaign: { id: 'c' } } },
			{ query: { campaign_id: 'c' } },
			{ body: [{ campaign_id: 'c' }, { campaignId: ' c ' }] },
		];
		const outcomes = await words(hook, ...shapes, ...shapes);
		expect(outcomes.sort()).toEqual([ACCEPTED, ...times(9, DUPLICATE)]);
	});

	test.each([
		['an hour', HOUR, DUPLICATE],
		['six days', 6 * 24 * HOUR, DUPLICATE],
		// A service does not redeliver after that long, and the memory is limited.
		['eight days', 8 * 24 * HOUR, ACCEPTED],
	])('%s later', async (_, later, expected) => {
		const hook = hookOf();
		withLogs(hook, 'known');
		const now = Date.now();
		atTime(now);
		expect(await words(hook, completion('c'))).toEqual([ACCEPTED]);
		atTime(now + later);
		expect(await words(hook, completion('c'))).toEqual([expected]);
	});

	test.each([
		['an hour', HOUR, DUPLICATE],
		['eight days', 8 * 24 * HOUR, ACCEPTED],
	])('after a restart, %s later', async (_, later, expected) => {
		const hook = hookOf();
		withLogs(hook, 'known');
		const now = Date.now();
		atTime(now);
		await words(hook, completion('c'));
		atTime(now + later);
		expect(await words(restarted(hook), completion('c'))).toEqual([expected]);
	});

	test('after a restart: one execution', async () => {
		const hook = hookOf();
		withLogs(hook, 'known');
		expect(await words(hook, completion('c'), report('r'))).toEqual([ACCEPTED, ACCEPTED]);
		const again = restarted(hook);
		const requested = withLogs(again, 'known');
		expect(await words(again, completion('c'), report('r'), completion('c2'))).toEqual([
			DUPLICATE,
			DUPLICATE,
			ACCEPTED,
		]);
		expect(requested).toEqual(['c2']);
	});

	test('of a list, an event that was accepted before does not start again, the others start', async () => {
		const hook = hookOf();
		withLogs(hook, 'known');
		await words(hook, completion('b'));
		const { items } = await hook.deliver({
			body: [{ campaign_id: 'a' }, { campaign_id: 'b' }, { campaign_id: 'c' }],
		});
		expect(items?.map(({ campaign_id }) => campaign_id)).toEqual(['a', 'c']);
	});

	test('a delivery report of the same SMS with another status is a different event', async () => {
		const hook = hookOf();
		const status = (value: string): Delivery => ({
			body: { event: 'smsDeliveryReport', conversation: { id: 'x', status: value } },
		});
		expect(
			await words(hook, status('sent'), status('delivered'), status('sent'), status('delivered')),
		).toEqual([ACCEPTED, ACCEPTED, DUPLICATE, DUPLICATE]);
	});

	test('calls without a body are distinguished by their query', async () => {
		const hook = hookOf();
		expect(
			await words(
				hook,
				{ query: { order: '1' } },
				{ query: { order: '2' } },
				{ query: { order: '1' } },
				{ body: {}, query: { order: '1' } },
			),
		).toEqual([ACCEPTED, ACCEPTED, DUPLICATE, DUPLICATE]);
	});

	test.each<[string, Delivery, Delivery]>([
		[
			'long numbers',
			{
				body: '{"event":"messageStatus","id":1234567890123456789}',
				contentType: 'application/json',
			},
			{
				body: '{"event":"messageStatus","id":1234567890123456790}',
				contentType: 'application/json',
			},
		],
		[
			'the query beside a body',
			{ query: { id: '1' }, body: { event: 'y' } },
			{ query: { id: '2' }, body: { event: 'y' } },
		],
		[
			'bytes that are not UTF-8',
			{ body: Buffer.from('{"name":"B\xe4r"}', 'latin1'), contentType: 'application/json' },
			{ body: Buffer.from('{"name":"B\xf6r"}', 'latin1'), contentType: 'application/json' },
		],
		['an empty list from an empty body', {}, { body: [] }],
		[
			'long numbers in lists',
			{ body: '[{"campaign_id":"l"},{"id":1234567890123456789}]', contentType: 'application/json' },
			{ body: '[{"campaign_id":"l"},{"id":1234567890123456790}]', contentType: 'application/json' },
		],
	])('different events are distinguished by %s', async (_, one, two) => {
		const hook = hookOf();
		withLogs(hook, 'known');
		const outcomes = [one, two, one, two];
		const started: string[] = [];
		for (const delivery of outcomes) started.push(...(await words(hook, delivery)));
		expect(started.map((word) => word.split(' ')[1])).toEqual([
			...times(2, 'Accepted'),
			...times(2, 'Duplicate'),
		]);
	});

	test('an event is a duplicate also after the secret has changed', async () => {
		const hook = hookOf();
		hook.credential = { ...hook.credential, webhookSecret: 'old-secret' };
		expect(await words(hook, { query: { order: '1', secret: 'old-secret' } })).toEqual([ACCEPTED]);
		hook.credential = { ...hook.credential, webhookSecret: 'new-secret' };
		expect(await words(hook, { query: { order: '1', secret: 'new-secret' } })).toEqual([DUPLICATE]);
	});
});

describe('the status of one message, which names its campaign, is not the completion', () => {
	const status = (n: number): Delivery => ({
		body: { event: 'messageStatus', campaign_id: 'c', status: 'sent', n },
	});
	const end: Delivery = { body: { event: 'campaign.completed', campaign_id: 'c' } };
	const listOf = (...deliveries: Delivery[]): Delivery => ({
		body: deliveries.map(({ body }) => body),
	});
	const started = async (hook: Hook, deliveries: Delivery[]) => {
		const events: unknown[][] = [];
		for (const delivery of deliveries) {
			const { items = [] } = await hook.deliver(delivery);
			events.push(...items.map(({ event, campaign_id }) => [event, campaign_id]));
		}
		return events;
	};

	test.each<[string, unknown]>([
		['a reply', { event: 'end_user_replied', campaign_id: 'c' }],
		['a message', { event: 'messageDone', campaign_id: 'c' }],
		['a recipient', { event: 'recipientCompleted', campaign_id: 'c' }],
		['a scheduled completion', { event: 'campaign_completion_scheduled', campaign_id: 'c' }],
		['a status in an envelope', { data: { event: 'messageStatus', campaign_id: 'c' } }],
		['another event that is done', { event: 'importDone', campaign_id: 'c' }],
		['a call without a name', { campaign_id: 'c', status: 'sent' }],
	])('after %s, the completion still starts once', async (_, body) => {
		const hook = hookOf();
		withLogs(hook, 'known');
		await hook.deliver({ body });
		expect(await words(hook, end, { body: { ...(end.body as object), attempt: 2 } })).toEqual([
			ACCEPTED,
			DUPLICATE,
		]);
		const spelt = { body: { type: 'CampaignCompleted', campaignId: 'c' } };
		expect(await words(restarted(hook), end, spelt)).toEqual(times(2, DUPLICATE));
	});

	const ORDERS: Array<[string, Delivery[]]> = [
		['before it', [status(1), status(2), end, end]],
		['after it', [end, status(1), end, status(2)]],
		['in one list with it', [listOf(status(1), end, status(2)), end]],
		['in lists around it', [listOf(status(1), status(2)), listOf(end), listOf(end, status(3))]],
		['in a list after a list', [listOf(status(1)), listOf(status(1), end), status(1), end]],
	];
	test.each(ORDERS)('%s: the completion starts the workflow, once', async (_, deliveries) => {
		const hook = hookOf({ parameters: { events: ['campaignCompleted'] } });
		withLogs(hook, 'known');
		expect(await started(hook, deliveries)).toEqual([['campaignCompleted', 'c']]);
		expect(savedKeys(hook)).toHaveLength(1);
	});

	test.each(ORDERS)(
		'%s: where every event starts the workflow, each starts it once',
		async (_, deliveries) => {
			const hook = hookOf();
			withLogs(hook, 'known');
			const events = await started(hook, [...deliveries, ...deliveries]);
			expect(events.filter(([event]) => event === 'campaignCompleted')).toHaveLength(1);
			expect(events.filter(([event]) => event === 'other').length).toBeGreaterThan(0);
			expect(await started(hook, deliveries)).toEqual([]);
		},
	);
});

describe('an event that was not accepted starts when it is redelivered', () => {
	test.each(['unavailable', 'keyRefused', 'unknown'] as const)('logs: %s', async (logs) => {
		const hook = hookOf();
		withLogs(hook, logs);
		const refused = logs === 'unknown' ? '200 Ignored' : '503 The';
		expect(await words(hook, completion('c'))).toEqual([refused]);
		expect(await words(hook, ...Array.from({ length: 5 }, () => completion('c')))).toEqual(
			times(5, refused),
		);
		expect(hook.database.saves).toBe(0);
		withLogs(hook, 'known');
		expect(await words(hook, completion('c'))).toEqual([ACCEPTED]);
		expect(await words(hook, completion('c'))).toEqual([DUPLICATE]);
	});

	test('of a list, only what was accepted is remembered', async () => {
		const hook = hookOf();
		let isUnavailable = true;
		withLogs(hook, (id) => replyOf(isUnavailable && id === 'b' ? 'unavailable' : 'known', id));
		const body = [{ campaign_id: 'a' }, { campaign_id: 'b' }];
		const first = await hook.deliver({ body });
		expect([first.status, first.items?.length]).toEqual([503, 1]);
		isUnavailable = false;
		const second = await hook.deliver({ body });
		expect(second.status).toBe(200);
		expect([...first.items!, ...second.items!].map(({ campaign_id }) => campaign_id)).toEqual([
			'a',
			'b',
		]);
	});

	test('of a list, without Deduplicate, no event starts before all of them can', async () => {
		const hook = hookOf({ parameters: { events: EVENTS, deduplicate: false } });
		let isUnavailable = true;
		withLogs(hook, (id) => replyOf(isUnavailable && id === 'b' ? 'unavailable' : 'known', id));
		const body = [{ campaign_id: 'a' }, { campaign_id: 'b' }];
		expect(await hook.deliver({ body })).toMatchObject({ status: 503, items: undefined });
		isUnavailable = false;
		expect((await hook.deliver({ body })).items).toHaveLength(2);
	});

	test('an unexpected error: all calls that wait for it are answered 503', async () => {
		const hook = hookOf();
		hook.sabotage = (context) => {
			Object.defineProperty(context, 'getCredentials', {
				value: async () => {
					await sleep(5);
					return { baseUrl: 1, apiKey: { toString: null } };
				},
			});
		};
		const outcomes = await words(hook, ...Array.from({ length: 5 }, () => completion('c')));
		expect(outcomes).toEqual(times(5, '503 The'));
		hook.sabotage = () => {};
		withLogs(hook, 'known');
		expect(await words(hook, completion('c'))).toEqual([ACCEPTED]);
	});
});

describe('the saved memory', () => {
	test('holds all of a hundred events at once', async () => {
		const hook = hookOf();
		withLogs(hook, slowly);
		const deliveries = Array.from({ length: 100 }, (_, index) => completion(`c${index}`));
		expect(await words(hook, ...deliveries)).toEqual(times(100, ACCEPTED));
		expect(savedKeys(hook)).toHaveLength(100);
		expect(await words(restarted(hook), ...deliveries)).toEqual(times(100, DUPLICATE));
	});

	test('is not overwritten by a call that was reading a long report', async () => {
		const hook = hookOf({ parameters: { events: EVENTS, output: 'report' } });
		let reads = 0;
		withLogs(hook, async (id) => {
			// Only the report of the first campaign is slow.
			if (id === 'slow' && ++reads > 1) await sleep(60);
			return replyOf('known', id);
		});
		const slow = words(hook, completion('slow'));
		await sleep(20);
		expect(await words(hook, completion('quick'))).toEqual([ACCEPTED]);
		expect(await slow).toEqual([ACCEPTED]);
		expect(await words(restarted(hook), completion('slow'), completion('quick'))).toEqual([
			DUPLICATE,
			DUPLICATE,
		]);
	});

	test('is saved again by the next call after another node has overwritten it', async () => {
		const hook = hookOf();
		withLogs(hook, 'known');
		await words(hook, completion('a'), completion('b'));
		hook.database.staticData = '{"node:Code":{"own":1}}';
		expect(await words(hook, completion('a'))).toEqual([DUPLICATE]);
		expect(JSON.parse(hook.database.staticData)).toMatchObject({ 'node:Code': { own: 1 } });
		expect(await words(restarted(hook), completion('a'), completion('b'))).toEqual([
			DUPLICATE,
			DUPLICATE,
		]);
	});

	test('is not saved again when nothing is new', async () => {
		const hook = hookOf();
		withLogs(hook, 'known');
		await words(hook, completion('c'));
		expect(hook.database.saves).toBe(1);
		await words(hook, completion('c'));
		await words(hook, { body: 'hello world', contentType: 'text/plain' });
		expect(hook.database.saves).toBe(1);
	});

	test('is shared by two processes that are called alternately', async () => {
		const one = hookOf();
		const two = restarted(one);
		withLogs(one, 'known');
		withLogs(two, 'known');
		for (let index = 0; index < 20; index++) {
			const [here, there] = index % 2 ? [one, two] : [two, one];
			expect(await words(here, completion(`c${index}`))).toEqual([ACCEPTED]);
			expect(await words(there, completion(`c${index}`))).toEqual([DUPLICATE]);
		}
		expect(savedKeys(one)).toHaveLength(20);
	});

	test('is limited in number; the oldest events are dropped first', async () => {
		const hook = hookOf({ parameters: { events: EVENTS, confirm: false } });
		const now = Date.now();
		for (let index = 0; index < 2_100; index++) {
			atTime(now + index);
			expect((await hook.deliver(completion(`c${index}`))).items).toHaveLength(1);
		}
		expect(savedKeys(hook)).toHaveLength(2_000);
		expect(hook.database.staticData.length).toBeLessThan(100_000);
		for (const trigger of [hook, restarted(hook)]) {
			expect(await words(trigger, completion('c100'), completion('c2099'))).toEqual(
				times(2, DUPLICATE),
			);
		}
		expect(await words(restarted(hook), completion('c99'))).toEqual([ACCEPTED]);
	});

	test('keeps completions however many SMS reports come', async () => {
		const hook = hookOf({ parameters: { events: EVENTS, confirm: false } });
		await words(hook, completion('c'));
		for (let index = 0; index < 2_100; index++) await hook.deliver(report(`r${index}`));
		expect(savedKeys(hook)).toHaveLength(2_001);
		for (const trigger of [hook, restarted(hook)]) {
			expect(await words(trigger, completion('c'), report('r2099'))).toEqual(times(2, DUPLICATE));
		}
	});

	test('is limited in age', async () => {
		const hook = hookOf();
		withLogs(hook, 'known');
		const now = Date.now();
		atTime(now);
		await words(hook, completion('a'), completion('b'));
		atTime(now + 8 * 24 * HOUR);
		await words(hook, completion('c'));
		expect(savedKeys(hook)).toHaveLength(1);
	});

	test.each([
		'null',
		'"text"',
		'[1,2]',
		'{"c1":"x","c2":null,"c3":{},"c4":[9e15]}',
		'{"":1e99}',
		'{"__proto__":{"a":1}}',
	])('may hold invalid data: %s', async (accepted) => {
		const database = new Database();
		database.staticData = `{"node:Messaging Trigger":{"accepted":${accepted}}}`;
		const hook = hookOf({ database });
		withLogs(hook, 'known');
		expect(await words(hook, completion('c'))).toEqual([ACCEPTED]);
		expect(await words(restarted(hook), completion('c'))).toEqual([DUPLICATE]);
	});
});

describe('the memory is not shared with', () => {
	test('another workflow, and another trigger of the same workflow', async () => {
		const hook = hookOf();
		const { database, workflowId } = hook;
		const others = [
			hookOf(),
			hookOf({ database, workflowId, node: { id: 'node2', name: 'Messaging Trigger1' } }),
		];
		for (const trigger of [hook, ...others]) {
			withLogs(trigger, 'known');
			expect(await words(trigger, completion('c'))).toEqual([ACCEPTED]);
		}
		for (const trigger of [hook, ...others]) {
			expect(await words(trigger, completion('c'))).toEqual([DUPLICATE]);
		}
	});

	test('test calls: each starts, and production calls are not duplicates of them', async () => {
		const hook = hookOf();
		withLogs(hook, 'known');
		hook.mode = 'manual';
		expect(await words(hook, completion('c'))).toEqual([ACCEPTED]);
		expect(await words(hook, completion('c'))).toEqual([ACCEPTED]);
		hook.mode = 'webhook';
		expect(await words(hook, completion('c'))).toEqual([ACCEPTED]);
		expect(await words(hook, completion('c'))).toEqual([DUPLICATE]);
		hook.mode = 'manual';
		expect(await words(hook, completion('c'))).toEqual([ACCEPTED]);
	});

	test('a trigger that does not deduplicate', async () => {
		const hook = hookOf({ parameters: { events: EVENTS, deduplicate: false } });
		withLogs(hook, 'known');
		expect(await words(hook, completion('c'), completion('c'))).toEqual([ACCEPTED, ACCEPTED]);
		expect(hook.database.saves).toBe(0);
	});
});
