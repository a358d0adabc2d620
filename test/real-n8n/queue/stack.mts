import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logIn, type Session } from '../../../demo/n8n/rest/session.mts';
import { freePort, HOST } from '../../../demo/ports.mjs';
import { startPostgres, type Postgres } from './servers/postgres.mts';
import { startRedis } from './servers/redis.mts';
import { startMember, type Member } from '../world/member.mts';

/** All processes of n8n's queue mode. Each n8n process has its own user folder, as in containers. */
export interface Stack {
	postgres: Postgres;
	main: Member;
	webhook: Member;
	workers: Member[];
	/** A person logged in at the main process. */
	session: Session;
	/** Starts more workers, until there are so many. */
	growTo: (workers: number) => Promise<void>;
	stop: () => Promise<void>;
}

export interface StackOptions {
	workers?: number;
	/** Executions at once in each worker. */
	concurrency?: number;
	env?: Record<string, string>;
}

export async function startStack(options: StackOptions = {}): Promise<Stack> {
	const { workers = 2, concurrency = 5 } = options;
	const folder = await mkdtemp(join(tmpdir(), 'messaging-queue-'));
	// Postgres runs as another user and must find its folder below this one.
	await chmod(folder, 0o711);
	const closing: Array<() => Promise<void>> = [
		async () => await rm(folder, { recursive: true, force: true }),
	];
	const stop = async () => {
		for (const close of closing.splice(0).reverse()) await close();
	};
	try {
		const postgres = await startPostgres(join(folder, 'postgres'));
		closing.push(postgres.stop);
		const redis = await startRedis(join(folder, 'redis'));
		closing.push(redis.stop);

		const webhookPort = await freePort();
		const env = {
			EXECUTIONS_MODE: 'queue',
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
			N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
			WEBHOOK_URL: `http://${HOST}:${webhookPort}/`,
			...postgres.env,
			...redis.env,
			...options.env,
		};
		const start = async (
			name: string,
			role: 'start' | 'webhook' | 'worker',
			port?: number,
			more: Record<string, string> = {},
		) => {
			const member = await startMember(name, {
				folder: join(folder, name),
				role,
				env: { ...env, ...more },
				port,
			});
			closing.push(member.end);
			return member;
		};
		// Starts first and alone, because it creates the tables.
		const main = await start('main', 'start');
		const limit = { N8N_CONCURRENCY_PRODUCTION_LIMIT: String(concurrency) };
		const startWorker = async (number: number) =>
			await start(`worker ${number}`, 'worker', undefined, limit);
		const [session, webhook, ...started] = await Promise.all([
			logIn(main.instance.url),
			start('webhook processor', 'webhook', webhookPort),
			...Array.from({ length: workers }, async (_, index) => await startWorker(index + 1)),
		]);
		return {
			postgres,
			main,
			webhook,
			workers: started,
			session,
			growTo: async (count) => {
				while (started.length < count) started.push(await startWorker(started.length + 1));
			},
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}
