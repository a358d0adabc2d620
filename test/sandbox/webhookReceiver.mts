import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that the receiver has got. */
export interface Received {
	readonly url: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

/** Runs `use` with a receiver that answers with these statuses, then with 200. */
export async function withReceiver(
	statuses: readonly number[],
	use: (url: string, received: readonly Received[]) => Promise<void>,
): Promise<void> {
	const received: Received[] = [];
	const left = [...statuses];
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const body = Buffer.concat(chunks).toString();
		received.push({ url: request.url ?? '', headers: request.headers, body });
		response.writeHead(left.shift() ?? 200).end();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	try {
		await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received);
	} finally {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
}
