import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { executionsOf, finishedExecution, outputOf } from '../../../demo/n8n/rest/executions.mts';
import { activateWorkflow, createWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { until } from '../../../demo/n8n/until.mts';
import { runMessaging } from './world/node-run.mts';
import { world, type World } from './world/world.mts';

const TRIGGER = 'Messaging Log Changes Trigger';
/** n8n polls at most once a minute. */
const TWO_POLLS = { withinMs: 150_000 };

describe('the log trigger, in the real n8n', () => {
	let stage: World;

	before(async () => {
		stage = await world();
	});

	it('starts the workflow with the new records', async () => {
		const { id } = await createWorkflow(stage.session, {
			name: `log trigger ${randomUUID()}`,
			nodes: [
				{
					id: randomUUID(),
					name: TRIGGER,
					type: 'n8n-nodes-messaging.messagingLogTrigger',
					typeVersion: 1,
					position: [0, 0],
					parameters: {
						changes: ['new'],
						pollTimes: { item: [{ mode: 'everyMinute' }] },
					},
					credentials: { messagingApi: stage.credential },
				},
			],
			connections: {},
		});
		// n8n polls once while it activates the workflow, but drops the state of that poll. So the test waits for the next one.
		await activateWorkflow(stage.session, id);
		await polled(stage);

		const phones = ['385997001130', '385997001230', '385997001330'];
		const { error } = await runMessaging(
			{
				resource: 'campaign',
				operation: 'send',
				from: { __rl: true, mode: 'phone', value: '447700900100' },
				template: { __rl: true, mode: 'name', value: 'opening_hours' },
				to: '={{ $json.phone }}',
			},
			{ items: phones.map((phone) => ({ phone })) },
		);
		assert.equal(error, undefined);
		const executions = await until(
			'the log trigger starts its workflow',
			async () => {
				const found = await executionsOf(stage.session, id);
				return found.length > 0 ? found : undefined;
			},
			TWO_POLLS,
		);
		const records = [];
		for (const execution of executions) {
			records.push(...outputOf(await finishedExecution(stage.session, execution.id), TRIGGER));
		}
		// Otherwise its polls would count as requests of the following tests.
		await stage.session.post(`/rest/workflows/${id}/deactivate`, {});
		assert.deepEqual(records.map(({ to, change }) => [to, change]).sort(), [
			...phones.map((phone) => [phone, 'new']),
		]);
	});
});

/** Waits for one more poll of the trigger. */
async function polled({ sandbox }: World) {
	const polls = () => sandbox.world.traffic.counts().requests.byEndpoint.getLogs;
	const before = polls();
	await until('the trigger polls', async () => polls() > before || undefined, TWO_POLLS);
}
