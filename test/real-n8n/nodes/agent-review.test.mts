import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { outputOf } from '../../../demo/n8n/rest/executions.mts';
import { isToolOf } from '../world/agent.mts';
import { world } from '../world/installation.mts';
import { startModel } from '../world/model.mts';
import { byHand, into, messagingTool, node, QUESTION, START, type Json } from '../world/nodes.mts';
import { asked, limitWaitTime, open, press } from '../world/questions.mts';
import { acceptedBy, newPhone } from '../world/service.mts';
import { ended, errorOf, isWaiting, start, succeeded } from '../world/workflows.mts';

const stage = await world();

/** The example workflow. */
const example: { nodes: Json[]; connections: Json; settings: Json } = JSON.parse(
	readFileSync(new URL('../../../examples/agent-human-review.json', import.meta.url), 'utf8'),
);

const TRIGGER = 'When chat message received';
const AGENT = 'AI Agent';
const REVIEW = 'Ask the manager';
const TEXT = 'Your cake < 2 kg & "more" is ready';

async function whatTheAgentSays(execution: string): Promise<string> {
	return outputOf(await succeeded(stage, execution), AGENT).at(-1)!.output;
}

const reviewType = async () => {
	const types = await stage.session.get<Json[]>('/types/nodes.json');
	return types.find(({ name }) => name === 'n8n-nodes-messaging.messagingHitlTool')!;
};

let customer: string;
let manager: string;
/** What the agent wants to send. */
let wanted: { Phone: string; Text: string };
const model = await startModel(() => wanted);

describe("an AI agent's human review", () => {
	/** Runs the example, started by hand instead of by a chat. */
	async function run(review: Json = {}, agentVersion = 3.1, wrong: Partial<typeof wanted> = {}) {
		customer = newPhone();
		manager = newPhone();
		wanted = { Phone: customer, Text: TEXT, ...wrong };
		const chat = { chatInput: 'Tell Ada that her cake is ready' };
		const changed: Record<string, (node: Json) => Json> = {
			[TRIGGER]: () => ({
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: { mode: 'raw', jsonOutput: JSON.stringify(chat), options: {} },
			}),
			[AGENT]: () => ({ typeVersion: agentVersion }),
			'Chat model': () => ({ credentials: model.credentials }),
			[REVIEW]: ({ parameters }) => ({ parameters: { ...parameters, to: manager, ...review } }),
		};
		const nodes = example.nodes.map((each) => ({
			...each,
			...(each.credentials?.messagingApi && { credentials: { messagingApi: stage.credential } }),
			...changed[each.name]?.(each),
		}));
		const connections = { ...example.connections, [START]: { main: [[into(TRIGGER)]] } };
		const { settings } = example;
		return await start(stage, [byHand(), ...(nodes as never[])], { settings, connections });
	}

	/** Runs the example until the review waits. */
	const ask = async (review: Json = {}, wrong: Partial<typeof wanted> = {}) =>
		await asked(stage, await run(review, 3.1, wrong), manager);

	/** What a person reads in the list of executions. */
	async function failed(execution: string): Promise<string> {
		const done = await ended(stage, execution);
		assert.equal(done.status, 'error');
		return errorOf(done) ?? '';
	}

	it('n8n derives the review node from our node, for agents only', async () => {
		const { outputs, properties } = await reviewType();
		assert.equal(outputs[0].type, 'ai_tool');
		const hidden = properties.filter(({ type }: Json) => type === 'hidden');
		assert.deepEqual(
			new Set(hidden.map((property: Json) => `${property.name} ${property.default}`)),
			new Set(['resource message', 'operation sendAndWait', 'responseType approval']),
		);
	});

	it('approve: the person reads what the agent wants to do, and the tool runs only after that', async () => {
		const { execution, message, link } = await ask();
		assert.equal(
			message,
			`> The assistant wants to write to ${customer}:\n>\n> ${TEXT}\n\nAnswer here: ${link}`,
		);
		assert.match((await open(link)).html, /Your cake &lt; 2 kg &amp; &quot;more&quot; is ready/);
		assert.ok(await isWaiting(stage, execution));
		assert.deepEqual(await acceptedBy(stage.sandbox, customer), []);

		await press(link, { decision: 'approve' });
		assert.match(await whatTheAgentSays(execution), /^Done: .*"externalId/);
		const sent = await acceptedBy(stage.sandbox, customer);
		assert.deepEqual(
			sent.map((record) => record.message),
			[TEXT],
		);
	});

	it('decline, or nobody answers in time: the tool does not run, and the execution says so', async () => {
		const notApproved = () => new RegExp(`left\\. ${customer}: the manager has not approved it\\.`);
		const declined = await ask();
		await press(declined.link, { decision: 'disapprove' });
		assert.match(await failed(declined.execution), notApproved());
		assert.deepEqual(await acceptedBy(stage.sandbox, customer), []);

		const { execution } = await ask({ options: limitWaitTime(0.03) });
		assert.match(await failed(execution), notApproved());
		assert.deepEqual(await acceptedBy(stage.sandbox, customer), []);
	});

	/* n8n tells the agent that somebody said no when nobody could be asked, and an execution is green whatever a tool says. */
	for (const [what, wrong, sentence] of [
		[
			'a number that is none',
			{ Phone: 'ask her' },
			/left\. ask her: Nothing more was sent\. .*not a phone number/,
		],
		['no number', { Phone: '' }, /: Nothing more was sent\. Item 1: The recipient is empty/],
		['no text', { Text: '' }, /left\. \d+: Nothing more was sent\. .*'Message' is empty/],
	] as const) {
		it(`a yes, but the agent wrote ${what}: the execution is red and says so`, async () => {
			const { execution, link } = await ask({}, wrong);
			await press(link, { decision: 'approve' });
			assert.match(await failed(execution), sentence);
			assert.equal((await acceptedBy(stage.sandbox, customer)).length, 0);
		});
	}

	for (const [what, review] of [
		['a number that is none', { to: 'nobody' }],
		['no number', { to: '' }],
		['no text', { message: '' }],
		['a channel that is none', { from: { __rl: true, mode: 'phone', value: '12025559999' } }],
	] as const) {
		it(`the manager cannot be asked, ${what}: the execution is red and says so`, async () => {
			const error = await failed(await run(review));
			assert.match(
				error,
				/: the manager has not approved it\. If 'Ask the manager' has an error, nobody/,
			);
			assert.deepEqual(await acceptedBy(stage.sandbox, customer), []);
		});
	}

	for (const version of [1.7, 2.2]) {
		it(`the agent of version ${version} has no reviews: nobody is asked, and no tool runs`, async () => {
			assert.match(await failed(await run({}, version)), /: the manager has not approved it/);
			for (const person of [manager, customer]) {
				assert.deepEqual(await acceptedBy(stage.sandbox, person), []);
			}
		});
	}
});

const asking = await startModel(() => ({ Text: 'May I?' }));

describe('Send and Wait as an ordinary tool', () => {
	const REFUSED = /Nothing was sent\. .*Choose Messaging under Human review/;
	const ASK = 'Ask';
	const tool = (person: string) => {
		const message = "={{ $fromAI('Text', 'the question', 'string') }}";
		return messagingTool(stage.credential, { ...QUESTION, to: person, message }, { name: ASK });
	};

	// Versions 1 and 2 of the agent call tools themselves. From version 3 on n8n runs them like nodes of the workflow.
	for (const version of [1.7, 2.2, 3, 3.1]) {
		it(`the agent of version ${version} asks nobody, and the model learns why`, async () => {
			const person = newPhone();
			const nodes = [
				byHand(),
				node(AGENT, '@n8n/n8n-nodes-langchain.agent', version, {
					promptType: 'define',
					text: 'Ask the manager',
					options: {},
				}),
				asking.node,
				tool(person),
			];
			const connections = {
				[START]: { main: [[into(AGENT)]] },
				'Chat model': { ai_languageModel: [[into(AGENT, 'ai_languageModel')]] },
				[ASK]: isToolOf(AGENT),
			};
			const { settings } = example;
			const execution = await start(stage, nodes, { settings, connections });
			// The stand-in model repeats the answer of the tool.
			assert.match(await whatTheAgentSays(execution), REFUSED);
			assert.deepEqual(await acceptedBy(stage.sandbox, person), []);
		});
	}
});
