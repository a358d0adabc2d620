import { randomUUID } from 'node:crypto';
import type { Session } from '../../../demo/n8n/rest/session.mts';
import { into, node, type Node } from './nodes.mts';
import { publish } from './workflows.mts';

/* Calls n8n's MCP Server Trigger as an AI agent does, without a model: JSON-RPC over HTTP. */

export interface Tool {
	name: string;
	description: string;
	inputSchema: {
		properties: Record<string, { type: string; description?: string }>;
		required?: string[];
	};
}

export interface Agent {
	tools: () => Promise<Tool[]>;
	/** Calls a tool. @returns its answer as text */
	call: (
		name: string,
		args: Record<string, unknown>,
	) => Promise<{ isError: boolean; said: string }>;
}

const ANSWER_WITHIN_MS = 60_000;

export const isToolOf = (name: string) => ({ ai_tool: [[into(name, 'ai_tool')]] });

/** Publishes an MCP server with these tools. @returns an agent that is connected to it */
export async function agentWith(
	at: { session: Session; url: string },
	tools: Node[],
): Promise<Agent> {
	const path = randomUUID();
	const type = '@n8n/n8n-nodes-langchain.mcpTrigger';
	const server = node('Server', type, 2, { authentication: 'none', path }, { webhookId: path });
	const connections = Object.fromEntries(tools.map(({ name }) => [name, isToolOf('Server')]));
	await publish(at, [server, ...tools], { connections });
	return await connect(`${at.url}/mcp/${path}`);
}

async function connect(url: string): Promise<Agent> {
	const headers: Record<string, string> = {
		'content-type': 'application/json',
		accept: 'application/json, text/event-stream',
	};
	let last = 0;

	const post = async (message: object) =>
		await fetch(url, {
			method: 'POST',
			headers,
			body: JSON.stringify({ jsonrpc: '2.0', ...message }),
			signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
		});
	const ask = async (method: string, params: object = {}) => {
		const answer = await post({ id: ++last, method, params });
		const text = await answer.text();
		if (!answer.ok) throw new Error(`${method}: ${answer.status} ${text}`);
		headers['mcp-session-id'] ??= answer.headers.get('mcp-session-id') ?? '';
		// The answer is an event stream with one event.
		const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
		const { result, error } = JSON.parse(data);
		if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
		return result;
	};

	await ask('initialize', {
		protocolVersion: '2025-03-26',
		capabilities: {},
		clientInfo: { name: 'test', version: '1' },
	});
	await post({ method: 'notifications/initialized' });
	return {
		tools: async () => (await ask('tools/list')).tools,
		call: async (name, args) => {
			const { isError = false, content } = await ask('tools/call', { name, arguments: args });
			return { isError, said: content.map(({ text }: { text: string }) => text).join('\n') };
		},
	};
}
