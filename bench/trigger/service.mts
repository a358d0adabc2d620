import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOST } from '../../demo/ports.mjs';

/** How long the service takes for an answer, in ms. */
export const LATENCY_MS = 20;

/** A service whose logs know every campaign that they are asked for. */
export async function startService() {
	const server = createServer((request, response) => {
		void (async () => {
			const { searchParams } = new URL(request.url!, 'http://service');
			const record = { id: 'record', campaign_id: searchParams.get('campaign_id'), status: 'sent' };
			await sleep(LATENCY_MS);
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ success: true, data: [record], count: 1, totalPage: 1 }));
		})();
	}).listen(0, HOST);
	await once(server, 'listening');
	return {
		url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
		stop: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
