import { connectionFailure } from '../../../nodes/Messaging/service/connectionError';

const HOST = 'api.example.com';
const CHECK = 'Check the Base URL in the Messaging API credential';
const LATE = `The service at ${HOST} did not answer in time.`;
const BROKEN = `The connection to ${HOST} broke before an answer came.`;
const CANCELLED = `The execution was cancelled while an answer from ${HOST} was awaited.`;
const coded = (code: unknown, more: object = {}) => Object.assign(new Error('x'), { code }, more);
/** An error inside other errors, as n8n wraps the errors of its HTTP client. */
const wrapped = (error: unknown, times: number): unknown =>
	times === 0 ? error : new Error('wrapped', { cause: wrapped(error, times - 1) });

const failure = (cause: string, outcome: string, message: string) => ({
	ok: false,
	cause,
	outcome,
	message,
});
const open = (message: string) => failure('noAnswer', 'unknown', message);

test.each([
	['ECONNREFUSED', 'nothing answers at that address'],
	['ENOTFOUND', 'there is no such host'],
	['EAI_AGAIN', 'its name could not be looked up'],
	['EHOSTUNREACH', 'the host cannot be reached'],
	['ENETUNREACH', 'the network cannot be reached'],
])('%s: nothing was sent, and a retry may succeed', (code, what) => {
	const message = `The service at ${HOST} cannot be reached: ${what}. ${CHECK}, or try again later.`;
	expect(connectionFailure(coded(code), HOST)).toEqual(failure('notConnected', 'notSent', message));
	// The same code, after the request has left.
	for (const syscall of ['read', 'write']) {
		expect(connectionFailure(coded(code, { syscall }), HOST)).toEqual(open(BROKEN));
		const outer = coded(code, { cause: coded(code, { syscall }) });
		expect(connectionFailure(outer, HOST)).toEqual(open(BROKEN));
	}
});

test.each(['ETIMEDOUT', 'EADDRNOTAVAIL', 'EMFILE', 'ENETDOWN'])(
	'%s of an attempt to connect: nothing was sent, and a retry may succeed',
	(code) => {
		const error = coded(code, { syscall: 'connect' });
		const message = `The service at ${HOST} cannot be reached: no connection could be made (${code}). ${CHECK}, or try again later.`;
		const expected = failure('notConnected', 'notSent', message);
		// Node.js tries all addresses of a host.
		for (const each of [error, wrapped(error, 2), coded(code, { errors: [error] })])
			expect(connectionFailure(each, HOST)).toEqual(expected);
		const later = coded('ECONNRESET', { syscall: 'read' });
		for (const each of [coded(code, { cause: later, syscall: 'connect' }), later])
			expect(connectionFailure(each, HOST)).toMatchObject({ outcome: 'unknown' });
	},
);

test.each([
	...['ERR_INVALID_URL', 'ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'],
	...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
	...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'HOSTNAME_MISMATCH'],
])('%s: nothing was sent, and a retry would not help', (code) => {
	const message = `No secure connection to ${HOST} could be made (${code}). ${CHECK} and the service's certificate.`;
	expect(connectionFailure(coded(code), HOST)).toEqual(failure('blocked', 'notSent', message));
});

test.each(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_RENEGOTIATE', 'EPROTO'])(
	'%s may happen after the request was sent',
	(code) => {
		const message = `The secure connection to ${HOST} failed (${code}). ${CHECK} and the service's certificate.`;
		expect(connectionFailure(coded(code), HOST)).toEqual(open(message));
	},
);

/** An error of TLS as Node.js 20 to 24 write it. */
const ssl = (where: string, reason: string, syscall = 'write') =>
	coded('EPROTO', {
		syscall,
		message: `${syscall} EPROTO 40DD015D4E7F0000:error:0A00010B:SSL routines:${where}:${reason}:../deps/openssl/openssl/ssl/record/rec_layer_s3.c:918:\n`,
	});

test.each([
	['ssl3_read_bytes', 'tlsv1 alert protocol version'],
	['ssl3_read_bytes', 'ssl/tls alert handshake failure'],
	['', 'sslv3 alert handshake failure'],
	['tls_process_server_hello', 'unsupported protocol'],
	['tls_post_process_client_hello', 'no shared cipher'],
	['ssl3_read_bytes', 'tlsv1 unrecognized name'],
	['ssl3_read_bytes', 'tlsv1 alert unrecognized name'],
	['final_renegotiate', 'unsafe legacy renegotiation disabled'],
	['tls_process_ske_dhe', 'dh key too small'],
])('a TLS handshake that failed, %s, %s: nothing was sent', (where, reason) => {
	for (const error of [ssl(where, reason), wrapped(ssl(where, reason), 2)]) {
		expect(connectionFailure(error, HOST)).toEqual(
			failure(
				'blocked',
				'notSent',
				`No secure connection to ${HOST} could be made (${reason.replace(/^tlsv1 (?:alert )?/, '')}). ${CHECK} and the service's certificate.`,
			),
		);
	}
});

test.each(['ssl3_get_record', 'tls_validate_record_header', ''])(
	'https:// at a port of http, by %s: nothing was sent, and the address is named',
	(where) => {
		expect(connectionFailure(ssl(where, 'wrong version number'), HOST)).toEqual(
			failure(
				'blocked',
				'notSent',
				`What answers at ${HOST} does not speak TLS, so nothing was sent. Check the port, and https:// or http://, of the Base URL in the Messaging API credential.`,
			),
		);
	},
);

test.each<[string, unknown]>([
	['another reason', ssl('ssl3_read_bytes', 'sslv3 alert certificate unknown')],
	['no reason', coded('EPROTO', { message: 'read EPROTO' })],
	['words of somebody else', coded('EPROTO', { message: 'a proxy said: wrong version number' })],
	[
		'the reason of another code',
		Object.assign(ssl('tls_default_validate_record_header', 'wrong version number'), {
			code: 'ERR_SSL_WRONG_VERSION_NUMBER',
		}),
	],
])('an error of TLS with %s may happen after the request was sent', (_, error) => {
	expect(connectionFailure(error, HOST)).toMatchObject({ outcome: 'unknown' });
});

test.each([
	'The request was blocked because it resolves to a restricted IP address',
	'It is restricted from accessing this',
	'domain not allowed',
])('n8n blocks the request: %s', (message) => {
	const sentence = `n8n blocked the request to ${HOST}: ${message}`;
	expect(connectionFailure(new Error(message), HOST)).toEqual(
		failure('blocked', 'notSent', sentence),
	);
});

test.each<[unknown, string]>([
	['ECONNABORTED', LATE],
	['ETIMEDOUT', LATE],
	['ESOCKETTIMEDOUT', LATE],
	['ERR_CANCELED', CANCELLED],
	['ECONNRESET', BROKEN],
	['toString', BROKEN],
	[404, BROKEN],
	[undefined, BROKEN],
])('%p: it may have been sent', (code, message) => {
	expect(connectionFailure(coded(code), HOST)).toEqual(open(message));
});

test.each<[unknown]>([[undefined], ['ECONNREFUSED'], [{ message: 7 }]])(
	'thrown %p: the request may have been sent',
	(thrown) => {
		expect(connectionFailure(thrown, HOST)).toEqual(open(BROKEN));
	},
);

const circle = new Error('circle');
circle.cause = circle;
const [NOT_CONNECTED, OPEN] = [{ cause: 'notConnected' }, open(BROKEN)];

test.each<[string, unknown, object]>([
	['one level deep', wrapped(coded('ENOTFOUND'), 1), NOT_CONNECTED],
	['four levels deep', wrapped(coded('ENOTFOUND'), 4), NOT_CONNECTED],
	['five levels deep, which is not read', wrapped(coded('ENOTFOUND'), 5), OPEN],
	['the error itself', circle, OPEN],
	['the first of several', { errors: [coded('ENOTFOUND'), coded('ECONNRESET')] }, NOT_CONNECTED],
	['none of none', { errors: [] }, OPEN],
	['refused, in a time-out', coded('ETIMEDOUT', { cause: coded('ECONNREFUSED') }), NOT_CONNECTED],
	['a time-out, in a reset', coded('ECONNRESET', { cause: coded('ETIMEDOUT') }), open(LATE)],
])('the cause of an error: %s', (_, error, expected) => {
	expect(connectionFailure(error, HOST)).toMatchObject(expected);
});
