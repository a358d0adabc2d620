import type { IExecuteFunctions } from 'n8n-workflow';

/** Whether the node runs as the human review of an agent's tool. */
export const isReview = (context: IExecuteFunctions) => context.getNode().type.endsWith('HitlTool');

/**
 * Whether an agent calls the node. Some versions of the agent, and MCP, call a tool themselves; others let n8n run it like
 * any node. A human review is none: it asks a person.
 */
export const isAgentsCall = (context: IExecuteFunctions) =>
	!isReview(context) &&
	(context.isToolExecution?.() === true || context.getNode().type.endsWith('Tool'));

/** The key is the object of a call's arguments: all attempts of an agent's call get the same one, and no other call does. */
const calls = new WeakMap<object, object>();

/** Returns what is remembered of an agent's call: the same object for all its attempts. */
export function storeOfCall(context: IExecuteFunctions): object {
	const args: object = context.getInputData()[0]?.json ?? {};
	if (!calls.has(args)) calls.set(args, {});
	return calls.get(args)!;
}
