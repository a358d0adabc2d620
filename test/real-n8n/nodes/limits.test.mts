import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { finishedExecution, type Json } from '../../../demo/n8n/rest/executions.mts';
import {
	activateWorkflow,
	createWorkflow,
	runWorkflow,
} from '../../../demo/n8n/rest/workflows.mts';
import { until } from '../../../demo/n8n/until.mts';
import { inARow, items, messaging, node, START, start, type Node } from './world/nodes.mts';
import { world, type World } from './world/world.mts';

/* Behaviour of n8n that no node can change. The documentation warns of it. */

const SEND = 'Messaging';
const AFTER = 'After';

let stage: World;
let block = 0;

const people = () => {
	block++;
	return Array.from({ length: 4 }, (_, index) => ({
		phone: `3859600${String(block).padStart(2, '0')}${index}55`,
	}));
};

const sender = (more: Json = {}) =>
	messaging(SEND, stage.credential, {
		resource: 'message',
		operation: 'sendText',
		from: { __rl: true, mode: 'phone', value: '447700900100' },
		to: '={{ $json.phone }}',
		message: 'Hello',
		options: { batchSize: 1 },
		...more,
	});

const saved = async (nodes: Node[], pinData: Json = {}) => {
	const connections = inARow(nodes);
	const workflow = { name: `limits ${randomUUID()}`, nodes, connections, pinData };
	return await createWorkflow(stage.session, workflow);
};

const timesAccepted = (recipients: Array<{ phone: string }>) => {
	const { byRecipient } = stage.sandbox.world.messages.tally();
	return recipients.map(({ phone }) => byRecipient[phone] ?? 0);
};

describe('what n8n does that no node can change', () => {
	before(async () => {
		stage = await world();
	});

	it('Retry of the parent of a sub-workflow runs the sub-workflow again, and sends to everyone again', async () => {
		const recipients = people();
		const child = await saved([
			node('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
			sender(),
			node('Stop', 'n8n-nodes-base.stopAndError', 1, { errorMessage: 'Broken behind it' }),
		]);
		await activateWorkflow(stage.session, child.id);
		const parent = await saved([
			start(),
			...items('People', recipients),
			node('Sub', 'n8n-nodes-base.executeWorkflow', 1.2, {
				workflowId: { __rl: true, mode: 'id', value: child.id },
				options: {},
			}),
		]);
		const execution = await runWorkflow(stage.session, parent.id, START);
		assert.equal((await finishedExecution(stage.session, execution)).status, 'error');
		assert.deepEqual(timesAccepted(recipients), [1, 1, 1, 1]);
		await stage.session.post(`/rest/executions/${execution}/retry`, { loadWorkflow: false });
		assert.deepEqual(timesAccepted(recipients), [2, 2, 2, 2]);
	});

	it('n8n keeps nothing to retry of a manual execution that was stopped', async () => {
		const recipients = people();
		const nodes = [
			start(),
			...items('People', recipients),
			sender({ options: { batchSize: 1, batchInterval: 60_000 } }),
		];
		const { id } = await saved(nodes);
		const execution = await runWorkflow(stage.session, id, START);
		await until('the first is accepted', async () => timesAccepted(recipients)[0] || undefined);
		await stage.session.post(`/rest/executions/${execution}/stop`, {});
		assert.equal((await finishedExecution(stage.session, execution)).status, 'canceled');
		await assert.rejects(
			stage.session.post(`/rest/executions/${execution}/retry`, { loadWorkflow: false }),
			/retry|retried/i,
		);
		assert.deepEqual(timesAccepted(recipients), [1, 0, 0, 0]);
	});

	it('executing a later node runs a changed Messaging node again, unless its output is pinned', async () => {
		const recipients = people();
		const nodes = [
			start(),
			...items('People', recipients),
			sender(),
			node(AFTER, 'n8n-nodes-base.noOp', 1, {}),
		];
		const { id } = await saved(nodes);
		const first = await runWorkflow(stage.session, id, START);
		const { runs } = await finishedExecution(stage.session, first);
		const { executionId } = await stage.session.post<{ executionId: string }>(
			`/rest/workflows/${id}/run`,
			{
				workflowData: await stage.session.get<Json>(`/rest/workflows/${id}`),
				runData: runs,
				destinationNode: { nodeName: AFTER, mode: 'inclusive' },
				dirtyNodeNames: [SEND],
			},
		);
		const later = await finishedExecution(stage.session, executionId);
		assert.equal(later.status, 'success', later.error?.message);
		assert.deepEqual(timesAccepted(recipients), [2, 2, 2, 2]);

		const other = await saved(nodes, { [SEND]: runs[SEND][0].data?.main[0] });
		const third = await runWorkflow(stage.session, other.id, START);
		const { status, error } = await finishedExecution(stage.session, third);
		assert.equal(status, 'success', error?.message);
		assert.deepEqual(timesAccepted(recipients), [2, 2, 2, 2]);
	});
});
