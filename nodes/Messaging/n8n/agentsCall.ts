import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Whether an agent calls the node. Some versions of the agent, and MCP, call a tool themselves; others let n8n run it like
 * any node. A human review is none: it asks a person.
 */
export function isAgentsCall(context: IExecuteFunctions): boolean {
	const { type } = context.getNode();
	return (
		!type.endsWith('HitlTool') && (context.isToolExecution?.() === true || type.endsWith('Tool'))
	);
}
