import type { IContextObject, IExecuteFunctions } from 'n8n-workflow';

/* What n8n tells a node about its execution: its data, its token, whether it is in a loop, and whether an agent calls it. */

/** The node's data in the execution, which n8n saves with it and gives to its retries; undefined where there is no execution. */
export const executionData = (context: IExecuteFunctions) => dataOf(context, 'node');

/** The same, shared by all nodes of the execution. */
export const sharedData = (context: IExecuteFunctions) => dataOf(context, 'flow');

function dataOf(context: IExecuteFunctions, type: 'node' | 'flow'): IContextObject | undefined {
	try {
		return context.getContext(type);
	} catch {
		return undefined;
	}
}

/**
 * Returns the token that n8n gives an execution and all its retries, also the retries of a crashed one;
 * undefined where n8n gives none, or there is no execution.
 */
export function executionToken(context: IExecuteFunctions): string | undefined {
	const { $execution } = context.getWorkflowDataProxy(0);
	const { resumeUrl } = ($execution ?? {}) as { resumeUrl?: unknown };
	const query = typeof resumeUrl === 'string' ? resumeUrl.split('?')[1] : undefined;
	return new URLSearchParams(query).get('signature') ?? undefined;
}

/** Whether a node stands both before and behind this one. */
export function isInLoop(context: IExecuteFunctions): boolean {
	const { name } = context.getNode();
	const behind = new Set(context.getChildNodes(name).map((node) => node.name));
	return context.getParentNodes(name).some((node) => behind.has(node.name));
}

/**
 * Whether an agent calls the node. Some versions of the agent, and MCP, call a tool themselves; others let n8n run it like
 * any node. A human review is none: it asks a person.
 */
export const isAgentsCall = (context: IExecuteFunctions) =>
	!isReview(context) &&
	(context.isToolExecution?.() === true || context.getNode().type.endsWith('Tool'));

/** Whether the node runs as the human review of an agent's tool. */
export const isReview = (context: IExecuteFunctions) => context.getNode().type.endsWith('HitlTool');
