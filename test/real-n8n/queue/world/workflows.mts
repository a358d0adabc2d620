import { randomUUID } from 'node:crypto';
import type { Json } from '../../../../demo/n8n/rest/executions.mts';
import { activateWorkflow, createWorkflow } from '../../../../demo/n8n/rest/workflows.mts';
import { until } from '../../../../demo/n8n/until.mts';
import { inARow, messaging as messagingNode, node, type Node } from '../../nodes/world/nodes.mts';
import type { World } from './world.mts';

export const MESSAGING = 'Messaging';
export const WHERE = 'Where it ran';
export const from = { __rl: true, mode: 'phone', value: '447700900100' };
export const template = { __rl: true, mode: 'name', value: 'opening_hours' };

/** An expression for the process id of the n8n that evaluates it. */
export const PID = '={{ process.pid }}';

export const messaging = (
	{ credential }: Pick<World, 'credential'>,
	parameters: Json,
	more: Json = {},
): Node => messagingNode(MESSAGING, credential, parameters, more);

/** A node that returns the id of the process that ran it. */
export const where = (): Node =>
	node(
		WHERE,
		'n8n-nodes-base.set',
		3.4,
		{
			assignments: { assignments: [{ id: 'pid', name: 'pid', type: 'number', value: PID }] },
			includeOtherFields: true,
			options: {},
		},
		{ executeOnce: true },
	);

/** Publishes a workflow whose first node is its trigger. */
export async function publish(
	{ stack }: Pick<World, 'stack'>,
	nodes: Node[],
	{ connections = inARow(nodes) as object, settings = {} } = {},
): Promise<string> {
	const { id } = await createWorkflow(stack.session, {
		name: `${nodes.map(({ name }) => name).join(', ')} ${randomUUID()}`,
		nodes,
		connections,
		settings,
	});
	await activateWorkflow(stack.session, id);
	return id;
}

export interface Started {
	id: string;
	/** Calls its webhook at the webhook processor, and returns the id of the execution. */
	start: (body: Json) => Promise<string>;
	url: string;
}

/** Publishes a workflow that starts with a webhook and continues with these nodes. */
export async function startedByCall(
	world: Pick<World, 'stack'>,
	nodes: Node[],
	settings?: object,
): Promise<Started> {
	const { stack } = world;
	const path = randomUUID();
	const webhook = node(
		'Call',
		'n8n-nodes-base.webhook',
		2,
		{ path, httpMethod: 'POST', responseMode: 'onReceived', options: {} },
		{ webhookId: path },
	);
	const id = await publish(world, [webhook, ...nodes], { settings });
	const url = `${stack.webhook.instance.url}/webhook/${path}`;
	return {
		id,
		url,
		start: async (body) => {
			const before = (await executionsOf(world, id)).length;
			const answer = await fetch(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			});
			if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
			return await until('the call starts an execution', async () => {
				const executions = await executionsOf(world, id);
				return executions.length > before ? executions.at(-1)!.id : undefined;
			});
		},
	};
}

/** Makes each entry of a list in the call an item. */
export const people = (): Node =>
	node('People', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.people', options: {} });

export interface Row {
	id: string;
	status: string;
	mode: string;
}

/** All executions of a workflow, oldest first. From the database, because n8n's own lists end at a hundred. */
export async function executionsOf(
	{ stack }: Pick<World, 'stack'>,
	workflowId: string,
): Promise<Row[]> {
	return await stack.postgres.query<Row>(
		'select id::text, status, mode from execution_entity where "workflowId" = $1 order by execution_entity.id',
		[workflowId],
	);
}

const UNFINISHED = ['new', 'running', 'waiting', 'unknown'];

/** Waits until the execution has ended. @returns its status */
export async function finalStatus(
	{ stack }: Pick<World, 'stack'>,
	execution: string,
): Promise<string> {
	return await until(
		`execution ${execution} ends`,
		async () => {
			const sql = 'select status from execution_entity where id = $1';
			const [row] = await stack.postgres.query<{ status: string }>(sql, [execution]);
			return row && !UNFINISHED.includes(row.status) ? row.status : undefined;
		},
		{ withinMs: 180_000, everyMs: 200 },
	);
}
