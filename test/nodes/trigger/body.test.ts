import type { IWebhookFunctions } from 'n8n-workflow';
import { readBody } from '../../../nodes/Messaging/trigger/body';

type Request = { body?: unknown; rawBody?: Buffer; contentType?: string; encoding?: string };

/** Reads a call as n8n passes it to a trigger: the body that n8n has parsed, and its raw bytes. */
const read = ({ body, rawBody, contentType, encoding }: Request) =>
	readBody({
		getRequestObject: () => ({
			body,
			rawBody,
			encoding,
			headers: contentType === undefined ? {} : { 'content-type': contentType },
		}),
	} as unknown as IWebhookFunctions);
const raw = (text: string) => read({ body: {}, rawBody: Buffer.from(text) });
const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)]);
const DEEP = { ok: false, why: 'the body is nested too deeply' };
const NEITHER = { ok: false, why: 'the body is neither JSON nor a form' };
const body = (value: unknown) => ({ ok: true, body: value });

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

	test.each<[string, Request]>([
		['no body at all', {}],
		['an empty body', { body: {}, rawBody: Buffer.alloc(0) }],
		['no raw bytes', { body: {} }],
	])('%s: an empty object', (_, request) => {
		expect(read(request)).toEqual(body({}));
	});

	test('is read, too, when n8n passes undefined instead of an empty object', () => {
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

describe('nesting', () => {
	test.each([
		[1, true],
		[101, true],
		[102, false],
		[20_000, false],
	])('of %d levels is accepted: %p', (levels, isAccepted) => {
		const json = `${'['.repeat(levels)}${']'.repeat(levels)}`;
		expect(raw(json)).toEqual(isAccepted ? body(JSON.parse(json)) : DEEP);
	});

	test('of a body that n8n has parsed is limited, too', () => {
		expect(read({ body: nested(50) })).toMatchObject({ ok: true });
		expect(read({ body: { a: null, b: [nested(150)] } })).toEqual(DEEP);
	});
});

describe('JSON that n8n parsed is measured by its text', () => {
	const sent = (text: string, contentType = 'application/json', encoding?: 'utf16le') =>
		read({
			body: JSON.parse(text),
			rawBody: Buffer.from(text, encoding ?? 'utf8'),
			contentType,
			encoding,
		});
	const nestedIn = (levels: number, inner: string) =>
		`${'[{"a":'.repeat(levels)}${inner}${'}]'.repeat(levels)}`;

	test.each<[string, string]>([
		['an empty object', '{}'],
		['an empty list', ' [ ] '],
		['texts that look like nesting', `{"a":"${'[{'.repeat(200)}","${'['.repeat(200)}":1}`],
		['escaped quotes', `{"a":"\\"${'['.repeat(200)}","b":"\\\\","c":["\\u0022[[["]}`],
		['many, side by side', `[${Array.from({ length: 1000 }, () => '{"a":[]}').join()}]`],
		['100 deep', nestedIn(50, '1')],
	])('%s', (_, text) => {
		expect(sent(text)).toEqual(body(JSON.parse(text)));
		expect(sent(text, 'Application/JSON ; charset=utf-16le', 'utf16le')).toEqual(
			body(JSON.parse(text)),
		);
	});

	test.each<[string, string]>([
		['102 deep', nestedIn(51, '1')],
		['behind texts', `{"a":"]]]}}}\\"]","b":${nestedIn(60, '"["')}}`],
		['behind what looks like a quote in bytes', `{"∀":"∀","b":${nestedIn(60, '1')}}`],
		['20,000 deep', nestedIn(10_000, '1')],
	])('%s is too deep', (_, text) => {
		expect(sent(text)).toEqual(DEEP);
		expect(sent(text, 'application/json;charset=utf-16le', 'utf16le')).toEqual(DEEP);
	});

	describe('a long text', () => {
		const deep = nestedIn(60, '1');
		// Lengths around those at which the search for the end of the text changes from single bytes to native code.
		const lengths = [0, 1, 62, 63, 64, 65, 66, 127, 128, 129, 575, 576, 577, 578, 579, 1200];

		test.each(['\\"', '\\\\', '\\\\\\"', '['])(
			'with %j at any place ends at its closing quote, and the nesting after it is measured',
			(mark) => {
				for (const before of lengths) {
					for (const after of lengths) {
						const text = `"${'x'.repeat(before)}${mark}${'['.repeat(200)}${'x'.repeat(after)}${mark}"`;
						expect({ before, after, read: sent(`{"a":${text},${text}:1}`).ok }).toEqual({
							before,
							after,
							read: true,
						});
						expect({ before, after, read: sent(`{"a":${text},"b":${deep}}`) }).toEqual({
							before,
							after,
							read: DEEP,
						});
					}
				}
			},
		);

		test.each([
			['of letters', 'x'.repeat(1_000_000)],
			['of escaped quotes', '"'.repeat(500_000)],
			['with a quote now and then', `${'x'.repeat(10_000)}"`.repeat(100)],
		])('%s is searched by native code, not byte by byte', (name, text) => {
			const counts = { bytes: 0, searches: 0 };
			const bytes = Buffer.from(JSON.stringify({ [name]: text }));
			const rawBody = new Proxy(bytes, {
				get(target, key: string) {
					if (key === 'indexOf') counts.searches++;
					else if (key !== 'length') counts.bytes++;
					const value = target[key as unknown as number] as unknown;
					return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
				},
			});
			expect(
				read({ body: JSON.parse(bytes.toString()), rawBody, contentType: 'application/json' }).ok,
			).toBe(true);
			// With an escape at every second byte, single bytes are faster. Elsewhere a native search costs as much as about 50 bytes.
			const most = name === 'of escaped quotes' ? 1_100_000 : 100_000;
			expect(counts.bytes + 50 * counts.searches).toBeLessThan(most);
		});
	});

	const wide = (names: number) =>
		`{${Array.from({ length: names }, (_, name) => `"a:${name}":":"`).join()}}`;

	test('an object with more than 10,000 names is wide, wherever it is', () => {
		for (const [names, isWide] of [
			[10_000, undefined],
			[10_001, true],
		] as const) {
			for (const text of [wide(names), `[1,{"a":{},"b":[${wide(names)}]}]`]) {
				expect(sent(text)).toEqual({ ok: true, body: JSON.parse(text), isWide });
				expect(raw(text)).toEqual({ ok: true, body: JSON.parse(text), isWide });
			}
		}
		const many = `[${Array.from({ length: 1000 }, () => wide(100)).join()}]`;
		expect(sent(many)).not.toHaveProperty('isWide');
	});

	test('a form with more than 10,000 fields is wide, too', () => {
		const form = (fields: number) =>
			raw(Array.from({ length: fields }, (_, field) => `a${field}=1`).join('&'));
		expect(form(10_000)).not.toHaveProperty('isWide');
		expect(form(10_001)).toMatchObject({ ok: true, isWide: true });
	});
});
