import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isToolOf } from '../world/agent.mts';
import { world } from '../world/installation.mts';
import { startModel } from '../world/model.mts';
import { CAMPAIGN, into, messagingTool, named, node } from '../world/nodes.mts';
import { acceptedBy, newPhone, requestsDuring } from '../world/service.mts';
import { save } from '../world/workflows.mts';
import { editor, picture, testSaid, visit } from './world/editor.mts';
import { Panel } from './world/panel.mts';

/* A person talks to an AI agent in n8n's chat, and the agent calls our node as its tool. A stand-in takes the model's place. */

const ME = newPhone();
const CUSTOMER = newPhone();
const INCOMPLETE = '0770 090 0211';

const fromAi = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;

/** What the person says to the agent, with the recipient as the model reads it. */
const say = (to: string) => `Tell Ada that her order is ready: ${to}`;
const readRecipient = (said: string) => said.split(': ')[1];

const model = await startModel((said) => ({ To: readRecipient(said), Name: 'Ada' }));

describe("an agent's tool, called from the chat", () => {
	async function saveAgent() {
		const stage = await world();
		const template = named('order_ready');
		const value = { 1: fromAi('Name') };
		const templateParameters = { mappingMode: 'defineBelow', value, schema: [] };
		const options = { language: { __rl: true, mode: 'code', value: 'en_US' } };
		const parameters = { ...CAMPAIGN, to: fromAi('To'), template, templateParameters, options };
		const langchain = '@n8n/n8n-nodes-langchain';
		const nodes = [
			node('Chat', `${langchain}.chatTrigger`, 1.1, { options: {} }, { webhookId: 'chat' }),
			{ ...node('Agent', `${langchain}.agent`, 3.1, { options: {} }), position: [220, 0] },
			{ ...model.node, position: [200, 220] },
			{ ...messagingTool(stage.credential, parameters), position: [400, 220] },
		];
		const connections = {
			Chat: { main: [[into('Agent')]] },
			[model.node.name]: { ai_languageModel: [[into('Agent', 'ai_languageModel')]] },
			Messaging: isToolOf('Agent'),
		};
		return await save(stage, nodes, { connections });
	}

	it('tells the model and the person what a dry run, a test, a send and a wrong number led to', async () => {
		const { sandbox } = await world();
		const page = await editor('dark');
		const panel = new Panel(page, await saveAgent());
		const tool = page.locator('[data-test-id="canvas-node"][data-node-name="Messaging"]');
		const answers = page.locator('.chat-message-from-bot').filter({ hasText: 'Done: ' });
		await visit(page, `/workflow/${panel.workflow}`);
		await panel.part('workflow-chat-button').click();
		await panel.open(tool);
		await panel.preview.waitFor();
		await panel.placeholders.waitFor();
		await picture('agent 0 tool');

		/** Asks the agent to write to somebody, and opens the tool. */
		async function ask(to: string, sentence: string) {
			await panel.part('ndv-close-button').click();
			const turn = await answers.count();
			const { accepted } = await requestsDuring(sandbox, async () => {
				await panel.part('chat-input').fill(say(to));
				await panel.part('chat-input').press('Enter');
				await answers.nth(turn).waitFor();
			});
			await picture(`agent ${turn + 1} chat`);
			await panel.open(tool);
			await panel.preview.waitFor();
			await panel.output.getByText(sentence).first().waitFor();
			await picture(`agent ${turn + 1} tool`);
			return { accepted, answer: await answers.nth(turn).innerText() };
		}

		await panel.chooseOption('sendMode', 'Dry Run: Send Nothing');
		const dryRun = await ask(CUSTOMER, 'Dry run: nothing was sent.');
		assert.equal(dryRun.accepted, 0);
		assert.match(dryRun.answer, /"text":"Hello Ada, your order is ready\.".*"dryRun":true/);

		await panel.chooseOption('sendMode', 'Test: Only to My Number');
		await panel.part('parameter-input-testRecipient').locator('input').fill(ME);
		const test = await ask(CUSTOMER, testSaid(ME));
		assert.equal(test.accepted, 1);
		assert.ok(test.answer.includes(`"to":"${ME}","status":"test"`), test.answer);
		assert.deepEqual(await acceptedBy(sandbox, CUSTOMER), []);

		await panel.chooseOption('sendMode', 'Send');
		const send = await ask(CUSTOMER, '1 message accepted as one campaign.');
		assert.equal(send.accepted, 1);
		const [sent] = await acceptedBy(sandbox, CUSTOMER);
		assert.equal(sent.text, 'Hello Ada, your order is ready.');
		assert.ok(send.answer.includes(`"to":"${CUSTOMER}"`), send.answer);
		assert.ok(send.answer.includes(`"campaign_id":"${sent.campaign_id}"`), send.answer);
		await panel.output.getByText(CUSTOMER).waitFor();

		const refused = `Nothing was sent. Item 1 (${INCOMPLETE}): This is not a phone number: it does not begin with a country code.`;
		const wrong = await ask(INCOMPLETE, refused);
		assert.equal(wrong.accepted, 0);
		// What a person reads below the error is for the model, too.
		const advice = 'Call this tool again once the cause is gone.';
		for (const said of [refused, advice]) assert.ok(wrong.answer.includes(said), wrong.answer);
	});
});
