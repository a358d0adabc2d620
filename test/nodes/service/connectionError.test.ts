import { connectionFailure } from '../../../nodes/Messaging/service/connectionError';

const HOST = 'api.example.com';
const CHECK = 'Check the Base URL in the Messaging API credential';
const coded = (code: unknown, more: object = {}) => Object.assign(new Error('x'), { code }, more);
/** An error inside other errors, as n8n wraps the errors of its HTTP client. */
const wrapped = (error: unknown, times: number): unknown =>
	times === 0 ? error : new Error('wrapped', { cause: wrapped(error, times - 1) });

const NOT_CONNECTED = {
	ECONNREFUSED: 'nothing answers at that address',
	ENOTFOUND: 'there is no such host',
	EAI_AGAIN: 'its name could not be looked up',
	EHOSTUNREACH: 'the host cannot be reached',
	ENETUNREACH: 'the network cannot be reached',
};

test.each(Object.entries(NOT_CONNECTED))(
	'%s: nothing was sent, and a retry may succeed',
	(code, what) => {
		expect(connectionFailure(coded(code), HOST)).toEqual({
			ok: false,
			reason: 'notConnected',
			outcome: 'notSent',
			message: `The service at ${HOST} cannot be reached: ${what}. ${CHECK}, or try again later.`,
		});
	},
);

test.each([
	'ERR_INVALID_URL',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
	'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
	'ERR_SSL_UNSUPPORTED_PROTOCOL',
	'CERT_HAS_EXPIRED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'HOSTNAME_MISMATCH',
])('%s: nothing was sent, and a retry would not help', (code) => {
	expect(connectionFailure(coded(code), HOST)).toEqual({
		ok: false,
		reason: 'blocked',
		outcome: 'notSent',
		message: `No secure connection to ${HOST} could be made (${code}). ${CHECK} and the service's certificate.`,
	});
});

test.each([
	'ERR_SSL_WRONG_VERSION_NUMBER',
	'ERR_SSL_BAD_RECORD_TYPE',
	'ERR_TLS_RENEGOTIATE',
	'ERR_TLS_SESSION_ATTACK',
	'EPROTO',
])('%s may happen after the request was sent', (code) => {
	expect(connectionFailure(coded(code), HOST)).toEqual({
		ok: false,
		reason: 'noAnswer',
		outcome: 'unknown',
		message: `The secure connection to ${HOST} failed (${code}). ${CHECK} and the service's certificate.`,
	});
});

test.each(['EHOSTUNREACH', 'ENETUNREACH'])(
	'%s while connecting and on an established connection',
	(code) => {
		const layer = (syscall: string) => Object.assign(coded(code), { syscall });
		expect(connectionFailure(layer('read'), HOST)).toMatchObject({ outcome: 'unknown' });
		const wrapped = Object.assign(coded(code), { cause: layer('write') });
		expect(connectionFailure(wrapped, HOST)).toMatchObject({ outcome: 'unknown' });
		expect(connectionFailure(layer('connect'), HOST)).toMatchObject({ outcome: 'notSent' });
	},
);

test.each([
	'The request was blocked because it resolves to a restricted IP address',
	'Domain not allowed: This credential is restricted from accessing it',
	'It is restricted from accessing this',
	'domain not allowed',
])('n8n blocks the request: %s', (message) => {
	expect(connectionFailure(new Error(message), HOST)).toEqual({
		ok: false,
		reason: 'blocked',
		outcome: 'notSent',
		message: `n8n blocked the request to ${HOST}: ${message}`,
	});
});

test('when n8n blocks a request for several reasons, the outermost is reported', () => {
	const error = new Error('domain not allowed (outer)', {
		cause: new Error('domain not allowed (inner)'),
	});
	expect(connectionFailure(error, HOST).message).toContain('(outer)');
});

const open = (message: string) => ({ ok: false, reason: 'noAnswer', outcome: 'unknown', message });
const LATE = `The service at ${HOST} did not answer in time.`;
const BROKEN = `The connection to ${HOST} broke before an answer came.`;
const CANCELLED = `The execution was cancelled while an answer from ${HOST} was awaited.`;

test.each<[unknown, string]>([
	['ECONNABORTED', LATE],
	['ETIMEDOUT', LATE],
	['ESOCKETTIMEDOUT', LATE],
	['ERR_CANCELED', CANCELLED],
	['ECONNRESET', BROKEN],
	['toString', BROKEN],
	['EPROTONEW', BROKEN],
	['XERR_TLS', BROKEN],
	['', BROKEN],
	[404, BROKEN],
	[undefined, BROKEN],
])('%p: it may have been sent', (code, message) => {
	expect(connectionFailure(coded(code), HOST)).toEqual(open(message));
});

test.each<[string, unknown]>([
	['nothing', undefined],
	['null', null],
	['text', 'ECONNREFUSED'],
	['a number', 7],
	['an object without anything', {}],
	['a message that is no text', { message: 7 }],
])('%s: the request may have been sent', (_, thrown) => {
	expect(connectionFailure(thrown, HOST)).toEqual(open(BROKEN));
});

describe('the cause of an error', () => {
	test.each([1, 2, 4])('%d levels deep is found', (depth) => {
		expect(connectionFailure(wrapped(coded('ENOTFOUND'), depth), HOST)).toMatchObject({
			reason: 'notConnected',
		});
	});

	test('is ignored below five levels, so that a circle of causes ends', () => {
		expect(connectionFailure(wrapped(coded('ENOTFOUND'), 5), HOST)).toEqual(open(BROKEN));
		const circle = new Error('circle');
		circle.cause = circle;
		expect(connectionFailure(circle, HOST)).toEqual(open(BROKEN));
	});

	test('is the first of several causes, as for a host with two addresses', () => {
		const error = { errors: [coded('EHOSTUNREACH'), coded('ECONNRESET')] };
		expect(connectionFailure(error, HOST)).toMatchObject({ reason: 'notConnected' });
		expect(connectionFailure({ errors: [] }, HOST)).toEqual(open(BROKEN));
	});

	test('is a refused connection inside a time-out', () => {
		const error = coded('ECONNABORTED', { cause: coded('ECONNREFUSED') });
		expect(connectionFailure(error, HOST)).toMatchObject({ reason: 'notConnected' });
	});

	test('is a reset inside a time-out', () => {
		const error = coded('ECONNRESET', { cause: coded('ETIMEDOUT') });
		expect(connectionFailure(error, HOST)).toEqual(open(LATE));
	});
});
