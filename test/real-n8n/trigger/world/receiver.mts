import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { unflatten } from '../../../../demo/n8n/rest/executions.mts';
import { activateWorkflow, createWorkflow } from '../../../../demo/n8n/rest/workflows.mts';
import { until } from '../../../../demo/n8n/until.mts';
import { inARow, node } from '../../nodes/world/nodes.mts';
import { stage } from './stage.mts';

const TRIGGER = 'Messaging Trigger';

export interface Run {
	id: number;
	status: string;
	mode: string;
	/** The output items of the trigger. */
	items: Array<Record<string, any>>;
	/** All data of the execution that n8n saved. */
	saved: string;
}

export interface Receiver {
	id: string;
	url: string;
	testUrl: string;
	/** The executions that have ended so far, oldest first. */
	runs: () => Run[];
	/** How many executions each event with an id like `sms-…` has started, when none is running any more. */
	startedBy: () => Promise<Map<string, number>>;
	/** Waits until at least `count` executions have ended, and half a second more, so that a superfluous one is noticed. */
	settled: (count: number) => Promise<Run[]>;
}

/** Creates a workflow of a Messaging Trigger and a node after it. */
export async function receiver(
	parameters: object = {},
	{ isSecured = false, isPublished = true, seconds = 0 } = {},
): Promise<Receiver> {
	const { session, n8n, open, secured, folder } = await stage();
	const webhookId = randomUUID();
	const nodes = [
		node(
			TRIGGER,
			'n8n-nodes-messaging.messagingTrigger',
			1.1,
			{ events: ['campaignCompleted', 'smsDeliveryReport', 'other'], ...parameters },
			{ webhookId, credentials: { messagingApi: isSecured ? secured : open } },
		),
		seconds > 0
			? node('Takes Long', 'n8n-nodes-base.wait', 1.1, { amount: seconds, unit: 'seconds' })
			: node('Next', 'n8n-nodes-base.noOp', 1, {}),
	];
	const { id } = await createWorkflow(session, {
		name: `Receiver ${webhookId}`,
		nodes,
		connections: inARow(nodes),
	});
	if (isPublished) await activateWorkflow(session, id);

	const runs = () => runsOf(folder, id);
	return {
		id,
		url: `${n8n.url}/webhook/${webhookId}/webhook`,
		testUrl: `${n8n.url}/webhook-test/${webhookId}/webhook`,
		runs,
		startedBy: async () => {
			await until('no execution is running', async () => (isIdle(folder, id) ? true : undefined), {
				withinMs: 300_000,
				everyMs: 200,
			});
			return startedBy(folder, id);
		},
		settled: async (count) => {
			await until(
				`${count} executions`,
				async () => (countOf(folder, id) >= count ? true : undefined),
				{ withinMs: 600_000, everyMs: 200 },
			);
			await sleep(500);
			return runs();
		},
	};
}

/** Reads n8n's database, because n8n's own lists end at a hundred executions. */
function query<Row>(folder: string, sql: string, workflowId: string): Row[] {
	const database = new DatabaseSync(join(folder, '.n8n', 'database.sqlite'), { readOnly: true });
	try {
		return database.prepare(sql).all(workflowId) as Row[];
	} finally {
		database.close();
	}
}

/** Changes n8n's database. */
export function inDatabase(folder: string, sql: string): void {
	const database = new DatabaseSync(join(folder, '.n8n', 'database.sqlite'), { timeout: 10_000 });
	try {
		database.exec(sql);
	} finally {
		database.close();
	}
}

function countOf(folder: string, workflowId: string): number {
	const sql = 'SELECT count(*) n FROM execution_entity WHERE workflowId = ? AND finished = 1';
	return query<{ n: number }>(folder, sql, workflowId)[0].n;
}

function isIdle(folder: string, workflowId: string): boolean {
	const sql = `SELECT count(*) n FROM execution_entity WHERE workflowId = ? AND status IN ('new', 'running', 'waiting')`;
	return query<{ n: number }>(folder, sql, workflowId)[0].n === 0;
}

function startedBy(folder: string, workflowId: string): Map<string, number> {
	const sql = `SELECT d.data FROM execution_entity e JOIN execution_data d ON d.executionId = e.id WHERE e.workflowId = ?`;
	const found = new Map<string, number>();
	for (const { data } of query<{ data: string }>(folder, sql, workflowId)) {
		const [event] = /sms-[0-9a-f-]{36}/.exec(data)!;
		found.set(event, (found.get(event) ?? 0) + 1);
	}
	return found;
}

function runsOf(folder: string, workflowId: string): Run[] {
	const sql = `SELECT e.id, e.status, e.mode, d.data FROM execution_entity e
		JOIN execution_data d ON d.executionId = e.id
		WHERE e.workflowId = ? AND e.finished = 1 ORDER BY e.id`;
	return query<{ id: number; status: string; mode: string; data: string }>(
		folder,
		sql,
		workflowId,
	).map(({ data, ...row }) => ({ ...row, saved: data, items: itemsIn(data) }));
}

function itemsIn(data: string): Run['items'] {
	const { resultData } = unflatten(data) as {
		resultData: {
			runData: Record<string, Array<{ data: { main: Array<Array<{ json: object }>> } }>>;
		};
	};
	return resultData.runData[TRIGGER].flatMap((run) =>
		run.data.main.flatMap((items) => items.map(({ json }) => json)),
	);
}

export interface Answer {
	status: number;
	text: string;
	ms: number;
}

/** Calls a webhook; an object is sent as JSON. */
export async function call(
	url: string,
	body?: unknown,
	headers: Record<string, string> = {},
): Promise<Answer> {
	const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
	const began = performance.now();
	const answer = await fetch(url, {
		method: 'POST',
		headers: { ...(isRaw || !body ? {} : { 'content-type': 'application/json' }), ...headers },
		body: isRaw || body === undefined ? (body as RequestInit['body']) : JSON.stringify(body),
	});
	const text = await answer.text();
	return { status: answer.status, text, ms: performance.now() - began };
}
