import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { HOST } from '../../demo/ports.mjs';
import { answer, makeLogPages } from './answers.mts';
import { noCounts } from './counts.mts';

/*
 * The service, in a process of its own: Node's bare http server, because a framework would be what is
 * measured. It is told over IPC how long to take, and asked what it has seen.
 */

export type Order = { do: 'reset'; latency: number } | { do: 'count' };

let counts = noCounts();
let latency = 0;
let underWay = 0;
let open = 0;

const onRequest: RequestListener = (request, response) => {
	counts.requests++;
	counts.inFlight = Math.max(counts.inFlight, ++underWay);
	let answered = false;
	const over = () => {
		if (!answered) underWay--;
		answered = true;
	};
	response.on('close', over);
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
			// Now, not at 'close': a kept-alive socket can bring the next request before that.
			over();
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
	// A burst of ten thousand connections must wait, not be turned away.
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
		// Kept-alive sockets of an earlier scenario are not the next one's.
		counts.socketsAtOnce = open;
		({ latency } = order);
	}
	process.send!(counts);
});
process.on('disconnect', () => process.exit());
process.send!({ http, https });
