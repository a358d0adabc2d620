import type { IDataObject } from 'n8n-workflow';
import type { WebhookEvent } from '../../nodes/Messaging/trigger/event';
import type { Seen, Verdict } from '../../nodes/Messaging/trigger/seen';
import { webhookCall } from '../helpers/webhookCall';

type Module = typeof import('../../nodes/Messaging/trigger/seen');

/** The memory as a process of n8n has it from its start. */
function startProcess(): Module {
	let module: Module | undefined;
	jest.isolateModules(() => {
		module = jest.requireActual<Module>('../../nodes/Messaging/trigger/seen');
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

/** A decision that is not made yet. */
function undecided() {
	let settle: (verdict: Verdict) => void = () => {};
	const verdict = new Promise<Verdict>((resolve) => (settle = resolve));
	return { decide: async () => await verdict, settle: (made: Verdict) => settle(made) };
}

describe('an event', () => {
	test('is accepted once', async () => {
		const process = startProcess();
		const decide = says('accepted');
		expect(await seenBy(process).once('ca', decide)).toBe('accepted');
		expect(await seenBy(process).once('ca', decide)).toBe('duplicate');
		expect(await seenBy(process).once('cb', decide)).toBe('accepted');
		expect(decide).toHaveBeenCalledTimes(2);
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
		const first = seenBy(process).once('ca', slow.decide);
		const decide = says('accepted');
		const second = seenBy(process).once('ca', decide);
		slow.settle(verdict);
		expect([await first, await second]).toEqual([verdict, shared]);
		expect(decide).not.toHaveBeenCalled();
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
		await seenBy(process).once('ca', says('accepted'));
		expect(await seenBy(process, where).once('ca', says('accepted'))).toBe('accepted');
	});

	test.each([
		[7 * DAY, 'duplicate'],
		[7 * DAY + 1, 'accepted'],
	])('%d ms later: %s', async (later, expected) => {
		const process = startProcess();
		atTime(START);
		await seenBy(process).once('ca', says('accepted'));
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
		await seenBy(process).once('ca', says('accepted'));
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

	test('holds what other calls accepted meanwhile, in either order', async () => {
		const process = startProcess();
		const one: IDataObject = {};
		const two: IDataObject = { accepted: { cc: Date.now() } };
		const first = seenBy(process, { staticData: one });
		const second = seenBy(process, { staticData: two });
		await first.once('ca', says('accepted'));
		await second.once('cb', says('accepted'));
		second.save(['cb']);
		first.save(['ca']);
		expect(Object.keys(two.accepted as object).sort()).toEqual(['cb', 'cc']);
		expect(Object.keys(one.accepted as object)).toEqual(expect.arrayContaining(['ca', 'cb']));
	});

	test('is not written anew when it holds everything', async () => {
		const staticData: IDataObject = {};
		const process = startProcess();
		const seen = seenBy(process, { staticData });
		seen.save([]);
		expect(staticData).toEqual({});
		await seen.once('ca', says('accepted'));
		seen.save(['ca']);
		const { accepted } = staticData;
		const again = seenBy(process, { staticData });
		await again.once('ca', says('accepted'));
		again.save([]);
		expect(staticData.accepted).toBe(accepted);
		await again.once('cb', says('accepted'));
		again.save(['cb']);
		expect(Object.keys(staticData.accepted as object).sort()).toEqual(['ca', 'cb']);
	});

	test('of each kind the newest 2,000 are kept, oldest first, with their times', async () => {
		const staticData: IDataObject = {};
		const seen = seenBy(startProcess(), { staticData });
		atTime(START - 1);
		await seen.once('o0', says('accepted'));
		for (let index = 0; index <= 2000; index++) {
			atTime(START + index);
			await seen.once(`c${index}`, says('accepted'));
		}
		seen.save(['o0', ...Array.from({ length: 2001 }, (_, index) => `c${index}`)]);
		const expected = [
			['o0', START - 1],
			...Array.from({ length: 2000 }, (_, index) => [`c${index + 1}`, START + index + 1]),
		];
		expect(Object.entries(staticData.accepted as object)).toEqual(expected);
		// In this process too.
		expect(await seenBy(startProcess(), { staticData }).once('c1', says('accepted'))).toBe(
			'duplicate',
		);
		expect(await seen.once('c0', says('accepted'))).toBe('accepted');
	});

	test('is dropped after a week', async () => {
		const staticData: IDataObject = { accepted: { cold: START, cnew: START + 1 } };
		atTime(START + 7 * DAY + 1);
		const seen = seenBy(startProcess(), { staticData });
		await seen.once('cb', says('accepted'));
		seen.save(['cb']);
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
	await seenBy(process, { nodeId: 'gone' }).once('ca', says('accepted'));
	atTime(START + 4 * DAY);
	await seenBy(process, { nodeId: 'used' }).once('ca', says('accepted'));
	atTime(START + 8 * DAY);
	seenBy(process, { nodeId: 'new' });
	expect(await seenBy(process, { nodeId: 'used' }).once('ca', says('accepted'))).toBe('duplicate');
	expect(await seenBy(process, { nodeId: 'gone' }).once('ca', says('accepted'))).toBe('accepted');
});

test('a trigger that is deciding is not forgotten, whoever else is called meanwhile', async () => {
	const process = startProcess();
	const slow = undecided();
	const first = seenBy(process, { nodeId: 'busy' }).once('ca', slow.decide);
	seenBy(process, { nodeId: 'other' });
	const second = seenBy(process, { nodeId: 'busy' }).once('ca', says('accepted'));
	slow.settle('accepted');
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

	test('of completions: by the campaign alone', () => {
		expect(keyOf(completion('a', { x: 1 }), { q: '1' })).toBe(keyOf(completion('a'), {}));
		expect(keyOf(completion('a'), {})).not.toBe(keyOf(completion('b'), {}));
		expect(keyOf(completion('a'), {})).toMatch(/^c[0-9a-f]{24}$/);
	});

	test('of other events: by the exact body, whatever the query', () => {
		expect(keyOf(other({ x: 1 }), { q: '1' })).toBe(keyOf(other({ x: 1 }), {}));
		expect(keyOf(other({ x: 1 }), {})).toMatch(/^o[0-9a-f]{24}$/);
		const all = [{ x: 1 }, { x: 2 }, [1], 1, 'x', null, false].map((body) =>
			keyOf(other(body), {}),
		);
		expect(new Set(all).size).toBe(all.length);
		expect(keyOf(other({ x: 1 }), {})).not.toBe(keyOf(other({ x: 1 }, 'smsDeliveryReport'), {}));
	});

	test.each<unknown>([{}, [], null])('of events without a body (%j): by the query', (body) => {
		const key = (q: string) => keyOf(other(body), { q });
		expect(key('1')).toBe(key('1'));
		expect(key('1')).not.toBe(key('2'));
	});

	test.each<unknown>(['', 0, false, 7])('of a body that is no object (%j): by the body', (body) => {
		expect(keyOf(other(body), { q: '1' })).toBe(keyOf(other(body), { q: '2' }));
	});
});
