import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { text } from 'node:stream/consumers';
import { createCredential } from '../../../demo/n8n/rest/credentials.mts';
import { world } from './installation.mts';
import { node, type Json } from './nodes.mts';

/** The arguments of a call: a tool under review has its own arguments and those of the review. */
const argumentsFor = ({ properties }: Json, wanted: Json) =>
	properties?.toolParameters ? { toolParameters: wanted, hitlParameters: {} } : wanted;

/**
 * Starts a stand-in for a model that speaks OpenAI's protocol: it calls the one tool it is offered, then repeats the result.
 * It is stopped after all tests.
 *
 * @param wanted returns the arguments of the call, for what the person said
 */
export async function startModel(wanted: (said: string) => Json) {
	let calls = 0;
	const server: Server = createServer(async (request, response) => {
		const body = JSON.parse((await text(request)) || '{}') as Json;
		const last = body.messages.at(-1);
		const said = body.messages.findLast(({ role }: Json) => role === 'user')?.content;
		const callTool = () => {
			const { name, parameters } = body.tools[0].function;
			const call = { name, arguments: JSON.stringify(argumentsFor(parameters, wanted(said))) };
			return { index: 0, id: `call_${++calls}`, type: 'function', function: call };
		};
		const message =
			last.role === 'tool'
				? { role: 'assistant', content: `Done: ${last.content}` }
				: { role: 'assistant', content: null, tool_calls: [callTool()] };
		const reason = last.role === 'tool' ? 'stop' : 'tool_calls';
		const answer = (object: string, part: Json) => ({
			id: 'answer',
			object,
			created: 1,
			model: body.model,
			choices: [{ index: 0, ...part, finish_reason: reason }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		});
		if (body.stream) {
			const chunk = answer('chat.completion.chunk', { delta: message });
			response.setHeader('content-type', 'text/event-stream');
			response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
		} else {
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(answer('chat.completion', { message })));
		}
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	after(() => server.close());
	const { port } = server.address() as AddressInfo;
	const { session } = await world();
	const { id, name } = await createCredential(session, {
		name: 'Stand-in model',
		type: 'openAiApi',
		data: { apiKey: 'none', url: `http://127.0.0.1:${port}/v1` },
	});
	const credentials = { openAiApi: { id, name } };
	const parameters = {
		model: { __rl: true, mode: 'id', value: 'stand-in' },
		responsesApiEnabled: false,
		options: {},
	};
	const type = '@n8n/n8n-nodes-langchain.lmChatOpenAi';
	return { credentials, node: node('Chat model', type, 1.3, parameters, { credentials }) };
}
