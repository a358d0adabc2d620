import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agentWith } from '../world/agent.mts';
import { credentialFor, world } from '../world/installation.mts';
import { messagingTool, named, TEMPLATE, TEXT } from '../world/nodes.mts';
import { newPhone, requestsDuring } from '../world/service.mts';
import { looksLikeASentence } from '../world/workflows.mts';

const stage = await world();

const fromAi = (name: string, description: string) =>
	`={{ $fromAI('${name}', '${description}', 'string') }}`;

const to = fromAi('to', 'Phone number of the recipient, with country code');
const read = { resource: 'channel', operation: 'getAll', returnAll: true };

/** The fields that a person fills in, and those left to the model. */
const tools = {
	'Find channels': read,
	'Send text': { ...TEXT, to, message: fromAi('message', 'The text to send') },
	'Send order ready': {
		...TEMPLATE,
		to,
		template: named('order_ready'),
		options: { language: { __rl: true, mode: 'code', value: 'en_US' } },
		templateParameters: {
			mappingMode: 'defineBelow',
			value: { 1: fromAi('first_name', 'First name of the recipient') },
			schema: [],
		},
	},
};

const agent = await agentWith(
	stage,
	Object.entries(tools).map(([name, parameters]) =>
		messagingTool(stage.credential, parameters, { name }),
	),
);

describe('as a tool of AI agents', () => {
	it('each node is one tool, described by its action, and asks the model for what was left to it', async () => {
		const listed = await agent.tools();
		assert.deepEqual(listed.map(({ name, description }) => `${name}: ${description}`).sort(), [
			'Find_channels: Get many channels in Messaging',
			'Send_order_ready: Send template message in Messaging',
			'Send_text: Send text message in Messaging',
		]);
		const schema = (wanted: string) => listed.find(({ name }) => name === wanted)!.inputSchema;
		assert.deepEqual(schema('Send_text').properties, {
			to: { type: 'string', description: 'Phone number of the recipient, with country code' },
			message: { type: 'string', description: 'The text to send' },
		});
		assert.deepEqual(schema('Send_text').required, ['to', 'message']);
		assert.deepEqual(schema('Find_channels').properties, {});
	});

	it('reads', async () => {
		assert.match((await agent.call('Find_channels', {})).said, /Bakery main line/);
	});

	it('sends once', async () => {
		for (const [name, args, endpoint] of [
			['Send_text', { to: newPhone(), message: 'Hello' }, 'sendText'],
			['Send_order_ready', { to: newPhone(), first_name: 'Ada' }, 'sendTemplate'],
		] as const) {
			const { result, requests, accepted } = await requestsDuring(
				stage.sandbox,
				async () => await agent.call(name, args),
			);
			assert.ok(!result.isError, result.said);
			assert.deepEqual([requests[endpoint], accepted], [1, 1]);
		}
	});

	it("returns a sentence to the model: of its mistake, of the service's refusal, of a wrong key", async () => {
		const key = 'not-the-right-key';
		const wrong = await credentialFor(stage, { apiKey: key });
		const refused = await agentWith(stage, [messagingTool(wrong, read, { name: 'Read' })]);
		const { result, accepted } = await requestsDuring(stage.sandbox, async () => [
			await agent.call('Send_text', { to: 'Ada', message: 'Hello' }),
			await agent.call('Send_text', { to: '12025550124', message: 'Hello' }),
			await refused.call('Read', {}),
		]);
		assert.equal(accepted, 0);
		for (const { isError, said } of result) {
			assert.equal(isError, true);
			looksLikeASentence(said);
			assert.ok(!said.includes(key));
		}
		const [mistake, window, refusal] = result.map(({ said }) => said);
		assert.match(mistake, /Ada/);
		assert.match(window, /24/);
		assert.match(refusal, /The service refused the API key/);
	});
});
