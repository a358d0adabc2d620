import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startN8n } from '../../demo/n8n/instance.mts';
import { logIn, type Session } from '../../demo/n8n/rest/session.mts';
import { unpackPackage } from '../../demo/n8n/unpack.mts';
import { packageTarball } from '../../demo/setup/paths.mjs';
import { startStack } from '../../test/real-n8n/queue/stack.mts';

/** An n8n with our package. */
export interface Installation {
	session: Session;
	/** Where calls go. */
	url: string;
	/** How many executions of a workflow have ended. */
	ended: (workflow: string) => Promise<number>;
	close: () => Promise<void>;
}

/** n8n as it is when nobody sets anything: one process, SQLite. */
export async function regular(): Promise<Installation> {
	const folder = await mkdtemp(join(tmpdir(), 'messaging-bench-'));
	await unpackPackage(packageTarball, folder);
	const n8n = await startN8n({ folder });
	let database: DatabaseSync | undefined;
	return {
		session: await logIn(n8n.url),
		url: n8n.url,
		ended: async (workflow) => {
			database ??= new DatabaseSync(join(folder, '.n8n', 'database.sqlite'), { readOnly: true });
			const row = database
				.prepare(
					'SELECT count(*) n FROM execution_entity WHERE workflowId = ? AND stoppedAt IS NOT NULL',
				)
				.get(workflow);
			return Number(row!.n);
		},
		close: async () => {
			database?.close();
			await n8n.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** Postgres, Redis, one webhook processor, two workers. */
export async function queue(): Promise<Installation> {
	const stack = await startStack({ workers: 2, concurrency: 10 });
	return {
		session: stack.session,
		url: stack.webhook.instance.url,
		ended: async (workflow) => {
			const [{ n }] = await stack.postgres.query<{ n: number }>(
				`select count(*)::int as n from execution_entity
				where "workflowId" = $1 and "stoppedAt" is not null`,
				[workflow],
			);
			return n;
		},
		close: stack.stop,
	};
}
