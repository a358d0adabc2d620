import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach } from 'node:test';
import { startN8n, type Instance } from '../../../../demo/n8n/instance.mts';
import { logIn, type Session } from '../../../../demo/n8n/rest/session.mts';
import { seed } from '../../../../demo/n8n/seed.mts';
import { unpackPackage } from '../../../../demo/n8n/unpack.mts';
import { packageTarball } from '../../../../demo/setup/paths.mjs';
import { exampleCredential, examples } from '../../../../demo/story/examples.mts';
import { startSandbox, type Sandbox } from '../../../../sandbox/server.mts';

/** One real n8n with the packed package, and the sandbox. All test files share it. */
export interface World {
	n8n: Instance;
	session: Session;
	sandbox: Sandbox;
	/** The credential that works, as nodes refer to it. */
	credential: { id: string; name: string };
}

let started: Promise<World> | undefined;
let n8n: Instance | undefined;
let sandbox: Sandbox | undefined;
let folder: string | undefined;

export function world(): Promise<World> {
	started ??= start();
	return started;
}

async function start(): Promise<World> {
	folder = await mkdtemp(join(tmpdir(), 'messaging-e2e-'));
	sandbox = await startSandbox({ port: 0, campaignSeconds: 1 });
	await unpackPackage(packageTarball, folder);
	const credential = exampleCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
	await seed(folder, {
		credentials: [credential],
		workflows: [examples.campaign, examples.completion],
		publish: [examples.completion.id],
	});
	n8n = await startN8n({ folder });
	const session = await logIn(n8n.url);
	const { id, name } = credential;
	return { n8n, session, sandbox, credential: { id, name } };
}

let logBefore = 0;

beforeEach(() => {
	logBefore = n8n?.log().length ?? 0;
});

afterEach((context) => {
	if (!n8n || !('passed' in context) || context.passed) return;
	const written = n8n.log().slice(logBefore).trim();
	console.error(`\nn8n's log during this test:\n${written.slice(-3000) || '(nothing)'}\n`);
});

after(async () => {
	await started?.catch(() => undefined);
	await n8n?.stop();
	await sandbox?.close();
	if (folder) await rm(folder, { recursive: true, force: true });
});
