import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'node:test';
import { startN8n, type Instance } from '../../../demo/n8n/instance.mts';
import { createCredential } from '../../../demo/n8n/rest/credentials.mts';
import {
	executionsOf,
	finishedExecution,
	itemsOf,
	type Json,
} from '../../../demo/n8n/rest/executions.mts';
import { logIn, type Session } from '../../../demo/n8n/rest/session.mts';
import {
	activateWorkflow,
	createWorkflow,
	runWorkflow,
} from '../../../demo/n8n/rest/workflows.mts';
import { unpackPackage } from '../../../demo/n8n/unpack.mts';
import { freePort } from '../../../demo/ports.mjs';
import { until } from '../../../demo/n8n/until.mts';
import { packageTarball } from '../../../demo/setup/paths.mjs';
import { startSandbox, type Sandbox } from '../../../sandbox/server.mts';
import { inARow, items, messaging, node, START, start, to, type Node } from './world/nodes.mts';
import { acceptedBy, isWaiting, linksIn, open, press, untilItWaits } from './world/questions.mts';

const NODE = 'Ask';
const CALL = 'Call';

/* An n8n of its own, which runs one production execution at a time. */
describe('answers to a question whose execution n8n continues late', () => {
	let folder: string;
	let sandbox: Sandbox;
	let n8n: Instance;
	let session: Session;
	let port: number;
	let credential: { id: string; name: string };
	let block: string;
	let recipients = 0;
	/** Started before the first test, because it has to wait for n8n's timers. */
	let loop: ReturnType<typeof askInALoop>;

	before(async () => {
		folder = await mkdtemp(join(tmpdir(), 'messaging-e2e-late-'));
		sandbox = await startSandbox({ port: 0 });
		await unpackPackage(packageTarball, folder);
		port = await freePort();
		await startAgain();
		const { id, name } = await createCredential(session, {
			name: 'Sandbox',
			type: 'messagingApi',
			data: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		});
		credential = { id, name };
		const busy = (seconds: number) =>
			node('Busy', 'n8n-nodes-base.wait', 1.1, {
				resume: 'timeInterval',
				amount: seconds,
				unit: 'seconds',
			});
		loop = askInALoop();
		loop.catch(() => {});
		({ path: block } = await published('Busy', (call) => [call, busy(10)]));
	});

	after(async () => {
		await n8n?.stop();
		await sandbox?.close();
		if (folder) await rm(folder, { recursive: true, force: true });
	});

	/** Starts n8n, each time on the same port, because the port is part of the links. */
	async function startAgain() {
		n8n = await startN8n({ folder, port, env: { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' } });
		session = await logIn(n8n.url);
	}

	/** Publishes a workflow that its webhook starts. */
	async function published(name: string, nodesFor: (call: Node) => Node[]) {
		const path = randomUUID();
		const call = node(
			CALL,
			'n8n-nodes-base.webhook',
			2.1,
			{ path, httpMethod: 'POST', responseMode: 'onReceived', options: {} },
			{ webhookId: randomUUID() },
		);
		const nodes = nodesFor(call);
		const { id } = await createWorkflow(session, {
			name: `${name} ${path}`,
			nodes,
			connections: inARow(nodes),
		});
		await activateWorkflow(session, id);
		return { id, path };
	}

	const callWebhook = async (path: string) => {
		const answer = await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST' });
		assert.equal(answer.status, 200, await answer.text());
	};

	const question = (parameters: Json) =>
		messaging(NODE, credential, {
			resource: 'message',
			operation: 'sendAndWait',
			from: { __rl: true, mode: 'phone', value: '447700900100' },
			message: 'May we?',
			approvalOptions: { values: { approvalType: 'double' } },
			...parameters,
		});

	const limit = (minutes: number) => ({
		options: {
			limitWaitTime: {
				values: {
					limitType: 'afterTimeInterval',
					resumeAmount: minutes,
					resumeUnit: 'minutes',
				},
			},
		},
	});

	const newRecipient = () => `3859950${String(++recipients).padStart(2, '0')}055`;

	/** Asks in a production execution, and returns when the execution waits. */
	async function ask(parameters: Json = {}) {
		const phone = newRecipient();
		const { id, path } = await published('ask', (call) => [
			call,
			question({ to: phone, ...parameters }),
			node('After', 'n8n-nodes-base.noOp', 1, {}),
		]);
		await callWebhook(path);
		const execution = await until('the execution is there', async () => {
			const [latest] = await executionsOf(session, id);
			return latest?.id;
		});
		await untilItWaits(session, execution);
		const [{ message }] = await acceptedBy(sandbox, phone);
		const [link] = linksIn(message);
		return { execution, phone, link };
	}

	async function outcome(execution: string) {
		const finished = await finishedExecution(session, execution);
		assert.equal(finished.status, 'success', finished.error?.message);
		return itemsOf(finished, 'After').map(({ json }) => json.data);
	}

	/** The heading of the page. */
	const said = ({ html }: { html: string }) => /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? html;

	it('of two answers while n8n is busy, only the one that counts is confirmed', async () => {
		const { execution, link } = await ask();
		await callWebhook(block);
		const first = await press(link, { decision: 'disapprove' });
		const second = await press(link, { decision: 'approve' });
		const opened = await open(link);
		assert.ok(await isWaiting(session, execution), 'n8n continued too early for this test');
		assert.deepEqual([first, second, opened].map(said), [
			'Thank you. Your answer has been recorded, and you can close this page.',
			'This question is no longer open. Only the first answer counts.',
			'This question is no longer open. Only the first answer counts.',
		]);
		const [data] = await outcome(execution);
		assert.equal(data.approved, false);
	});

	it('two buttons pressed at once: one person is thanked, and that answer counts', async () => {
		const { execution, link } = await ask();
		const pages = await Promise.all([
			press(link, { decision: 'approve' }),
			press(link, { decision: 'disapprove' }),
		]);
		const recorded = pages.map((page) => said(page).includes('has been recorded'));
		assert.equal(recorded.filter(Boolean).length, 1, JSON.stringify(pages.map(said)));
		const [data] = await outcome(execution);
		assert.equal(data.approved, recorded[0]);
	});

	it('after Limit Wait Time no answer is taken, however late n8n continues', async () => {
		const { execution, phone, link } = await ask(limit(0.05));
		await callWebhook(block);
		await sleep(3500);
		const late = await press(link, { decision: 'approve' });
		assert.ok(await isWaiting(session, execution), 'n8n continued too early for this test');
		assert.equal(said(late), 'The time for an answer is over. Nothing has been recorded.');
		const [data] = await outcome(execution);
		assert.deepEqual(data, { timedOut: true, approved: false, to: phone, sentAs: 'session' });
	});

	it('the limit of an answered question does not end the next one', async () => {
		const { execution, askedAt, linkOf } = await loop;
		const first = await linkOf(0);
		// n8n looks every minute for executions whose time is up soon, and sets a timer for them.
		await sleep(Math.max(0, askedAt + 61_000 - Date.now()));
		assert.match(said(await press(first, { decision: 'approve' })), /has been recorded/);
		const second = await linkOf(1);
		await sleep(Math.max(0, askedAt + 72_000 - Date.now()));
		await press(second, { decision: 'approve' });
		const data = await outcome(execution);
		assert.deepEqual(
			data.map(({ approved, timedOut }) => ({ approved, timedOut })),
			[1, 2].map(() => ({ approved: true, timedOut: undefined })),
		);
	});

	it('an answer that n8n had no capacity for is lost when n8n is killed, and the question open again', async () => {
		const done = await ask();
		await press(done.link, { decision: 'approve' });
		await outcome(done.execution);
		const { execution, link } = await ask();
		await callWebhook(block);
		assert.match(said(await press(link, { decision: 'approve' })), /has been recorded/);
		process.kill(n8n.pid, 'SIGKILL');
		await n8n.ended;
		await startAgain();

		assert.ok(await isWaiting(session, execution));
		assert.match(said(await press(link, { decision: 'disapprove' })), /has been recorded/);
		assert.equal((await outcome(execution))[0].approved, false);
		// Questions that were answered before the restart are still known as answered.
		const again = await press(done.link, { decision: 'disapprove' });
		assert.doesNotMatch(again.html, /recorded/);
		assert.equal((await outcome(done.execution))[0].approved, true);
	});

	/** Asks two people, one after the other, each for a little more than a minute. */
	async function askInALoop() {
		const people = [newRecipient(), newRecipient()];
		const first = [
			start(),
			...items(
				'People',
				people.map((phone) => ({ phone })),
			),
			node('Loop', 'n8n-nodes-base.splitInBatches', 3, { options: {} }),
		];
		const { id } = await createWorkflow(session, {
			name: 'loop',
			nodes: [
				...first,
				question({ to: '={{ $json.phone }}', ...limit(1.1) }),
				node('After', 'n8n-nodes-base.noOp', 1, {}),
			],
			connections: {
				...inARow(first),
				Loop: { main: [[to('After')], [to(NODE)]] },
				[NODE]: { main: [[to('Loop')]] },
			},
		});
		const askedAt = Date.now();
		// A manual execution: the limit of production executions does not apply to it.
		const execution = await runWorkflow(session, id, START);
		await untilItWaits(session, execution);
		const linkOf = async (index: number) =>
			await until(`person ${index} is asked`, async () => {
				const [sent] = await acceptedBy(sandbox, people[index]);
				return sent && (await isWaiting(session, execution)) ? linksIn(sent.message)[0] : undefined;
			});
		return { execution, askedAt, linkOf };
	}
});
