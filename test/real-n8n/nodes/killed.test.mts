import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startN8n, type Instance } from '../../../demo/n8n/instance.mts';
import { executionsOf, finishedExecution, outputOf } from '../../../demo/n8n/rest/executions.mts';
import { logIn, type Session } from '../../../demo/n8n/rest/session.mts';
import { createWorkflow, runWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { seed } from '../../../demo/n8n/seed.mts';
import { unpackPackage } from '../../../demo/n8n/unpack.mts';
import { until } from '../../../demo/n8n/until.mts';
import { packageTarball } from '../../../demo/setup/paths.mjs';
import { exampleCredential } from '../../../demo/story/examples.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.mts';
import { inARow, items, messaging, START, start } from './world/nodes.mts';

const MANY = 200;

/* These tests have their own n8n and kill it with SIGKILL, as a machine does that runs out of memory. */
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

	it('nobody gets a message twice, and everybody is reported as possibly sent a message', async () => {
		const { id: workflow } = await createWorkflow(session, senderOf());
		const execution = await runWorkflow(session, workflow, START);
		await until('some are accepted', async () => (tally().messages >= 30 ? true : undefined));
		process.kill(n8n.pid, 'SIGKILL');
		await n8n.ended;
		n8n = await startN8n({ folder });
		session = await logIn(n8n.url);
		const { status } = await finishedExecution(session, execution);
		assert.equal(status, 'crashed');
		// The service still accepts requests that were in flight when n8n was killed.
		const before = tally();
		assert.ok(before.messages < MANY, `${before.messages} of ${MANY} were accepted`);

		await session.post(`/rest/executions/${execution}/retry`, { loadWorkflow: false });
		const again = await until('the retry has started', async () => {
			const [latest] = await executionsOf(session, workflow);
			return latest.id === execution ? undefined : latest.id;
		});
		const { error } = await finishedExecution(session, again);
		assert.match(error?.message ?? '', /was cut off while it was sending/);
		assert.match(
			error?.message ?? '',
			new RegExp(`${MANY} of ${MANY} messages may have been sent`),
		);
		assert.deepEqual(tally(), before);
	});

	it('an accepted campaign is found in the logs, and each of its messages is returned as accepted', async () => {
		const { id: workflow } = await createWorkflow(session, senderOf({ operation: 'campaign' }));
		const { messages: at } = tally();
		const known = new Set(Object.keys(tally().byIdentifier));
		await sandboxFault({
			match: { endpoint: 'sendCampaign' },
			act: true,
			fault: { kind: 'hang' },
		});
		const execution = await runWorkflow(session, workflow, START);
		await until('it is accepted', async () => (tally().messages > at ? true : undefined));
		await kill();
		assert.equal((await finishedExecution(session, execution)).status, 'crashed');
		const before = tally();
		const again = await finishedExecution(session, await retry(execution));
		assert.equal(again.status, 'success', again.error?.message);
		assert.deepEqual(tally(), before);
		const said = outputOf(again, 'Messaging').map(({ identifier }) => identifier as string);
		const sent = Object.keys(before.byIdentifier).filter((identifier) => !known.has(identifier));
		assert.deepEqual(said.sort(), sent.sort());
	});

	it('Retry pressed twice at once sends nothing twice', async () => {
		const { id: workflow } = await createWorkflow(session, senderOf({ people: 20, batchSize: 1 }));
		const at = tally().messages;
		await sandboxFault({
			match: { endpoint: 'sendText' },
			skip: 4,
			fault: { kind: 'status', status: 400 },
		});
		const execution = await runWorkflow(session, workflow, START);
		assert.equal((await finishedExecution(session, execution)).status, 'error');
		await Promise.all([retry(execution), retry(execution)]);
		assert.equal(tally().messages - at, 20);
	});

	const kill = async () => {
		process.kill(n8n.pid, 'SIGKILL');
		await n8n.ended;
		n8n = await startN8n({ folder });
		session = await logIn(n8n.url);
	};

	/** @returns the new execution, when it has ended */
	const retry = async (execution: string) => {
		const { id } = await session.post<{ id: string }>(`/rest/executions/${execution}/retry`, {
			loadWorkflow: false,
		});
		return id;
	};

	const sandboxFault = async (rule: object) => {
		const answer = await fetch(`${sandbox.url}/_sandbox/faults`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify([{ times: 1, ...rule }]),
		});
		assert.equal(answer.status, 200, await answer.text());
	};

	const senderOf = ({ people: count = MANY, operation = 'text', batchSize = 10 } = {}) => {
		const people = Array.from({ length: count }, (_, index) => ({
			phone: `38591800${1000 + index}`,
		}));
		const nodes = [
			start(),
			...items('People', people),
			messaging(
				'Messaging',
				{ id: credential.id, name: credential.name },
				{
					...(operation === 'campaign'
						? {
								resource: 'campaign',
								operation: 'send',
								template: { __rl: true, mode: 'name', value: 'opening_hours' },
							}
						: { resource: 'message', operation: 'sendText', message: 'Hello' }),
					from: { __rl: true, mode: 'phone', value: '447700900100' },
					to: '={{ $json.phone }}',
					options: { batchSize },
				},
			),
		];
		return {
			name: 'Killed',
			// Without this setting n8n keeps no data of a crashed execution, and there is nothing to retry.
			settings: { saveExecutionProgress: true },
			nodes,
			connections: inARow(nodes),
		};
	};
});
