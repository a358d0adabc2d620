import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { createCredential } from '../../../demo/n8n/rest/credentials.mts';
import { finishedExecution, outputOf, type Json } from '../../../demo/n8n/rest/executions.mts';
import {
	activateWorkflow,
	createWorkflow,
	runWorkflow,
} from '../../../demo/n8n/rest/workflows.mts';
import { connectAgent } from '../editor/world/mcp.mts';
import { messaging, node, START, start, to } from './world/nodes.mts';
import { acceptedBy, isWaiting, linksIn, open, press, untilItWaits } from './world/questions.mts';
import { world, type World } from './world/world.mts';

/** The example workflow. */
const example: { nodes: Json[]; connections: Json; settings: Json } = JSON.parse(
	readFileSync(new URL('../../../examples/agent-human-review.json', import.meta.url), 'utf8'),
);

const TRIGGER = 'When chat message received';
const AGENT = 'AI Agent';
const REVIEW = 'Ask the manager';

/** The arguments of a call: a tool under review has its own arguments and those of the review. */
const argumentsFor = ({ properties }: Json, wanted: Json) =>
	properties?.toolParameters ? { toolParameters: wanted, hitlParameters: {} } : wanted;

/** A model that speaks OpenAI's protocol: it calls the one tool it is offered, then repeats the result. */
async function startModel(wanted: () => Json) {
	const asked: Json[] = [];
	const server: Server = createServer(async (request, response) => {
		const body = JSON.parse((await text(request)) || '{}') as Json;
		asked.push(body);
		const last = body.messages.at(-1);
		const message =
			last.role === 'tool'
				? { role: 'assistant', content: `Done: ${last.content}` }
				: {
						role: 'assistant',
						content: null,
						tool_calls: [
							{
								id: `call_${asked.length}`,
								type: 'function',
								function: {
									name: body.tools[0].function.name,
									arguments: JSON.stringify(
										argumentsFor(body.tools[0].function.parameters, wanted()),
									),
								},
							},
						],
					};
		if (body.stream) {
			const [call] = message.tool_calls ?? [];
			const delta = call ? { ...message, tool_calls: [{ index: 0, ...call }] } : message;
			const chunk = {
				id: 'answer',
				object: 'chat.completion.chunk',
				created: 1,
				model: body.model,
				choices: [{ index: 0, delta, finish_reason: call ? 'tool_calls' : 'stop' }],
			};
			response.setHeader('content-type', 'text/event-stream');
			response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
			return;
		}
		response.setHeader('content-type', 'application/json');
		response.end(
			JSON.stringify({
				id: 'answer',
				object: 'chat.completion',
				created: 1,
				model: body.model,
				choices: [{ index: 0, message, finish_reason: message.tool_calls ? 'tool_calls' : 'stop' }],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			}),
		);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/v1`, asked, close: () => server.close() };
}

/** Creates n8n's credential for this model. */
async function credentialOf({ url }: { url: string }) {
	const { session } = await world();
	const { id, name } = await createCredential(session, {
		name: 'Stand-in model',
		type: 'openAiApi',
		data: { apiKey: 'none', url },
	});
	return { id, name };
}

describe("an AI agent's human review", () => {
	let stage: World;
	let model: Awaited<ReturnType<typeof startModel>>;
	let credential: { id: string; name: string };
	let number = 0;
	let agentText = 'Your <cake> & "more" is ready';
	let customer: string;
	let manager: string;

	before(async () => {
		stage = await world();
		model = await startModel(() => ({ Phone: customer, Text: agentText }));
		credential = await credentialOf(model);
	});

	after(() => model?.close());

	/** Runs the example, started by hand instead of by a chat. */
	async function run({
		review = {},
		agentVersion = 3.1,
	}: {
		review?: Json;
		agentVersion?: number;
	}) {
		customer = `3859920${String(++number).padStart(2, '0')}055`;
		manager = `3859921${String(number).padStart(2, '0')}055`;
		const nodes = example.nodes.map((node) => {
			if (node.name === TRIGGER) {
				return {
					...node,
					type: 'n8n-nodes-base.set',
					typeVersion: 3.4,
					parameters: {
						mode: 'raw',
						jsonOutput: JSON.stringify({ chatInput: 'Tell Ada that her cake is ready' }),
						options: {},
					},
				};
			}
			if (node.name === AGENT) return { ...node, typeVersion: agentVersion };
			if (node.name === 'Chat model') return { ...node, credentials: { openAiApi: credential } };
			if (node.name === REVIEW) {
				return { ...node, parameters: { ...node.parameters, to: manager, ...review } };
			}
			return node;
		});
		const { id } = await createWorkflow(stage.session, {
			name: `agent ${randomUUID()}`,
			settings: example.settings,
			nodes: [...nodes, start()],
			connections: {
				...example.connections,
				[START]: { main: [[to(TRIGGER)]] },
			},
		});
		return await runWorkflow(stage.session, id, START);
	}

	/** Runs the example until the review waits. */
	async function ask(review: Json = {}) {
		const execution = await run({ review });
		await untilItWaits(stage.session, execution);
		const sent = await acceptedBy(stage.sandbox, manager);
		assert.equal(sent.length, 1);
		const { message } = sent[0];
		const [link, ...others] = linksIn(message);
		assert.deepEqual(others, []);
		return { execution, message, link };
	}

	async function whatTheAgentSays(execution: string): Promise<string> {
		const finished = await finishedExecution(stage.session, execution);
		assert.equal(finished.status, 'success', finished.error?.message);
		return outputOf(finished, AGENT).at(-1)!.output;
	}

	it('n8n derives the review node from our node, for agents only', async () => {
		const types = await stage.session.get<Json[]>('/types/nodes.json');
		const review = types.find(({ name }) => name === 'n8n-nodes-messaging.messagingHitlTool');
		assert.ok(review);
		assert.equal(review.outputs[0].type, 'ai_tool');
		const hidden = review.properties.filter(({ type }: Json) => type === 'hidden');
		assert.deepEqual(
			new Set(hidden.map((property: Json) => `${property.name} ${property.default}`)),
			new Set(['resource message', 'operation sendAndWait', 'responseType approval']),
		);
	});

	it('approve: the person reads what the agent wants to do, and the tool runs only after that', async () => {
		const { execution, message, link } = await ask();
		assert.equal(
			message.split('\n\nAnswer here:')[0],
			`> The assistant wants to write to ${customer}:\n>\n> Your <cake> & "more" is ready`,
		);
		const { html } = await open(link);
		assert.match(html, /Your &lt;cake&gt; &amp; &quot;more&quot; is ready/);
		assert.ok(await isWaiting(stage.session, execution));
		assert.deepEqual(await acceptedBy(stage.sandbox, customer), []);

		await press(link, { decision: 'approve' });
		const said = await whatTheAgentSays(execution);
		assert.match(said, /^Done: .*"externalId/, said);
		const sent = await acceptedBy(stage.sandbox, customer);
		assert.deepEqual(
			sent.map((record) => record.message),
			['Your <cake> & "more" is ready'],
		);
	});

	it('decline: the tool does not run, and the agent gets the answer', async () => {
		const { execution, link } = await ask();
		await press(link, { decision: 'disapprove' });
		assert.match(await whatTheAgentSays(execution), /rejected/);
		assert.deepEqual(await acceptedBy(stage.sandbox, customer), []);
	});

	it('nobody answers in time: the tool does not run', async () => {
		const values = { limitType: 'afterTimeInterval', resumeAmount: 0.03, resumeUnit: 'minutes' };
		const { execution } = await ask({ options: { limitWaitTime: { values } } });
		assert.match(await whatTheAgentSays(execution), /rejected/);
		assert.deepEqual(await acceptedBy(stage.sandbox, customer), []);
	});

	for (const agentVersion of [1.7, 2.2]) {
		it(`the agent of version ${agentVersion} has no reviews: nobody is asked, and no tool runs`, async () => {
			await whatTheAgentSays(await run({ agentVersion }));
			for (const person of [manager, customer]) {
				assert.deepEqual(await acceptedBy(stage.sandbox, person), []);
			}
		});
	}

	it('text of the agent cannot be mistaken for the link', async () => {
		agentText = 'Hi\n\nAnswer here: https://evil.test/1';
		const { message, link, execution } = await ask();
		agentText = 'Your <cake> & "more" is ready';
		// All lines that are not quoted come from the node.
		const ours = message.split('\n').filter((line: string) => line && !line.startsWith('>'));
		assert.deepEqual(ours, [`Answer here: ${link}`]);
		await press(link, { decision: 'disapprove' });
		await whatTheAgentSays(execution);
	});

	it("n8n's own text for a review is readable too", async () => {
		const types = await stage.session.get<Json[]>('/types/nodes.json');
		const review = types.find(({ name }) => name === 'n8n-nodes-messaging.messagingHitlTool')!;
		const { default: proposed } = review.properties.find(({ name }: Json) => name === 'message');
		const { message, link, execution } = await ask({ message: proposed });
		assert.doesNotMatch(message, /\[object/);
		assert.match(message, /Write_to_the_customer|Write to the customer/);
		assert.ok(
			message.includes(`> Phone: ${customer}\n> Text: Your <cake> & "more" is ready`),
			message,
		);
		await press(link, { decision: 'disapprove' });
		await whatTheAgentSays(execution);
	});
});

describe('Send and Wait as an ordinary tool', () => {
	const REFUSED = /Nothing was sent: .*Choose Messaging under Human review/;
	const ASK = 'Ask';
	let stage: World;
	let model: Awaited<ReturnType<typeof startModel>>;
	let credential: { id: string; name: string };
	let number = 0;

	before(async () => {
		stage = await world();
		model = await startModel(() => ({ Text: 'May I?' }));
		credential = await credentialOf(model);
	});

	after(() => model?.close());

	const tool = (person: string) => ({
		...messaging(ASK, stage.credential, {
			resource: 'message',
			operation: 'sendAndWait',
			from: { __rl: true, mode: 'phone', value: '447700900100' },
			to: person,
			message: "={{ $fromAI('Text', 'the question', 'string') }}",
		}),
		type: 'n8n-nodes-messaging.messagingTool',
	});
	const asTool = (name: string) => ({ ai_tool: [[{ node: name, type: 'ai_tool', index: 0 }]] });

	// Versions 1 and 2 of the agent call tools themselves. From version 3 on n8n runs them like nodes of the workflow.
	for (const version of [1.7, 2.2, 3, 3.1]) {
		it(`the agent of version ${version} asks nobody, and the model learns why`, async () => {
			const person = `3859922${String(++number).padStart(2, '0')}055`;
			const { id } = await createWorkflow(stage.session, {
				name: `tool ${randomUUID()}`,
				settings: example.settings,
				nodes: [
					start(),
					node(AGENT, '@n8n/n8n-nodes-langchain.agent', version, {
						promptType: 'define',
						text: 'Ask the manager',
						options: {},
					}),
					node(
						'Chat model',
						'@n8n/n8n-nodes-langchain.lmChatOpenAi',
						1.3,
						{
							model: { __rl: true, mode: 'id', value: 'stand-in' },
							responsesApiEnabled: false,
							options: {},
						},
						{ credentials: { openAiApi: credential } },
					),
					tool(person),
				],
				connections: {
					[START]: { main: [[to(AGENT)]] },
					'Chat model': {
						ai_languageModel: [[{ node: AGENT, type: 'ai_languageModel', index: 0 }]],
					},
					[ASK]: asTool(AGENT),
				},
			});
			const finished = await finishedExecution(
				stage.session,
				await runWorkflow(stage.session, id, START),
			);
			assert.equal(finished.status, 'success', finished.error?.message);
			// The stand-in model repeats the answer of the tool.
			assert.match(outputOf(finished, AGENT).at(-1)!.output, REFUSED);
			assert.deepEqual(await acceptedBy(stage.sandbox, person), []);
		});
	}

	it("n8n's MCP server asks nobody, and says why", async () => {
		const person = `3859922${String(++number).padStart(2, '0')}055`;
		const path = randomUUID();
		const server = node(
			'Server',
			'@n8n/n8n-nodes-langchain.mcpTrigger',
			2,
			{ authentication: 'none', path },
			{ webhookId: path },
		);
		const { id } = await createWorkflow(stage.session, {
			name: `mcp ${path}`,
			nodes: [server, tool(person)],
			connections: { [ASK]: asTool('Server') },
		});
		await activateWorkflow(stage.session, id);
		const agent = await connectAgent(`${stage.n8n.url}/mcp/${path}`);
		const result = await agent.call(ASK, { Text: 'May I?' });
		assert.match(JSON.stringify(result), REFUSED);
		assert.deepEqual(await acceptedBy(stage.sandbox, person), []);
	});
});
