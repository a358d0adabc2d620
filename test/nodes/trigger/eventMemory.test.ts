import type { IDataObject } from 'n8n-workflow';
import type { WebhookEvent } from '../../../nodes/Messaging/trigger/event';
import { keyOf } from '../../../nodes/Messaging/trigger/eventKey';
import type { EventMemory, Verdict } from '../../../nodes/Messaging/trigger/eventMemory';
import { packed, unpacked } from '../../../nodes/Messaging/trigger/packedTimes';
import { webhookCall } from '../../support/webhookCall';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

type Module = typeof import('../../../nodes/Messaging/trigger/eventMemory');

/** The module as a process of n8n loads it when it starts. */
function startProcess(): Module {
	let module: Module | undefined;
	jest.isolateModules(() => {
		module = jest.requireActual<Module>('../../../nodes/Messaging/trigger/eventMemory');
	});
	return module!;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-01-01T12:00:00Z');

afterEach(() => jest.restoreAllMocks());
const atTime = (ms: number) => jest.spyOn(Date, 'now').mockReturnValue(ms);

type Where = { workflowId?: string; nodeId?: string; staticData?: IDataObject };
/** The event memory of one call, with its own copy of the static data. */
const memoryIn = (process: Module, where: Where = {}): EventMemory =>
	new process.EventMemory(webhookCall({ staticData: {}, ...where }).context);

/** Decides on an event; a call that waits for another one stops after a second. */
const once = async (
	memory: EventMemory,
	key: string,
	decide: () => Promise<Verdict>,
	shares: 'decision' | 'outcome' = 'outcome',
) => await memory.once(key, decide, shares, Date.now() + 1000);

const says = (verdict: Verdict) => jest.fn(async () => verdict);

/** A key with a short name. */
const k = (name: string) => name[0] + name.slice(1).padStart(10, '_');

/** The static data that n8n has saved of the trigger. */
const savedAt = (times: Record<string, number>): IDataObject => ({
	events: packed(new Map(Object.entries(times).map(([name, at]) => [k(name), at]))),
});
const keysIn = (staticData: IDataObject) => [...unpacked(staticData).keys()];

/** A call whose execution n8n begins. */
async function begin(memory: EventMemory, ...keys: string[]) {
	const verdicts = [];
	for (const key of keys) verdicts.push(await once(memory, key, says('accepted')));
	memory.remember(keys);
	memory.save()?.();
	return verdicts;
}

/** A decision that is made later. */
function undecided() {
	let settle: (verdict: Verdict) => void = () => {};
	const verdict = new Promise<Verdict>((resolve) => (settle = resolve));
	return { decide: async () => await verdict, settle: (made: Verdict) => settle(made) };
}

describe('an event', () => {
	test('is accepted once', async () => {
		const process = startProcess();
		expect(await begin(memoryIn(process), k('ca'))).toEqual(['accepted']);
		const decide = says('accepted');
		expect(await once(memoryIn(process), k('ca'), decide)).toBe('duplicate');
		expect(decide).not.toHaveBeenCalled();
		expect(await once(memoryIn(process), k('cb'), decide)).toBe('accepted');
	});

	test('that did not begin is accepted when it is redelivered', async () => {
		const process = startProcess();
		const memory = memoryIn(process);
		await once(memory, k('ca'), says('accepted'));
		memory.forget([k('ca')]);
		expect(await once(memoryIn(process), k('ca'), says('accepted'))).toBe('accepted');
	});

	test.each<Verdict>(['notConfirmed', 'unknownCampaign'])(
		'that was %s is decided on again when it is redelivered',
		async (verdict) => {
			const process = startProcess();
			expect(await once(memoryIn(process), k('ca'), says(verdict))).toBe(verdict);
			expect(await once(memoryIn(process), k('ca'), says('accepted'))).toBe('accepted');
		},
	);

	test.each<[Verdict, Verdict | 'duplicate']>([
		['accepted', 'duplicate'],
		['notConfirmed', 'notConfirmed'],
		['unknownCampaign', 'unknownCampaign'],
	])('that is delivered twice at once is decided on once: %s, %s', async (verdict, shared) => {
		const process = startProcess();
		const slow = undecided();
		const memory = memoryIn(process);
		const first = once(memory, k('ca'), slow.decide);
		const decide = says('accepted');
		const second = once(memoryIn(process), k('ca'), decide);
		const inList = once(memoryIn(process), k('ca'), decide, 'decision');
		slow.settle(verdict);
		expect([await first, await inList]).toEqual([verdict, shared]);
		memory.remember([k('ca')]);
		expect(await second).toBe(shared);
		expect(decide).not.toHaveBeenCalled();
	});

	test.each<[boolean, 'duplicate' | 'notBegun']>([
		[true, 'duplicate'],
		[false, 'notBegun'],
	])(
		'that is redelivered before n8n has begun (it will: %s) waits for that: %s',
		async (begins, shared) => {
			const process = startProcess();
			const memory = memoryIn(process);
			await once(memory, k('ca'), says('accepted'));
			const decide = says('accepted');
			const second = once(memoryIn(process), k('ca'), decide);
			const order: string[] = [];
			const watched = second.then(() => order.push('second'));
			for (let tick = 0; tick < 50; tick++) await null;
			order.push('over');
			if (begins) memory.remember([k('ca')]);
			else memory.forget([k('ca')]);
			await watched;
			expect(order).toEqual(['over', 'second']);
			expect(await second).toBe(shared);
			expect(decide).not.toHaveBeenCalled();
		},
	);

	test('that has not begun in time is still pending: a redelivery is not a duplicate, and starts nothing', async () => {
		const process = startProcess();
		const memory = memoryIn(process);
		await once(memory, k('ca'), says('accepted'));
		const decide = says('accepted');
		for (let delivery = 0; delivery < 2; delivery++) {
			const repeated = memoryIn(process).once(k('ca'), decide, 'outcome', Date.now() + 5);
			expect(await repeated).toBe('notBegun');
			expect(await memoryIn(process).outcomeOf(k('ca'), Date.now() + 5)).toBe('notBegun');
		}
		memory.remember([k('ca')]);
		expect(await once(memoryIn(process), k('ca'), decide)).toBe('duplicate');
		expect(decide).not.toHaveBeenCalled();
	});

	test('that was answered before it has begun keeps no other call waiting, and starts once', async () => {
		const process = startProcess();
		const memory = memoryIn(process);
		await once(memory, k('ca'), says('accepted'));
		const waiting = once(memoryIn(process), k('ca'), says('accepted'));
		memory.settleEarly([k('ca'), 'never delivered'], 'accepted');
		expect(await waiting).toBe('duplicate');
		expect(await once(memoryIn(process), k('ca'), says('accepted'))).toBe('duplicate');
		// It has not begun, so no call saves it.
		const staticData: IDataObject = {};
		memoryIn(process, { staticData }).save();
		expect(keysIn(staticData)).toEqual([]);
		memory.forget([k('ca')]);
		expect(await once(memoryIn(process), k('ca'), says('accepted'))).toBe('accepted');
	});

	test('whose decision fails is decided on again when it is redelivered', async () => {
		const process = startProcess();
		const failing = async () => await Promise.reject<Verdict>(new RangeError('broken'));
		await expect(once(memoryIn(process), k('ca'), failing)).rejects.toThrow('broken');
		expect(await once(memoryIn(process), k('ca'), says('accepted'))).toBe('accepted');
	});

	test.each([
		['another workflow', { workflowId: 'w2' }],
		['another trigger', { nodeId: 'n2' }],
	])('of %s is a different event', async (_, where) => {
		const process = startProcess();
		await begin(memoryIn(process), k('ca'));
		expect(await once(memoryIn(process, where), k('ca'), says('accepted'))).toBe('accepted');
	});

	test.each([
		[7 * DAY, 'duplicate'],
		[7 * DAY + 1, 'accepted'],
	])('%d ms later: %s', async (later, expected) => {
		const process = startProcess();
		atTime(START);
		await begin(memoryIn(process), k('ca'));
		atTime(START + later);
		expect(await once(memoryIn(process), k('ca'), says('accepted'))).toBe(expected);
	});
});

describe('the saved memory', () => {
	test('is read after a restart', async () => {
		const staticData: IDataObject = {};
		const memory = memoryIn(startProcess(), { staticData });
		await once(memory, k('ca'), says('accepted'));
		await once(memory, k('cb'), says('unknownCampaign'));
		memory.remember([k('ca')]);
		memory.save()?.();
		const next = startProcess();
		expect(await once(memoryIn(next, { staticData }), k('ca'), says('accepted'))).toBe('duplicate');
		expect(await once(memoryIn(next, { staticData }), k('cb'), says('accepted'))).toBe('accepted');
	});

	test('holds only what has begun: an event that waited when the process ended is accepted again', async () => {
		const staticData: IDataObject = {};
		const process = startProcess();
		const memory = memoryIn(process, { staticData });
		await once(memory, k('ca'), says('accepted'));
		await once(memoryIn(process, { staticData: {} }), k('cb'), says('accepted'));
		memory.remember([k('ca')]);
		memory.save()?.();
		const next = startProcess();
		expect(await once(memoryIn(next, { staticData }), k('cb'), says('accepted'))).toBe('accepted');
		expect(await once(memoryIn(next, { staticData }), k('ca'), says('accepted'))).toBe('duplicate');
	});

	test('is read also when another process has saved it since this one started', async () => {
		const process = startProcess();
		await begin(memoryIn(process), k('ca'));
		const staticData = savedAt({ cb: Date.now() });
		expect(await once(memoryIn(process, { staticData }), k('cb'), says('accepted'))).toBe(
			'duplicate',
		);
	});

	test.each([
		[7 * DAY, 'duplicate'],
		[7 * DAY + HOUR, 'accepted'],
	])('of %d ms ago: %s, because times are saved by the hour', async (ago, expected) => {
		atTime(START);
		const staticData = savedAt({ ca: START - ago });
		expect(await once(memoryIn(startProcess(), { staticData }), k('ca'), says('accepted'))).toBe(
			expected,
		);
		// Also when it was saved after this process started.
		const process = startProcess();
		memoryIn(process);
		expect(await once(memoryIn(process, { staticData }), k('ca'), says('accepted'))).toBe(expected);
	});

	test('holds what has begun with other calls, not what they are handling', async () => {
		const process = startProcess();
		const copies: IDataObject[] = [{}, savedAt({ c0: Date.now() }), {}];
		const [one, two, three] = copies.map((staticData) => memoryIn(process, { staticData }));
		const known = () => copies.map((copy) => keysIn(copy).sort());
		await once(one, k('c1'), says('accepted'));
		await begin(two, k('c2'));
		expect(known()).toEqual([[], [k('c0'), k('c2')], []]);
		one.remember([k('c1')]);
		one.save()?.();
		await begin(three, k('c3'));
		expect(known()).toEqual([
			[k('c0'), k('c1'), k('c2')],
			[k('c0'), k('c2')],
			[k('c0'), k('c1'), k('c2'), k('c3')],
		]);
	});

	test('was overwritten by another process: the next call notices it', async () => {
		const process = startProcess();
		const staticData: IDataObject = {};
		expect(memoryIn(process).isOverwritten).toBe(false);
		await begin(memoryIn(process, { staticData }), k('ca'));
		expect(memoryIn(process, { staticData }).isOverwritten).toBe(false);
		const old = memoryIn(process, { staticData: {} });
		expect(old.isOverwritten).toBe(true);
		// A call that came before the last save has an old copy of the static data.
		await begin(memoryIn(process, { staticData }), k('cb'));
		expect(old.isOverwritten).toBe(false);
	});

	test('does not hold what another call could not begin', async () => {
		const process = startProcess();
		const staticData: IDataObject = {};
		const failed = memoryIn(process, { staticData: {} });
		await once(failed, k('ca'), says('accepted'));
		failed.forget([k('ca')]);
		await begin(memoryIn(process, { staticData }), k('cb'));
		expect(keysIn(staticData)).toEqual([k('cb')]);
		expect(await once(memoryIn(process), k('ca'), says('accepted'))).toBe('accepted');
	});

	describe('holds an event for certain', () => {
		/** A trigger that two events have begun of, with a call for each. */
		async function two() {
			const process = startProcess();
			const calls = [k('ca'), k('cb')].map((key) => ({
				key,
				staticData: {} as IDataObject,
				memory: undefined as unknown as EventMemory,
			}));
			for (const call of calls) {
				call.memory = memoryIn(process, call);
				await once(call.memory, call.key, says('accepted'));
			}
			return { one: calls[0], other: calls[1], process };
		}

		test('when n8n has saved it, not before', async () => {
			const { one } = await two();
			one.memory.remember([one.key]);
			expect(one.memory.areSaved([one.key])).toBe(false);
			const onSaved = one.memory.save()!;
			expect(one.memory.areSaved([one.key])).toBe(false);
			onSaved();
			expect(one.memory.areSaved([one.key])).toBe(true);
		});

		test('with the next save, when it begins while another one is in flight', async () => {
			const { one, other, process } = await two();
			one.memory.remember([one.key]);
			const onSaved = one.memory.save()!;
			other.memory.remember([other.key]);
			// n8n could write the two in the other order.
			expect(other.memory.save()).toBeUndefined();
			expect(other.staticData).toEqual({});
			onSaved();
			expect(other.memory.areSaved([other.key])).toBe(false);
			let isSaved = false;
			const waiting = other.memory.untilSaved([other.key]).then(() => (isSaved = true));
			await Promise.resolve();
			expect(isSaved).toBe(false);
			const staticData: IDataObject = {};
			memoryIn(process, { staticData }).save()!();
			await waiting;
			expect(keysIn(staticData)).toEqual([one.key, other.key]);
		});

		test('not with a save that n8n never ends, which keeps the next one waiting for 70 seconds', async () => {
			const { one, other } = await two();
			atTime(START);
			one.memory.remember([one.key]);
			one.memory.save();
			atTime(START + 70_000);
			expect(other.memory.save()).toBeUndefined();
			atTime(START + 70_001);
			expect(one.memory.areSaved([one.key])).toBe(false);
			other.memory.save()!();
			expect(one.memory.areSaved([one.key])).toBe(true);
		});
	});

	test('a process that runs for long forgets the oldest events, too', async () => {
		const memory = memoryIn(startProcess());
		memory.remember(Array.from({ length: 6001 }, (_, index) => k(`o${index}`)));
		memory.save()?.();
		const verdicts = [];
		for (const name of ['o6000', 'o4001', 'o4000', 'o0']) {
			verdicts.push(await once(memory, k(name), says('accepted')));
		}
		expect(verdicts).toEqual(['duplicate', 'duplicate', 'accepted', 'accepted']);
		expect(memory.areSaved([k('o4001'), k('o6000')])).toBe(true);
	});

	test('keeps the newest 2,000 events of each kind, oldest first, in less than 25 KB', async () => {
		const staticData: IDataObject = {};
		const process = startProcess();
		atTime(START - 1);
		await begin(memoryIn(process), k('o0'));
		for (let index = 0; index < 2000; index++) {
			atTime(START + index);
			await begin(memoryIn(process), k(`c${index}`));
		}
		atTime(START + 2000);
		await begin(memoryIn(process, { staticData }), k('c2000'));
		const expected = [k('o0'), ...Array.from({ length: 2000 }, (_, index) => k(`c${index + 1}`))];
		expect(keysIn(staticData)).toEqual(expected);
		expect(JSON.stringify(staticData).length).toBeLessThan(25_000);
		const next = startProcess();
		expect(await once(memoryIn(next, { staticData }), k('c1'), says('accepted'))).toBe('duplicate');
		expect(await once(memoryIn(next, { staticData }), k('c0'), says('accepted'))).toBe('accepted');
	});

	test('keeps new events also after the clock was ahead', async () => {
		const staticData: IDataObject = {};
		const process = startProcess();
		const fill = memoryIn(process, { staticData });
		atTime(START + 30 * DAY);
		const ahead = Array.from({ length: 2000 }, (_, index) => k(`c${index}`));
		await begin(fill, ...ahead);
		atTime(START);
		await begin(memoryIn(process, { staticData }), k('cnew'));
		for (const running of [process, startProcess()]) {
			const memory = memoryIn(running, { staticData });
			expect(await once(memory, k('cnew'), says('accepted'))).toBe('duplicate');
			expect(await once(memory, k('c1'), says('accepted'))).toBe('duplicate');
		}
		// One of the others made room for it.
		expect(keysIn(staticData)).toEqual([...ahead.slice(1), k('cnew')]);
		expect(Math.max(...unpacked(staticData).values())).toBeLessThan(START + HOUR);
	});

	test('drops events after a week', async () => {
		const staticData = savedAt({ cold: START - HOUR, cnew: START });
		atTime(START + 7 * DAY + 1);
		await begin(memoryIn(startProcess(), { staticData }), k('cb'));
		expect(keysIn(staticData)).toEqual([k('cnew'), k('cb')]);
	});

	test.each([
		'',
		' ',
		':',
		'c:',
		'c!!:____________',
		`c:${'_'.repeat(25)}`,
		'é',
		9e15,
		null,
		[],
		{},
	])('is empty when it is %j', async (events) => {
		const staticData = { events } as IDataObject;
		const process = startProcess();
		expect(await begin(memoryIn(process, { staticData }), k('ca'))).toEqual(['accepted']);
		expect(keysIn(staticData)).toEqual([k('ca')]);
	});

	test('of version 0.2 is read: after an update of the package, no event starts twice', async () => {
		// As version 0.2 saved the completion of the campaign "a".
		const staticData: IDataObject = { accepted: { cca978112ca1bbdcafac231b3: Date.now() } };
		const event: WebhookEvent = { event: 'campaignCompleted', campaignId: 'a', body: {} };
		const key = keyOf(event, { events: [event], query: {}, body: {} });
		const process = startProcess();
		const memory = memoryIn(process, { staticData });
		expect(await once(memory, key, says('accepted'))).toBe('duplicate');
		await begin(memory, k('cb'));
		expect(keysIn(staticData)).toEqual([key, k('cb')]);
		expect(staticData.accepted).toBeUndefined();
	});
});

test('a trigger that was not called for a week is dropped from this process', async () => {
	const process = startProcess();
	atTime(START);
	await begin(memoryIn(process, { nodeId: 'gone' }), k('ca'));
	atTime(START + 4 * DAY);
	await begin(memoryIn(process, { nodeId: 'used' }), k('ca'));
	atTime(START + 8 * DAY);
	memoryIn(process, { nodeId: 'new' });
	expect(await once(memoryIn(process, { nodeId: 'used' }), k('ca'), says('accepted'))).toBe(
		'duplicate',
	);
	expect(await once(memoryIn(process, { nodeId: 'gone' }), k('ca'), says('accepted'))).toBe(
		'accepted',
	);
});

test('a trigger that is deciding is not dropped when another one is called', async () => {
	const process = startProcess();
	const slow = undecided();
	const busy = memoryIn(process, { nodeId: 'busy' });
	const first = once(busy, k('ca'), slow.decide);
	memoryIn(process, { nodeId: 'other' });
	const second = once(memoryIn(process, { nodeId: 'busy' }), k('ca'), says('accepted'));
	slow.settle('accepted');
	await first;
	busy.remember([k('ca')]);
	expect([await first, await second]).toEqual(['accepted', 'duplicate']);
});
