import type { WebhookEvent } from '../../../nodes/Messaging/trigger/event';
import { eventKey, TriggerMemory } from '../../../nodes/Messaging/trigger/memory';

describe('Ignore Repeated Events: an event', () => {
	const raw = (body: string) => Buffer.from(body);
	const completion: WebhookEvent = { event: 'campaignCompleted', campaignId: 'c', name: 'done' };
	const report: WebhookEvent = { event: 'smsDeliveryReport', name: 'm,read' };
	const other: WebhookEvent = { event: 'other' };

	test.each<[string, WebhookEvent, WebhookEvent, boolean]>([
		[
			'a completion: another spelling of the ID',
			completion,
			{ ...completion, campaignId: 'C' },
			true,
		],
		['a completion: another campaign', completion, { ...completion, campaignId: 'd' }, false],
		['a completion: another word', completion, { ...completion, name: 'finished' }, false],
		['an SMS report: the same name', report, { ...report }, true],
		['an SMS report: another name', report, { ...report, name: 'm,sent' }, false],
		['another event', other, { ...other }, false],
	])('has a key: %s', (_, one, two, isSame) => {
		const [a, b] = [eventKey(one, raw('1'), { q: '1' }), eventKey(two, raw('2'), { q: '1' })];
		expect(a === b).toBe(isSame);
		expect(eventKey(one, raw('1'), { q: '1' })).toBe(a);
		expect(a[0]).toBe(one.campaignId ? 'c' : 'o');
	});

	test('whose query differs is another one, unless it has a name', () => {
		const keys = (event: WebhookEvent) => ['1', '2'].map((q) => eventKey(event, raw('x'), { q }));
		expect(new Set(keys(other)).size).toBe(2);
		expect(new Set(keys(report)).size).toBe(1);
	});
});

test('Ignore Repeated Events: the newest thousand of each kind are remembered', () => {
	const memory = new TriggerMemory();
	memory.release([], ['c-first']);
	const keys = Array.from({ length: 1_100 }, (_, nth) => `o${nth}`);
	for (const key of keys) memory.release([], [key]);
	expect(memory.claim(['c-first', 'o100', 'o1099'])).toEqual([]);
	expect(memory.claim(['o99'])).toEqual(['o99']);
});
