import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { HOST } from '../../demo/ports.mjs';
import { answer, makeLogPages } from './answers.mts';
import { noCounts } from './service.mts';

/*
 * The service of the benchmark, in its own process, controlled over IPC. The sandbox cannot replace it: the
 * sandbox answers about half as many requests per second (7,600 instead of 14,000), has no https, and does not
 * have the interfaces of Twilio and WhatsApp.
 */

export type Order = { do: 'reset'; latency: number } | { do: 'count' };

let counts = noCounts();
let latency = 0;
let inFlight = 0;
let open = 0;

const onRequest: RequestListener = (request, response) => {
	counts.requests++;
	counts.inFlight = Math.max(counts.inFlight, ++inFlight);
	let answered = false;
	const ended = () => {
		if (!answered) inFlight--;
		answered = true;
	};
	response.on('close', ended);
	const chunks: Buffer[] = [];
	request.on('data', (chunk: Buffer) => chunks.push(chunk));
	request.on('end', () => {
		const found = answer(request, Buffer.concat(chunks));
		counts.messages += found?.messages ?? 0;
		const send = () => {
			const text = found?.text ?? '{"data":null,"message":"Not found","success":false}';
			response.writeHead(found ? 200 : 404, {
				'content-type': 'application/json; charset=utf-8',
				'content-length': Buffer.byteLength(text),
			});
			// Counts the end here and not at 'close', because a kept-alive socket can send the next request before that event.
			ended();
			response.end(text);
		};
		if (latency > 0) setTimeout(send, latency);
		else send();
	});
};

const onConnection = (socket: Socket) => {
	counts.sockets++;
	counts.socketsAtOnce = Math.max(counts.socketsAtOnce, ++open);
	socket.on('close', () => open--);
};

async function listen(server: Server): Promise<number> {
	// With this backlog, a burst of 10,000 connections waits instead of being refused.
	server.on('connection', onConnection).listen({ port: 0, host: HOST, backlog: 20_000 });
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
}

const [keyFile, certificateFile] = process.argv.slice(2);
makeLogPages();
const http = await listen(createServer(onRequest));
const https = await listen(
	createSecureServer(
		{ key: readFileSync(keyFile), cert: readFileSync(certificateFile) },
		onRequest,
	) as unknown as Server,
);

process.on('message', (order: Order) => {
	if (order.do === 'reset') {
		counts = noCounts();
		// The count starts with the sockets of an earlier scenario that are still open.
		counts.socketsAtOnce = open;
		({ latency } = order);
	}
	process.send!(counts);
});
process.on('disconnect', () => process.exit());
process.send!({ http, https });
