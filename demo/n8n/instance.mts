import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentOf, type Place } from './environment.mts';
import { freePort, HOST } from '../ports.mjs';
import { Trouble } from '../setup/trouble.mjs';
import { runN8n, type N8nProcess } from './process.mts';

const READY_WITHIN_MS = 180_000;

export interface Instance extends N8nProcess {
	url: string;
	place: Place;
}

export interface StartOptions {
	folder: string;
	port?: number;
	/** n8n's roles in queue mode are `webhook` and `worker`. */
	role?: 'start' | 'webhook' | 'worker';
	env?: Record<string, string>;
	/** Default: true. Without the editor, n8n starts in two thirds of the time. */
	hasEditor?: boolean;
}

/** Starts n8n in an empty or existing folder, and waits until it answers. */
export async function startN8n(options: StartOptions): Promise<Instance> {
	const { folder, role = 'start', hasEditor = true } = options;
	const place = {
		folder,
		port: options.port ?? (await freePort()),
		brokerPort: await freePort(),
	};
	const env = environmentOf(place, {
		// A worker only serves its health check.
		...(role === 'worker'
			? {
					QUEUE_HEALTH_CHECK_ACTIVE: 'true',
					QUEUE_HEALTH_CHECK_PORT: String(place.port),
					// N8N_LISTEN_ADDRESS has no effect on workers.
					N8N_WORKER_SERVER_ADDRESS: HOST,
				}
			: {}),
		...(hasEditor ? {} : { N8N_DISABLE_UI: 'true' }),
		...options.env,
	});
	const running = runN8n([role], { env, logFile: join(folder, `n8n-${role}.log`) });
	const instance = { ...running, place, url: `http://${HOST}:${place.port}` };
	try {
		await untilReady(instance);
		requirePackage(instance);
	} catch (error) {
		await instance.stop();
		throw error;
	}
	return instance;
}

async function untilReady(instance: Instance): Promise<void> {
	const deadline = Date.now() + READY_WITHIN_MS;
	while (!instance.hasEnded()) {
		const answer = await fetch(`${instance.url}/healthz/readiness`, {
			signal: AbortSignal.timeout(5000),
		}).catch(() => undefined);
		if (answer?.ok) return;
		if (Date.now() > deadline) {
			throw new Trouble(
				`n8n did not answer within ${READY_WITHIN_MS / 1000} s. ` +
					`The end of ${instance.logFile}:\n${instance.logTail()}`,
			);
		}
		await sleep(200);
	}
	throw new Trouble(
		`n8n ended while it started. The end of ${instance.logFile}:\n${instance.logTail()}`,
	);
}

/** @throws Trouble when n8n has not loaded the package: n8n only logs that, and continues without it */
function requirePackage(instance: Instance): void {
	const log = instance.log();
	const problem = log.indexOf('Failed to load package');
	if (problem < 0) return;
	throw new Trouble(`n8n does not load the package:\n${log.slice(problem, problem + 2000)}`);
}
