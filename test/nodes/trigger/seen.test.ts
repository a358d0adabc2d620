import type { IDataObject } from 'n8n-workflow';
import type { WebhookEvent } from '../../../nodes/Messaging/trigger/event';
import type { Seen, Verdict } from '../../../nodes/Messaging/trigger/seen';
import { webhookCall } from '../../support/webhookCall';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

type Module = typeof import('../../../nodes/Messaging/trigger/seen');

/** The memory as a process of n8n has it from its start. */
function startProcess(): Module {
	let module: Module | undefined;
	jest.isolateModules(() => {
		module = jest.requireActual<Module>('../../../nodes/Messaging/trigger/seen');
	});
	return module!;
}

const DAY = 24 * 3_600_000;
const START = Date.parse('2026-01-01T12:00:00Z');

afterEach(() => jest.restoreAllMocks());
const atTime = (ms: number) => jest.spyOn(Date, 'now').mockReturnValue(ms);

type Where = { workflowId?: string; nodeId?: string; staticData?: IDataObject };
/** What a call of the trigger has of the memory: its own copy of what is saved. */
const seenBy = (process: Module, where: Where = {}): Seen =>
	new process.Seen(webhookCall({ staticData: {}, ...where }).context);

const says = (verdict: Verdict) => jest.fn(async () => verdict);

/** A call that n8n begins an execution for. */
async function begin(seen: Seen, ...keys: string[]) {
	const verdicts = [];
	for (const key of keys) verdicts.push(await seen.once(key, says('accepted')));
	seen.save(keys);
	seen.over(keys, true);
	return verdicts;
}

/** A decision that is not made yet. */
function undecided() {
	let settle: (verdict: Verdict) => void = () => {};
	const verdict = new Promise<Verdict>((resolve) => (settle = resolve));
	return { decide: async () => await verdict, settle: (made: Verdict) => settle(made) };
}

describe('an event', () => {
	test('is accepted once', async () => {
		const process = startProcess();
		expect(await begin(seenBy(process), 'ca')).toEqual(['accepted']);
		const decide = says('accepted');
		expect(await seenBy(process).once('ca', decide)).toBe('duplicate');
		expect(decide).not.toHaveBeenCalled();
		expect(await seenBy(process).once('cb', decide)).toBe('accepted');
	});

	test('that did not begin may come again', async () => {
		const process = startProcess();
		const seen = seenBy(process);
		await seen.once('ca', says('accepted'));
		seen.over(['ca'], false);
		expect(await seenBy(process).once('ca', says('accepted'))).toBe('accepted');
	});

	test.each<Verdict>(['notConfirmed', 'unknownCampaign'])(
		'that was %s may come again',
		async (verdict) => {
			const process = startProcess();
			expect(await seenBy(process).once('ca', says(verdict))).toBe(verdict);
			expect(await seenBy(process).once('ca', says('accepted'))).toBe('accepted');
		},
	);

	test.each<[Verdict, Verdict | 'duplicate']>([
		['accepted', 'duplicate'],
		['notConfirmed', 'notConfirmed'],
		['unknownCampaign', 'unknownCampaign'],
	])('that comes while it is decided on shares the verdict: %s, %s', async (verdict, shared) => {
		const process = startProcess();
		const slow = undecided();
		const seen = seenBy(process);
		const first = seen.once('ca', slow.decide);
		const decide = says('accepted');
		const second = seenBy(process).once('ca', decide);
		const inList = seenBy(process).once('ca', decide, 'decision');
		slow.settle(verdict);
		expect([await first, await inList]).toEqual([verdict, shared]);
		seen.over(['ca'], true);
		expect(await second).toBe(shared);
		expect(decide).not.toHaveBeenCalled();
	});

	test.each<[boolean, Verdict | 'duplicate']>([
		[true, 'duplicate'],
		[false, 'notConfirmed'],
	])('that comes before n8n has begun (it will: %s) waits for it: %s', async (begins, shared) => {
		const process = startProcess();
		const seen = seenBy(process);
		await seen.once('ca', says('accepted'));
		const decide = says('accepted');
		const second = seenBy(process).once('ca', decide);
		const order: string[] = [];
		const watched = second.then(() => order.push('second'));
		for (let tick = 0; tick < 50; tick++) await null;
		order.push('over');
		seen.over(['ca'], begins);
		await watched;
		expect(order).toEqual(['over', 'second']);
		expect(await second).toBe(shared);
		expect(decide).not.toHaveBeenCalled();
	});

	test('whose sender was told before it has begun keeps nobody waiting, and starts once', async () => {
		const process = startProcess();
		const seen = seenBy(process);
		await seen.once('ca', says('accepted'));
		const waiting = seenBy(process).once('ca', says('accepted'));
		seen.tell(['ca', 'never seen'], 'accepted');
		expect(await waiting).toBe('duplicate');
		expect(await seenBy(process).once('ca', says('accepted'))).toBe('duplicate');
		// Not begun yet: nobody saves it.
		const staticData: IDataObject = {};
		seenBy(process, { staticData }).repair();
		expect(staticData).toEqual({});
		seen.over(['ca'], false);
		expect(await seenBy(process).once('ca', says('accepted'))).toBe('accepted');
	});

	test('whose decision fails may come again', async () => {
		const process = startProcess();
		const failing = async () => await Promise.reject<Verdict>(new RangeError('broken'));
		await expect(seenBy(process).once('ca', failing)).rejects.toThrow('broken');
		expect(await seenBy(process).once('ca', says('accepted'))).toBe('accepted');
	});

	test.each([
		['another workflow', { workflowId: 'w2' }],
		['another trigger', { nodeId: 'n2' }],
	])('of %s is another one', async (_, where) => {
		const process = startProcess();
		await begin(seenBy(process), 'ca');
		expect(await seenBy(process, where).once('ca', says('accepted'))).toBe('accepted');
	});

	test.each([
		[7 * DAY, 'duplicate'],
		[7 * DAY + 1, 'accepted'],
	])('%d ms later: %s', async (later, expected) => {
		const process = startProcess();
		atTime(START);
		await begin(seenBy(process), 'ca');
		atTime(START + later);
		expect(await seenBy(process).once('ca', says('accepted'))).toBe(expected);
	});
});

describe('what is saved', () => {
	test('is known after a restart', async () => {
		const staticData: IDataObject = {};
		const seen = seenBy(startProcess(), { staticData });
		await seen.once('ca', says('accepted'));
		await seen.once('cb', says('unknownCampaign'));
		seen.save(['ca']);
		const next = startProcess();
		expect(await seenBy(next, { staticData }).once('ca', says('accepted'))).toBe('duplicate');
		expect(await seenBy(next, { staticData }).once('cb', says('accepted'))).toBe('accepted');
	});

	test('is only what has begun: what still waited when the process ended may come again', async () => {
		const staticData: IDataObject = {};
		const process = startProcess();
		const seen = seenBy(process, { staticData });
		await seen.once('ca', says('accepted'));
		await seenBy(process, { staticData: {} }).once('cb', says('accepted'));
		seen.save(['ca']);
		const next = startProcess();
		expect(await seenBy(next, { staticData }).once('cb', says('accepted'))).toBe('accepted');
		expect(await seenBy(next, { staticData }).once('ca', says('accepted'))).toBe('duplicate');
	});

	test('by another process since this one began is known too', async () => {
		const process = startProcess();
		await begin(seenBy(process), 'ca');
		const staticData = { accepted: { cb: Date.now() } };
		expect(await seenBy(process, { staticData }).once('cb', says('accepted'))).toBe('duplicate');
	});

	test.each([
		[7 * DAY, 'duplicate'],
		[7 * DAY + 1, 'accepted'],
	])('%d ms ago: %s', async (ago, expected) => {
		atTime(START);
		const staticData = { accepted: { ca: START - ago } };
		expect(await seenBy(startProcess(), { staticData }).once('ca', says('accepted'))).toBe(
			expected,
		);
		// Also when it was saved after this process began.
		const process = startProcess();
		seenBy(process);
		expect(await seenBy(process, { staticData }).once('ca', says('accepted'))).toBe(expected);
	});

	test('holds what has begun with other calls, not what they are busy with', async () => {
		const process = startProcess();
		const copies: IDataObject[] = [{}, { accepted: { c0: Date.now() } }, {}];
		const [one, two, three] = copies.map((staticData) => seenBy(process, { staticData }));
		const known = () => copies.map(({ accepted }) => Object.keys(accepted ?? {}).sort());
		await one.once('c1', says('accepted'));
		await begin(two, 'c2');
		expect(known()).toEqual([[], ['c0', 'c2'], []]);
		one.save(['c1']);
		one.over(['c1'], true);
		await begin(three, 'c3');
		expect(known()).toEqual([
			['c1', 'c2'],
			['c0', 'c2'],
			['c1', 'c2', 'c3'],
		]);
	});

	test('is repaired by a call that begins nothing, but not while another may be saving more', async () => {
		const process = startProcess();
		await begin(seenBy(process), 'ca');
		const busy = seenBy(process);
		await busy.once('cb', says('accepted'));
		const staticData: IDataObject = {};
		seenBy(process, { staticData }).repair();
		expect(staticData).toEqual({});
		busy.over(['cb'], true);
		seenBy(process, { staticData }).repair();
		expect(Object.keys(staticData.accepted as object).sort()).toEqual(['ca', 'cb']);
	});

	test('is handed to n8n again and again, which forgets on its way that there is something', async () => {
		let handed = 0;
		const staticData = new Proxy({} as IDataObject, {
			set: (values, name, value) => {
				handed++;
				return Reflect.set(values, name, value);
			},
		});
		await begin(seenBy(startProcess(), { staticData }), 'ca');
		const before = handed;
		for (let tick = 0; tick < 100; tick++) await null;
		expect(handed).toBeGreaterThan(before);
		expect(Object.keys(staticData.accepted as object)).toEqual(['ca']);
		for (let tick = 0; tick < 100; tick++) await null;
		const all = handed;
		for (let tick = 0; tick < 100; tick++) await null;
		expect(handed).toBe(all);
	});

	test('does not hold what another call could not begin', async () => {
		const process = startProcess();
		const staticData: IDataObject = {};
		const failed = seenBy(process, { staticData: {} });
		await failed.once('ca', says('accepted'));
		failed.save(['ca']);
		const other = seenBy(process, { staticData });
		await other.once('cb', says('accepted'));
		other.save(['cb']);
		failed.over(['ca'], false);
		expect(Object.keys(staticData.accepted as object)).toEqual(['cb']);
	});

	test('is not written anew when it holds everything', async () => {
		const staticData: IDataObject = {};
		const process = startProcess();
		seenBy(process, { staticData }).repair();
		expect(staticData).toEqual({});
		await begin(seenBy(process, { staticData }), 'ca');
		const { accepted } = staticData;
		seenBy(process, { staticData }).repair();
		expect(staticData.accepted).toBe(accepted);
		await begin(seenBy(process, { staticData }), 'cb');
		expect(Object.keys(staticData.accepted as object).sort()).toEqual(['ca', 'cb']);
	});

	test('of each kind the newest 2,000 are kept, oldest first, with their times', async () => {
		const staticData: IDataObject = {};
		const process = startProcess();
		atTime(START - 1);
		await begin(seenBy(process), 'o0');
		for (let index = 0; index < 2000; index++) {
			atTime(START + index);
			await begin(seenBy(process), `c${index}`);
		}
		atTime(START + 2000);
		await begin(seenBy(process, { staticData }), 'c2000');
		const expected = [
			['o0', START - 1],
			...Array.from({ length: 2000 }, (_, index) => [`c${index + 1}`, START + index + 1]),
		];
		expect(Object.entries(staticData.accepted as object)).toEqual(expected);
		// In this process too.
		expect(await seenBy(startProcess(), { staticData }).once('c1', says('accepted'))).toBe(
			'duplicate',
		);
		expect(await seenBy(process).once('c0', says('accepted'))).toBe('accepted');
	});

	test('keeps what is new also after a clock that ran ahead', async () => {
		const staticData: IDataObject = {};
		const process = startProcess();
		const fill = seenBy(process, { staticData });
		atTime(START + 30 * DAY);
		const ahead = Array.from({ length: 2000 }, (_, index) => `c${index}`);
		await begin(fill, ...ahead);
		atTime(START);
		await begin(seenBy(process, { staticData }), 'cnew');
		for (const running of [process, startProcess()]) {
			const seen = seenBy(running, { staticData });
			expect(await seen.once('cnew', says('accepted'))).toBe('duplicate');
			// One of the others made room for it.
			expect(await seen.once('c0', says('unknownCampaign'))).toBe('unknownCampaign');
			expect(await seen.once('c1', says('accepted'))).toBe('duplicate');
		}
		expect(Object.keys(staticData.accepted as object)).toEqual([...ahead.slice(1), 'cnew']);
		expect(Math.max(...Object.values(staticData.accepted as object))).toBe(START);
	});

	test('is dropped after a week', async () => {
		const staticData: IDataObject = { accepted: { cold: START, cnew: START + 1 } };
		atTime(START + 7 * DAY + 1);
		await begin(seenBy(startProcess(), { staticData }), 'cb');
		expect(Object.keys(staticData.accepted as object)).toEqual(['cnew', 'cb']);
	});

	test.each<[string, unknown]>([
		['a text', '9e15'],
		['a list', [9e15]],
		['null', null],
		['an object', {}],
		['true', true],
	])('%s is no time', async (_, time) => {
		const staticData = { accepted: { ca: time } } as IDataObject;
		expect(await seenBy(startProcess(), { staticData }).once('ca', says('accepted'))).toBe(
			'accepted',
		);
	});
});

test('triggers come and go: one that was not called for a week is forgotten, not what it saved', async () => {
	const process = startProcess();
	atTime(START);
	await begin(seenBy(process, { nodeId: 'gone' }), 'ca');
	atTime(START + 4 * DAY);
	await begin(seenBy(process, { nodeId: 'used' }), 'ca');
	atTime(START + 8 * DAY);
	seenBy(process, { nodeId: 'new' });
	expect(await seenBy(process, { nodeId: 'used' }).once('ca', says('accepted'))).toBe('duplicate');
	expect(await seenBy(process, { nodeId: 'gone' }).once('ca', says('accepted'))).toBe('accepted');
});

test('a trigger that is deciding is not forgotten, whoever else is called meanwhile', async () => {
	const process = startProcess();
	const slow = undecided();
	const busy = seenBy(process, { nodeId: 'busy' });
	const first = busy.once('ca', slow.decide);
	seenBy(process, { nodeId: 'other' });
	const second = seenBy(process, { nodeId: 'busy' }).once('ca', says('accepted'));
	slow.settle('accepted');
	await first;
	busy.over(['ca'], true);
	expect([await first, await second]).toEqual(['accepted', 'duplicate']);
});

describe('keys', () => {
	const { keyOf } = startProcess();
	const completion = (campaignId: string, body: unknown = {}): WebhookEvent => ({
		event: 'campaignCompleted',
		campaignId,
		body,
	});
	const other = (body: unknown, event: WebhookEvent['event'] = 'other'): WebhookEvent => ({
		event,
		body,
	});

	const origin = (event: WebhookEvent, query: IDataObject = {}, raw?: string) => ({
		events: [event],
		query,
		body: event.body,
		...(raw !== undefined && { raw: Buffer.from(raw) }),
	});
	const key = (event: WebhookEvent, query: IDataObject = {}, raw?: string) =>
		keyOf(event, origin(event, query, raw));

	test('of completions: by the campaign and how it is named, whatever else came', () => {
		expect(key(completion('a', { x: 1 }), { q: '1' }, '{"x":1}')).toBe(key(completion('a')));
		expect(key(completion('a'))).not.toBe(key(completion('b')));
		expect(key(completion('A'))).toBe(key(completion('a')));
		expect(key(completion('a'))).toMatch(/^c[0-9a-f]{24}$/);
		const named = (name: string) => key({ ...completion('a'), name });
		expect(named('done')).toBe(named('done'));
		expect(new Set([named('done'), named('ended'), key(completion('a'))]).size).toBe(3);
	});

	test('of other events: by what came, and the query', () => {
		expect(key(other({ x: 1 }), { q: '1' })).toBe(key(other({ x: 1 }), { q: '1' }));
		expect(key(other({ x: 1 }), { q: '1' })).not.toBe(key(other({ x: 1 }), { q: '2' }));
		expect(key(other({ x: 1 }))).toMatch(/^o[0-9a-f]{24}$/);
		const all = [{ x: 1 }, { x: 2 }, {}, [], [1], 1, 'x', '', null, false].map((body) =>
			key(other(body)),
		);
		expect(new Set(all).size).toBe(all.length);
		expect(key(other({ x: 1 }))).not.toBe(key(other({ x: 1 }, 'smsDeliveryReport')));
	});

	test.each([
		['a long number', '{"id":1234567890123456789}', '{"id":1234567890123456790}'],
		['a long fraction', '{"id":0.12345678901234567891}', '{"id":0.12345678901234567892}'],
		['a huge number', '[12345678901234567891e9]', '[12345678901234567892e9]'],
	])('%s that parsing rounds: by the bytes, also in a list', (_, one, two) => {
		const called = (raw: string) => key(other(JSON.parse(raw)), {}, raw);
		expect(called(one)).not.toBe(called(two));
		expect(called(one)).toBe(called(one));
		const inList = (...elements: string[]) => {
			const raw = `[${elements.join()}]`;
			const body = JSON.parse(raw) as unknown[];
			const events = body.map((element) => other(element));
			return events.map((event) =>
				keyOf(event, { events, query: {}, body, raw: Buffer.from(raw) }),
			);
		};
		expect(new Set([...inList(one, two), ...inList(two, one)]).size).toBe(4);
		expect(inList(one, two)).toEqual(inList(one, two));
		expect(inList('{"x":1}', '{"x":2}')[1]).toBe(inList('{"x":2}')[0]);
	});
});
