import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startN8n, type Instance } from '../../demo/n8n/instance.mts';
import { executionsOf, finishedExecution } from '../../demo/n8n/rest/executions.mts';
import { logIn, type Session } from '../../demo/n8n/rest/session.mts';
import { createWorkflow, runWorkflow } from '../../demo/n8n/rest/workflows.mts';
import { seed } from '../../demo/n8n/seed.mts';
import { unpackPackage } from '../../demo/n8n/unpack.mts';
import { until } from '../../demo/n8n/until.mts';
import { packageTarball } from '../../demo/setup/paths.mjs';
import { exampleCredential } from '../../demo/story/examples.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { inARow, items, messaging, START, start } from './world/nodes.mts';

const MANY = 200;

/* In an n8n of its own, which is killed as a machine without memory kills it. */
describe('n8n is killed while it sends, and the crashed execution is retried', () => {
	let folder: string;
	let sandbox: Sandbox;
	let n8n: Instance;
	let session: Session;
	let credential: ReturnType<typeof exampleCredential>;

	before(async () => {
		folder = await mkdtemp(join(tmpdir(), 'messaging-killed-'));
		sandbox = await startSandbox({ port: 0, latencyMs: 100 });
		await unpackPackage(packageTarball, folder);
		credential = exampleCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
		await seed(folder, { credentials: [credential] });
		n8n = await startN8n({ folder });
		session = await logIn(n8n.url);
	});

	after(async () => {
		await n8n?.stop();
		await sandbox?.close();
		await rm(folder, { recursive: true, force: true });
	});

	const tally = () => sandbox.world.messages.tally();

	it('nobody is sent to twice, and everybody is named as possibly sent to', async () => {
		const { id: workflow } = await createWorkflow(session, senderOf());
		const execution = await runWorkflow(session, workflow, START);
		await until('some are accepted', async () => (tally().messages >= 30 ? true : undefined));
		process.kill(n8n.pid, 'SIGKILL');
		await n8n.ended;
		n8n = await startN8n({ folder });
		session = await logIn(n8n.url);
		const { status } = await finishedExecution(session, execution);
		assert.equal(status, 'crashed');
		// What was under way when n8n was killed was still taken by the service.
		const before = tally();
		assert.ok(before.messages < MANY, `${before.messages} of ${MANY} were accepted`);

		await session.post(`/rest/executions/${execution}/retry`, { loadWorkflow: false });
		const again = await until('the retry is there', async () => {
			const [latest] = await executionsOf(session, workflow);
			return latest.id === execution ? undefined : latest.id;
		});
		const { error } = await finishedExecution(session, again);
		assert.match(error?.message ?? '', /was cut off while it was sending/);
		assert.match(error?.message ?? '', new RegExp(`${MANY} may have been sent`));
		assert.deepEqual(tally(), before);
	});

	const senderOf = () => {
		const people = Array.from({ length: MANY }, (_, index) => ({
			phone: `38591800${1000 + index}`,
		}));
		const nodes = [
			start(),
			...items('People', people),
			messaging(
				'Messaging',
				{ id: credential.id, name: credential.name },
				{
					resource: 'message',
					operation: 'sendText',
					from: { __rl: true, mode: 'phone', value: '447700900100' },
					to: '={{ $json.phone }}',
					message: 'Hello',
				},
			),
		];
		return {
			name: 'Killed',
			// Without it n8n keeps nothing of a crashed execution that could be retried.
			settings: { saveExecutionProgress: true },
			nodes,
			connections: inARow(nodes),
		};
	};
});
