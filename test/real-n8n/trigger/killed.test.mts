import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startN8n } from '../../../demo/n8n/instance.mts';
import { createCredential } from '../../../demo/n8n/rest/credentials.mts';
import { logIn } from '../../../demo/n8n/rest/session.mts';
import { activateWorkflow, createWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { unpackPackage } from '../../../demo/n8n/unpack.mts';
import { until } from '../../../demo/n8n/until.mts';
import { packageTarball } from '../../../demo/setup/paths.mjs';
import { HOST } from '../../../demo/ports.mjs';
import { inARow, node } from '../nodes/world/nodes.mts';

/*
 * n8n is killed while it takes calls. Whoever was answered 200, with Accepted or with Duplicate, can forget the event:
 * it has started, and does not start again.
 */

/** An n8n of its own, with a workflow that takes some seconds. */
async function world(seconds: number, env: Record<string, string> = {}) {
	const folder = await mkdtemp(join(tmpdir(), 'messaging-killed-'));
	await unpackPackage(packageTarball, folder);
	let n8n = await startN8n({ folder, env });
	const { port } = n8n.place;
	const session = await logIn(n8n.url);
	const { id: credentialId, name } = await createCredential(session, {
		name: 'Service',
		type: 'messagingApi',
		data: { baseUrl: `http://${HOST}:1`, apiKey: 'key' },
	});
	const webhookId = randomUUID();
	const nodes = [
		node(
			'Messaging Trigger',
			'n8n-nodes-messaging.messagingTrigger',
			1,
			{ events: ['smsDeliveryReport'] },
			{ webhookId, credentials: { messagingApi: { id: credentialId, name } } },
		),
		node('Takes Long', 'n8n-nodes-base.wait', 1.1, { amount: seconds, unit: 'seconds' }),
	];
	const { id } = await createWorkflow(session, {
		name: 'Receiver',
		nodes,
		connections: inARow(nodes),
	});
	await activateWorkflow(session, id);
	const rows = <Row,>(sql: string): Row[] => {
		const database = new DatabaseSync(join(folder, '.n8n', 'database.sqlite'), { readOnly: true });
		try {
			return database.prepare(sql).all(id) as Row[];
		} finally {
			database.close();
		}
	};
	return {
		/** Delivers the report of an SMS. @returns what the service is told; undefined when n8n is gone */
		deliver: async (sms: string) => {
			const began = performance.now();
			try {
				const answer = await fetch(`${n8n.url}/webhook/${webhookId}/webhook`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ event: 'smsDeliveryReport', message: { id: sms } }),
				});
				const text = await answer.text();
				return { status: answer.status, text, ms: performance.now() - began };
			} catch {
				return undefined;
			}
		},
		kill: async () => {
			process.kill(process.platform === 'win32' ? n8n.pid : -n8n.pid, 'SIGKILL');
			await n8n.ended;
		},
		start: async () => {
			n8n = await startN8n({ folder, port, env });
		},
		/** How many executions there are for each SMS, when none is running or waits any more. */
		executions: async () => {
			await until(
				'all executions end',
				async () =>
					rows(
						`SELECT id FROM execution_entity WHERE workflowId = ? AND status IN ('new', 'running', 'waiting')`,
					).length === 0
						? true
						: undefined,
				{ withinMs: 180_000, everyMs: 200 },
			);
			const found = new Map<string, number>();
			for (const { data } of rows<{ data: string }>(
				`SELECT d.data FROM execution_entity e JOIN execution_data d ON d.executionId = e.id WHERE e.workflowId = ?`,
			)) {
				const sms = /sms-[0-9a-f-]{36}/.exec(data)![0];
				found.set(sms, (found.get(sms) ?? 0) + 1);
			}
			return found;
		},
		close: async () => {
			await n8n.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

const manySms = (count: number) => Array.from({ length: count }, () => `sms-${randomUUID()}`);
const isDuplicate = (answer: { text: string } | undefined) => answer?.text.includes('Duplicate');

describe('n8n is killed', () => {
	it('as soon as somebody is told Duplicate: what was answered 200 does not start again', async (context) => {
		const { deliver, kill, start, executions, close } = await world(0);
		try {
			const told = new Set<string>();
			const all: string[] = [];
			for (const round of [1, 2, 3]) {
				const sms = manySms(20);
				all.push(...sms);
				let killing: Promise<void> | undefined;
				await Promise.all(
					[...sms, ...sms, ...sms].map(async (id) => {
						const answer = await deliver(id);
						if (answer?.status === 200) told.add(id);
						if (isDuplicate(answer)) killing ??= kill();
					}),
				);
				await killing;
				context.diagnostic(`round ${round}: ${told.size} of ${all.length} were told 200 so far`);
				await start();
				const again = await Promise.all(all.map(async (id) => await deliver(id)));
				assert.deepEqual(
					all.filter((id, index) => told.has(id) && !isDuplicate(again[index])),
					[],
				);
				for (const [index, id] of all.entries()) if (again[index]?.status === 200) told.add(id);
			}
			const found = await executions();
			assert.deepEqual(
				all.filter((id) => !found.has(id)),
				[],
			);
			const twice = all.filter((id) => found.get(id)! > 1);
			context.diagnostic(
				`${twice.length} of ${all.length}, which nobody was answered for, started twice`,
			);
			assert.ok(twice.length <= 3 * 8, `${twice.length} started twice`);
		} finally {
			await close();
		}
	});

	it('after executions waited for capacity: all were answered, and each starts once', async (context) => {
		const limit = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '2' };
		const { deliver, kill, start, executions, close } = await world(4, limit);
		try {
			const sms = manySms(20);
			const answers: Array<{ status: number; ms: number }> = [];
			await Promise.all(
				sms.map(async (id) => {
					for (;;) {
						const answer = (await deliver(id))!;
						answers.push(answer);
						if (answer.status === 200) return;
						await sleep(1000);
					}
				}),
			);
			const longest = Math.max(...answers.map(({ ms }) => ms));
			const refused = answers.filter(({ status }) => status !== 200);
			context.diagnostic(
				`longest answer ${Math.round(longest)} ms, ${refused.length} told to deliver again`,
			);
			assert.deepEqual(
				refused.filter(({ status }) => status !== 503),
				[],
			);
			await kill();
			await start();
			for (const answer of await Promise.all(sms.map(deliver))) assert.ok(isDuplicate(answer));
			const found = await executions();
			assert.deepEqual([...found].sort(), sms.map((id) => [id, 1]).sort());
		} finally {
			await close();
		}
	});
});
