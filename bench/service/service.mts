import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { HOST } from '../../demo/ports.mjs';

export interface Settings {
	/** Delay of each answer, ms. */
	latency: number;
	/** Records in the logs. */
	records: number;
}

/** Counts since the last reset. */
export interface Counts {
	/** Requests that send. */
	sends: number;
	/** Requests that read. */
	reads: number;
	/** Messages in the requests that send. */
	messages: number;
}

export type Order = { do: 'reset'; settings: Settings } | { do: 'count' };

export interface Service {
	url: string;
	reset: (settings: Settings) => Promise<void>;
	counts: () => Promise<Counts>;
	stop: () => void;
}

export async function startService(): Promise<Service> {
	const child = fork(fileURLToPath(new URL('process.mts', import.meta.url)));
	const next = async () => (await once(child, 'message'))[0] as unknown;
	const ask = async (order: Order) => {
		const answer = next();
		child.send(order);
		return (await answer) as Counts;
	};
	const port = (await next()) as number;
	return {
		url: `http://${HOST}:${port}`,
		reset: async (settings) => void (await ask({ do: 'reset', settings })),
		counts: async () => await ask({ do: 'count' }),
		stop: () => child.kill(),
	};
}
