/** Calls n8n's MCP Server Trigger as an AI agent does, without a model: JSON-RPC over HTTP. */
export interface Tool {
	name: string;
	description: string;
	inputSchema: {
		properties: Record<string, { type: string; description?: string }>;
		required?: string[];
	};
}

export interface ToolResult {
	isError?: boolean;
	content: Array<{ type: string; text: string }>;
}

export interface Agent {
	tools: () => Promise<Tool[]>;
	call: (name: string, args: Record<string, unknown>) => Promise<ToolResult>;
}

const ANSWER_WITHIN_MS = 60_000;

export async function connectAgent(url: string): Promise<Agent> {
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
		call: async (name, args) => await ask('tools/call', { name, arguments: args }),
	};
}
