import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { createCredential } from '../../../demo/n8n/rest/credentials.mts';
import { activateWorkflow, createWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { requestsDuring } from '../nodes/world/counting.mts';
import { looksLikeASentence } from '../nodes/world/sentences.mts';
import { world } from '../nodes/world/world.mts';
import { connectAgent, type Agent, type Tool, type ToolResult } from './world/mcp.mts';
import { BAKERY } from './world/people.mts';

const RECIPIENT = '447700900299';

const fromAi = (name: string, description: string) =>
	`={{ $fromAI('${name}', '${description}', 'string') }}`;
const byPhone = { __rl: true, mode: 'phone', value: BAKERY };

/** The fields that a person fills in, and those left to the model. */
const tools: Record<string, Record<string, unknown>> = {
	'Find channels': { resource: 'channel', operation: 'getAll', returnAll: true },
	'Get report': {
		resource: 'campaign',
		operation: 'getReport',
		campaignId: fromAi('campaign_id', 'The ID of the campaign'),
	},
	'Send text': {
		resource: 'message',
		operation: 'sendText',
		from: byPhone,
		to: fromAi('to', 'Phone number of the recipient, with country code'),
		message: fromAi('message', 'The text to send'),
	},
	'Send order ready': {
		resource: 'message',
		operation: 'sendTemplate',
		from: byPhone,
		to: fromAi('to', 'Phone number of the recipient, with country code'),
		template: { __rl: true, mode: 'name', value: 'order_ready' },
		templateParameters: {
			mappingMode: 'defineBelow',
			value: { 1: fromAi('first_name', 'First name of the recipient') },
			schema: [],
		},
	},
};

describe('as a tool of AI agents', () => {
	let agent: Agent;
	let listed: Map<string, Tool>;

	before(async () => {
		const { credential } = await world();
		agent = await connectAgent(await serve(tools, credential));
		listed = new Map((await agent.tools()).map((tool) => [tool.name, tool]));
	});

	it('each node is one tool, described by its action', () => {
		assert.deepEqual(
			[...listed.values()].map(({ name, description }) => `${name}: ${description}`).sort(),
			[
				'Find_channels: Get many channels in Messaging',
				'Get_report: Get campaign report in Messaging',
				'Send_order_ready: Send template message in Messaging',
				'Send_text: Send text message in Messaging',
			],
		);
	});

	it('asks the model for the fields that the person left to it, and describes them', () => {
		assert.deepEqual(listed.get('Send_text')?.inputSchema.properties, {
			to: { type: 'string', description: 'Phone number of the recipient, with country code' },
			message: { type: 'string', description: 'The text to send' },
		});
		assert.deepEqual(listed.get('Send_text')?.inputSchema.required, ['to', 'message']);
		assert.deepEqual(listed.get('Find_channels')?.inputSchema.properties, {});
	});

	it('reads', async () => {
		const result = await agent.call('Find_channels', {});
		assert.ok(!result.isError, textOf(result));
		assert.match(textOf(result), /Bakery main line/);
	});

	it('sends once', async () => {
		for (const [name, args, endpoint] of [
			['Send_text', { to: RECIPIENT, message: 'Hello' }, 'sendText'],
			['Send_order_ready', { to: RECIPIENT, first_name: 'Ada' }, 'sendTemplate'],
		] as const) {
			const { result, requests, accepted } = await requestsDuring(
				async () => await agent.call(name, args),
			);
			assert.ok(!result.isError, textOf(result));
			assert.equal(requests[endpoint], 1);
			assert.equal(accepted, 1);
		}
	});

	it('returns a sentence to the model that explains its mistake', async () => {
		const { result, accepted } = await requestsDuring(
			async () => await agent.call('Send_text', { to: 'Ada', message: 'Hello' }),
		);
		assert.equal(result.isError, true);
		looksLikeASentence(textOf(result));
		assert.match(textOf(result), /Ada/);
		assert.equal(accepted, 0);
	});

	it('returns the message of the service to the model', async () => {
		const result = await agent.call('Send_text', { to: '447700900024', message: 'Hello' });
		assert.equal(result.isError, true);
		looksLikeASentence(textOf(result));
		assert.match(textOf(result), /24/);
	});

	it('tells the model that the key is wrong, without showing the key', async () => {
		const { session, sandbox } = await world();
		const key = 'not-the-right-key';
		const { id, name } = await createCredential(session, {
			name: 'Wrong key',
			type: 'messagingApi',
			data: { baseUrl: sandbox.url, apiKey: key },
		});
		const { 'Find channels': read } = tools;
		const refused = await connectAgent(await serve({ Read: read }, { id, name }));
		const result = await refused.call('Read', {});
		assert.equal(result.isError, true);
		assert.match(textOf(result), /The service refused the API key/);
		assert.ok(!textOf(result).includes(key));
	});
});

const textOf = ({ content }: ToolResult) => content.map(({ text }) => text).join('\n');

/** Publishes an MCP server with the tools; returns its address. */
async function serve(
	parametersOf: Record<string, Record<string, unknown>>,
	credential: { id: string; name: string },
): Promise<string> {
	const { session, n8n } = await world();
	const path = randomUUID();
	const { id } = await createWorkflow(session, {
		name: `Tools ${path}`,
		nodes: [
			{
				id: randomUUID(),
				name: 'Server',
				type: '@n8n/n8n-nodes-langchain.mcpTrigger',
				typeVersion: 2,
				position: [0, 0],
				parameters: { authentication: 'none', path },
				webhookId: path,
			},
			...Object.entries(parametersOf).map(([name, parameters], index) => ({
				id: randomUUID(),
				name,
				type: 'n8n-nodes-messaging.messagingTool',
				typeVersion: 1,
				position: [index * 200, 200],
				parameters,
				credentials: { messagingApi: credential },
			})),
		],
		connections: Object.fromEntries(
			Object.keys(parametersOf).map((name) => [
				name,
				{ ai_tool: [[{ node: 'Server', type: 'ai_tool', index: 0 }]] },
			]),
		),
	});
	await activateWorkflow(session, id);
	return `${n8n.url}/mcp/${path}`;
}
