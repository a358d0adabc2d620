import type { Failure, Cause } from './outcomes';

/** Errors before a connection was made: nothing was sent, and a retry may succeed. */
const NOT_CONNECTED: Record<string, string> = {
	ECONNREFUSED: 'nothing answers at that address',
	ENOTFOUND: 'there is no such host',
	EAI_AGAIN: 'its name could not be looked up',
	EHOSTUNREACH: 'the host cannot be reached',
	ENETUNREACH: 'the network cannot be reached',
	CLOSED_BEFORE:
		'the connection was closed before anything could be sent, perhaps by a proxy or a firewall',
};

/** Error codes with which n8n or the TLS handshake refuses a connection: nothing was sent, and a retry would fail, too. */
const BLOCKED =
	/^(ERR_INVALID_URL|ERR_TLS_(CERT|DH_PARAM|PROTOCOL)_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_SSL_.*(HANDSHAKE_FAILURE|PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|UNRECOGNIZED_NAME|NO_CIPHERS))/;
/**
 * OpenSSL's reasons for a handshake that failed, in the message of an EPROTO: an address of http, an old version of TLS, a name
 * that the server does not have, an old proxy. The codes alone prove nothing: ERR_SSL_WRONG_VERSION_NUMBER comes when something writes plain
 * bytes into a connection that has sent the request (TLS 1.2, tried).
 */
const HANDSHAKE =
	/SSL routines:[^:]*:(?:tlsv\d\S* )?(?:alert )?((?:(?:sslv3|ssl\/tls) alert )?(?:wrong version number|unsupported protocol|protocol version|handshake failure|no shared cipher|no ciphers available|unrecognized name|unsafe legacy renegotiation disabled|dh key too small))/;
/** Codes of TLS errors that can also occur after the request was sent. */
const INSECURE = /^(EPROTO$|ERR_SSL_|ERR_TLS_)/;
/** Messages of n8n's proxy client and of TLS: the connection was closed before a request could leave. */
const CLOSED_BEFORE = /CONNECT response|before secure TLS connection was established/;
/** Messages of n8n: its protection of internal addresses, and the credential's allowed domains. */
const BLOCKED_MESSAGE = /request was blocked because|domain not allowed|restricted from accessing/i;

const TIMED_OUT = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);
const CHECK = 'Check the Base URL in the Messaging API credential';

/**
 * Reads the error that n8n's HTTP helper throws when there is no answer. The outcome is `unknown` unless the
 * error proves that the request did not leave.
 *
 * @param host the service's host, which the message names
 */
export function connectionFailure(error: unknown, host: string): Failure {
	const codes: string[] = [];
	let blockedBy: string | undefined;
	let handshake: string | undefined;
	let wasConnected = false;
	let connecting: string | undefined;
	let proxy: string | undefined;
	for (const layer of layers(error)) {
		const { code, message, syscall } = layer;
		if (typeof code === 'string') codes.push(code);
		if (typeof message === 'string' && CLOSED_BEFORE.test(message)) codes.push('CLOSED_BEFORE');
		if (code === 'EPROTO') handshake ??= HANDSHAKE.exec(String(message))?.[1];
		proxy ??= otherThan(host, layer);
		// TCP reports a connection that is lost later with the same codes.
		if (syscall === 'read' || syscall === 'write') wasConnected = true;
		// Whatever its code: a host that answers nothing, or no more sockets.
		if (syscall === 'connect') connecting ??= `no connection could be made (${String(code)})`;
		if (typeof message === 'string' && BLOCKED_MESSAGE.test(message)) blockedBy ??= message;
	}
	const failure = (cause: Cause, outcome: Failure['outcome'], message: string): Failure => ({
		ok: false,
		cause,
		outcome,
		message,
	});
	const known = codes.find((code) => Object.hasOwn(NOT_CONNECTED, code));
	const why = known === undefined ? connecting : NOT_CONNECTED[known];
	if (why !== undefined && !wasConnected) {
		const sentence = proxy
			? `The proxy of your network at ${proxy} cannot be reached: ${why}. Ask your administrator, or try again later.`
			: `The service at ${host} cannot be reached: ${why}. ${CHECK}, or try again later.`;
		return failure('notConnected', 'notSent', sentence);
	}
	if (handshake === 'wrong version number') {
		const sentence = `What answers at ${host} does not speak TLS, so nothing was sent. Check the port, and https:// or http://, of the Base URL in the Messaging API credential.`;
		return failure('blocked', 'notSent', sentence);
	}
	const blocked = handshake ?? codes.find((code) => BLOCKED.test(code));
	if (blocked) {
		const sentence = `No secure connection to ${host} could be made (${blocked}). ${CHECK} and the service's certificate.`;
		return failure('blocked', 'notSent', sentence);
	}
	if (blockedBy) {
		return failure('blocked', 'notSent', `n8n blocked the request to ${host}: ${blockedBy}`);
	}
	return failure('noAnswer', 'unknown', noAnswerMessage(codes, host));
}

function noAnswerMessage(codes: string[], host: string): string {
	if (codes.includes('ERR_CANCELED')) {
		return `The execution was cancelled while an answer from ${host} was awaited.`;
	}
	const insecure = codes.find((code) => INSECURE.test(code));
	if (insecure) {
		return `The secure connection to ${host} failed (${insecure}). ${CHECK} and the service's certificate.`;
	}
	// A port of TLS closes a plain connection, or answers it with something that is not HTTP.
	if (host.endsWith(':443') || codes.some((code) => code.startsWith('HPE_'))) {
		return `The answer from ${host} is not HTTP. If the Base URL in the Messaging API credential begins with http://, try https://.`;
	}
	return codes.some((code) => TIMED_OUT.has(code))
		? `The service at ${host} did not answer in time.`
		: `The connection to ${host} broke before an answer came.`;
}

type Layer = {
	code?: unknown;
	message?: unknown;
	syscall?: unknown;
	/** Whom a connection was to be made to: perhaps a proxy. */
	hostname?: unknown;
	address?: unknown;
	port?: unknown;
};

/** Returns an error and its causes, outermost first: n8n wraps the errors of its HTTP client. */
function* layers(error: unknown): Generator<Layer> {
	let layer = error as (Layer & { cause?: unknown; errors?: unknown[] }) | undefined;
	for (let depth = 0; layer && typeof layer === 'object' && depth < 5; depth++) {
		yield layer;
		layer = (layer.cause ?? layer.errors?.[0]) as typeof layer;
	}
}

/** Returns whom a connection was to be made to, if it was not the service: a proxy. */
function otherThan(host: string, { hostname, address, port }: Layer): string | undefined {
	const [name, ports = '80 443'] = host.split(':');
	if (hostname !== undefined) return hostname === name ? undefined : String(hostname);
	const isService = port === undefined || ports.split(' ').includes(String(port));
	return isService ? undefined : `${String(address)}:${String(port)}`;
}
