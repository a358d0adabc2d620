import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outputOf } from '../../../demo/n8n/rest/executions.mts';
import { agentWith } from '../world/agent.mts';
import { MESSAGING, messaging, messagingTool, QUESTION, TEXT } from '../world/nodes.mts';
import { asked, open, press } from '../world/questions.mts';
import { acceptedBy, newPhone } from '../world/service.mts';
import { publishForCalls, succeeded } from '../world/workflows.mts';
import { PID, pidsOf, takenBy, world } from './world.mts';

/* That campaigns and events pass through workers and the webhook processor, the other files of this folder show. */

const stage = await world();

describe('in queue mode', () => {
	it('a worker asks a question, it is answered at the webhook processor, and the workflow continues', async () => {
		const { stack, sandbox } = stage;
		const to = newPhone();
		const question = { ...QUESTION, to };
		const { start } = await publishForCalls(stage, [messaging(stage.credential, question)]);
		const { execution, link } = await asked(stage, await start(), to);
		assert.ok(link.startsWith(`${stage.url}/`), link);
		assert.equal((await open(link)).status, 200);
		assert.match((await press(link, { decision: 'approve' })).html, /recorded/);
		const [{ data }] = outputOf(await succeeded(stage, execution), MESSAGING);
		assert.equal(data.approved, true);
		// One run asks and one continues, perhaps on two workers.
		const taken = takenBy(stack, execution);
		assert.deepEqual(
			[taken.length, taken.every((each) => stack.workers.includes(each))],
			[2, true],
		);
		assert.equal((await acceptedBy(sandbox, to)).length, 1);
	});

	it('an agent calls it as a tool over MCP, on a worker', async () => {
		const to = newPhone();
		const text = {
			...TEXT,
			to: "={{ $fromAI('to', 'Phone number', 'string') }}",
			message: `=Process ${PID.slice(1)} wrote this`,
		};
		const agent = await agentWith(stage, [
			messagingTool(stage.credential, text, { name: 'Send text' }),
		]);
		const result = await agent.call('Send_text', { to });
		assert.ok(!result.isError, result.said);
		const accepted = await acceptedBy(stage.sandbox, to);
		assert.equal(accepted.length, 1);
		const pid = Number(/\d+/.exec(accepted[0].message)?.[0]);
		assert.ok(pidsOf(stage.stack.workers).includes(pid), accepted[0].message);
	});
});
