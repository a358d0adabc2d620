import type { IDataObject } from 'n8n-workflow';
import type { WebhookEvent } from '../../../nodes/Messaging/trigger/event';
import { keyOf } from '../../../nodes/Messaging/trigger/eventKey';

describe('the key', () => {
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

	test('of a completion depends on its campaign and the name of its event only', () => {
		expect(key(completion('a', { x: 1 }), { q: '1' }, '{"x":1}')).toBe(key(completion('a')));
		expect(key(completion('a'))).not.toBe(key(completion('b')));
		expect(key(completion('A'))).toBe(key(completion('a')));
		expect(key(completion('a'))).toMatch(/^c[\w-]{10}$/);
		const named = (name: string) => key({ ...completion('a'), name });
		expect(named('done')).toBe(named('done'));
		expect(new Set([named('done'), named('ended'), key(completion('a'))]).size).toBe(3);
	});

	test('of any other event depends on its body and its query', () => {
		expect(key(other({ x: 1 }), { q: '1' })).toBe(key(other({ x: 1 }), { q: '1' }));
		expect(key(other({ x: 1 }), { q: '1' })).not.toBe(key(other({ x: 1 }), { q: '2' }));
		expect(key(other({ x: 1 }))).toMatch(/^o[\w-]{10}$/);
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
	])(
		'of an event with %s, which parsing rounds, depends on the bytes, also in a list',
		(_, one, two) => {
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
		},
	);
});
