import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createCredential } from '../../demo/n8n/rest/credentials.mts';
import { HOST } from '../../demo/ports.mjs';
import type { Member } from '../../test/real-n8n/queue/world/member.mts';
import { startStack } from '../../test/real-n8n/queue/world/stack.mts';
import type { Stack } from '../../test/real-n8n/queue/world/stack.mts';

const requireHere = createRequire(import.meta.url);
const { startSandboxProcess } = requireHere('../../test/support/sandboxProcess.js') as {
	startSandboxProcess: () => Promise<{ url: string; apiKey: string; stop: () => Promise<void> }>;
};

export interface Accepted {
	messages: number;
	campaigns: number;
	byRecipient: Record<string, number>;
}

/** n8n in queue mode with default settings, and the sandbox in its own process. */
export interface Scene {
	stack: Stack;
	service: { url: string; apiKey: string };
	credential: { id: string; name: string };
	/** Credential of n8n's Postgres, which also contains the lists of recipients. */
	database: { id: string; name: string };
	/** Resets the sandbox, and sets the delay of each answer in ms. */
	reset: (latencyMs: number) => Promise<void>;
	accepted: () => Promise<Accepted>;
	close: () => Promise<void>;
}

export async function openScene(): Promise<Scene> {
	const sandbox = await startSandboxProcess();
	// n8n's default concurrency.
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
	/** Of the worker with the highest peak. */
	worker: number;
}

/** Restarts the workers, does the work, and returns the peak memory of each n8n process. */
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

/** Resets the peak memory that Linux keeps for a process. */
export function forgetPeak(pid: number): void {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The peak memory of a process since {@link forgetPeak}, MB. */
export function peakOf(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
}
