import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outputOf } from '../../../demo/n8n/rest/executions.mts';
import { until } from '../../../demo/n8n/until.mts';
import { agentWith } from '../world/agent.mts';
import {
	byHand,
	CAMPAIGN,
	messaging,
	MESSAGING,
	messagingTool,
	peopleOfCall,
	QUESTION,
	TEXT,
} from '../world/nodes.mts';
import { asked, open, press } from '../world/questions.mts';
import { acceptedBy, campaigns, control, newPeople, newPhone } from '../world/service.mts';
import { call, latest, publishForCalls, start, succeeded } from '../world/workflows.mts';
import { executionsOf, PID, pidsOf, takenBy, triggered, WHERE, where, world } from './world.mts';

const stage = await world();

describe('in queue mode, on a worker', () => {
	/** Checks that the execution succeeded on one worker, from n8n's logs and the process id. */
	async function ranOnAWorker(execution: string) {
		const { stack } = stage;
		const done = await succeeded(stage, execution);
		const taken = takenBy(stack, execution);
		assert.equal(taken.length, 1, `taken by ${taken.map(({ name }) => name).join(' and ')}`);
		assert.ok(stack.workers.includes(taken[0]), `taken by the ${taken[0].name}`);
		const [{ pid }] = outputOf(done, WHERE);
		assert.deepEqual([pid], pidsOf(taken));
		return { done, pid: pid as number };
	}

	it('a campaign reaches each recipient once', async () => {
		const options = { identifier: `={{ $json.phone }} ${PID.slice(1)}` };
		const { start } = await publishForCalls(stage, [
			peopleOfCall(),
			messaging(stage.credential, { ...CAMPAIGN, options }),
			where(),
		]);
		const people = newPeople(25);
		const { pid, done } = await ranOnAWorker(await start({ people }));
		assert.equal(outputOf(done, MESSAGING).length, 25);
		for (const { phone } of people) {
			const accepted = await acceptedBy(stage.sandbox, phone);
			assert.deepEqual(
				accepted.map(({ identifier }) => identifier),
				[`${phone} ${pid}`],
			);
		}
	});

	it('a manual run is executed by a worker too', async () => {
		const to = newPhone();
		const text = { ...TEXT, to, message: `=From process ${PID.slice(1)}` };
		const nodes = [byHand(), messaging(stage.credential, text), where()];
		const { pid } = await ranOnAWorker(await start(stage, nodes));
		const accepted = await acceptedBy(stage.sandbox, to);
		assert.deepEqual(
			accepted.map(({ message }) => message),
			[`From process ${pid}`],
		);
	});

	it('a campaign completion arrives at the webhook processor, and its report is read', async () => {
		const { stack, sandbox, session } = stage;
		const { urlBaseWebhook } = await session.get<{ urlBaseWebhook: string }>('/rest/settings');
		assert.equal(urlBaseWebhook, `${stage.url}/`);
		const report = {
			resource: 'campaign',
			operation: 'getReport',
			campaignId: '={{ $json.campaign_id }}',
		};
		const { id, path, url } = await triggered(stage, messaging(stage.credential, report), where());
		assert.equal((await call(`${stack.main.instance.url}/${path}`)).status, 404);

		const phones = newPeople(3).map(({ phone }) => phone);
		const [sent] = await campaigns(sandbox, 1, phones);
		await control(sandbox, 'PUT', '/webhook', { url, repeat: 10 });
		await control(sandbox, 'POST', `/campaigns/${sent}/complete`);
		const isAccepted = ({ status }: { status: number | null }) => status === 200;
		await until('a delivery is accepted', async () =>
			sandbox.world.webhook.deliveries.some(isAccepted) ? true : undefined,
		);
		await control(sandbox, 'DELETE', '/webhook');
		// While one call starts the event, the others are told to come again.
		const answers = sandbox.world.webhook.deliveries.map(({ status }) => status);
		assert.deepEqual(
			answers.filter((status) => status !== 200 && status !== 503),
			[],
		);

		const { done } = await ranOnAWorker(await latest(stage, id));
		assert.equal((await executionsOf(stage, id)).length, 1);
		assert.deepEqual(
			outputOf(done, MESSAGING).map(({ campaign_id, recipients }) => [campaign_id, recipients]),
			[[sent, 3]],
		);
	});

	it('a question is asked, answered at the webhook processor, and the workflow continues', async () => {
		const { stack, sandbox } = stage;
		const to = newPhone();
		const question = { ...QUESTION, to, message: `=Process ${PID.slice(1)} asks` };
		const { start } = await publishForCalls(stage, [
			messaging(stage.credential, question),
			where(),
		]);
		const { execution, message, link } = await asked(stage, await start(), to);
		const asker = Number(/^Process (\d+) asks/.exec(message)?.[1]);
		assert.ok(pidsOf(stack.workers).includes(asker), message);

		assert.ok(link.startsWith(`${stage.url}/`), link);
		assert.equal((await open(link)).status, 200);
		assert.match((await press(link, { decision: 'approve' })).html, /recorded/);
		const [{ data, pid }] = outputOf(await succeeded(stage, execution), WHERE);
		assert.equal(data.approved, true);
		// One run asks and one continues. The second may be on the other worker.
		const taken = pidsOf(takenBy(stack, execution));
		assert.deepEqual(taken.toSorted(), [asker, pid].toSorted());
		assert.equal((await acceptedBy(sandbox, to)).length, 1);
	});

	it('an agent calls it as a tool, over MCP', async () => {
		const to = newPhone();
		const text = {
			...TEXT,
			to: "={{ $fromAI('to', 'Phone number', 'string') }}",
			message: `=Process ${PID.slice(1)} wrote this`,
		};
		const tool = messagingTool(stage.credential, text, { name: 'Send text' });
		const agent = await agentWith(stage, [tool]);
		const result = await agent.call('Send_text', { to });
		assert.ok(!result.isError, result.said);
		const accepted = await acceptedBy(stage.sandbox, to);
		assert.equal(accepted.length, 1);
		const pid = Number(/\d+/.exec(accepted[0].message)?.[0]);
		assert.ok(pidsOf(stage.stack.workers).includes(pid), accepted[0].message);
	});
});
