import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { startN8n, type Instance } from '../../../../demo/n8n/instance.mts';
import { createCredential } from '../../../../demo/n8n/rest/credentials.mts';
import { logIn, type Session } from '../../../../demo/n8n/rest/session.mts';
import { unpackPackage } from '../../../../demo/n8n/unpack.mts';
import { packageTarball } from '../../../../demo/setup/paths.mjs';
import { startSandbox, type Sandbox } from '../../../../sandbox/server.mts';

/** A text that occurs nowhere else, so a test that finds it in a log or an execution has found a leak. */
export const SECRET = 'example-secret+of the/webhook';

export interface Stage {
	n8n: Instance;
	session: Session;
	sandbox: Sandbox;
	folder: string;
	/** Credentials as nodes refer to them. */
	open: { id: string; name: string };
	secured: { id: string; name: string };
	/** The whole log of n8n, including that before restarts. */
	log: () => string;
	/** Stops or kills n8n, and starts it again with the same database and address. */
	restart: (how?: { isKilled?: boolean; env?: Record<string, string> }) => Promise<void>;
}

let started: Promise<Stage> | undefined;

/** One real n8n with the packed package, and the sandbox. All test files share it. */
export function stage(): Promise<Stage> {
	started ??= start();
	return started;
}

async function start(): Promise<Stage> {
	const folder = await mkdtemp(join(tmpdir(), 'messaging-trigger-'));
	// Campaigns complete only when a test completes them.
	const sandbox = await startSandbox({ port: 0, campaignSeconds: 3600 });
	await unpackPackage(packageTarball, folder);
	const n8n = await startN8n({ folder });
	const session = await logIn(n8n.url);
	const data = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
	const type = 'messagingApi';
	const open = await createCredential(session, { name: 'Open', type, data });
	const secured = await createCredential(session, {
		name: 'Secured',
		type,
		data: { ...data, webhookSecret: SECRET },
	});

	let earlierLogs = '';
	const result: Stage = {
		n8n,
		session,
		sandbox,
		folder,
		open: { id: open.id, name: open.name },
		secured: { id: secured.id, name: secured.name },
		log: () => earlierLogs + result.n8n.log(),
		restart: async ({ isKilled = false, env } = {}) => {
			if (isKilled) {
				// The process group, which includes child processes such as the task runner.
				process.kill(process.platform === 'win32' ? result.n8n.pid : -result.n8n.pid, 'SIGKILL');
				await result.n8n.ended;
			} else await result.n8n.stop();
			earlierLogs += result.n8n.log();
			result.n8n = await startN8n({ folder, port: n8n.place.port, env });
			result.session = await logIn(result.n8n.url);
		},
	};
	return result;
}

after(async () => {
	const running = await started?.catch(() => undefined);
	await running?.n8n.stop();
	await running?.sandbox.close();
	if (running) await rm(running.folder, { recursive: true, force: true });
});
