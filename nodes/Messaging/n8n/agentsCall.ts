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
