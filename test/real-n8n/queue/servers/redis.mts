import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { freePort, HOST } from '../../../../demo/ports.mjs';
import { startServer, type Server } from './server.mts';

export interface Redis extends Server {
	/** The settings that make n8n use it. */
	env: Record<string, string>;
}

/** Starts a Redis that saves its data to disk, as is recommended for a queue. */
export async function startRedis(folder: string): Promise<Redis> {
	mkdirSync(folder, { recursive: true });
	const port = await freePort();
	const server = await startServer({
		name: 'redis',
		program: process.env.REDIS_PATH!,
		args: ['--port', String(port), '--bind', HOST, '--dir', folder].concat([
			...['--save', '', '--appendonly', 'yes'],
		]),
		folder,
		stopSignal: 'SIGTERM',
		isReady: async () => await answersPing(port),
	});
	return {
		...server,
		env: { QUEUE_BULL_REDIS_HOST: HOST, QUEUE_BULL_REDIS_PORT: String(port) },
	};
}

async function answersPing(port: number): Promise<boolean> {
	const socket = connect(port, HOST);
	try {
		await once(socket, 'connect');
		socket.write('PING\r\n');
		const [answer] = await once(socket, 'data');
		return String(answer).startsWith('+PONG');
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}
