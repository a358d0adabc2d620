import { createRequire } from 'node:module';
import { createCredential } from '../../../../demo/n8n/rest/credentials.mts';
import { HOST } from '../../../../demo/ports.mjs';
import type { Member } from '../world/member.mts';
import { startStack, type Stack } from '../world/stack.mts';
import { forgetPeak, peakOf } from './memory.mts';

const requireHere = createRequire(import.meta.url);
const { startSandboxProcess } = requireHere('../../../support/sandboxProcess.js') as {
	startSandboxProcess: () => Promise<{ url: string; apiKey: string; stop: () => Promise<void> }>;
};

export interface Accepted {
	messages: number;
	campaigns: number;
	byRecipient: Record<string, number>;
}

/** Queue mode with n8n's own settings, and the service in a process of its own. */
export interface Scene {
	stack: Stack;
	service: { url: string; apiKey: string };
	credential: { id: string; name: string };
	/** Of the Postgres that n8n itself uses: where the lists of recipients come from. */
	database: { id: string; name: string };
	/** The service forgets all, and takes so long for each answer from now on. */
	reset: (latencyMs: number) => Promise<void>;
	accepted: () => Promise<Accepted>;
	close: () => Promise<void>;
}

export async function openScene(): Promise<Scene> {
	const sandbox = await startSandboxProcess();
	// What n8n does when nobody sets it.
	const stack = await startStack({ workers: 2, concurrency: 10 });
	const { id, name } = await createCredential(stack.session, {
		name: 'Sandbox',
		type: 'messagingApi',
		data: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
	});
	const { env, port } = stack.postgres;
	const database = await createCredential(stack.session, {
		name: 'Recipients',
		type: 'postgres',
		data: {
			host: HOST,
			port,
			database: env.DB_POSTGRESDB_DATABASE,
			user: env.DB_POSTGRESDB_USER,
			password: env.DB_POSTGRESDB_PASSWORD,
			ssl: 'disable',
		},
	});
	const control = async (method: string, path: string, body?: unknown) => {
		const answer = await fetch(`${sandbox.url}/_sandbox${path}`, {
			method,
			...(body !== undefined && {
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			}),
		});
		if (!answer.ok) throw new Error(`Sandbox ${method} ${path}: ${await answer.text()}`);
		return await answer.json();
	};
	return {
		stack,
		service: sandbox,
		credential: { id, name },
		database: { id: database.id, name: database.name },
		reset: async (latencyMs) => {
			await control('POST', '/reset', { latencyMs });
		},
		accepted: async () => ((await control('GET', '/counts')) as { accepted: Accepted }).accepted,
		close: async () => {
			await stack.stop();
			await sandbox.stop();
		},
	};
}

export interface Peaks {
	main: number;
	webhook: number;
	/** Of the worker that needed most. */
	worker: number;
}

/** Does the work, and says how much memory each n8n process needed for it; workers start fresh. */
export async function withPeaks<T>(
	{ stack }: Scene,
	work: () => Promise<T>,
): Promise<{ result: T; peaks: Peaks }> {
	await Promise.all(
		stack.workers.map(async (worker) => {
			await worker.stop();
			await worker.start();
		}),
	);
	const pid = ({ instance }: Member) => instance.pid;
	for (const member of [stack.main, stack.webhook, ...stack.workers]) forgetPeak(pid(member));
	const result = await work();
	return {
		result,
		peaks: {
			main: peakOf(pid(stack.main)),
			webhook: peakOf(pid(stack.webhook)),
			worker: Math.max(...stack.workers.map((worker) => peakOf(pid(worker)))),
		},
	};
}
