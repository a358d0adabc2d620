import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { createWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { inARow, messaging, node } from '../nodes/world/nodes.mts';
import { world } from '../nodes/world/world.mts';
import { editor, picture } from './world/editor.mts';
import { Panel } from './world/panel.mts';
import { BAKERY, workflowWithPeople } from './world/people.mts';

describe('the output of a node that has never run', () => {
	it('is offered to the next node, by its fields', async () => {
		const { session, credential } = await world();
		const nodeId = randomUUID();
		const nodes = [
			messaging('Channels', credential, { resource: 'channel', operation: 'getAll' }),
			node('Next', 'n8n-nodes-base.set', 3.4, {}, { id: nodeId, position: [200, 0] }),
		];
		const { id: workflowId } = await createWorkflow(session, {
			name: `Output ${nodeId}`,
			nodes,
			connections: inARow(nodes),
		});
		const panel = await Panel.open(await editor(), { workflowId, nodeId });
		const input = panel.part('ndv-input-panel');
		for (const field of ['id', 'phone', 'name', 'status']) {
			await input.getByText(field, { exact: true }).waitFor();
		}
		await picture('output preview');
	});
});

describe('the output of texts, On Error: Continue', () => {
	it('shows the recipients who got no message, and the reason, beside those who did', async () => {
		const { credential } = await world();
		const parameters = {
			resource: 'message',
			operation: 'sendText',
			from: { __rl: true, mode: 'phone', value: BAKERY },
			// Chloe has not written within 24 hours.
			to: "={{ $json.name === 'Chloe' ? '447700900024' : $json.phone }}",
			message: 'Hello',
		};
		const onError = { onError: 'continueRegularOutput' };
		const panel = await Panel.open(
			await editor(),
			await workflowWithPeople(parameters, credential, onError),
		);
		await panel.execute();
		const reason = panel.output.getByText(/Not sent to 447700900024: /).first();
		await reason.waitFor();
		await picture('output continue');
		const [, ...rows] = await panel.output.locator('tr').allInnerTexts();
		assert.deepEqual(
			rows.map((row) => row.trim().split(/\s/)[0]),
			['447700900211', '447700900212', '447700900024'],
		);
		const [cell, whole] = [await reason.boundingBox(), await panel.output.boundingBox()];
		assert.ok(
			cell && whole && cell.x + cell.width <= whole.x + whole.width,
			'seen without scrolling',
		);
	});
});

describe("an agent's tool", () => {
	it('has Output instead of Simplify, and the fields to select', async () => {
		const { session, credential } = await world();
		const nodeId = randomUUID();
		const type = 'n8n-nodes-messaging.messagingTool';
		const parameters = { resource: 'log', operation: 'getAll', output: 'fields' };
		const { id: workflowId } = await createWorkflow(session, {
			name: `Tool ${nodeId}`,
			nodes: [
				node('Logs', type, 1, parameters, {
					id: nodeId,
					position: [0, 0],
					credentials: { messagingApi: credential },
				}),
			],
			connections: {},
		});
		const panel = await Panel.open(await editor(), { workflowId, nodeId });
		await panel.part('parameter-input-output').waitFor();
		await panel.part('parameter-input-fields').getByText('Delivered Time').waitFor();
		await picture('output tool');
		assert.equal(await panel.part('parameter-input-simplify').count(), 0);
	});
});
