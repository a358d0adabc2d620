import type { IDataObject } from 'n8n-workflow';
import type { EventMemory, Verdict } from '../../../nodes/Messaging/trigger/eventMemory';
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

const DAY = 24 * 3_600_000;
const START = Date.parse('2026-01-01T12:00:00Z');

afterEach(() => jest.restoreAllMocks());
const atTime = (ms: number) => jest.spyOn(Date, 'now').mockReturnValue(ms);

type Where = { workflowId?: string; nodeId?: string; staticData?: IDataObject };
/** The event memory of one call, with its own copy of the static data. */
const memoryOf = (process: Module, where: Where = {}): EventMemory =>
	new process.EventMemory(webhookCall({ staticData: {}, ...where }).context);

const says = (verdict: Verdict) => jest.fn(async () => verdict);

/** A call whose execution n8n begins. */
async function begin(memory: EventMemory, ...keys: string[]) {
	const verdicts = [];
	for (const key of keys) verdicts.push(await memory.once(key, says('accepted')));
	memory.save(keys);
	memory.end(keys, true);
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
		expect(await begin(memoryOf(process), 'ca')).toEqual(['accepted']);
		const decide = says('accepted');
		expect(await memoryOf(process).once('ca', decide)).toBe('duplicate');
		expect(decide).not.toHaveBeenCalled();
		expect(await memoryOf(process).once('cb', decide)).toBe('accepted');
	});

	test('that did not begin is accepted when it is redelivered', async () => {
		const process = startProcess();
		const memory = memoryOf(process);
		await memory.once('ca', says('accepted'));
		memory.end(['ca'], false);
		expect(await memoryOf(process).once('ca', says('accepted'))).toBe('accepted');
	});

	test.each<Verdict>(['notConfirmed', 'unknownCampaign'])(
		'that was %s is decided on again when it is redelivered',
		async (verdict) => {
			const process = startProcess();
			expect(await memoryOf(process).once('ca', says(verdict))).toBe(verdict);
			expect(await memoryOf(process).once('ca', says('accepted'))).toBe('accepted');
		},
	);

	test.each<[Verdict, Verdict | 'duplicate']>([
		['accepted', 'duplicate'],
		['notConfirmed', 'notConfirmed'],
		['unknownCampaign', 'unknownCampaign'],
	])('that is delivered twice at once is decided on once: %s, %s', async (verdict, shared) => {
		const process = startProcess();
		const slow = undecided();
		const memory = memoryOf(process);
		const first = memory.once('ca', slow.decide);
		const decide = says('accepted');
		const second = memoryOf(process).once('ca', decide);
		const inList = memoryOf(process).once('ca', decide, 'decision');
		slow.settle(verdict);
		expect([await first, await inList]).toEqual([verdict, shared]);
		memory.end(['ca'], true);
		expect(await second).toBe(shared);
		expect(decide).not.toHaveBeenCalled();
	});

	test.each<[boolean, Verdict | 'duplicate']>([
		[true, 'duplicate'],
		[false, 'notConfirmed'],
	])(
		'that is redelivered before n8n has begun waits for that (n8n begins: %s): %s',
		async (begins, shared) => {
			const process = startProcess();
			const memory = memoryOf(process);
			await memory.once('ca', says('accepted'));
			const decide = says('accepted');
			const second = memoryOf(process).once('ca', decide);
			const order: string[] = [];
			const watched = second.then(() => order.push('second'));
			for (let tick = 0; tick < 50; tick++) await null;
			order.push('over');
			memory.end(['ca'], begins);
			await watched;
			expect(order).toEqual(['over', 'second']);
			expect(await second).toBe(shared);
			expect(decide).not.toHaveBeenCalled();
		},
	);

	test('that was answered before it has begun keeps no other call waiting, and starts once', async () => {
		const process = startProcess();
		const memory = memoryOf(process);
		await memory.once('ca', says('accepted'));
		const waiting = memoryOf(process).once('ca', says('accepted'));
		memory.settleEarly(['ca', 'never delivered'], 'accepted');
		expect(await waiting).toBe('duplicate');
		expect(await memoryOf(process).once('ca', says('accepted'))).toBe('duplicate');
		// It has not begun, so no call saves it.
		const staticData: IDataObject = {};
		memoryOf(process, { staticData }).repair();
		expect(staticData).toEqual({});
		memory.end(['ca'], false);
		expect(await memoryOf(process).once('ca', says('accepted'))).toBe('accepted');
	});

	test('whose decision fails is decided on again when it is redelivered', async () => {
		const process = startProcess();
		const failing = async () => await Promise.reject<Verdict>(new RangeError('broken'));
		await expect(memoryOf(process).once('ca', failing)).rejects.toThrow('broken');
		expect(await memoryOf(process).once('ca', says('accepted'))).toBe('accepted');
	});

	test.each([
		['another workflow', { workflowId: 'w2' }],
		['another trigger', { nodeId: 'n2' }],
	])('of %s is a different event', async (_, where) => {
		const process = startProcess();
		await begin(memoryOf(process), 'ca');
		expect(await memoryOf(process, where).once('ca', says('accepted'))).toBe('accepted');
	});

	test.each([
		[7 * DAY, 'duplicate'],
		[7 * DAY + 1, 'accepted'],
	])('%d ms later: %s', async (later, expected) => {
		const process = startProcess();
		atTime(START);
		await begin(memoryOf(process), 'ca');
		atTime(START + later);
		expect(await memoryOf(process).once('ca', says('accepted'))).toBe(expected);
	});
});

describe('the saved memory', () => {
	test('is read after a restart', async () => {
		const staticData: IDataObject = {};
		const memory = memoryOf(startProcess(), { staticData });
		await memory.once('ca', says('accepted'));
		await memory.once('cb', says('unknownCampaign'));
		memory.save(['ca']);
		const next = startProcess();
		expect(await memoryOf(next, { staticData }).once('ca', says('accepted'))).toBe('duplicate');
		expect(await memoryOf(next, { staticData }).once('cb', says('accepted'))).toBe('accepted');
	});

	test('holds only what has begun: an event that waited when the process ended is accepted again', async () => {
		const staticData: IDataObject = {};
		const process = startProcess();
		const memory = memoryOf(process, { staticData });
		await memory.once('ca', says('accepted'));
		await memoryOf(process, { staticData: {} }).once('cb', says('accepted'));
		memory.save(['ca']);
		const next = startProcess();
		expect(await memoryOf(next, { staticData }).once('cb', says('accepted'))).toBe('accepted');
		expect(await memoryOf(next, { staticData }).once('ca', says('accepted'))).toBe('duplicate');
	});

	test('is read also when another process has saved it since this one started', async () => {
		const process = startProcess();
		await begin(memoryOf(process), 'ca');
		const staticData = { accepted: { cb: Date.now() } };
		expect(await memoryOf(process, { staticData }).once('cb', says('accepted'))).toBe('duplicate');
	});

	test.each([
		[7 * DAY, 'duplicate'],
		[7 * DAY + 1, 'accepted'],
	])('of %d ms ago: %s', async (ago, expected) => {
		atTime(START);
		const staticData = { accepted: { ca: START - ago } };
		expect(await memoryOf(startProcess(), { staticData }).once('ca', says('accepted'))).toBe(
			expected,
		);
		// Also when it was saved after this process started.
		const process = startProcess();
		memoryOf(process);
		expect(await memoryOf(process, { staticData }).once('ca', says('accepted'))).toBe(expected);
	});

	test('holds what has begun with other calls, not what they are handling', async () => {
		const process = startProcess();
		const copies: IDataObject[] = [{}, { accepted: { c0: Date.now() } }, {}];
		const [one, two, three] = copies.map((staticData) => memoryOf(process, { staticData }));
		const known = () => copies.map(({ accepted }) => Object.keys(accepted ?? {}).sort());
		await one.once('c1', says('accepted'));
		await begin(two, 'c2');
		expect(known()).toEqual([[], ['c0', 'c2'], []]);
		one.save(['c1']);
		one.end(['c1'], true);
		await begin(three, 'c3');
		expect(known()).toEqual([
			['c1', 'c2'],
			['c0', 'c2'],
			['c1', 'c2', 'c3'],
		]);
	});

	test('is repaired by a call that begins nothing, but not while another may be saving more', async () => {
		const process = startProcess();
		await begin(memoryOf(process), 'ca');
		const busy = memoryOf(process);
		await busy.once('cb', says('accepted'));
		const staticData: IDataObject = {};
		memoryOf(process, { staticData }).repair();
		expect(staticData).toEqual({});
		busy.end(['cb'], true);
		memoryOf(process, { staticData }).repair();
		expect(Object.keys(staticData.accepted as object).sort()).toEqual(['ca', 'cb']);
	});

	test('is marked as changed several times, because n8n loses the mark before the execution begins', async () => {
		let writes = 0;
		const staticData = new Proxy({} as IDataObject, {
			set: (values, name, value) => {
				writes++;
				return Reflect.set(values, name, value);
			},
		});
		await begin(memoryOf(startProcess(), { staticData }), 'ca');
		const before = writes;
		for (let tick = 0; tick < 100; tick++) await null;
		expect(writes).toBeGreaterThan(before);
		expect(Object.keys(staticData.accepted as object)).toEqual(['ca']);
		for (let tick = 0; tick < 100; tick++) await null;
		const all = writes;
		for (let tick = 0; tick < 100; tick++) await null;
		expect(writes).toBe(all);
	});

	test('does not hold what another call could not begin', async () => {
		const process = startProcess();
		const staticData: IDataObject = {};
		const failed = memoryOf(process, { staticData: {} });
		await failed.once('ca', says('accepted'));
		failed.save(['ca']);
		const other = memoryOf(process, { staticData });
		await other.once('cb', says('accepted'));
		other.save(['cb']);
		failed.end(['ca'], false);
		expect(Object.keys(staticData.accepted as object)).toEqual(['cb']);
	});

	test('is not written again when it holds everything', async () => {
		const staticData: IDataObject = {};
		const process = startProcess();
		memoryOf(process, { staticData }).repair();
		expect(staticData).toEqual({});
		await begin(memoryOf(process, { staticData }), 'ca');
		const { accepted } = staticData;
		memoryOf(process, { staticData }).repair();
		expect(staticData.accepted).toBe(accepted);
		await begin(memoryOf(process, { staticData }), 'cb');
		expect(Object.keys(staticData.accepted as object).sort()).toEqual(['ca', 'cb']);
	});

	test('keeps the newest 2,000 events of each kind, oldest first, with their times', async () => {
		const staticData: IDataObject = {};
		const process = startProcess();
		atTime(START - 1);
		await begin(memoryOf(process), 'o0');
		for (let index = 0; index < 2000; index++) {
			atTime(START + index);
			await begin(memoryOf(process), `c${index}`);
		}
		atTime(START + 2000);
		await begin(memoryOf(process, { staticData }), 'c2000');
		const expected = [
			['o0', START - 1],
			...Array.from({ length: 2000 }, (_, index) => [`c${index + 1}`, START + index + 1]),
		];
		expect(Object.entries(staticData.accepted as object)).toEqual(expected);
		// In this process too.
		expect(await memoryOf(startProcess(), { staticData }).once('c1', says('accepted'))).toBe(
			'duplicate',
		);
		expect(await memoryOf(process).once('c0', says('accepted'))).toBe('accepted');
	});

	test('keeps new events also after the clock was ahead', async () => {
		const staticData: IDataObject = {};
		const process = startProcess();
		const fill = memoryOf(process, { staticData });
		atTime(START + 30 * DAY);
		const ahead = Array.from({ length: 2000 }, (_, index) => `c${index}`);
		await begin(fill, ...ahead);
		atTime(START);
		await begin(memoryOf(process, { staticData }), 'cnew');
		for (const running of [process, startProcess()]) {
			const memory = memoryOf(running, { staticData });
			expect(await memory.once('cnew', says('accepted'))).toBe('duplicate');
			// The oldest of the others was dropped for it.
			expect(await memory.once('c0', says('unknownCampaign'))).toBe('unknownCampaign');
			expect(await memory.once('c1', says('accepted'))).toBe('duplicate');
		}
		expect(Object.keys(staticData.accepted as object)).toEqual([...ahead.slice(1), 'cnew']);
		expect(Math.max(...Object.values(staticData.accepted as object))).toBe(START);
	});

	test('drops events after a week', async () => {
		const staticData: IDataObject = { accepted: { cold: START, cnew: START + 1 } };
		atTime(START + 7 * DAY + 1);
		await begin(memoryOf(startProcess(), { staticData }), 'cb');
		expect(Object.keys(staticData.accepted as object)).toEqual(['cnew', 'cb']);
	});

	test.each<[string, unknown]>([
		['a text', '9e15'],
		['a list', [9e15]],
		['null', null],
		['an object', {}],
		['true', true],
	])('ignores a time that is %s', async (_, time) => {
		const staticData = { accepted: { ca: time } } as IDataObject;
		expect(await memoryOf(startProcess(), { staticData }).once('ca', says('accepted'))).toBe(
			'accepted',
		);
	});
});

test('a trigger that was not called for a week is dropped from this process', async () => {
	const process = startProcess();
	atTime(START);
	await begin(memoryOf(process, { nodeId: 'gone' }), 'ca');
	atTime(START + 4 * DAY);
	await begin(memoryOf(process, { nodeId: 'used' }), 'ca');
	atTime(START + 8 * DAY);
	memoryOf(process, { nodeId: 'new' });
	expect(await memoryOf(process, { nodeId: 'used' }).once('ca', says('accepted'))).toBe(
		'duplicate',
	);
	expect(await memoryOf(process, { nodeId: 'gone' }).once('ca', says('accepted'))).toBe('accepted');
});

test('a trigger that is deciding is not dropped when another one is called', async () => {
	const process = startProcess();
	const slow = undecided();
	const busy = memoryOf(process, { nodeId: 'busy' });
	const first = busy.once('ca', slow.decide);
	memoryOf(process, { nodeId: 'other' });
	const second = memoryOf(process, { nodeId: 'busy' }).once('ca', says('accepted'));
	slow.settle('accepted');
	await first;
	busy.end(['ca'], true);
	expect([await first, await second]).toEqual(['accepted', 'duplicate']);
});
