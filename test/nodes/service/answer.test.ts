import {
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

const REFUSED = (words: string) => `The service refused: ${words}`;
const SILENT = 'The service refused and gave no reason.';
const ANSWERED = (status: number, what: string) =>
	`The service answered HTTP ${status} with ${what}. ${CHECK}`;
const FAILED = (status: number, words = '') => `The service failed (HTTP ${status})${words}`;
const SENT = (what: string) => `The service sent ${what}. ${CHECK}`;
const PAGE = 'a web page instead of JSON';
const NO_JSON = 'something that is not JSON';

type Row = [status: number, body: unknown, reason: string, sentence: string];

/** Answers of a service that has not acted. The outcome is `rejected` for a read and for a send. */
const REFUSALS: Row[] = [
	[401, no('Invalid API Key'), 'keyRefused', KEY(' (Invalid API Key)')],
	[401, '', 'keyRefused', KEY('')],
	[401, '<html>', 'keyRefused', KEY('')],
	[403, no(7), 'keyRefused', KEY('')],
	[403, { message: 'Invalid API Key' }, 'keyRefused', KEY(' (Invalid API Key)')],
	[200, no('invalid API key'), 'keyRefused', KEY(' (invalid API key)')],
	[500, no('Invalid API key!'), 'keyRefused', KEY(' (Invalid API key!)')],
	[403, '<html>', 'refusedOnTheWay', ON_THE_WAY(PAGE)],
	[403, {}, 'refusedOnTheWay', ON_THE_WAY("JSON that is not the service's")],
	[403, { message: 'Blocked' }, 'refusedOnTheWay', ON_THE_WAY('the message "Blocked"')],
	[429, no('Slow down'), 'rateLimited', BUSY(' (Slow down)')],
	[429, '', 'rateLimited', BUSY('')],
	[307, '', 'redirected', REDIRECTED(307)],
	[308, no('Moved'), 'redirected', REDIRECTED(308)],
	[200, no('"template" is required'), 'refused', REFUSED('"template" is required.')],
	[500, no('Template is required!'), 'refused', REFUSED('Template is required!')],
	[422, { message: '"template" is required' }, 'refused', REFUSED('"template" is required.')],
	[404, '', 'refused', ANSWERED(404, 'an empty answer')],
	[404, ' \n', 'refused', ANSWERED(404, NO_JSON)],
	[404, {}, 'refused', ANSWERED(404, "JSON that is not the service's")],
	[404, '<html>', 'unreadable', ANSWERED(404, PAGE)],
	[400, '<html>', 'unreadable', ANSWERED(400, PAGE)],
	[200, no('No credit left'), 'refused', REFUSED('No credit left.')],
	[404, no(' Gone. '), 'refused', REFUSED('Gone.')],
	[400, no('Who?'), 'refused', REFUSED('Who?')],
	[200, no(''), 'refused', SILENT],
	[200, no('  '), 'refused', SILENT],
	[400, no(7), 'refused', SILENT],
	[413, { message: 'Too large' }, 'refused', REFUSED('Too large.')],
	[
		413,
		'<html>413 Request Entity Too Large</html>',
		'unreadable',
		'The service answered HTTP 413 with a web page instead of JSON. The request is too large: shorten it, or choose fewer recipients per request.',
	],
	[498, { message: 'Too large.x' }, 'refused', REFUSED('Too large.x.')],
	[418, { success: true, message: 'Invalid API key' }, 'refused', REFUSED('Invalid API key.')],
];

/** Answers of a service that may have acted. The outcome is `unknown` for a read and for a send. */
const OPEN: Row[] = [
	...[408, 409, 425, 499].map((status): Row => [status, '', 'serverFailed', FAILED(status, '.')]),
	[409, no('Conflict'), 'serverFailed', FAILED(409, ': Conflict.')],
	[500, '<html>', 'serverFailed', FAILED(500, '.')],
	[503, no('No database'), 'serverFailed', FAILED(503, ': No database.')],
	[
		500,
		{ message: '"template" is required' },
		'serverFailed',
		FAILED(500, ': "template" is required.'),
	],
	[500, { message: 'Invalid API key' }, 'serverFailed', FAILED(500, ': Invalid API key.')],
];

/** Answers with a successful status that cannot be read. The outcome of a send is `unknown`: the service may have acted. */
const UNREADABLE: Row[] = [
	[200, '', 'unreadable', SENT('an empty answer')],
	[204, undefined, 'unreadable', SENT('an empty answer')],
	[200, null, 'unreadable', SENT('an empty answer')],
	[200, 0, 'unreadable', SENT('JSON that is not an object')],
	[299, [{}], 'unreadable', SENT('JSON that is not an object')],
	[200, 'OK', 'unreadable', SENT(NO_JSON)],
	[200, 'See <html>', 'unreadable', SENT(NO_JSON)],
	[200, '<b>OK</b>', 'unreadable', SENT(NO_JSON)],
	[200, ' \n <!DOCTYPE html>', 'unreadable', SENT(PAGE)],
	[200, '<?xml version="1.0"?>', 'unreadable', SENT(PAGE)],
	...[300, 301, 302, 303, 399].map((status): Row => [status, '', 'redirected', REDIRECTED(status)]),
	[303, no('Moved'), 'redirected', REDIRECTED(303)],
];

describe.each([
	['a read', READ],
	['a send', SEND],
])('%s is answered', (what, request) => {
	const isSend = what === 'a send';
	const read = (status: number, body: unknown) =>
		readAnswer(request as typeof READ, reply(status, body));
	const failure = (outcome: string, [status, , reason, message]: Row) => ({
		ok: false,
		reason,
		outcome,
		message,
		httpStatus: status,
		...(status === 429 && { retryAfter: undefined }),
	});

	test.each(REFUSALS)('%d: %j is a refusal', (...row) => {
		expect(read(row[0], row[1])).toEqual(failure('rejected', row));
	});

	test.each(OPEN)('%d: %j may have acted', (...[status, body, reason, sentence]) => {
		const isBare = sentence.endsWith(`(HTTP ${status}).`);
		const message = isBare && !isSend ? `${sentence} Try again later.` : sentence;
		expect(read(status, body)).toEqual(failure('unknown', [status, body, reason, message]));
	});

	test.each(UNREADABLE)('%d: %j is unknown for a send', (...row) => {
		expect(read(row[0], row[1])).toEqual(failure(isSend ? 'unknown' : 'rejected', row));
	});

	test('success without its payload', () => {
		const body = { success: true, data: null };
		const sentence = `The service's answer contains no ${request.expects}.`;
		const row: Row = [200, body, 'unreadable', sentence];
		expect(read(200, body)).toEqual(failure(isSend ? 'unknown' : 'rejected', row));
	});

	test('success with its payload', () => {
		const data = { id: '7' };
		expect(read(200, { success: true, data })).toEqual({ ok: true, payload: data });
		expect(read(201, { success: true, message: 'OK', data })).toEqual({ ok: true, payload: data });
	});
});

test('a long message of the service is shortened', () => {
	const answer = readAnswer(READ, reply(400, { message: ` ${'x'.repeat(600)} ` }));
	expect(answer).toMatchObject({ message: `The service refused: ${'x'.repeat(500)}.` });
});

test.each<[string, unknown, string]>([
	['the id of a message', { id: 'm-1' }, 'unknown'],
	['the id of a campaign', { campaign_id: 'c-1' }, 'unknown'],
	['answers to messages', [{ status: 'success', response: 'm-1' }, {}], 'unknown'],
	['nothing', null, 'rejected'],
	['no message', [], 'rejected'],
	['reasons', { errors: ['No credit left'] }, 'rejected'],
])('the outcome of a failure that contains %s', (_, data, outcome) => {
	const failed = { success: false, message: 'Some were refused', data };
	expect(readAnswer(SEND, reply(200, failed))).toMatchObject({ outcome });
	expect(readAnswer(SEND, reply(400, failed))).toMatchObject({ outcome });
	expect(readAnswer(SEND, reply(422, { data }))).toMatchObject({ outcome });
	expect(readAnswer(SEND, reply(429, { data }))).toMatchObject({ outcome });
	const noTemplate = { ...no('"template" is required'), data };
	expect(readAnswer(SEND, reply(500, noTemplate))).toMatchObject({ outcome });
});

test.each<unknown>([null, '', 'true', 'false', 1, 0, {}, [true]])(
	'`success` %j: a send may have succeeded, whatever the answer contains',
	(success) => {
		expect(readAnswer(SEND, reply(200, { success, data: { id: 'm-1' } }))).toEqual({
			ok: false,
			reason: 'unreadable',
			outcome: 'unknown',
			message: "The service's answer does not say clearly whether it succeeded.",
			httpStatus: 200,
		});
	},
);

test.each([null, {}, { error: 'Not within 24 hours' }])(
	'without `success`, and with %j, a send may have succeeded',
	(data) => {
		expect(readAnswer(SEND, reply(200, { data }))).toMatchObject({ outcome: 'unknown' });
	},
);

test('without `success`, the payload of a read, or the id of a message that was sent, is a success', () => {
	const data = { id: '7' };
	for (const request of [READ, SEND]) {
		expect(readAnswer(request as typeof READ, reply(200, { data }))).toMatchObject({ ok: true });
	}
});

test.each([
	['45', '45 s'],
	['900', '15 min'],
	['3700', '1 h 1 min'],
	['0', 'a little'],
])('with Retry-After %s, the error says to wait %s', (seconds, time) => {
	const answer = readAnswer(SEND, reply(429, '', { 'retry-after': seconds }));
	expect(answer).toMatchObject({
		message: expect.stringContaining(`too many requests. Wait ${time} and try again;`),
	});
});

const NOW = Date.parse('2026-01-01T12:00:00Z');

afterEach(() => jest.restoreAllMocks());

test.each<[unknown, number | undefined]>([
	['5', 5000],
	[5, 5000],
	['0', 0],
	[' 7 ', 7000],
	['1.25', 1250],
	['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
	['Thursday, 01-Jan-26 12:00:30 GMT', 30_000],
	['2026-01-01T12:01:00Z', 60_000],
	['Thu, 01 Jan 2026 11:59:00 GMT', 0],
	['9'.repeat(400), Infinity],
	['(about) Thu, 01 Jan 2026 12:00:30 GMT', undefined],
	['soon', undefined],
	['', undefined],
	['   ', undefined],
	['-5', undefined],
	['5 apples', undefined],
	['NaN', undefined],
	[undefined, undefined],
	[null, undefined],
])('Retry-After: %j is %p', (value, expected) => {
	jest.spyOn(Date, 'now').mockReturnValue(NOW);
	expect(readRetryAfter({ other: '1', 'retry-after': value })).toBe(expected);
	expect(readRetryAfter({ 'Retry-After': value })).toBe(expected);
});

test('Retry-After: a date is compared with the clock of the service, if the answer shows it', () => {
	const [date, later] = ['Thu, 01 Jan 2026 12:00:10 GMT', 'Thu, 01 Jan 2026 12:00:30 GMT'];
	jest.spyOn(Date, 'now').mockReturnValue(NOW + 3_600_000);
	expect(readRetryAfter({ 'Retry-After': later, Date: date })).toBe(20_000);
});
