import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { executionsOf, getExecution, type Execution } from '../../../demo/n8n/rest/executions.mts';
import type { Session } from '../../../demo/n8n/rest/session.mts';
import {
	activateWorkflow,
	createWorkflow,
	runWorkflow,
	type Workflow,
} from '../../../demo/n8n/rest/workflows.mts';
import { until } from '../../../demo/n8n/until.mts';
import { byWebhook, inARow, START, type Json, type Node } from './nodes.mts';

/* What a person or a service does with workflows: saves, publishes and starts them, calls, stops and retries. */

/** Where somebody is logged in. */
type At = { session: Session };

/** Saves a workflow. By default its nodes are connected in a row. @returns its id */
export async function save(
	{ session }: At,
	nodes: Node[],
	more: Partial<Workflow> & { pinData?: Json } = {},
): Promise<string> {
	const names = nodes.map((each) => each.name).join(', ');
	// n8n allows 128 characters.
	const name = `${names.slice(0, 80)} ${randomUUID()}`;
	const connections = inARow(nodes);
	return (await createWorkflow(session, { name, nodes, connections, ...more })).id;
}

/** Saves a workflow and waits until its triggers listen. */
export async function publish(at: At, nodes: Node[], more?: Partial<Workflow>): Promise<string> {
	const id = await save(at, nodes, more);
	await activateWorkflow(at.session, id);
	return id;
}

/** Starts a workflow, or these nodes as a new one, by hand. @returns the id of the execution */
export async function start(
	at: At,
	workflow: string | Node[],
	more?: Partial<Workflow>,
): Promise<string> {
	const id = typeof workflow === 'string' ? workflow : await save(at, workflow, more);
	return await runWorkflow(at.session, id, START);
}

/**
 * Executes one node, as a person does with *Execute step*: n8n takes the output of the nodes before it from an earlier execution,
 * and executes again which of these nodes have changed since.
 */
export async function executeStep(
	{ session }: At,
	{ workflowId, runs }: Execution,
	node: string,
	changed: string[] = [],
): Promise<string> {
	const path = `/rest/workflows/${workflowId}/run`;
	const workflow = await session.get<Json>(`/rest/workflows/${workflowId}`);
	const { executionId } = await session.post<{ executionId: string }>(path, {
		// As the editor sends it: n8n itself keeps null where nothing is pinned, and fails on it.
		workflowData: { ...workflow, pinData: workflow.pinData ?? {} },
		runData: runs,
		destinationNode: { nodeName: node, mode: 'inclusive' },
		dirtyNodeNames: [node, ...changed],
	});
	return executionId;
}

export const isWaiting = async ({ session }: At, execution: string): Promise<boolean> =>
	(await getExecution(session, execution)).status === 'waiting';

export async function untilItWaits({ session }: At, execution: string): Promise<void> {
	await until(`execution ${execution} waits`, async () => {
		const { status, error } = await getExecution(session, execution);
		if (status === 'error') throw new Error(error?.message);
		return status === 'waiting' ? status : undefined;
	});
}

const UNFINISHED = ['new', 'running', 'waiting', 'unknown'];

/** Waits until an execution has ended. */
export async function ended({ session }: At, execution: string): Promise<Execution> {
	return await until(
		`execution ${execution} ends`,
		async () => {
			const { status } = await session.get<{ status: string }>(`/rest/executions/${execution}`);
			return UNFINISHED.includes(status) ? undefined : await getExecution(session, execution);
		},
		{ withinMs: 180_000, everyMs: 200 },
	);
}

/** Waits until an execution has ended, which must have succeeded. */
export async function succeeded(at: At, execution: string): Promise<Execution> {
	const done = await ended(at, execution);
	assert.equal(done.status, 'success', errorOf(done));
	return done;
}

/** The sentences that a person reads when an execution has failed. */
export const errorOf = ({ error }: Execution): string | undefined =>
	error && [error.message, error.description].filter(Boolean).join(' ');

/** Asserts that a text is a sentence for people, without a stack trace, class names or markup. */
export function looksLikeASentence(text: string | undefined): void {
	assert.ok(text, 'There is no message');
	assert.match(text, /\w+ \w+ \w+/, `Not a sentence: ${text}`);
	assert.doesNotMatch(text, /\n\s+at |node_modules|<html|\[object|undefined|TypeError/, text);
}

/** A person's *Stop*. */
export const stop = async ({ session }: At, execution: string): Promise<void> =>
	await session.post(`/rest/executions/${execution}/stop`, {});

/**
 * A person's *Retry with original workflow*, or with the currently saved one.
 *
 * @returns the new execution, when it has ended
 */
export async function retry(at: At, execution: string, loadWorkflow = false): Promise<Execution> {
	const path = `/rest/executions/${execution}/retry`;
	const { id } = await at.session.post<{ id: string }>(path, { loadWorkflow });
	return await ended(at, id);
}

/** Waits for the newest execution of a workflow, other than a known one. @returns its id */
export async function latest({ session }: At, workflow: string, known?: string): Promise<string> {
	return await until(`workflow ${workflow} starts`, async () => {
		const [newest] = await executionsOf(session, workflow);
		return newest?.id === known ? undefined : newest?.id;
	});
}

export interface Callable {
	id: string;
	url: string;
	/** Calls its webhook. @returns the id of the execution */
	start: (body?: Json) => Promise<string>;
}

/** Publishes a workflow that begins with a webhook and continues with these nodes. */
export async function publishForCalls(
	at: At & { url: string },
	nodes: Node[],
	more: Partial<Workflow> = {},
): Promise<Callable> {
	const path = randomUUID();
	const id = await publish(at, [byWebhook(path), ...nodes], more);
	const url = `${at.url}/webhook/${path}`;
	let known: string | undefined;
	return {
		id,
		url,
		start: async (body = {}) => {
			const answer = await call(url, body);
			assert.equal(answer.status, 200, answer.text);
			return (known = await latest(at, id, known));
		},
	};
}

export interface Answer {
	status: number;
	text: string;
	ms: number;
}

/** The body of a call of a completed campaign. */
export const completionOf = (campaign_id: string) => ({ event: 'campaign.completed', campaign_id });

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
