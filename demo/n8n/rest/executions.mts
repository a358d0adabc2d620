import { createRequire } from 'node:module';
import { join } from 'node:path';
import { n8nFolder } from '../../setup/paths.mjs';
import { until } from '../until.mts';
import type { Session } from './session.mts';

/** Reads the data of executions, with the library with which n8n stores and sends them. */
export const unflatten = (flat: string): unknown =>
	createRequire(join(n8nFolder, 'node_modules', 'n8n', 'package.json'))('flatted').parse(flat);

export type Json = Record<string, any>;

export interface Item {
	json: Json;
	pairedItem?: unknown;
}

export interface NodeRun {
	executionStatus: string;
	/** ms */
	executionTime: number;
	error?: { message: string; description?: string | null; stack?: string };
	data?: Record<string, Array<Item[] | null>>;
	/** What stands above the output. */
	hints?: Array<{ message: string }>;
}

export interface Execution {
	id: string;
	workflowId: string;
	status: string;
	/** The runs of each node, by its name. */
	runs: Record<string, NodeRun[]>;
	error?: { message: string; description?: string | null };
}

interface StoredExecution {
	id: string;
	workflowId: string;
	status: string;
	data: string;
}

const UNFINISHED = ['new', 'running', 'waiting', 'unknown'];

export async function getExecution(session: Session, id: string): Promise<Execution> {
	const stored = await session.get<StoredExecution>(`/rest/executions/${id}`);
	// An execution that has just started has no data yet.
	const data = (unflatten(stored.data) ?? {}) as {
		resultData?: { runData?: Execution['runs']; error?: Execution['error'] };
	};
	return {
		id,
		workflowId: stored.workflowId,
		status: stored.status,
		runs: data.resultData?.runData ?? {},
		error: data.resultData?.error,
	};
}

export async function finishedExecution(session: Session, id: string): Promise<Execution> {
	await until(`execution ${id} ends`, async () => {
		const { status } = await session.get<StoredExecution>(`/rest/executions/${id}`);
		return UNFINISHED.includes(status) ? undefined : status;
	});
	return await getExecution(session, id);
}

/** The latest executions of a workflow, newest first. */
export async function executionsOf(
	session: Session,
	workflowId: string,
): Promise<Array<{ id: string; status: string; mode: string }>> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const { results } = await session.get<{ results: Awaited<ReturnType<typeof executionsOf>> }>(
		`/rest/executions?filter=${filter}`,
	);
	return results;
}

/** The output items of a node. Output 0 is the normal one, output 1 the error output. */
export function itemsOf(execution: Execution, node: string, output = 0): Item[] {
	return (execution.runs[node] ?? []).flatMap((run) => run.data?.main?.[output] ?? []);
}

export const outputOf = (execution: Execution, node: string, output = 0): Json[] =>
	itemsOf(execution, node, output).map((item) => item.json);
