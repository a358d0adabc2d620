import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Trouble } from '../setup/trouble.mjs';
import { environmentOf } from './environment.mts';
import { freePort } from '../ports.mjs';
import { runN8n } from './process.mts';

export interface SeedCredential {
	id: string;
	name: string;
	type: string;
	data: Record<string, unknown>;
}

export interface SeedWorkflow {
	id: string;
	name: string;
	nodes: unknown[];
	connections: object;
	settings?: object;
}

export interface Seed {
	credentials?: SeedCredential[];
	workflows?: SeedWorkflow[];
	/** Ids of the workflows to publish. */
	publish?: string[];
}

/**
 * Fills the database of a stopped n8n with n8n's own commands. Ids are fixed, so seeding again replaces the
 * data. Each command takes about 3 seconds.
 */
export async function seed(
	folder: string,
	{ credentials = [], workflows = [], publish = [] }: Seed,
	env: Record<string, string> = {},
): Promise<void> {
	const files = await mkdtemp(join(tmpdir(), 'n8n-seed-'));
	const json = async (name: string, content: unknown) => {
		const file = join(files, name);
		await writeFile(file, JSON.stringify(content), { mode: 0o600 });
		return file;
	};
	try {
		if (credentials.length > 0) {
			const input = await json('credentials.json', credentials);
			await command(folder, env, ['import:credentials', `--input=${input}`]);
		}
		if (workflows.length > 0) {
			// An older n8n imports only the format of its own exports.
			const input = await json(
				'workflows.json',
				workflows.map((workflow) => ({ active: false, versionId: randomUUID(), ...workflow })),
			);
			await command(folder, env, ['import:workflow', `--input=${input}`]);
		}
		for (const id of publish) {
			await command(folder, env, ['publish:workflow', `--id=${id}`]).catch((error) => {
				// An older n8n does not publish imported workflows; ensurePublished does that.
				if (!/Version ".*" not found/.test(error.message)) throw error;
			});
		}
	} finally {
		await rm(files, { recursive: true, force: true });
	}
}

async function command(folder: string, env: Record<string, string>, args: string[]) {
	const place = { folder, port: await freePort(), brokerPort: await freePort() };
	const running = runN8n(args, {
		env: environmentOf(place, env),
		logFile: join(folder, `n8n-${args[0].replace(':', '-')}.log`),
	});
	const { code, signal } = await running.ended;
	// Some of n8n's commands exit with 0 although they failed; only the log shows it. Older versions log errors that
	// are not failures, so the word "error" alone proves nothing.
	if (code === 0 && !/\b(An error occurred|Error updating)\b/.test(running.log())) return;
	throw new Trouble(
		`n8n ${args[0]} failed (${signal ?? code}). The end of its output:\n${running.logTail()}`,
	);
}
