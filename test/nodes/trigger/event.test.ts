import type { IDataObject } from 'n8n-workflow';
import { Look } from '../../../nodes/Messaging/trigger/campaignId';
import { readEvents as eventsOf } from '../../../nodes/Messaging/trigger/event';

/** The events without `name`, which matters only for their keys (eventKey.test.ts). */
const readEvents = (...call: Parameters<typeof eventsOf>) =>
	eventsOf(...call).map((event) => {
		const { ...shown } = event;
		delete shown.name;
		return shown;
	});

const completed = (campaignId: string, body: unknown) => ({
	event: 'campaignCompleted',
	campaignId,
	body,
});
const other = (body: unknown) => ({ event: 'other', body });
/** The campaign id of the first event; undefined when the call is not a completion. */
const idIn = (body: unknown, query: IDataObject = {}) => readEvents(body, query)[0].campaignId;
const nest = (depth: number, inner: unknown): unknown =>
	depth === 0 ? inner : { a: nest(depth - 1, inner) };

describe('an SMS report', () => {
	test('is recognised by the name of its event, whatever else it holds', () => {
		const body = { event: 'smsDeliveryReport', campaign_id: 'c' };
		expect(readEvents(body, { campaign_id: 'q' })).toEqual([{ event: 'smsDeliveryReport', body }]);
	});

	test.each<unknown>([
		{ event: 'smsdeliveryreport' },
		{ data: { event: 'smsDeliveryReport' } },
		Object.create({ event: 'smsDeliveryReport' }),
		'smsDeliveryReport',
		null,
	])('%j is not an SMS report', (body) => {
		expect(readEvents(body, {})).toEqual([other(body)]);
	});
});

describe('JSON in fields of a form', () => {
	const ending = '{"campaign_id":"c-1"}';
	const isCut = (form: object) => {
		let wasCut = false;
		eventsOf(form, {}, false, () => (wasCut = true));
		return wasCut;
	};

	test('is read up to 500,000 characters in all, and the rest is reported', () => {
		const padded = (length: number) =>
			`{"a":"${'x'.repeat(length - ending.length - 8)}",${ending.slice(1)}`;
		const payload = { payload: padded(500_000) };
		expect(payload.payload).toHaveLength(500_000 - 1);
		expect([readEvents(payload, {}), isCut(payload)]).toEqual([[completed('c-1', payload)], false]);
		const second = { other: `[${'1,'.repeat(200_000)}1]`, payload: padded(100_000) };
		expect([readEvents(second, {}), isCut(second)]).toEqual([[other(second)], true]);
		const long = { payload: padded(500_002) };
		expect([readEvents(long, {}), isCut(long)]).toEqual([[other(long)], true]);
	});

	test('may begin with up to a thousand blanks', () => {
		const payload = (blanks: number) => ({ payload: ' '.repeat(blanks) + ending });
		expect(readEvents(payload(1000), {})).toEqual([completed('c-1', payload(1000))]);
		expect(readEvents(payload(1001), {})).toEqual([other(payload(1001))]);
	});
});

test('an id may have up to a thousand blanks around it, and longer texts are not even trimmed', () => {
	const trim = jest.spyOn(String.prototype, 'trim');
	const idOf = (id: string) => idIn({ campaign_id: id, event: ' '.repeat(5000) });
	const ids = [idOf('c'.padStart(1000)), idOf('c'.padStart(1001)), idOf('c'.padEnd(1_000_000))];
	const trimmed = trim.mock.contexts.map((text) => text.length);
	trim.mockRestore();
	expect(ids).toEqual(['c', undefined, undefined]);
	expect(Math.max(...trimmed)).toBeLessThanOrEqual(1000);
});

describe('a completion', () => {
	test.each([
		'campaign_id',
		'campaignId',
		'campaignid',
		'CAMPAIGN_ID',
		'Campaign-ID',
		'campaign id',
		'_campaign--id_',
	])('is recognised by a field %j', (name) => {
		const body = { [name]: 'c' };
		expect(readEvents(body, {})).toEqual([completed('c', body)]);
	});

	test.each(['campaigns_id', 'xcampaign_id', 'campaign.id', 'id', ''])(
		'is not recognised by a field %j',
		(name) => {
			expect(readEvents({ [name]: 'c' }, {})).toEqual([other({ [name]: 'c' })]);
		},
	);

	test.each<[unknown, string | undefined]>([
		['c', 'c'],
		[' c ', 'c'],
		['c 1', 'c 1'],
		[0, '0'],
		[17, '17'],
		['x'.repeat(200), 'x'.repeat(200)],
		['x'.repeat(201), undefined],
		['', undefined],
		['  ', undefined],
		['a\nb', undefined],
		['a\ud800', undefined],
		['😀', '😀'],
		[true, undefined],
		[null, undefined],
		[['c'], undefined],
		[{ id: 'c' }, undefined],
	])('the id %j', (id, expected) => {
		expect(idIn({ campaign_id: id })).toBe(expected);
	});

	test.each<[string, unknown, string | undefined]>([
		['the first usable of several names', { campaign_id: '', campaignId: 'b' }, 'b'],
		['a name before `campaign.id`', { campaign: { id: 'a' }, campaign_id: 'b' }, 'b'],
		['`campaign.id`', { campaign: { id: 'a' } }, 'a'],
		['`campaign` as the id itself', { campaign: 'a' }, 'a'],
		['`campaign` within a wrapper as the id itself', { data: { campaign: 'a' } }, 'a'],
		['`campaign` below a wrapper in another object', { x: { data: { campaign: 'a' } } }, undefined],
		[
			'`campaign` as a name, the id elsewhere',
			{ campaign: 'n', a: { b: { campaign_id: 'c' } } },
			'c',
		],
		['an inherited `campaign`', Object.create({ campaign: 'a' }), undefined],
		[
			'a `campaign` with an inherited id',
			{ campaign: Object.create({ id: 'a' }) as object },
			undefined,
		],
		['the outermost', { data: { campaign_id: 'inner' }, campaign_id: 'outer' }, 'outer'],
		['a list in a field', { success: true, data: [{ campaign_id: 'a' }] }, 'a'],
		['a list under any name', { events: [{ campaign_id: 'a' }, { type: 'x' }] }, 'a'],
		['a list deeper down', { a: { b: [{ c: { campaignId: 'a' } }] } }, 'a'],
		['a list in a list', [[{ campaign_id: 'a' }]], 'a'],
		[
			'an object before a list',
			{ list: [{ campaign_id: 'a' }], x: { y: { campaign_id: 'b' } } },
			'b',
		],
		[
			'the outer list before the inner',
			{ x: { l: [{ campaign_id: 'a' }] }, l: [{ campaign_id: 'b' }] },
			'b',
		],
		[
			'a list before a `campaign` that may be a name',
			{ campaign: 'n', list: [{ campaign_id: 'a' }] },
			'a',
		],
		[
			'a `campaign` that may be a name, in a list in a field',
			{ list: [{ campaign: 'a' }] },
			undefined,
		],
		['a list of ids', { campaign_ids: ['a'] }, undefined],
		['the documented name before another', { 'Campaign-ID': 'b', campaign_id: 'a' }, 'a'],
		['a field that holds JSON', { a: 'x', payload: ' {"data":{"campaign_id":"a"}}' }, 'a'],
		['a field that holds a list in JSON', { payload: '[{"campaign_id":"a"}]' }, 'a'],
		[
			'a field before one that holds JSON',
			{ payload: '{"campaign_id":"a"}', x: { campaignId: 'b' } },
			'b',
		],
		[
			'JSON before a `campaign` that may be a name',
			{ campaign: 'n', payload: '{"campaign_id":"a"}' },
			'a',
		],
		['a field with malformed JSON', { payload: '{"campaign_id":"a"' }, undefined],
		['JSON that is not an object', { payload: '"campaign_id"', x: '[1]' }, undefined],
		['an inherited name', Object.create({ campaign_id: 'a' }), undefined],
		['an inherited wrapper', Object.create({ data: { campaign_id: 'a' } }), undefined],
		['text instead of an object', 'campaign_id', undefined],
		['a number', 7, undefined],
		['null', null, undefined],
	])('%s', (_, body, expected) => {
		expect(idIn(body)).toBe(expected);
	});

	test.each(['data', 'body', 'payload', 'event', 'campaign', 'conversation', 'message'])(
		'of objects side by side, `%s` comes before one with a meaningless name',
		(wrapper) => {
			expect(idIn({ any: { campaign_id: 'a' }, [wrapper]: { campaign_id: 'b' } })).toBe('b');
		},
	);

	test('of two wrappers, the one that holds the payload comes first', () => {
		expect(idIn({ message: { campaign_id: 'a' }, data: { campaign_id: 'b' } })).toBe('b');
	});

	test('of objects with meaningless names, the first', () => {
		expect(idIn({ x: { campaign_id: 'a' }, y: { campaign_id: 'b' } })).toBe('a');
	});

	test.each(['constructor', 'prototype', '__proto__'])('nothing below `%s` counts', (name) => {
		const body = JSON.parse(`{"${name}":{"campaign_id":"a"}}`) as unknown;
		expect(idIn(body)).toBeUndefined();
	});

	test.each([
		[0, true],
		[1, true],
		[5, true],
		[6, false],
		[50, false],
	])('at a depth of %d is found: %p', (depth, found) => {
		expect(idIn(nest(depth, { campaign_id: 'c' }))).toBe(found ? 'c' : undefined);
	});

	test('is searched in the first 1,000 objects only', () => {
		const many = (count: number) =>
			Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, {}]));
		const last = (count: number) => ({ ...many(count - 1), last: { campaign_id: 'c' } });
		expect(idIn(last(1000))).toBe('c');
		expect(idIn(last(1001))).toBeUndefined();
	});

	test('under its usual name, also in a wrapper, is found in an object of any size', () => {
		const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`n${n}`, n]));
		expect(idIn({ ...wide, campaign_id: 'a' })).toBe('a');
		expect(idIn({ ...wide, data: { campaignId: 'a' } })).toBe('a');
		expect(readEvents(wide, { 'Campaign-ID': 'q' })).toEqual([completed('q', wide)]);
	});

	test.each<[string, unknown, IDataObject, string | undefined]>([
		['the query', {}, { campaign_id: 'q' }, 'q'],
		['the body before the query', { campaign_id: 'b' }, { campaign_id: 'q' }, 'b'],
		[
			'the query before a `campaign` that may be a name',
			{ campaign: 'Sale' },
			{ campaign_id: 'q' },
			'q',
		],
		['no body', undefined, { campaignId: 'q' }, 'q'],
	])('in %s', (_, body, query, expected) => {
		expect(idIn(body, query)).toBe(expected);
	});
});

describe('a list', () => {
	const sms = { event: 'smsDeliveryReport' };
	const campaign = { campaign_id: 'c' };
	const records = (campaign_id: string, count: number) =>
		Array.from({ length: count }, (_, id) => ({ id, campaign_id }));

	test('of events gives one event for each element', () => {
		expect(readEvents([campaign, sms], {})).toEqual([
			completed('c', campaign),
			{ event: 'smsDeliveryReport', body: sms },
		]);
	});

	test.each<[string, unknown[], unknown[]]>([
		['after it', [campaign, { type: 'ping' }], [completed('c', campaign), other({ type: 'ping' })]],
		[
			'before it',
			[null, 7, { type: 'ping' }, [], campaign],
			[other([7, { type: 'ping' }, []]), completed('c', campaign)],
		],
		[
			'around an SMS report',
			[{ event: 'optOut' }, sms, null, { event: 'inboundMessage' }],
			[
				other([{ event: 'optOut' }, { event: 'inboundMessage' }]),
				{ event: 'smsDeliveryReport', body: sms },
			],
		],
		[
			'before a status with its campaign',
			[{ event: 'status' }, { event: 'status', campaign_id: 'c' }, campaign],
			[
				other([{ event: 'status' }, { event: 'status', campaign_id: 'c' }]),
				completed('c', campaign),
			],
		],
	])('with other elements %s: these are one event `other` together', (_, body, expected) => {
		expect(readEvents(body, {})).toEqual(expected);
		expect(readEvents(body, { campaign_id: 'q' })).toEqual(expected);
	});

	test('of other values beside a list of events gives no event', () => {
		const body = { tags: ['a', 'b'], events: [campaign, { event: 'optOut' }] };
		expect(readEvents(body, {})).toEqual([completed('c', campaign), other({ event: 'optOut' })]);
	});

	test.each<[string, unknown, boolean]>([
		['5,000 elements', records('c', 5000), false],
		['5,001 elements', records('c', 5001), true],
		['5,001 elements in a field', { data: records('c', 5001) }, true],
		['1,000 objects', { campaign: 'n', list: Array.from({ length: 1000 }, () => ({})) }, false],
		['very many names', { x: Object.fromEntries(records('c', 30_001).entries()) }, true],
	])('of %s: whether a part is not read', (_, body, isCut) => {
		const onCut = jest.fn();
		readEvents(body, {}, false, onCut);
		expect(onCut).toHaveBeenCalledTimes(isCut ? 1 : 0);
	});

	test('without any event is one event `other`', () => {
		const body = [{ a: 1 }, 7, null];
		expect(readEvents(body, {})).toEqual([other(body)]);
	});

	test('of one campaign’s log records is one event, with all of them', () => {
		for (const body of [records('c', 150), [...records('c', 12_000), { a: 1 }]]) {
			expect(readEvents(body, {})).toEqual([completed('c', body)]);
		}
	});

	test('of several campaigns’ log records is an event for each, with its own', () => {
		const [a, b, c] = [records('a', 150), records('b', 150), records('c', 1)];
		const body = [...a.slice(1), ...b, ...c, a[0]];
		const expected = [
			completed('a', [...a.slice(1), a[0]]),
			completed('b', b),
			completed('c', c[0]),
		];
		expect(readEvents(body, {})).toEqual(expected);
		expect(readEvents({ events: body }, {})).toEqual(expected);
	});

	test('in a field, of one campaign’s log records, is one event with the unchanged body', () => {
		const body = { success: true, data: records('c', 3), count: 3 };
		expect(readEvents(body, {})).toEqual([completed('c', body)]);
	});

	test('in a field, of SMS reports only, is one event `other`', () => {
		const body = { data: [sms, sms] };
		expect(readEvents(body, {})).toEqual([other(body)]);
		expect(readEvents({ data: [sms, campaign] }, {})).toEqual([
			{ event: 'smsDeliveryReport', body: sms },
			completed('c', campaign),
		]);
	});

	test('in the text of a field is an event for each campaign', () => {
		const list = [{ campaign_id: 'a' }, { campaign_id: 'b' }];
		expect(readEvents({ payload: JSON.stringify(list) }, {})).toEqual([
			completed('a', list[0]),
			completed('b', list[1]),
		]);
	});

	test('with a campaign in the query is one completion, not one for each element', () => {
		const body = [{ a: 1 }, { b: 2 }];
		expect(readEvents(body, { campaign_id: 'q' })).toEqual([completed('q', body)]);
	});

	test('that is empty is one event', () => {
		expect(readEvents([], {})).toEqual([other([])]);
		expect(readEvents([], { campaign_id: 'q' })).toEqual([completed('q', [])]);
	});
});

describe('a call that names its event', () => {
	const ENDS = [
		...['completed', 'complete', 'completion', 'completes', 'Completing', 'COMPLETED'],
		...['finished', 'finish', 'finishing', 'done', 'Done', 'end', 'ended', 'ends', 'ending'],
		...['campaignCompleted', 'campaign.completed', 'campaign_completed', 'campaign-complete'],
		...['CAMPAIGN_COMPLETED', 'CampaignFinished', 'campaign.end', 'campaignEnd', 'campaign:done'],
		...['campaigncompleted', 'campaignfinished', 'campaignended', 'campaigndone', 'CAMPAIGNEND'],
		...['SMSCompleted', 'campaign sending ended', 'sendingCompleted', 'v2CampaignEnded'],
		...['allMessagesCompleted', 'campaign.recipients.done', 'campaign.completed_with_failures'],
		...['campaignDeliveryCompleted', 'completed without errors'],
	];
	const NO_ENDS = [
		...['messageStatus', 'sent', 'delivered', 'read', 'campaign', 'campaignStarted', 'webhook'],
		...['send', 'sender', 'campaignSend', 'campaign.send', 'pending', 'campaignpending'],
		...['appended', 'suspended', 'campaign.extended', 'recommended', 'friend', 'weekend'],
		...['abandoned', 'undone', 'endpoint', 'campaignEndpointCalled', 'doner', 'completer'],
		...['incomplete', 'campaignIncomplete', 'campaignincomplete', 'unfinished', 'notcompleted'],
		...['not finished', 'notYetDone', 'campaign.not_completed', 'never-ended', 'un-finished'],
		...['end_user_replied', 'messageDone', 'recipientCompleted', 'campaign.message.completed'],
		...['endUsersNotified', 'contact_finished', 'recipientcompleted', 'campaignMessageDone'],
		...['campaign_completion_scheduled', 'expectedCampaignEnd', 'completion pending'],
		...['batchFinished', 'batchcompleted', 'chunk.done', '80% complete', '80 percent complete'],
		...['partially completed', 'almostDone', 'campaignCompletionFailed', 'failedToComplete'],
		...['campaignEndDateChanged', 'campaign.end.updated', 'completed: false', 'delivery complete'],
		...['x'.repeat(1000) + 'Done', '…', '完成'],
	];
	const FIELDS = ['event', 'type', 'eventType', 'event_type', 'Event', 'EVENT_TYPE'];

	test.each(ENDS)('%s is an end', (name) => {
		for (const field of FIELDS) {
			const body = { [field]: name, campaign_id: 'c' };
			expect(readEvents(body, {})).toEqual([completed('c', body)]);
		}
	});

	test.each(NO_ENDS)('%s is none', (name) => {
		for (const field of FIELDS) {
			const body = { [field]: name, campaign_id: 'c' };
			expect(readEvents(body, {})).toEqual([other(body)]);
		}
	});

	test.each<[string, unknown]>([
		['null', null],
		['an empty text', ' '],
		['a number', 17],
		['a boolean', true],
		['an empty list', []],
		['a list of numbers', [1]],
		['an object without a name', { id: 1 }],
	])('%s does not name an event', (_, event) => {
		const body = { event, campaign_id: 'c' };
		expect(readEvents(body, {})).toEqual([completed('c', body)]);
	});

	test('of a list of names, as forms have them, one that means completion is enough', () => {
		expect(idIn({ type: ['campaign', 'completed'], campaign_id: 'c' })).toBe('c');
		expect(idIn({ type: ['campaign', 'sent'], campaign_id: 'c' })).toBeUndefined();
	});

	test('an inherited name does not count', () => {
		expect(idIn(Object.assign(Object.create({ event: 'sent' }), { campaign_id: 'c' }))).toBe('c');
	});

	test.each<[string, unknown, boolean]>([
		['a status in an envelope', { data: { event: 'messageStatus', campaign_id: 'c' } }, false],
		['its type in an envelope', { data: { type: 'message.sent', campaign_id: 'c' } }, false],
		['around the campaign', { data: { event: 'sent', message: { campaign_id: 'c' } } }, false],
		['around a list', { data: { event: 'sent', list: [{ campaign_id: 'c' }] } }, false],
		['in an element’s envelope', [{ data: { event: 'sent', campaign_id: 'c' } }], false],
		['around a `campaign` that may be a name', { data: { event: 'sent', campaign: 'c' } }, false],
		['in JSON in a field', { p: '{"data":{"event":"sent","campaign_id":"c"}}' }, false],
		['done, of a message', { event: 'messageStatus', type: 'done', campaign_id: 'c' }, false],
		['done, in a message', { event: 'message', data: { event: 'done', campaign_id: 'c' } }, false],
		['an end in an envelope', { data: { event: 'done', campaign_id: 'c' } }, true],
		['in a webhook', { type: 'webhook', data: { event: 'ended', campaign_id: 'c' } }, true],
		['the kind of a record', { data: { type: 'TEXT', campaign_id: 'c' } }, true],
		['an end of messages', { event: 'done', data: [{ type: 'message', campaign_id: 'c' }] }, true],
		[
			'a campaign’s, in a message',
			{ type: 'message', event: 'campaignEnd', campaignId: 'c' },
			true,
		],
	])('a name in an inner object counts, too: %s', (_, body, isEnd) => {
		expect(readEvents(body, {})).toMatchObject([
			isEnd ? { event: 'campaignCompleted', campaignId: 'c' } : { event: 'other' },
		]);
	});

	const end = (id: string) => ({ event: 'campaign.completed', campaign_id: id });
	const status = (id: string, n = 0) => ({ event: 'messageStatus', campaign_id: id, n });

	test.each<[string, unknown[], unknown[]]>([
		['before it', [status('c'), end('c')], [other(status('c')), completed('c', end('c'))]],
		['after it', [end('c'), status('c')], [completed('c', end('c')), other(status('c'))]],
		[
			'of several campaigns, around it',
			[status('a'), end('c'), status('c', 1), { event: 'messageStatus' }],
			[other([status('a'), status('c', 1), { event: 'messageStatus' }]), completed('c', end('c'))],
		],
	])('in a list, statuses %s are one event `other` together', (_, list, expected) => {
		expect(readEvents(list, {})).toEqual(expected);
		expect(readEvents({ events: list }, {})).toEqual(expected);
		expect(readEvents({ payload: JSON.stringify(list) }, {})).toEqual(expected);
	});

	test('a list of other events takes no campaign from the query', () => {
		const body = [{ event: 'messageStatus', to: '385911001001' }];
		expect(readEvents(body, { campaign_id: 'q' })).toEqual([other(body)]);
	});

	test('a name in the query counts only when the campaign is in the query, too', () => {
		expect(idIn({ campaign_id: 'c' }, { type: 'sent' })).toBe('c');
		expect(idIn({}, { type: 'sent', campaign_id: 'c' })).toBeUndefined();
		expect(idIn({}, { type: 'sent', campaign: 'c' })).toBeUndefined();
		expect(idIn({}, { type: 'done', campaign: 'c' })).toBe('c');
	});
});

describe('only a limited part of a large call is read', () => {
	/** A list or an object that counts how often its elements or fields are read. Its length does not count. */
	function counted<Value extends object>(value: Value) {
		const reads = { count: 0 };
		const isField = (name: string | symbol) => typeof name === 'string' && name !== 'length';
		const proxy = new Proxy(value, {
			get: (values, name) => {
				if (isField(name)) reads.count++;
				return Reflect.get(values, name) as unknown;
			},
			getOwnPropertyDescriptor: (values, name) => {
				if (isField(name)) reads.count++;
				return Reflect.getOwnPropertyDescriptor(values, name);
			},
		});
		return { proxy, reads };
	}
	const many = <Element>(make: (index: number) => Element) =>
		Array.from({ length: 100_000 }, (_, index) => make(index));
	const wide = (value: unknown) => Object.fromEntries(many((index) => [`k${index}`, value]));

	test.each<[string, object, number]>([
		['a list of campaigns', many((campaign_id) => ({ campaign_id })), 101],
		['a list of SMS reports', many(() => ({ event: 'smsDeliveryReport' })), 101],
	])('of %s, one more than the limit of 100', (_, list, expected) => {
		const { proxy, reads } = counted(list);
		expect(readEvents(proxy, {})).toHaveLength(expected);
		expect(reads.count).toBeLessThan(1000);
	});

	test('of a million elements, the first five thousand', () => {
		const element = { campaign_id: 1 };
		const list = new Array<object>(1_000_000).fill(element);
		const { proxy, reads } = counted(list);
		expect(readEvents(proxy, {})).toHaveLength(1);
		expect(reads.count).toBeLessThanOrEqual(5000);
	});

	test.each<[string, object]>([
		['a list of empty objects', many(() => ({}))],
		['a list of lists', many(() => [])],
		['a list of numbers', many(() => 1)],
		['a list of texts', many(() => '{}')],
		['an object of empty objects', wide({})],
		['an object of numbers', wide(1)],
		['an object of JSON', wide('{"a":1}')],
		['an object of malformed JSON', wide('{"a":1')],
	])('%s', (_, body) => {
		const top = counted(body);
		expect(readEvents(top.proxy, {})).toMatchObject([{ event: 'other' }]);
		const inner = counted(body);
		expect(readEvents({ list: [inner.proxy], x: inner.proxy }, {})).toMatchObject([
			{ event: 'other' },
		]);
		expect(Math.max(top.reads.count, inner.reads.count)).toBeLessThan(100_000);
	});

	test('of wide objects side by side, and in lists', () => {
		const { proxy, reads } = counted(
			Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`k${n}`, {}])),
		);
		const copies = Array.from({ length: 1000 }, () => new Proxy(proxy, {}));
		for (const body of [copies, { copies }, { ...copies }, [copies, copies]]) {
			reads.count = 0;
			expect(readEvents(body, {})).toMatchObject([{ event: 'other' }]);
			expect(reads.count).toBeLessThan(100_000);
		}
	});

	test('of a wide body, the usual names only; of its query all', () => {
		const inList = [{ campaign_id: 'a' }, { campaignId: 'b' }];
		const read = (body: unknown, query: IDataObject = {}) =>
			readEvents(body, query, true).map(({ campaignId }) => campaignId);
		expect(read({ campaign_id: 'a' })).toEqual(['a']);
		expect(read({ data: { campaign: { id: 'a' } } })).toEqual(['a']);
		expect(read({ campaign: 'a' })).toEqual(['a']);
		expect(read(inList)).toEqual(['a', 'b']);
		expect(read({ data: inList })).toEqual(['a', 'b']);
		expect(read({ 'Campaign-ID': 'a' })).toEqual([undefined]);
		expect(read({ x: { campaign_id: 'a' } })).toEqual([undefined]);
		expect(read({ 'Campaign-ID': 'a' }, { 'Campaign-ID': 'q' })).toEqual(['q']);
	});

	test('of a field with wide JSON, the usual names only', () => {
		const payload = (more: object) =>
			JSON.stringify({
				...Object.fromEntries(many((index) => [`k${index}`, 1]).slice(0, 20_000)),
				...more,
			});
		const names = jest.spyOn(Look.prototype, 'namesOf');
		expect(idIn({ payload: payload({ campaign_id: 'a' }) })).toBe('a');
		expect(idIn({ payload: payload({ data: { campaign_id: 'a' } }) })).toBe('a');
		expect(idIn({ payload: payload({ 'Campaign-ID': 'a' }) })).toBeUndefined();
		const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
		expect(idIn({ payload: `{"campaign_id":"a","x":${deep}}` })).toBe('a');
		const longest = Math.max(...names.mock.results.map(({ value }) => (value as string[]).length));
		expect(longest).toBe(1);
		names.mockRestore();
	});

	test('of the fields with JSON, the first hundred', () => {
		const parse = jest.spyOn(JSON, 'parse');
		const texts = wide('{}');
		readEvents(texts, {});
		expect(parse).toHaveBeenCalledTimes(100);
		parse.mockRestore();
	});
});
