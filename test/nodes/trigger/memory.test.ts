import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import type { WebhookEvent } from '../../../nodes/Messaging/trigger/event';
import { EventMemory, keyOf } from '../../../nodes/Messaging/trigger/memory';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let triggers = 0;
/** A trigger in this process. Each call has its own copy of the static data. */
function trigger(staticData: IDataObject = {}) {
	const id = `workflow-${++triggers}`;
	return (copy: IDataObject = staticData) =>
		new EventMemory({
			getWorkflowStaticData: (kind: string) => (kind === 'node' ? copy : {}),
			getWorkflow: () => ({ id }),
			getNode: () => ({ id: 'node' }),
		} as unknown as IWebhookFunctions);
}
const keysIn = ({ events }: IDataObject) =>
	String(events)
		.split('\n')
		.map((line) => line.split(' ')[0]);
const atTime = (ms: number) => jest.spyOn(Date, 'now').mockReturnValue(ms);
afterEach(() => jest.restoreAllMocks());

describe('Ignore Repeated Events: the key of an event', () => {
	const key = (event: Partial<WebhookEvent>, body = '{}', query: IDataObject = {}) =>
		keyOf({ event: 'other', ...event }, Buffer.from(body), query);
	const completion = (campaignId: string, name?: string) =>
		({ event: 'campaignCompleted', campaignId, name }) as const;

	test('is a letter for the kind and sixty bits of a hash', () => {
		expect(key(completion('c'))).toMatch(/^c[\w-]{10}$/);
		expect(key({})).toMatch(/^o[\w-]{10}$/);
		expect(key({ event: 'smsDeliveryReport' })).toMatch(/^o[\w-]{10}$/);
	});

	test('of a completion is that of its campaign and its name, whatever else came', () => {
		expect(key(completion('A-1'), '{"n":2}', { a: 1 })).toBe(key(completion(' a-1 ')));
		expect(key(completion('a'))).not.toBe(key(completion('b')));
		expect(key(completion('a', 'done'))).not.toBe(key(completion('a')));
	});

	test('of anything else is that of its kind, its bytes and its query', () => {
		const keys = [
			key({}),
			key({ event: 'smsDeliveryReport' }),
			key({}, '{"id":1234567890123456789}'),
			key({}, '{"id":1234567890123456790}'),
			key({}, '{}', { order: '1' }),
		];
		expect(new Set(keys).size).toBe(5);
		expect(key({}, '{}', { order: '1' })).toBe(keys[4]);
	});
});

describe('Ignore Repeated Events: an event', () => {
	test('is claimed by one call at a time, and by none after it has started', () => {
		const memory = trigger();
		expect(memory().claim(['c1', 'c2'])).toEqual(['c1', 'c2']);
		expect(memory().claim(['c1'])).toBeUndefined();
		expect(memory().claim(['c2', 'c3'])).toBeUndefined();
		const call = memory();
		call.noteStarted(['c1']);
		// Its call is not answered, so n8n may not have saved it.
		expect(memory().claim(['c1'])).toBeUndefined();
		call.release(['c1', 'c2']);
		expect(memory().claim(['c1', 'c2', 'c3'])).toEqual(['c2', 'c3']);
	});

	test('is remembered across a restart, in the text that n8n saved', () => {
		const saved: IDataObject = {};
		trigger(saved)().noteStarted(['c1', 'o1']);
		expect(saved).toEqual({ events: expect.stringMatching(/^c1 \d{13}\no1 \d{13}$/) as string });
		expect(trigger({ ...saved })().claim(['c1', 'o1', 'c2'])).toEqual(['c2']);
	});

	test('that another process has started is known from its text, and saved with the next one', () => {
		const [here, there] = [trigger(), trigger()];
		const saved: IDataObject = {};
		here({ ...saved }).noteStarted(['c1']);
		const other: IDataObject = {};
		there(other).noteStarted(['c2']);
		const copy = { ...other };
		const call = here(copy);
		expect(call.claim(['c1', 'c2', 'c3'])).toEqual(['c3']);
		call.noteStarted(['c3']);
		expect(keysIn(copy).sort()).toEqual(['c1', 'c2', 'c3']);
	});

	test.each([
		['six days', 6 * DAY, []],
		['eight days', 8 * DAY, ['c1']],
	])('after %s', (_, later, expected) => {
		const saved: IDataObject = {};
		const memory = trigger(saved);
		const now = Date.now();
		atTime(now);
		memory().noteStarted(['c1']);
		atTime(now + later);
		expect(memory().claim(['c1'])).toEqual(expected);
		expect(trigger({ ...saved })().claim(['c1'])).toEqual(expected);
		memory().noteStarted(['c2']);
		expect(keysIn(saved)).toHaveLength(2 - expected.length);
	});
});

test('Ignore Repeated Events: an event that has started again after a week is not started by a call with older static data', () => {
	const memory = trigger();
	const now = Date.now();
	const older = { events: `c1 ${now - 8 * DAY}` };
	memory({ ...older }).noteStarted(['c1']);
	expect(memory({ ...older }).claim(['c1'])).toEqual([]);
});

describe('Ignore Repeated Events: of many events', () => {
	const noteAll = (memory: () => EventMemory, kind: string, count: number, from = Date.now()) => {
		const keys = Array.from({ length: count }, (_, index) => `${kind}${index}`);
		for (let first = 0; first < count; first += 50) {
			atTime(from + first);
			memory().noteStarted(keys.slice(first, first + 50));
		}
	};

	test('the newest thousand of each kind are remembered, and the text stays short', () => {
		const saved: IDataObject = {};
		const memory = trigger(saved);
		memory().noteStarted(['c-first']);
		noteAll(memory, 'o', 1_100);
		expect(keysIn(saved)).toHaveLength(1_001);
		for (const each of [memory, trigger({ ...saved })]) {
			expect(each().claim(['c-first', 'o100', 'o1099'])).toEqual([]);
			expect(each().claim(['o99'])).toEqual(['o99']);
		}
		expect(String(saved.events).length).toBeLessThan(60_000);
	});

	test('those of another process that are older do not replace this process’s own', () => {
		const now = Date.now();
		const theirs: IDataObject = {};
		noteAll(trigger(theirs), 'c-theirs', 1_000, now - HOUR);
		const memory = trigger();
		noteAll(memory, 'c', 600, now);
		const call = memory({ ...theirs });
		call.noteStarted(['c-new']);
		expect(call.claim(['c0', 'c599', 'c-theirs999'])).toEqual([]);
	});

	test('times in the future, written while the clock was wrong, keep out no new ones', () => {
		const saved: IDataObject = {};
		const memory = trigger(saved);
		const now = Date.now();
		noteAll(memory, 'c', 1_000, now + 30 * DAY);
		atTime(now);
		for (const each of [memory, trigger({ ...saved })]) {
			each().noteStarted(['c-new']);
			expect(each().claim(['c-new', 'c999'])).toEqual([]);
		}
	});
});

test.each([null, 7, {}, 'text', 'a\nb c\n', 'c1 x\nc2 -1\nc3 '])(
	'Ignore Repeated Events: invalid static data are no memory: %j',
	(events) => {
		const saved = { events } as IDataObject;
		const call = trigger(saved)();
		expect(call.claim(['c1', 'c2', 'c3'])).toEqual(['c1', 'c2', 'c3']);
		call.noteStarted(['c1']);
		expect(keysIn(saved)).toEqual(['c1']);
	},
);
