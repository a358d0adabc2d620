import type { IDataObject } from 'n8n-workflow';
import { writtenPath } from '../../../nodes/Messaging/trigger/call';
import { toldBy } from '../../../nodes/Messaging/trigger/told';
import { completedIn, readingOf } from './reading';

/* The options Campaign ID Field and Completed When, which take the place of the small rule. */

const read = (body: unknown, options: IDataObject, headers: IDataObject = {}) => {
	const parts = { query: { q: 'c' }, headers };
	return {
		ids: completedIn(body, options, parts),
		why: readingOf(body, options, parts).why,
	};
};
const when = (...rows: Array<[field: string, value: string]>) => ({
	completedWhen: { conditions: rows.map(([field, value]) => ({ field, value })) },
});
const DONE = { event: 'done' };

describe('Campaign ID Field: a path', () => {
	test.each<[string, unknown, string[]]>([
		['body.data.broadcast.uuid', { ...DONE, data: { broadcast: { uuid: 'c' } } }, ['c']],
		['data.broadcast.uuid', { ...DONE, data: { broadcast: { uuid: 'c' } } }, ['c']],
		[' {{ $json.body.data.uuid }} ', { ...DONE, data: { uuid: 'c' } }, ['c']],
		['={{ $json["body"]["data"].uuid }}', { ...DONE, data: { uuid: 'c' } }, ['c']],
		[
			"{{ $('Messaging Trigger').item.json.body.data.uuid }}",
			{ ...DONE, data: { uuid: 'c' } },
			['c'],
		],
		['{{ $("A (b)").first().json["body"].uuid }}', { ...DONE, uuid: 'c' }, ['c']],
		["{{ $json.body['a.b'].id }}", { ...DONE, 'a.b': { id: 'c' } }, ['c']],
		['body["data[id]"]', { ...DONE, 'data[id]': 'c' }, ['c']],
		['body.data.id', { ...DONE, 'data[id]': 'c' }, ['c']],
		[
			'{{ $json.body[0].id }}',
			[
				{ ...DONE, id: 'a' },
				{ ...DONE, id: 'b' },
			],
			['a', 'b'],
		],
		['body.list[1].id', { ...DONE, list: [{ id: 'a' }, { id: 'b' }] }, ['a', 'b']],
		['body.ids', { ...DONE, ids: ['a', 'b'] }, ['a', 'b']],
		['body.payload.id', { ...DONE, payload: '{"id":"c"}' }, ['c']],
		[
			'body.Records.body.id',
			{ ...DONE, Records: [{ body: '{"id":"a"}' }, { body: '{"id":"b"}' }] },
			['a', 'b'],
		],
		['query.q', DONE, ['c']],
		['headers.X-Campaign', DONE, ['h']],
		['body.data.other', { ...DONE, data: { uuid: 'c' } }, []],
		['body.data', { ...DONE, data: { uuid: 'c' } }, []],
		['body.toString', DONE, []],
	])('%s', (campaignIdField, body, ids) => {
		expect(read(body, { campaignIdField }, { 'x-campaign': 'h' }).ids).toEqual(ids);
	});

	test('takes the place of the usual ones, and the words are asked all the same', () => {
		const options = { campaignIdField: 'body.data.uuid' };
		const call = { campaign_id: 'u', data: { uuid: 'c', status: 'done' } };
		expect(read(call, options).ids).toEqual(['c']);
		expect(read({ ...call, event: 'campaign.started' }, options).ids).toEqual([]);
		expect(read({ ...call, data: { uuid: 'c', status: 'open' } }, options).ids).toEqual([]);
	});
});

describe('Completed When', () => {
	const ID = { campaign_id: 'c' };
	test.each<[string, Array<[string, string]>, object, boolean]>([
		['the value', [['body.status', 'DONE']], { status: 'DONE' }, true],
		['another value', [['body.status', 'DONE']], { status: 'STARTED' }, false],
		['capitals and blanks', [['body.status', ' done ']], { status: 'Done ' }, true],
		['a part of the value', [['body.status', 'done']], { status: 'done so far' }, false],
		['one of several words', [['body.status', 'done, Finished']], { status: 'FINISHED' }, true],
		['a value with a comma', [['body.status', 'Yes, done']], { status: 'yes, done' }, true],
		['a number', [['body.status', '3']], { status: 3 }, true],
		['a boolean', [['body.done', 'true']], { done: true }, true],
		['another boolean', [['body.done', 'true']], { done: false }, false],
		['any value', [['body.at', '*']], { at: '2026-12-01' }, true],
		['any value, which is missing', [['body.at', '*']], { at: null }, false],
		['any value: an object', [['body.report', '*']], { report: { sent: 3 } }, true],
		['a field that is missing', [['body.message_id', '']], {}, true],
		['a field that is not missing', [['body.message_id', '']], { message_id: 'm' }, false],
		['an object that is not missing', [['body.contact', '']], { contact: { name: 'x' } }, false],
		[
			'all hold',
			[
				['body.a', '1'],
				['body.b', '2'],
			],
			{ a: 1, b: 2 },
			true,
		],
		[
			'one does not hold',
			[
				['body.a', '1'],
				['body.b', '2'],
			],
			{ a: 1, b: 3 },
			false,
		],
		['nothing else is asked: a person', [['body.a', '1']], { a: 1, phone: '447700900211' }, true],
		[
			'nothing else is asked: another word',
			[['body.a', '1']],
			{ a: 1, event: 'campaign.started' },
			true,
		],
		['one value of a list is enough', [['body.tags', 'done']], { tags: ['x', 'done'] }, true],
		['in JSON in a text', [['body.p.status', 'done']], { p: '{"status":"done"}' }, true],
		['in Turkish', [['body.durum', 'bitti, tamamlandı']], { durum: 'TAMAMLANDI' }, true],
		['in Turkish, with a point', [['body.durum', 'bitti']], { durum: 'BİTTİ' }, true],
		[
			'accents of two characters',
			[['body.s', 'concluída']],
			{ s: 'concluída'.normalize('NFD') },
			true,
		],
		['without accents', [['body.s', 'concluida']], { s: 'concluída' }, true],
	])('%s', (_, rows, body, isEnd) => {
		expect(read({ ...ID, ...body }, when(...rows)).ids).toEqual(isEnd ? ['c'] : []);
	});

	test('in a list, its own element is meant, and what is around all of them', () => {
		const list = [
			{ campaign_id: 'a', s: 'done' },
			{ campaign_id: 'b', s: 'open' },
		];
		const call = { type: 'report', list, meta: { run: '7' } };
		const rows: Array<[string, string]> = [
			['body.list.s', 'done'],
			['body.type', 'report'],
			['body.meta.run', '7'],
		];
		expect(read(call, when(...rows)).ids).toEqual(['a']);
		expect(read(list, when(['body.s', 'done'])).ids).toEqual(['a']);
	});

	test('headers and the query count, too', () => {
		const rows = when(['headers.X-Event', 'done'], ['query.q', 'c']);
		expect(read(ID, rows, { 'x-event': 'done' }).ids).toEqual(['c']);
		expect(read(ID, rows, { 'x-event': 'open' }).ids).toEqual([]);
	});

	test('what each row saw is said', () => {
		const rows = when(['body.s', 'done'], ['body.mesage_id', ''], ['body.x', '*'], ['', 'y']);
		expect(read({ ...ID, s: 'DONE', x: { y: 1 } }, rows).why).toBe(
			"body.s is 'DONE': holds; body.mesage_id is missing: holds; body.x is there: holds; a condition without a field: does not hold",
		);
		expect(read({ ...ID, s: 'open' }, when(['s', 'done'])).why).toBe(
			"body.s is 'open': does not hold",
		);
	});

	test('without an ID, no call is a completion', () => {
		expect(read({ status: 'done' }, when(['body.status', 'done'])).ids).toEqual([]);
	});

	test('a row with a value and no field never holds; one with neither is as if it were not there', () => {
		const ids = (...rows: Array<[string, string]>) => read({ ...ID, s: 'done' }, when(...rows)).ids;
		expect(ids(['body.s', 'done'], ['', 'mail'])).toEqual([]);
		expect(ids(['body.s', 'done'], ['', ''])).toEqual(['c']);
		expect(ids(['', ''])).toEqual([]);
	});
});

test.each([
	[['body', 'data', 'id'], 'body.data.id'],
	[['body', 'a.b', 'a b'], 'body["a.b"]["a b"]'],
])('%j is written %s, and read back', (path, written) => {
	expect(writtenPath(path)).toBe(written);
	expect(toldBy({ campaignIdField: written }).idPath).toEqual(path);
});
