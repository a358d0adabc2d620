import type { IDataObject } from 'n8n-workflow';
import { readEvents } from '../../nodes/Messaging/trigger/event';

const completed = (campaignId: string, body: unknown) => ({
	event: 'campaignCompleted',
	campaignId,
	body,
});
const other = (body: unknown) => ({ event: 'other', body });
/** The id found in a body; undefined when the call is taken for something else. */
const idIn = (body: unknown, query: IDataObject = {}) => readEvents(body, query)[0].campaignId;
const nest = (depth: number, inner: unknown): unknown =>
	depth === 0 ? inner : { a: nest(depth - 1, inner) };

describe('an SMS report', () => {
	test('is told by the name of its event, whatever else it holds', () => {
		const body = { event: 'smsDeliveryReport', campaign_id: 'c' };
		expect(readEvents(body, { campaign_id: 'q' })).toEqual([{ event: 'smsDeliveryReport', body }]);
	});

	test.each<unknown>([
		{ event: 'smsdeliveryreport' },
		{ data: { event: 'smsDeliveryReport' } },
		Object.create({ event: 'smsDeliveryReport' }),
		'smsDeliveryReport',
		null,
	])('%j is none', (body) => {
		expect(readEvents(body, {})).toEqual([other(body)]);
	});
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
	])('is told by a field %j', (name) => {
		const body = { [name]: 'c' };
		expect(readEvents(body, {})).toEqual([completed('c', body)]);
	});

	test.each(['campaigns_id', 'xcampaign_id', 'campaign.id', 'id', ''])(
		'is not told by a field %j',
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
		['`campaign` deeper than that', { x: { data: { campaign: 'a' } } }, undefined],
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
		['a list in a field is not looked into', { data: [{ campaign_id: 'a' }] }, undefined],
		['an inherited name', Object.create({ campaign_id: 'a' }), undefined],
		['an inherited wrapper', Object.create({ data: { campaign_id: 'a' } }), undefined],
		['no object', 'campaign_id', undefined],
		['a number', 7, undefined],
		['null', null, undefined],
	])('%s', (_, body, expected) => {
		expect(idIn(body)).toBe(expected);
	});

	test.each(['data', 'body', 'payload', 'event', 'campaign', 'conversation', 'message'])(
		'of objects side by side, `%s` comes before one that has no meaning',
		(wrapper) => {
			expect(idIn({ any: { campaign_id: 'a' }, [wrapper]: { campaign_id: 'b' } })).toBe('b');
		},
	);

	test('of two wrappers, the one that holds the payload comes first', () => {
		expect(idIn({ message: { campaign_id: 'a' }, data: { campaign_id: 'b' } })).toBe('b');
	});

	test('of objects without a meaning, the first', () => {
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
	])('%d deep: found %p', (depth, found) => {
		expect(idIn(nest(depth, { campaign_id: 'c' }))).toBe(found ? 'c' : undefined);
	});

	test('of very many objects only so many are looked at', () => {
		const many = (count: number) =>
			Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, {}]));
		const last = (count: number) => ({ ...many(count - 1), last: { campaign_id: 'c' } });
		expect(idIn(last(1000))).toBe('c');
		expect(idIn(last(1001))).toBeUndefined();
	});

	test.each<[string, unknown, IDataObject, string | undefined]>([
		['the query', {}, { campaign_id: 'q' }, 'q'],
		['the body before the query', { campaign_id: 'b' }, { campaign_id: 'q' }, 'b'],
		['no body', undefined, { campaignId: 'q' }, 'q'],
	])('in %s', (_, body, query, expected) => {
		expect(idIn(body, query)).toBe(expected);
	});
});

describe('a list', () => {
	const sms = { event: 'smsDeliveryReport' };
	const campaign = { campaign_id: 'c' };

	test('of events is as many', () => {
		expect(readEvents([campaign, sms], {})).toEqual([
			completed('c', campaign),
			{ event: 'smsDeliveryReport', body: sms },
		]);
	});

	test('with something else in it is one call', () => {
		const body = [campaign, { a: 1 }];
		expect(readEvents(body, {})).toEqual([other(body)]);
		expect(readEvents(body, { campaign_id: 'q' })).toEqual([completed('q', body)]);
	});

	test('takes nothing for its elements from the query', () => {
		const body = [{ a: 1 }, { b: 2 }];
		expect(readEvents(body, { campaign_id: 'q' })).toEqual([completed('q', body)]);
	});

	test('that is empty is one call', () => {
		expect(readEvents([], {})).toEqual([other([])]);
		expect(readEvents([], { campaign_id: 'q' })).toEqual([completed('q', [])]);
	});
});
