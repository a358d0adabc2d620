import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { unflatten } from '../../../demo/n8n/rest/executions.mts';
import { until } from '../../../demo/n8n/until.mts';
import { credentialFor, world } from '../world/installation.mts';
import { messagingTrigger, nothing, TRIGGER, wait, type Json } from '../world/nodes.mts';
import { publish, save } from '../world/workflows.mts';

/** A text that occurs nowhere else, so a test that finds it in a log or an execution has found a leak. */
export const SECRET = 'example-secret+of the/webhook';

/** The n8n of this suite. Campaigns complete only when a test completes them. */
export const stage = await world({ hasEditor: false, sandbox: { campaignSeconds: 3600 } });

export interface Run {
	id: number;
	status: string;
	mode: string;
	/** The output items of the trigger. */
	items: Json[];
	/** All data of the execution that n8n saved. */
	saved: string;
}

export interface Receiver {
	id: string;
	url: string;
	testUrl: string;
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
	const { url, credential, n8n } = stage;
	const { folder } = n8n.instance.place;
	const webhookId = randomUUID();
	const nodes = [
		messagingTrigger(
			isSecured ? await credentialFor(stage, { webhookSecret: SECRET }) : credential,
			{ events: ['campaignCompleted', 'smsDeliveryReport', 'other'], ...parameters },
			{ webhookId },
		),
		seconds > 0 ? wait(seconds) : nothing('Next'),
	];
	const id = await (isPublished ? publish : save)(stage, nodes);
	return {
		id,
		url: `${url}/webhook/${webhookId}/webhook`,
		testUrl: `${url}/webhook-test/${webhookId}/webhook`,
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
			return runsOf(folder, id);
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

/**
 * One that has run for a minute was cut off: n8n 2.41 shows it as running for ever when it was killed after the execution had
 * started and before its first node had (`amend` in `execution-recovery.service.js` returns null).
 */
function isIdle(folder: string, workflowId: string): boolean {
	const sql = `SELECT count(*) n FROM execution_entity WHERE workflowId = ? AND (status IN ('new', 'waiting')
		OR status = 'running' AND startedAt > datetime('now', '-60 seconds'))`;
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

function itemsIn(data: string): Json[] {
	const { resultData } = unflatten(data) as Json;
	return resultData.runData[TRIGGER].flatMap((run: Json) =>
		run.data.main.flatMap((items: Json[]) => items.map(({ json }) => json)),
	);
}
