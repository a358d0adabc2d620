import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HOST } from '../../demo/ports.mjs';
import { answer, makeLogPages } from './answers.mts';
import type { Counts, Order, Settings } from './service.mts';

/*
 * The service of the benchmark, in its own process, controlled over IPC. The sandbox cannot replace it: it answers about half
 * as many requests per second (7,600 instead of 14,000).
 */

const none = (): Counts => ({ sends: 0, reads: 0, messages: 0 });
let counts = none();
let settings: Settings = { latency: 0, records: 0 };

const server = createServer((request, response) => {
	counts[request.method === 'GET' ? 'reads' : 'sends']++;
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
			response.end(text);
		};
		if (settings.latency > 0) setTimeout(send, settings.latency);
		else send();
	});
});

// With this backlog, a burst of 10,000 connections waits instead of being refused.
server.listen({ port: 0, host: HOST, backlog: 20_000 });
await once(server, 'listening');

process.on('message', (order: Order) => {
	if (order.do === 'reset') {
		counts = none();
		({ settings } = order);
		makeLogPages(settings.records);
	}
	process.send!(counts);
});
process.on('disconnect', () => process.exit());
process.send!((server.address() as AddressInfo).port);
