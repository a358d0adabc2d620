import type { IDataObject } from 'n8n-workflow';
import { carriesSecret, hiderOf } from '../../../nodes/Messaging/trigger/secret';

const SECRET = 'example secret/äß😀';
const ENCODED = encodeURIComponent(SECRET);

describe('Webhook Secret: a call carries the secret', () => {
	test.each<[string, IDataObject, IDataObject, boolean]>([
		['in its query', { secret: SECRET }, {}, true],
		['in its header', {}, { 'x-webhook-secret': SECRET }, true],
		[
			'in its query, a wrong one in its header',
			{ secret: SECRET },
			{ 'x-webhook-secret': 'x' },
			true,
		],
		[
			'in its header, a wrong one in its query',
			{ secret: 'x' },
			{ 'x-webhook-secret': SECRET },
			true,
		],
		['nowhere', {}, {}, false],
		[
			'as part of something',
			{ secret: `${SECRET}x` },
			{ 'x-webhook-secret': SECRET.slice(1) },
			false,
		],
		['twice in its query', { secret: [SECRET, SECRET] }, {}, false],
		['in a list of headers', {}, { 'x-webhook-secret': [SECRET] }, false],
		['under other names', { Secret: SECRET }, { secret: SECRET, authorization: SECRET }, false],
		['with blanks around it', { secret: ` ${SECRET}\n` }, {}, true],
		['as nothing', { secret: '' }, { 'x-webhook-secret': '' }, false],
	])('%s', (_, query, headers, expected) => {
		expect(carriesSecret(SECRET, query, headers)).toBe(expected);
	});
});

describe('Webhook Secret: the workflow sees the call without it', () => {
	const hide = hiderOf(SECRET);

	test('its fields are removed from the query and the headers, in upper and lower case', () => {
		expect(hide.query({ secret: SECRET, SECRET: 'x', page: '1' })).toEqual({ page: '1' });
		expect(hide.headers({ 'X-Webhook-Secret': SECRET, 'x-webhook-secret': 'x', a: '' })).toEqual({
			a: '',
		});
		// Only the field that can carry it there.
		expect(hide.headers({ secret: 'of somebody else' })).toEqual({ secret: 'of somebody else' });
	});

	test.each<[unknown, unknown]>([
		[SECRET, '***'],
		[`a ${SECRET} b ${SECRET}`, 'a *** b ***'],
		[
			[SECRET, 1],
			['***', 1],
		],
		[{ [`k ${SECRET}`]: { b: SECRET } }, { 'k ***': { b: '***' } }],
		[{ [`k ${SECRET}`]: 1 }, { 'k ***': 1 }],
		['?secret=other&b=1', '?secret=***&b=1'],
		[`https://x.test/a?x=1&SECRET=${ENCODED}#top`, 'https://x.test/a?x=1&SECRET=***#top'],
		['"?secret=a" \'&secret=b\' ?secret=c end', '"?secret=***" \'&secret=***\' ?secret=*** end'],
		['?secret=', '?secret=***'],
		['secret=other&b=1', 'secret=***&b=1'],
		['nosecret=1', 'nosecret=1'],
		['my secret=1', 'my secret=1'],
		['the secret', 'the secret'],
		[7, 7],
		[['a'], ['a']],
	])('%j becomes %j, in every part of the call', (value, expected) => {
		const parts = [hide.query, hide.headers, hide.body].map((part) =>
			part({ value } as IDataObject),
		);
		expect(parts).toEqual([{ value: expected }, { value: expected }, { value: expected }]);
	});

	test('a body that has nothing to hide is not copied', () => {
		const body = {
			list: [{ secret: 'other', url: 'https://x.test?a=1', n: 1 }, null, 'x'.repeat(99)],
		};
		expect(hide.body(body)).toBe(body);
	});

	test('of a body that has something to hide, nothing else is copied', () => {
		const [record, texts] = [{ n: 1, url: 'https://x.test?a=1' }, ['a']];
		const body = { record, texts, last: ['?secret=a', { [`k ${SECRET}`]: record }] };
		const hidden = hide.body(body) as typeof body;
		expect(hidden).toEqual({ record, texts, last: ['?secret=***', { 'k ***': record }] });
		expect([hidden.record === record, hidden.texts === texts]).toEqual([true, true]);
	});

	test('a short one is hidden only where nothing else can be meant, and without one a call comes as it came', () => {
		expect(hiderOf('1234567').body(['1234567', 'x1234567'])).toEqual(['***', 'x1234567']);
		expect(hiderOf('').body({ url: '?secret=a' })).toEqual({ url: '?secret=a' });
		expect(hiderOf('').query({ page: '', secret: 'x' })).toEqual({ page: '' });
	});
});
