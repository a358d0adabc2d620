import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { getExecution, outputOf } from '../../../demo/n8n/rest/executions.mts';
import { createWorkflow, runWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { until } from '../../../demo/n8n/until.mts';
import { inARow, node, START, start } from '../nodes/world/nodes.mts';
import { acceptedBy, linksIn, open, press, untilItWaits } from '../nodes/world/questions.mts';
import { connectAgent } from '../editor/world/mcp.mts';
import { pidsOf, takenBy } from './world/evidence.mts';
import {
	finalStatus,
	executionsOf,
	from,
	messaging,
	MESSAGING,
	people,
	PID,
	publish,
	startedByCall,
	template,
	WHERE,
	where,
} from './world/workflows.mts';
import { world, type World } from './world/world.mts';

const list = (count: number, first: number) =>
	Array.from({ length: count }, (_, index) => ({ id: `p${index}`, phone: String(first + index) }));

describe('in queue mode, on a worker', () => {
	let stage: World;

	before(async () => {
		stage = await world();
	});

	/** Checks that the execution succeeded on one worker, from n8n's logs and the process id. */
	async function ranOnAWorker(execution: string) {
		const { stack } = stage;
		assert.equal(await finalStatus(stage, execution), 'success');
		const taken = takenBy(stack, execution);
		assert.equal(taken.length, 1, `taken by ${taken.map(({ name }) => name).join(' and ')}`);
		assert.ok(stack.workers.includes(taken[0]), `taken by the ${taken[0].name}`);
		const done = await getExecution(stack.session, execution);
		const [{ pid }] = outputOf(done, WHERE);
		assert.deepEqual([pid], pidsOf(taken));
		return { done, pid: pid as number };
	}

	const campaign = (identifier: string) =>
		messaging(stage, {
			resource: 'campaign',
			operation: 'send',
			from,
			template,
			to: '={{ $json.phone }}',
			options: { identifier },
		});

	it('a campaign reaches each recipient once', async () => {
		const { start } = await startedByCall(stage, [
			people(),
			campaign(`={{ $json.id }} ${PID.slice(1)}`),
			where(),
		]);
		const everybody = list(25, 385912000100);
		const { pid, done } = await ranOnAWorker(await start({ people: everybody }));
		assert.equal(outputOf(done, MESSAGING).length, 25);
		for (const { id, phone } of everybody) {
			const accepted = await acceptedBy(stage.sandbox, phone);
			assert.deepEqual(
				accepted.map(({ identifier }) => identifier),
				[`${id} ${pid}`],
			);
		}
	});

	it('a manual run is executed by a worker too', async () => {
		const [person] = list(1, 385912000200);
		const nodes = [
			start(),
			messaging(stage, {
				resource: 'message',
				operation: 'sendText',
				from,
				to: person.phone,
				message: `=From process ${PID.slice(1)}`,
				options: {},
			}),
			where(),
		];
		const { id } = await createWorkflow(stage.stack.session, {
			name: `by hand ${randomUUID()}`,
			nodes,
			connections: inARow(nodes),
		});
		const { pid } = await ranOnAWorker(await runWorkflow(stage.stack.session, id, START));
		const accepted = await acceptedBy(stage.sandbox, person.phone);
		assert.deepEqual(
			accepted.map(({ message }) => message),
			[`From process ${pid}`],
		);
	});

	it('a campaign completion arrives at the webhook processor, and its report is read', async () => {
		const { stack, sandbox } = stage;
		const { urlBaseWebhook } = await stack.session.get<{ urlBaseWebhook: string }>(
			'/rest/settings',
		);
		assert.equal(urlBaseWebhook, `${stack.webhook.instance.url}/`);

		const webhookId = randomUUID();
		const id = await publish(stage, [
			node(
				'Messaging Trigger',
				'n8n-nodes-messaging.messagingTrigger',
				1.1,
				{ events: ['campaignCompleted'] },
				{ webhookId, credentials: { messagingApi: stage.credential } },
			),
			messaging(stage, {
				resource: 'campaign',
				operation: 'getReport',
				campaignId: '={{ $json.campaign_id }}',
			}),
			where(),
		]);
		const path = `webhook/${webhookId}/webhook`;
		const atMain = await fetch(`${stack.main.instance.url}/${path}`, { method: 'POST' });
		assert.equal(atMain.status, 404);

		const { start, id: sender } = await startedByCall(stage, [
			people(),
			campaign('={{ $json.id }}'),
			where(),
		]);
		await ranOnAWorker(await start({ people: list(3, 385912000300) }));
		assert.equal((await executionsOf(stage, sender)).length, 1);
		const [sent] = sandbox.world.campaigns.list(1);
		await control('PUT', '/webhook', { url: `${urlBaseWebhook}${path}`, repeat: 10 });
		await control('POST', `/campaigns/${sent.id}/complete`);
		await until('all deliveries are answered', async () =>
			sandbox.world.webhook.deliveries.length >= 10 ? true : undefined,
		);
		await control('DELETE', '/webhook');
		// While one call starts the event, the others are told to come again.
		const answers = sandbox.world.webhook.deliveries.map(({ status }) => status);
		assert.ok(answers.includes(200), JSON.stringify(answers));
		assert.deepEqual(
			answers.filter((status) => status !== 200 && status !== 503),
			[],
		);

		const execution = await until('an execution begins', async () =>
			(await executionsOf(stage, id)).at(0),
		);
		const { done } = await ranOnAWorker(execution.id);
		assert.equal((await executionsOf(stage, id)).length, 1);
		assert.deepEqual(
			outputOf(done, MESSAGING).map(({ campaign_id, recipients }) => [campaign_id, recipients]),
			[[sent.id, 3]],
		);
	});

	it('a question is asked, answered at the webhook processor, and the workflow continues', async () => {
		const [person] = list(1, 385912000455);
		const { start } = await startedByCall(stage, [
			messaging(stage, {
				resource: 'message',
				operation: 'sendAndWait',
				from,
				to: person.phone,
				message: `=Process ${PID.slice(1)} asks`,
				approvalOptions: { values: { approvalType: 'double' } },
			}),
			where(),
		]);
		const { stack } = stage;
		const execution = await start({});
		await untilItWaits(stack.session, execution);
		const [sent, ...more] = await acceptedBy(stage.sandbox, person.phone);
		assert.deepEqual(more, []);
		const asker = Number(/^Process (\d+) asks/.exec(sent.message)?.[1]);
		assert.ok(pidsOf(stack.workers).includes(asker), sent.message);

		const [link] = linksIn(JSON.stringify(sent));
		assert.ok(link.startsWith(`${stack.webhook.instance.url}/`), link);
		assert.equal((await open(link)).status, 200);
		assert.match((await press(link, { decision: 'approve' })).html, /recorded/);
		assert.equal(await finalStatus(stage, execution), 'success');
		const done = await getExecution(stack.session, execution);
		const [{ data, pid }] = outputOf(done, WHERE);
		assert.equal(data.approved, true);
		// One run asks and one continues. The second may be on the other worker.
		const taken = pidsOf(takenBy(stack, execution));
		assert.deepEqual(taken.toSorted(), [asker, pid].toSorted());
		assert.equal((await acceptedBy(stage.sandbox, person.phone)).length, 1);
	});

	it('an agent calls it as a tool, over MCP', async () => {
		const [person] = list(1, 385912000500);
		const path = randomUUID();
		const tool = node(
			'Send text',
			'n8n-nodes-messaging.messagingTool',
			1,
			{
				resource: 'message',
				operation: 'sendText',
				from,
				to: "={{ $fromAI('to', 'Phone number', 'string') }}",
				message: `=Process ${PID.slice(1)} wrote this`,
			},
			{ credentials: { messagingApi: stage.credential } },
		);
		const server = node(
			'Server',
			'@n8n/n8n-nodes-langchain.mcpTrigger',
			2,
			{ authentication: 'none', path },
			{ webhookId: path },
		);
		await publish(stage, [server, tool], {
			connections: { [tool.name]: { ai_tool: [[{ node: 'Server', type: 'ai_tool', index: 0 }]] } },
		});
		const agent = await connectAgent(`${stage.stack.webhook.instance.url}/mcp/${path}`);
		const result = await agent.call('Send_text', { to: person.phone });
		assert.ok(!result.isError, JSON.stringify(result));
		const accepted = await acceptedBy(stage.sandbox, person.phone);
		assert.equal(accepted.length, 1);
		const pid = Number(/\d+/.exec(accepted[0].message)?.[0]);
		assert.ok(pidsOf(stage.stack.workers).includes(pid), accepted[0].message);
	});

	async function control(method: string, path: string, body?: unknown) {
		const answer = await fetch(`${stage.sandbox.url}/_sandbox${path}`, {
			method,
			...(body !== undefined && {
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			}),
		});
		assert.ok(answer.ok, await answer.text());
	}
});
