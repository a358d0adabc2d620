import {
	readAnswer,
	readRetryAfter,
	type HttpReply,
} from '../../../nodes/Messaging/service/answer';
import {
	getChannel,
	getChannels,
	sendCampaign,
	sendTemplate,
	sendText,
} from '../../../nodes/Messaging/service/endpoints';

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
const ON_THE_WAY = (what: string, status = 403) =>
	`The request was refused (HTTP ${status} with ${what}), and the answer does not say by whom. Check the Base URL and the API key in the Messaging API credential, and ask your administrator whether a proxy or a firewall refuses it.`;
const FORBIDDEN = (words: string) =>
	`The service, or a proxy or firewall before it, refused the request (HTTP 403): ${words} Check the API key in the Messaging API credential; if these are not the service's words, ask your administrator.`;
const BUSY = (words: string) =>
	`The service receives too many requests${words}. Wait a little and try again; if you are sending many messages, lower 'Batch Size' or raise 'Batch Interval' in the options.`;

const TOO_LARGE = 'The request is too large: shorten it, or choose fewer recipients per request.';

const REFUSED = (words: string) => `The service refused: ${words}`;
const SILENT = 'The service refused and gave no reason.';
const SILENT_403 =
	'The service refused and gave no reason (HTTP 403). Perhaps this API key may not do that: check it in the Messaging API credential, or ask your provider.';
const ANSWERED = (status: number, what: string) =>
	`The service answered HTTP ${status} with ${what}. ${CHECK}`;
const FAILED = (status: number, words = '') => `The service failed (HTTP ${status})${words}`;
const SENT = (what: string) => `The service sent ${what}. ${CHECK}`;
const PAGE = 'a web page instead of JSON';
const NO_JSON = 'something that is not JSON';

type Row = [status: number, body: unknown, cause: string, sentence: string];

/** Answers of a service that has not acted. The outcome is `rejected` for a read and for a send. */
const REFUSALS: Row[] = [
	[401, no('Invalid API Key'), 'keyRefused', KEY(' (Invalid API Key)')],
	[401, '', 'keyRefused', KEY('')],
	[401, 'Unauthorized', 'keyRefused', KEY(' (Unauthorized)')],
	[401, { error: 'unauthorized' }, 'keyRefused', KEY(' (unauthorized)')],
	[401, '<html>', 'refusedOnTheWay', ON_THE_WAY(PAGE, 401)],
	[403, { message: 'Invalid API Key' }, 'keyRefused', KEY(' (Invalid API Key)')],
	[403, no('Invalid API Key'), 'keyRefused', KEY(' (Invalid API Key)')],
	[403, no('Sender not connected'), 'refused', REFUSED('Sender not connected.')],
	[403, no(''), 'refused', SILENT_403],
	[500, no('Invalid API key!'), 'keyRefused', KEY(' (Invalid API key!)')],
	[403, '<html>', 'refusedOnTheWay', ON_THE_WAY(PAGE)],
	[403, {}, 'refusedOnTheWay', ON_THE_WAY("JSON that is not the service's")],
	[403, { message: 'Blocked' }, 'refusedOnTheWay', FORBIDDEN('Blocked.')],
	[429, no('Slow down'), 'rateLimited', BUSY(' (Slow down)')],
	[307, '', 'redirected', REDIRECTED(307)],
	[308, no('Moved'), 'redirected', REDIRECTED(308)],
	[200, no('"template" is required'), 'refused', REFUSED('"template" is required.')],
	[422, { message: '"template" is required' }, 'refused', REFUSED('"template" is required.')],
	[404, '', 'unreadable', ANSWERED(404, 'an empty answer')],
	[404, ' \n', 'unreadable', ANSWERED(404, NO_JSON)],
	[404, '<html>', 'unreadable', ANSWERED(404, PAGE)],
	[200, no('No credit left'), 'refused', REFUSED('No credit left.')],
	[400, no('Who?'), 'refused', REFUSED('Who?')],
	[200, no(''), 'refused', SILENT],
	[400, no(7), 'refused', SILENT],
	[413, { message: 'Too large' }, 'refused', `${REFUSED('Too large.')} ${TOO_LARGE}`],
	[
		413,
		'<html>413 Request Entity Too Large</html>',
		'unreadable',
		`The service answered HTTP 413 with a web page instead of JSON. ${TOO_LARGE}`,
	],
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
	[200, null, 'unreadable', SENT('an empty answer')],
	[200, 0, 'unreadable', SENT('JSON that is not an object')],
	[299, [{}], 'unreadable', SENT('JSON that is not an object')],
	[200, 'OK', 'unreadable', SENT(NO_JSON)],
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
	const failure = (outcome: string, [status, , cause, message]: Row) => ({
		ok: false,
		cause,
		outcome,
		message,
		httpStatus: status,
		...(status === 429 && { retryAfter: undefined }),
		...(cause === 'refused' && { said: saidIn(message) }),
	});
	/** The service's own words in a sentence. */
	const saidIn = (message: string) =>
		message.startsWith(SILENT.slice(0, -1)) ? undefined : (expect.any(String) as string);

	test.each(REFUSALS)('%d: %j is a refusal', (...row) => {
		expect(read(row[0], row[1])).toEqual(failure('rejected', row));
	});

	test.each(OPEN)('%d: %j may have acted', (...[status, body, cause, sentence]) => {
		const isBare = sentence.endsWith(`(HTTP ${status}).`);
		const message = isBare && !isSend ? `${sentence} Try again later.` : sentence;
		expect(read(status, body)).toEqual(failure('unknown', [status, body, cause, message]));
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

const NAMES_PATH = (path: string) =>
	` It was asked for ${path}: if your provider writes another word than chatapp there, please open an issue.`;

test.each([
	[getChannels(), '/api/public/channels/chatapp'],
	[sendCampaign({ from: '1', messages: [{}] }), '/api/public/chatapp/campaign'],
])('HTTP 404 on a path with the name of the app names the path: %#', (request, path) => {
	const said = (status: number, body: unknown) => {
		const answer = readAnswer(request as unknown as typeof SEND, reply(status, body));
		return 'message' in answer && answer.message;
	};
	expect(said(404, '<html>')).toBe(ANSWERED(404, PAGE) + NAMES_PATH(path));
	expect(said(404, { message: 'Not found' })).toBe(REFUSED('Not found.') + NAMES_PATH(path));
	// The service itself has answered on this path.
	expect(said(404, no('No such template'))).toBe(REFUSED('No such template.'));
	expect(said(400, { message: 'Bad' })).toBe(REFUSED('Bad.'));
});

test.each([
	[401, no('Invalid API key')],
	[403, no('Not allowed')],
	[403, {}],
	[200, no('Invalid API key')],
	[308, {}],
	[400, no('Only some')],
])('a refusal %d: %j with the ids of messages may have sent them', (status, body) => {
	const outcomeOf = (more: object) => {
		const answer = readAnswer(SEND, reply(status, { ...body, ...more }));
		return 'outcome' in answer && answer.outcome;
	};
	expect([{}, { data: { id: '7' } }].map(outcomeOf)).toEqual(['rejected', 'unknown']);
});

test('a long message of the service is shortened', () => {
	const answer = readAnswer(READ, reply(400, { message: ` ${'x'.repeat(600)} ` }));
	expect(answer).toMatchObject({ message: `The service refused: ${'x'.repeat(500)}.` });
});

test.each([407, 511])('HTTP %d is of a proxy of the network: nothing was sent', (status) => {
	for (const request of [READ, SEND]) {
		expect(readAnswer(request as typeof READ, reply(status, '<html>Log in</html>'))).toEqual({
			ok: false,
			cause: 'refusedOnTheWay',
			outcome: 'notSent',
			message: `A proxy of your network asks for a login (HTTP ${status}), so the request did not reach the service. Ask your administrator to let n8n through.`,
			httpStatus: status,
		});
	}
});

/* Where web frameworks write why they refuse: NestJS, Laravel, FastAPI, RFC 9457, JSON:API, and services of several countries. */

test.each<[string, unknown, string]>([
	['message, a list', { message: ['No number', 'x'], error: 'Bad Request' }, 'No number'],
	['error', { error: 'Yetersiz kredi', required: 125 }, 'Yetersiz kredi'],
	['error, an object', { error: { code: 100, type: 'X', message: 'Blocked' } }, 'Blocked'],
	['errors, a list', { errors: [{ code: 1002, description: 'Bad number' }] }, 'Bad number'],
	['errors, by field', { errors: { to: ['The number is invalid'] } }, 'The number is invalid'],
	['errors, with a code', { errors: [{ id: 'E12', text: 'Bad number' }] }, 'Bad number'],
	['detail, with places', { detail: [{ loc: ['body', 'to'], msg: 'Missing' }] }, 'Missing'],
	['title', { type: 'about:blank', title: 'No credit', status: 402 }, 'No credit'],
	['an empty message', { success: false, message: ' ', error: 'No credit' }, 'No credit'],
	['several languages', { message: { tr: 'Kredi yok', en: 'No credit' } }, 'No credit'],
	[
		'several languages, a list',
		{
			errors: [
				{ lang: 'tr', text: 'Kredi yok' },
				{ lang: 'en-GB', text: 'Empty' },
			],
		},
		'Empty',
	],
	['a list', [{ code: 7, message: 'No credit' }], 'No credit'],
	['a plain text', 'No credit left\n', 'No credit left'],
	['msg', { success: false, msg: 'Nomor tidak terdaftar' }, 'Nomor tidak terdaftar'],
	['description', { code: 'E402', description: 'Kein Guthaben' }, 'Kein Guthaben'],
	['reason', { success: false, reason: 'Template paused' }, 'Template paused'],
	['error_description', { error: 'x_y', error_description: 'Not your sender' }, 'Not your sender'],
	['data', { success: false, data: { message: 'Not connected' } }, 'Not connected'],
])('the reason of a refusal is found in %s', (_, body, reason) => {
	for (const [status, beginning] of [
		[422, 'The service refused:'],
		[500, 'The service failed (HTTP 500):'],
	] as const) {
		expect(readAnswer(SEND, reply(status, body))).toMatchObject({
			message: `${beginning} ${reason}.`,
		});
	}
});

test.each<[string, unknown]>([
	['a long text', 'x'.repeat(201)],
	['broken JSON', '{"message":"No credit"'],
	['numbers and switches', { error: true, errors: [12, null], detail: {}, title: '' }],
	['levels below levels', { error: { a: { b: { c: { d: { e: { f: 'too deep' } } } } } } }],
])('%s is no reason', (_, body) => {
	expect(readAnswer(SEND, reply(422, body))).toMatchObject({
		message: expect.stringContaining(`HTTP 422 with `),
	});
});

test('the API key is taken out of what the service says, wherever it says it', () => {
	const hide = (text: string) => text.replaceAll('k-1', '***');
	expect(readAnswer(SEND, reply(422, { errors: ['Key k-1 has no credit'] }), hide)).toMatchObject({
		message: 'The service refused: Key *** has no credit.',
		said: 'Key *** has no credit',
	});
	const success = { success: true, message: 'Key k-1 is old', data: { id: '7' }, errors: ['k-1'] };
	expect(readAnswer(SEND, reply(200, success), hide)).toMatchObject({
		said: 'Key *** is old',
		remark: 'errors: ["***"]',
	});
});

const CAMPAIGN = sendCampaign({ from: '1', messages: [{}, {}, {}] });
const campaign = (more: object, data: object = {}) => ({
	success: true,
	message: 'OK',
	data: { campaign_id: 'c', ...data },
	...more,
});

/* Fields that count or list messages which were not accepted, as gateways write them, in any language of the rest. */
test.each<[number, object, string]>([
	[
		207,
		campaign({}, { rejected: [{ to: '3' }] }),
		'HTTP 207 (several outcomes); rejected: [{"to":"3"}]',
	],
	[200, campaign({}, { total: 3, sent: 0, failed: 3 }), 'failed: 3'],
	[200, campaign({ errors: ['item 2: bad'] }), 'errors: ["item 2: bad"]'],
	[200, campaign({}, { skippedCount: 2 }), 'skippedCount: 2'],
	[
		200,
		campaign({}, { failedcount: 2, opted_out: 2, optedOutNumbers: [] }),
		'failedcount: 2; opted_out: 2',
	],
	[
		200,
		campaign({}, { InvalidNumbers: '4', duplicate_recipients: ['2'] }),
		'InvalidNumbers: 4; duplicate_recipients: ["2"]',
	],
	[200, campaign({ stats: { failed: { count: 2 } } }), 'count: 2'],
	[
		200,
		campaign({ parts: [{ errors: 1 }, { errors: 0 }, { skip_list: [1] }] }),
		'errors: 1; skip_list: [1]',
	],
	[200, campaign({ fail: 1, reject: 2, invalid: 3, error: 4 }), 'fail: 1; reject: 2; invalid: 3'],
])('a success with trouble in a field, HTTP %d: %j', (status, body, remark) => {
	expect(readAnswer(CAMPAIGN, reply(status, body))).toMatchObject({ ok: true, remark });
});

test.each<object>([
	{ errors: [], failed: 0, rejected: null, invalid: '0', error: false, warnings: {} },
	{ error_code: 200, invalid_until: 1735689600, retry_on_error: 3, duplicate_window: 24 },
	{ max_errors: 10, stopAfterErrors: 5, not_failed: 3, noErrors: 1 },
	{ unsubscribe_url: 'https://example.com', duplicate_check: true, error: { code: 3 } },
	{ accepted: 2, total: 3, status: 'partially failed', parts: [{ status: 'REJECTED' }] },
	{ failed: 'none', skipped: true, invalid: { '385911': 'unknown' } },
])('a success without trouble: %j', (more) => {
	for (const body of [campaign(more), campaign({}, more)]) {
		expect(readAnswer(CAMPAIGN, reply(200, body))).not.toHaveProperty('remark');
	}
});

test.each([
	['Campaña creada con éxito', true],
	['Campaign queued, 1 duplicate number removed', true],
	['Başarılı', false],
	['', false],
	[7, false],
])('the message of a success is kept when it is more than a word: %j', (message, isKept) => {
	const answer = readAnswer(CAMPAIGN, reply(200, campaign({ message })));
	expect(answer).toEqual({
		ok: true,
		payload: { campaign_id: 'c' },
		...(isKept && { said: message }),
	});
});

test('what the answer to a read says beside its payload is nothing', () => {
	const body = campaign({ message: 'Some failed', failed: 3 });
	expect(readAnswer(READ, reply(207, body))).toEqual({ ok: true, payload: { campaign_id: 'c' } });
});

const TEMPLATE = sendTemplate({ from: '1', messages: [{}] });

test.each<[typeof SEND | typeof TEMPLATE | typeof CAMPAIGN, unknown, object]>([
	[
		SEND,
		{ id: 'm', status: 'failed', reason: 'no window' },
		{
			message:
				'The service accepted the request, but answered with the status "failed": no window.',
			said: 'no window',
		},
	],
	[TEMPLATE, [{ status: 'Rejected', response: 'Invalid number' }], { said: 'Invalid number' }],
	[
		CAMPAIGN,
		{ campaign_id: 'c', status: 'error' },
		{ message: 'The service accepted the request, but answered with the status "error".' },
	],
])(
	'a success whose status says that it failed may have been sent: %#',
	(request, data, failure) => {
		const answer = readAnswer(request as typeof SEND, reply(200, { success: true, data }));
		expect(answer).toMatchObject({ ok: false, cause: 'refused', outcome: 'unknown', ...failure });
	},
);

test.each([
	...[
		'unread',
		'not sent',
		'not delivered',
		'NO_ERROR',
		'unblocked',
		'sent via failover',
		'0 errors',
	],
	...[
		'queued, not expired',
		'accepted without errors',
		'PARTIALLY_FAILED',
		'fail-safe',
		'error: 0',
	],
])('the status "%s" of a success is no failure', (status) => {
	const records = [
		[SEND, { id: 'm', status }],
		[TEMPLATE, [{ status }]],
		[TEMPLATE, [{ status: 'success' }, { status: 'failed' }]],
		[CAMPAIGN, { campaign_id: 'c', status }],
	] as const;
	for (const [request, data] of records) {
		const answer = readAnswer(request as typeof SEND, reply(200, { success: true, data }));
		expect(answer).toMatchObject({ ok: true });
	}
});

test.each([[[{}]], [[{}, { status: ' ' }]], [[{ status: null, response: true }]], [[]]])(
	'an answer about a template that names neither a status nor an ID may have been sent: %j',
	(data) => {
		expect(readAnswer(TEMPLATE, reply(200, { success: true, data }))).toMatchObject({
			outcome: 'unknown',
			message: "The service's answer contains no list of sent messages.",
		});
	},
);

test.each([{}, { id: '' }, { id: ' ' }, { id: null }, { content: 'Hello' }])(
	'a text without an id may have been sent: %j',
	(data) => {
		expect(readAnswer(SEND, reply(200, { success: true, data }))).toMatchObject({
			outcome: 'unknown',
			message: "The service's answer contains no message ID.",
		});
	},
);

test.each<[string, unknown, string]>([
	['the id of a message', { id: 'm-1' }, 'unknown'],
	['the id of a campaign', { campaign_id: 'c-1' }, 'unknown'],
	['answers to messages', [{ status: 'success', response: 'm-1' }, {}], 'unknown'],
	['nothing', null, 'rejected'],
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
			cause: 'unreadable',
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
	['1.25', 1250],
	['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
	['Thursday, 01-Jan-26 12:00:30 GMT', 30_000],
	['2026-01-01T12:01:00Z', 60_000],
	['Thu, 01 Jan 2026 11:59:00 GMT', undefined],
	['0', undefined],
	['0.0', undefined],
	['86400', 86_400_000],
	// A point in time in seconds, or a mistake.
	['86401', undefined],
	['9'.repeat(400), undefined],
	['Thu Jan  1 12:00:30 2026', 30_000],
	['soon', undefined],
	['', undefined],
	['-5', undefined],
	[undefined, undefined],
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
