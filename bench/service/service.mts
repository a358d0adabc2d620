import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { HOST } from '../../demo/ports.mjs';
import type { Certificate } from './certificate.mts';
import type { Counts } from './counts.mts';
import type { Order } from './process.mts';

export type Protocol = 'http' | 'https';

export interface Service {
	/** Its address, by protocol. */
	urls: Record<Protocol, string>;
	/** Forgets what it has seen, and takes so many ms for an answer from now on. */
	reset: (latency: number) => Promise<void>;
	counts: () => Promise<Counts>;
	stop: () => void;
}

export async function startService({ key, cert }: Certificate): Promise<Service> {
	const child = fork(fileURLToPath(new URL('process.mts', import.meta.url)), [key, cert]);
	const next = async () => (await once(child, 'message'))[0] as unknown;
	const ask = async (order: Order) => {
		const answer = next();
		child.send(order);
		return (await answer) as Counts;
	};
	const ports = (await next()) as Record<Protocol, number>;
	return {
		urls: {
			http: `http://${HOST}:${ports.http}`,
			https: `https://${HOST}:${ports.https}`,
		},
		reset: async (latency) => void (await ask({ do: 'reset', latency })),
		counts: async () => await ask({ do: 'count' }),
		stop: () => child.kill(),
	};
}
