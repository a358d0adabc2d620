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

/**
 * Runs a job in a new process.
 *
 * @param onReady called just before the measured run begins; the run waits for it
 * @param profiles the folder for a CPU profile of the process
 */
export async function runJob(
	job: Job,
	env: NodeJS.ProcessEnv,
	onReady: () => Promise<void>,
	profiles?: string,
): Promise<Cost> {
	const execArgv = [
		'--expose-gc',
		...(profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : []),
	];
	const child = fork(fileOf('worker.mts'), { env, execArgv });
	child.send(job);
	return await new Promise((resolve, reject) => {
		let end = () => reject(new Error('The process of the run ended without a result.'));
		child.on('error', reject);
		child.on('exit', () => end());
		child.on('message', (message: Report) => {
			if ('cost' in message) end = () => resolve(message.cost);
			else if ('failed' in message) end = () => reject(new Error(message.failed));
			else onReady().then(() => child.send('go'), reject);
		});
	});
}
