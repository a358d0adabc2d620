import type { IWebhookFunctions } from 'n8n-workflow';
import { readBody } from '../../../nodes/Messaging/trigger/body';

type Request = { body?: unknown; rawBody?: Buffer; contentType?: string };

/** Reads a call as n8n passes it to a trigger: the body that n8n has parsed, and its raw bytes. */
const read = ({ body, rawBody, contentType }: Request) =>
	readBody({
		getRequestObject: () => ({
			body,
			rawBody,
			headers: contentType === undefined ? {} : { 'content-type': contentType },
		}),
	} as unknown as IWebhookFunctions);
const raw = (text: string) => read({ body: {}, rawBody: Buffer.from(text) });
const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)]);
const DEEP = { ok: false, why: 'the body is nested too deeply' };
const NEITHER = { ok: false, why: 'the body is neither JSON nor a form' };
const body = (value: unknown) => ({ ok: true, body: value, raw: expect.any(Buffer) as Buffer });

test.each<[string, unknown]>([
	['an object', { a: 1 }],
	['a list', [1]],
	['an empty list', []],
	['a number', 7],
	['null', null],
	['false', false],
])('a body that n8n has parsed is used unchanged: %s', (_, value) => {
	expect(read({ body: value, rawBody: Buffer.from('"other"') })).toEqual(body(value));
});

describe('a body that n8n has not parsed', () => {
	test.each<[string, unknown]>([
		['', {}],
		['  ', {}],
		['{"a":1}', { a: 1 }],
		[' {"a":1} ', { a: 1 }],
		['[1]', [1]],
		['7', 7],
		['null', null],
		['false', false],
		['"text"', 'text'],
		['a=1&b=x%20y', { a: '1', b: 'x y' }],
		['a=', { a: '' }],
		['a.b[0]-c+d%41=1', { 'a.b[0]-c dA': '1' }],
		['\uFEFF{"a":1}', { a: 1 }],
	])('%j is read', (text, expected) => {
		expect(raw(text)).toEqual(body(expected));
	});

	test.each(['hello', 'a b=1', 'a=1 2', '=1', '{"a":', '<a b="c"/>', 'x\na=1', 'a=1\nx'])(
		'%j is neither JSON nor a form',
		(text) => {
			expect(raw(text)).toEqual(NEITHER);
		},
	);

	test('is read, too, when n8n passes undefined instead of an empty object', () => {
		expect(read({})).toEqual(body({}));
		expect(read({ rawBody: Buffer.from('{"a":1}') })).toEqual(body({ a: 1 }));
	});
});

describe('a body that n8n passes as text', () => {
	const text = (value: string, rawBody: string) =>
		read({ body: value, rawBody: Buffer.from(rawBody) });

	test('that is JSON or a form', () => {
		expect(text(' {"a":1} ', ' {"a":1} ')).toEqual(body({ a: 1 }));
		expect(text(' a=1\n', ' a=1\n')).toEqual(body({ a: '1' }));
	});

	test('that was sent as a JSON text', () => {
		expect(text('hello', '"hello"')).toEqual(body('hello'));
		expect(text('{"a":1}', '"{\\"a\\":1}"')).toEqual(body({ a: 1 }));
	});

	test('that is neither', () => {
		expect(text('hello', 'hello')).toEqual(NEITHER);
		expect(text('hello', '{"a":1}')).toEqual(NEITHER);
		expect(read({ body: 'hello' })).toEqual(NEITHER);
	});
});

describe('a multipart form', () => {
	const form = (value: unknown, contentType = 'Multipart/form-data; boundary=x') =>
		read({ body: value, contentType, rawBody: Buffer.from('{"raw":1}') });

	test('gives its fields, and not its files', () => {
		expect(form({ data: { a: '1' }, files: { f: {} } })).toEqual(body({ a: '1' }));
	});

	test.each<[string, unknown]>([
		['no fields', { files: {} }],
		['a list instead of fields', { data: ['a'] }],
		['nothing', undefined],
		['text', 'data'],
	])('with %s is an empty object', (_, value) => {
		expect(form(value)).toEqual(body({}));
	});

	test('whose fields are nested too deeply is refused', () => {
		expect(form({ data: { a: nested(200) } })).toEqual(DEEP);
	});

	test('is recognised only by its content type', () => {
		const value = { data: { a: '1' }, b: 2 };
		expect(form(value, 'application/json; a=multipart/x')).toEqual(body(value));
		expect(form(value, undefined)).toEqual(body({ a: '1' }));
		expect(read({ body: value })).toEqual(body(value));
	});
});

test('what was sent is kept byte by byte; of a multipart form, its fields', () => {
	const rawBody = Buffer.from('{"a":1.0}');
	expect(read({ body: { a: 1 }, rawBody })).toMatchObject({ raw: rawBody });
	const contentType = 'multipart/form-data; boundary=x';
	expect(read({ body: { data: { a: '1' } }, rawBody, contentType })).toMatchObject({
		raw: Buffer.from('{"a":"1"}'),
	});
	expect(read({})).toMatchObject({ raw: Buffer.alloc(0) });
});

describe('nesting', () => {
	test.each([
		[1, true],
		[100, true],
		[101, false],
		[20_000, false],
	])('of %d levels is accepted: %p', (levels, isAccepted) => {
		const json = `${'['.repeat(levels)}${']'.repeat(levels)}`;
		expect(raw(json)).toEqual(isAccepted ? body(JSON.parse(json)) : DEEP);
	});

	test('of a body that n8n has parsed is limited, too', () => {
		expect(read({ body: nested(50) })).toMatchObject({ ok: true });
		expect(read({ body: { a: null, b: [nested(150)] } })).toEqual(DEEP);
		const deepest = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
		expect(read({ body: [1, { deepest }] })).toEqual(DEEP);
	});
});
