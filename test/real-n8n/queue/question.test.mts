import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outputOf } from '../../../demo/n8n/rest/executions.mts';
import { logIn } from '../../../demo/n8n/rest/session.mts';
import { MESSAGING, messaging, QUESTION } from '../world/nodes.mts';
import { asked, open, press } from '../world/questions.mts';
import { acceptedBy, newPhone } from '../world/service.mts';
import { publishForCalls, succeeded } from '../world/workflows.mts';
import { takenBy, world } from './world.mts';

/* A question is kept in the execution: the worker that continues is perhaps not the one that has asked. */

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

	it('an update in the order of docs/administration.md leaves a question open, also of an unpublished workflow', async () => {
		const { stack, sandbox, session } = stage;
		const to = newPhone();
		const question = { ...QUESTION, to };
		const { id, start } = await publishForCalls(stage, [messaging(stage.credential, question)]);
		const { execution, link } = await asked(stage, await start(), to);
		await session.post(`/rest/workflows/${id}/deactivate`, {});
		const { main, webhook, workers } = stack;
		for (const group of [[main, webhook], workers])
			await Promise.all(group.map(async (member) => await member.stop()));
		for (const group of [workers, [main, webhook]])
			await Promise.all(group.map(async (member) => await member.start()));
		assert.match((await press(link, { decision: 'approve' })).html, /recorded/);
		// The login ends with the main process. The other test files share the new one.
		stage.session = await logIn(main.instance.url);
		const [{ data }] = outputOf(await succeeded(stage, execution), MESSAGING);
		assert.equal(data.approved, true);
		assert.equal((await acceptedBy(sandbox, to)).length, 1);
	});
});
