import {
	header,
	readAnswer,
	readRetryAfter,
	type HttpReply,
} from '../../../nodes/Messaging/service/answer';
import { getChannel, sendText } from '../../../nodes/Messaging/service/endpoints';

const READ = getChannel('7');
const SEND = sendText({ from: '1', to: '2', message: 'Hello' });

const reply = (statusCode: number, body: unknown, headers = {}): HttpReply => ({
	statusCode,
	headers,
	body,
});
const no = (message: unknown) => ({ success: false, message, data: null });
const CHECK = 'Check the Base URL in the Messaging API credential.';
const KEY = (words: string) =>
	`The service refused the API key${words}. Check the API key in the Messaging API credential.`;
const REDIRECTED = (status: number) =>
	`The service redirects to another address (HTTP ${status}), which is not followed because the API key would go with it. ${CHECK}`;
const ON_THE_WAY = (what: string) =>
	`Something between n8n and the service, such as a proxy or a firewall, refused the request (HTTP 403 with ${what}). Ask your administrator, and check the Base URL in the Messaging API credential.`;
const BUSY = (words: string) =>
	`The service receives too many requests${words}. Wait a little and try again; if you are sending many messages, lower 'Batch Size' or raise 'Batch Interval' in the options.`;

type Row = [name: string, status: number, body: unknown, reason: string, sentence: string];

/** Answers of a service that has not acted. The outcome is `rejected` for a read and for a send. */
const REFUSALS: Row[] = [
	['a refused key', 401, no('Invalid API Key'), 'keyRefused', KEY(' (Invalid API Key)')],
	['no word', 401, '', 'keyRefused', KEY('')],
	['a page', 401, '<html>', 'keyRefused', KEY('')],
	['the envelope', 403, no(7), 'keyRefused', KEY('')],
	['the words', 403, { message: 'Invalid API Key' }, 'keyRefused', KEY(' (Invalid API Key)')],
	['a page', 403, '<html>', 'refusedOnTheWay', ON_THE_WAY('a web page instead of JSON')],
	['other JSON', 403, {}, 'refusedOnTheWay', ON_THE_WAY("JSON that is not the service's")],
	[
		'other words',
		403,
		{ message: 'Blocked' },
		'refusedOnTheWay',
		ON_THE_WAY('the message "Blocked"'),
	],
	[
		'a key refused only in the message',
		200,
		no('invalid API key'),
		'keyRefused',
		KEY(' (invalid API key)'),
	],
	[
		'a key refused, and a failure',
		500,
		no('Invalid API key!'),
		'keyRefused',
		KEY(' (Invalid API key!)'),
	],
	['too many', 429, no('Slow down'), 'rateLimited', BUSY(' (Slow down)')],
	['too many, without a message', 429, '', 'rateLimited', BUSY('')],
	['a redirect', 307, '', 'redirected', REDIRECTED(307)],
	['a redirect', 308, no('Moved'), 'redirected', REDIRECTED(308)],
	[
		'a missing template',
		200,
		no('"template" is required'),
		'refused',
		'The service refused: "template" is required.',
	],
	[
		'a missing template, without quotes, and a failure',
		500,
		no('Template is required!'),
		'refused',
		'The service refused: Template is required!',
	],
	['nothing', 404, '', 'refused', `The service answered HTTP 404 with an empty answer. ${CHECK}`],
	[
		'blanks',
		404,
		' \n',
		'refused',
		`The service answered HTTP 404 with something that is not JSON. ${CHECK}`,
	],
	[
		'other JSON, without a message',
		404,
		{},
		'refused',
		`The service answered HTTP 404 with JSON that is not the service's. ${CHECK}`,
	],
	[
		'a web page, where the service would refuse',
		404,
		'<html>',
		'unreadable',
		`The service answered HTTP 404 with a web page instead of JSON. ${CHECK}`,
	],
	['no', 200, no('No credit left'), 'refused', 'The service refused: No credit left.'],
	['a refusal with a sentence', 404, no(' Gone. '), 'refused', 'The service refused: Gone.'],
	['a refusal with a question', 400, no('Who?'), 'refused', 'The service refused: Who?'],
	[
		'a refusal with an empty message',
		200,
		no(''),
		'refused',
		'The service refused and gave no reason.',
	],
	[
		'a refusal with only spaces',
		200,
		no('  '),
		'refused',
		'The service refused and gave no reason.',
	],
	[
		'a refusal whose message is not text',
		400,
		no(7),
		'refused',
		'The service refused and gave no reason.',
	],
	[
		'a message without `success`',
		413,
		{ message: 'Too large' },
		'refused',
		'The service refused: Too large.',
	],
	[
		'a message under the last status of a refusal',
		499,
		{ message: 'Too large.x' },
		'refused',
		'The service refused: Too large.x.',
	],
	[
		'a page',
		400,
		'<html>',
		'unreadable',
		`The service answered HTTP 400 with a web page instead of JSON. ${CHECK}`,
	],
	[
		'a message about a key, in another answer than a refusal of the key',
		418,
		{ success: true, message: 'Invalid API key' },
		'refused',
		'The service refused: Invalid API key.',
	],
	[
		'a message about a template, in another answer than a refusal',
		422,
		{ message: '"template" is required' },
		'refused',
		'The service refused: "template" is required.',
	],
];

/** Answers of a service that may have acted. The outcome is `unknown` for a read and for a send. */
const OPEN: Row[] = [
	['nothing', 408, '', 'serverFailed', 'The service failed (HTTP 408).'],
	['a page', 500, '<html>', 'serverFailed', 'The service failed (HTTP 500).'],
	[
		'its own words',
		503,
		no('Database is unavailable'),
		'serverFailed',
		'The service failed (HTTP 503): Database is unavailable.',
	],
	[
		'a message about a template, in another answer than a refusal',
		500,
		{ message: '"template" is required' },
		'serverFailed',
		'The service failed (HTTP 500): "template" is required.',
	],
	[
		'a message about a key, in another answer than a refusal of the key',
		500,
		{ message: 'Invalid API key' },
		'serverFailed',
		'The service failed (HTTP 500): Invalid API key.',
	],
];

/** Answers with a successful status that cannot be read. The outcome of a send is `unknown`: the service may have acted. */
const UNREADABLE: Array<[name: string, status: number, body: unknown, sentence: string]> = [
	['nothing', 200, '', `The service sent an empty answer. ${CHECK}`],
	['undefined', 204, undefined, `The service sent an empty answer. ${CHECK}`],
	['null', 200, null, `The service sent an empty answer. ${CHECK}`],
	['a number', 200, 0, `The service sent JSON that is not an object. ${CHECK}`],
	['a list', 299, [{}], `The service sent JSON that is not an object. ${CHECK}`],
	['text', 200, 'OK', `The service sent something that is not JSON. ${CHECK}`],
	[
		'text with a page in it',
		200,
		'See <html>',
		`The service sent something that is not JSON. ${CHECK}`,
	],
	['an element', 200, '<b>OK</b>', `The service sent something that is not JSON. ${CHECK}`],
	['a page', 200, ' \n <!DOCTYPE html>', `The service sent a web page instead of JSON. ${CHECK}`],
	['XML', 200, '<?xml version="1.0"?>', `The service sent a web page instead of JSON. ${CHECK}`],
];

describe.each([
	['a read', READ],
	['a send', SEND],
])('%s is answered', (what, request) => {
	const failed = (status: number, body: unknown) =>
		readAnswer(request as typeof READ, reply(status, body));

	test.each(REFUSALS)('%s under %d: %j', (_, status, body, reason, message) => {
		expect(failed(status, body)).toEqual({
			ok: false,
			reason,
			outcome: 'rejected',
			message,
			httpStatus: status,
			...(status === 429 && { retryAfter: undefined }),
		});
	});

	test.each(OPEN)('%s under %d: %j', (_, status, body, reason, sentence) => {
		const isBare = sentence.endsWith(`(HTTP ${status}).`);
		const message = isBare && what === 'a read' ? `${sentence} Try again later.` : sentence;
		expect(failed(status, body)).toEqual({
			ok: false,
			reason,
			outcome: 'unknown',
			message,
			httpStatus: status,
		});
	});

	test.each(UNREADABLE)('%s under %d: %j', (_, status, body, message) => {
		const outcome = what === 'a send' ? 'unknown' : 'rejected';
		expect(failed(status, body)).toEqual({
			ok: false,
			reason: 'unreadable',
			outcome,
			message,
			httpStatus: status,
		});
	});

	test.each([300, 301, 302, 303, 399])('after a %d the outcome of a send is unknown', (status) => {
		expect(failed(status, '')).toEqual({
			ok: false,
			reason: 'redirected',
			outcome: what === 'a send' ? 'unknown' : 'rejected',
			message: REDIRECTED(status),
			httpStatus: status,
		});
	});

	test('success without its payload', () => {
		expect(failed(200, { success: true, data: null })).toEqual({
			ok: false,
			reason: 'unreadable',
			outcome: what === 'a send' ? 'unknown' : 'rejected',
			message: `The service's answer contains no ${request.expects}.`,
			httpStatus: 200,
		});
	});

	test('success with its payload', () => {
		const data = { id: '7' };
		expect(failed(200, { success: true, data })).toEqual({ ok: true, payload: data });
		expect(failed(201, { data })).toEqual({ ok: true, payload: data });
		expect(failed(200, { success: true, message: 'OK', data })).toEqual({
			ok: true,
			payload: data,
		});
	});
});

test('the failure of a 429 has the time of Retry-After', () => {
	const answer = readAnswer(SEND, reply(429, '', { 'Retry-After': '7' }));
	expect(answer).toMatchObject({ reason: 'rateLimited', retryAfter: 7000 });
});

test('a long message of the service is shortened', () => {
	const answer = readAnswer(READ, reply(400, { message: ` ${'x'.repeat(600)} ` }));
	expect(answer).toMatchObject({ message: `The service refused: ${'x'.repeat(500)}.` });
});

test.each([301, 302, 303])('a %d that answers a send is unknown, wherever it points', (status) => {
	const targets = ['https://elsewhere.example.com/api/public/conversation/text', '/sent/17', ''];
	for (const location of targets) {
		expect(readAnswer(SEND, reply(status, '', { location }))).toMatchObject({ outcome: 'unknown' });
	}
});

describe('a failure with the id of a sent message', () => {
	const outcome = (status: number, body: object) => {
		const answer = readAnswer(SEND, reply(status, body));
		return answer.ok ? 'accepted' : answer.outcome;
	};
	const failed = { success: false, message: 'Some were refused' };

	test.each([
		['a message', { id: 'm-1' }],
		['a campaign', { campaign_id: 'c-1' }],
		['messages', [{ status: 'success', response: 'm-1' }, { status: 'failed' }]],
	])('with the id of %s has an unknown outcome', (_what, data) => {
		expect(outcome(200, { ...failed, data })).toBe('unknown');
		expect(outcome(400, { ...failed, data })).toBe('unknown');
		expect(outcome(422, { data })).toBe('unknown');
		expect(outcome(429, { data })).toBe('unknown');
		expect(outcome(500, { ...no('"template" is required'), data })).toBe('unknown');
	});

	test.each([
		['nothing', null],
		['no message', []],
		['reasons', { errors: ['No credit left'] }],
	])('with %s is rejected', (_what, data) => {
		expect(outcome(200, { ...failed, data })).toBe('rejected');
		expect(outcome(400, { ...failed, data })).toBe('rejected');
	});
});

describe('without a clear `success`', () => {
	const UNCLEAR = "The service's answer does not say clearly whether it succeeded.";

	test.each<unknown>([null, '', 'true', 'false', 1, 0, {}, [true]])(
		'%j: a send may have succeeded, whatever the answer contains',
		(success) => {
			expect(readAnswer(SEND, reply(200, { success, data: { id: 'm-1' } }))).toEqual({
				ok: false,
				reason: 'unreadable',
				outcome: 'unknown',
				message: UNCLEAR,
				httpStatus: 200,
			});
		},
	);

	test.each([null, {}, { error: 'Not within 24 hours' }])('missing, with %j: unclear', (data) => {
		const answer = readAnswer(SEND, reply(200, { data }));
		expect(answer).toMatchObject({ ok: false, outcome: 'unknown', message: UNCLEAR });
	});

	test('missing, with the id of a message: a success', () => {
		expect(readAnswer(SEND, reply(200, { data: { id: 'm-1' } }))).toMatchObject({ ok: true });
	});
});

describe('Retry-After', () => {
	const NOW = Date.parse('2026-01-01T12:00:00Z');

	test.each<[unknown, number | undefined]>([
		['5', 5000],
		[5, 5000],
		['0', 0],
		[' 7 ', 7000],
		['1.5', 1500],
		['1.25', 1250],
		['(about) Thu, 01 Jan 2026 12:00:30 GMT', undefined],
		['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
		['Thursday, 01-Jan-26 12:00:30 GMT', 30_000],
		['2026-01-01T12:01:00Z', 60_000],
		['Thu, 01 Jan 2026 11:59:00 GMT', 0],
		['Fri, 31 Dec 1999 23:59:59 GMT', 0],
		['9'.repeat(400), Infinity],
		['soon', undefined],
		['', undefined],
		['   ', undefined],
		['-5', undefined],
		['5 apples', undefined],
		['NaN', undefined],
		[undefined, undefined],
		[null, undefined],
		[['5'], undefined],
	])('%j is %p', (value, expected) => {
		expect(readRetryAfter({ 'retry-after': value }, NOW)).toBe(expected);
	});

	test.each(['retry-after', 'Retry-After', 'RETRY-AFTER'])('is found as %s', (name) => {
		expect(readRetryAfter({ other: '1', [name]: '5' })).toBe(5000);
		expect(header({ [name]: '5' }, 'retry-after')).toBe('5');
	});

	test('a date is compared with the clock of the service, if the answer shows it', () => {
		const headers = {
			'Retry-After': 'Thu, 01 Jan 2026 12:00:30 GMT',
			Date: 'Thu, 01 Jan 2026 12:00:10 GMT',
		};
		expect(readRetryAfter(headers, NOW + 3_600_000)).toBe(20_000);
	});

	test('is undefined without the header', () => {
		expect(readRetryAfter({})).toBeUndefined();
	});
});
