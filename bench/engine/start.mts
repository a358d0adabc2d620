import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { environmentOf } from '../../demo/n8n/environment.mts';
import { freePort } from '../../demo/ports.mjs';
import type { Job, Report } from './job.mts';
import type { Cost } from './meters.mts';
import type { SeedCredential } from './seed.mts';

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The environment of an n8n in production, without the proxy settings of this machine. */
export async function environment(folder: string) {
	const place = { folder, port: await freePort(), brokerPort: await freePort() };
	const own = environmentOf(place, { N8N_LOG_LEVEL: 'silent' });
	for (const name of Object.keys(own)) if (/^(https?|all)_proxy$/i.test(name)) delete own[name];
	return own;
}

export async function seedDatabase(env: NodeJS.ProcessEnv, credentials: SeedCredential[]) {
	const child = fork(fileOf('seed.mts'), { env });
	child.send(credentials);
	const code = await new Promise((resolve) => child.on('exit', resolve));
	if (code !== 0) throw new Error(`The database could not be created (${String(code)}).`);
}

/** A process that runs jobs, one at a time. */
export interface Worker {
	/** @param onReady called just before the measured run begins; the run waits for it */
	run: (job: Job, onReady: () => Promise<void>) => Promise<Cost>;
	end: () => void;
}

/** @param profiles the folder for a CPU profile of the process */
export function startWorker(env: NodeJS.ProcessEnv, profiles?: string): Worker {
	const execArgv = [
		'--expose-gc',
		...(profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : []),
	];
	const child = fork(fileOf('worker.mts'), { env, execArgv });
	return {
		run: async (job, onReady) => {
			const ended = new AbortController();
			const { signal } = ended;
			child.send(job);
			try {
				return await new Promise<Cost>((resolve, reject) => {
					const take = (message: Report) => {
						if ('cost' in message) resolve(message.cost);
						else if ('failed' in message) reject(new Error(message.failed));
						else onReady().then(() => child.send('go'), reject);
					};
					child.on('message', take);
					child.on('error', reject);
					child.on('exit', () => reject(new Error('The process ended without a result.')));
					signal.addEventListener('abort', () => child.removeAllListeners());
				});
			} finally {
				ended.abort();
			}
		},
		end: () => {
			if (child.connected) child.disconnect();
		},
	};
}
