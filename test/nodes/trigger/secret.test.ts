import type { IDataObject } from 'n8n-workflow';
import { carriesSecret, hiderOf } from '../../../nodes/Messaging/trigger/secret';

const SECRET = 'example secret/äß😀';
const ENCODED = encodeURIComponent(SECRET);
const asHeader = Buffer.from(SECRET, 'utf8').toString('latin1');

describe('Webhook Secret: a call carries the secret', () => {
	test.each<[string, IDataObject, IDataObject, boolean]>([
		['in its query', { secret: SECRET }, {}, true],
		['in its header', {}, { 'x-webhook-secret': SECRET }, true],
		['in its header, byte by byte', {}, { 'x-webhook-secret': asHeader }, true],
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
		['in its query, byte by byte', { secret: asHeader }, {}, false],
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

	test('its own field is removed from the query and the headers, in upper and lower case', () => {
		expect(hide.query({ secret: SECRET, SECRET: 'x', page: '1' })).toEqual({ page: '1' });
		expect(hide.headers({ 'X-Webhook-Secret': SECRET, 'x-webhook-secret': 'x', a: 'b' })).toEqual({
			a: 'b',
		});
		expect(hide.headers({ secret: 'of somebody else' })).toEqual({ secret: 'of somebody else' });
	});

	test.each<[unknown, unknown]>([
		[SECRET, '***'],
		[ENCODED, '***'],
		[`a ${SECRET} b ${SECRET}`, 'a *** b ***'],
		[`a=${ENCODED}`, 'a=***'],
		['?secret=other&b=1', '?secret=***&b=1'],
		['a?x=1&SECRET=other#top', 'a?x=1&SECRET=***#top'],
		[
			'"?secret=other" \'&secret=other\' ?secret=other end',
			'"?secret=***" \'&secret=***\' ?secret=*** end',
		],
		['?secret=', '?secret=***'],
		['secret=other', 'secret=***'],
		['secret=other&b=1', 'secret=***&b=1'],
		['SECRET=', 'SECRET=***'],
		['nosecret=1', 'nosecret=1'],
		['my secret=1', 'my secret=1'],
		['in a form', 'in a form'],
		[`a=${ENCODED.replaceAll('%20', '+')}&b`, 'a=***&b'],
		[`a=${ENCODED.toLowerCase()}&b`, 'a=***&b'],
		[`a=${encodeURI(SECRET)}&b`, 'a=***&b'],
		[new URLSearchParams({ a: SECRET, b: '1' }).toString(), 'a=***&b=1'],
		[`Bearer ${asHeader}`, 'Bearer ***'],
		['the secret', 'the secret'],
		[7, 7],
		[null, null],
		[
			[SECRET, [ENCODED], 1],
			['***', ['***'], 1],
		],
		[{ [`k ${SECRET}`]: { b: SECRET } }, { 'k ***': { b: '***' } }],
	])('%j becomes %j', (value, expected) => {
		expect(hide.body({ value })).toEqual({ value: expected });
	});

	test('deep in the query and the headers too', () => {
		expect(hide.query({ list: [SECRET] })).toEqual({ list: ['***'] });
		expect(hide.headers({ referer: `https://x.test/?secret=${ENCODED}` })).toEqual({
			referer: 'https://x.test/?secret=***',
		});
	});
});

test.each([
	['a short one', '1234567', { a: '1234567', b: 'x1234567' }, { a: '***', b: 'x1234567' }],
	[
		'a short one in another form',
		'ä b',
		{ a: '%c3%a4+b', b: 'x%C3%A4%20b', c: 'ä b', d: 'xä b' },
		{ a: '***', b: 'x***', c: '***', d: 'xä b' },
	],
	[
		'one with characters that mean something elsewhere',
		'a.b*c+(d)[e]{1}|^$\\',
		{ a: 'x a.b*c+(d)[e]{1}|^$\\ x', b: 'a.b*c d', c: encodeURIComponent('a.b*c+(d)[e]{1}|^$\\') },
		{ a: 'x *** x', b: 'a.b*c d', c: '***' },
	],
	['one that is just long enough', '12345678', { a: 'x12345678' }, { a: 'x***' }],
])(
	'Webhook Secret: %s is only hidden where nothing else can be meant',
	(_, secret, body, expected) => {
		expect(hiderOf(secret).body(body)).toEqual(expected);
	},
);

test('Webhook Secret: half a character in it hides what was sent all the same', () => {
	const secret = 'half-\ud800-character';
	const { body } = hiderOf(secret);
	expect(body({ a: secret, b: 'half-%EF%BF%BD-character' })).toEqual({ a: '***', b: '***' });
});

test('Webhook Secret: without a secret a body comes as it came, and nothing else is lost', () => {
	const { body, query, headers } = hiderOf('');
	const given = { url: '?secret=other', empty: '' };
	expect(body(given)).toBe(given);
	expect(query({ secret: 'x', empty: '', page: '1' })).toEqual({ empty: '', page: '1' });
	expect(headers({ 'x-webhook-secret': 'x', a: '' })).toEqual({ a: '' });
});
