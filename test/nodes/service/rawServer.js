// Plain JavaScript, because n8n's lint forbids node:net and timers in all .ts files, even in tests.
const { createServer } = require('node:net');
const { createServer: createTlsServer } = require('node:tls');

/** @typedef {string | { bytes: string, then: 'silence' | 'drip' }} RawAnswer */

/**
 * A TCP server for tests that an HTTP mock cannot do. It records each request line unchanged, answers with the bytes of
 * the test, and closes the connection. Other answers:
 *
 * - `reset` breaks the connection
 * - `silence` never answers
 * - `stall` never reads, so that a large request cannot be sent completely
 * - `{ bytes, then: 'silence' }` sends the bytes and leaves the connection open
 * - `{ bytes, then: 'drip' }` sends the bytes, and then a space every 20 ms
 *
 * @param {RawAnswer} answer
 */
exports.startRawServer = async (answer) => {
	const requestLines = [];
	const sockets = new Set();
	let whenClosed = () => {};
	let whenAsked;
	const asked = new Promise((resolve) => (whenAsked = resolve));
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => {});
		socket.on('close', () => {
			sockets.delete(socket);
			if (sockets.size === 0) whenClosed();
		});
		if (answer === 'stall') return socket.pause();
		let received = '';
		socket.on('data', (chunk) => {
			const isFirst = received === '';
			received += chunk;
			if (!isFirst) return;
			requestLines.push(received.split('\r\n')[0]);
			whenAsked();
			if (answer === 'reset') socket.resetAndDestroy();
			else if (typeof answer === 'object') sendAndStayOpen(socket, answer);
			else if (answer !== 'silence') socket.end(answer);
		});
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address();
	const stop = () =>
		new Promise((resolve) => {
			for (const socket of sockets) socket.destroy();
			server.close(resolve);
		});
	/** Resolves when the clients have closed all connections. */
	const allClosed = () =>
		new Promise((resolve) => {
			if (sockets.size === 0) return resolve();
			whenClosed = resolve;
			// A server that does not read does not notice that a connection was closed.
			for (const socket of sockets) socket.resume();
		});
	/** Resolves when the first request has arrived. */
	const firstRequest = () => asked;
	return { port, requestLines, stop, allClosed, firstRequest };
};

function sendAndStayOpen(socket, { bytes, then }) {
	socket.write(bytes);
	if (then !== 'drip') return;
	const timer = setInterval(() => socket.write(' '), 20);
	socket.on('close', () => clearInterval(timer));
}

/** Starts a server of TLS that is too old for n8n: no handshake succeeds, so it needs no certificate. */
exports.startOldTlsServer = async () => {
	const server = createTlsServer({
		minVersion: 'TLSv1',
		maxVersion: 'TLSv1.1',
		ciphers: 'ALL:@SECLEVEL=0',
	});
	server.on('tlsClientError', () => {});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const stop = () => new Promise((resolve) => server.close(resolve));
	return { port: server.address().port, stop };
};

/**
 * Runs while n8n sends its requests through a proxy, as its environment says.
 *
 * @param {string} proxy the proxy's address
 * @param {() => Promise<any>} run
 */
exports.throughProxy = async (proxy, run) => {
	const before = { ...process.env };
	Object.assign(process.env, { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: '', no_proxy: '' });
	try {
		return await run();
	} finally {
		process.env = before;
	}
};

/** The start of an HTTP answer whose body has no end. */
exports.endlessAnswer = (status) =>
	`HTTP/1.1 ${status} Status\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n`;

/** The bytes of an HTTP answer. */
exports.httpAnswer = (status, body, headers = {}) =>
	[
		`HTTP/1.1 ${status} Status`,
		`content-length: ${Buffer.byteLength(body)}`,
		'content-type: application/json',
		'connection: close',
		...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
		'',
		body,
	].join('\r\n');
