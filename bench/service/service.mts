import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HOST } from '../../demo/ports.mjs';
import { Trouble } from '../../demo/setup/trouble.mjs';
import type { Order } from './process.mts';

export type Protocol = 'http' | 'https';

export interface Service {
	/** Addresses by protocol. */
	urls: Record<Protocol, string>;
	/** Resets the counts, and sets the delay of each answer in ms. */
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

export interface Certificate {
	key: string;
	cert: string;
}

/** Creates a self-signed certificate for the loopback address in the folder. It is valid for a day. */
export function makeCertificate(folder: string): Certificate {
	const files = { key: join(folder, 'key.pem'), cert: join(folder, 'certificate.pem') };
	const subject = ['-subj', '/CN=loopback', '-addext', `subjectAltName=IP:${HOST}`];
	const out = ['-keyout', files.key, '-out', files.cert];
	try {
		execFileSync(
			'openssl',
			['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject, ...out],
			{ stdio: 'pipe' },
		);
	} catch (error) {
		throw new Trouble(
			'The benchmark needs the command openssl to create a certificate (Debian, Ubuntu: ' +
				`\`sudo apt-get install openssl\`): ${String(error)}`,
		);
	}
	return files;
}

/** Counts since the last reset. */
export interface Counts {
	requests: number;
	/** Messages that it received, or log records that it returned. */
	messages: number;
	/** Most requests in flight. */
	inFlight: number;
	sockets: number;
	/** Most sockets open at once. */
	socketsAtOnce: number;
}

export const noCounts = (): Counts => ({
	requests: 0,
	messages: 0,
	inFlight: 0,
	sockets: 0,
	socketsAtOnce: 0,
});
