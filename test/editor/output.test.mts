import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { createWorkflow } from '../../demo/n8n/rest/workflows.mts';
import { world } from '../e2e/world/world.mts';
import { editor, picture } from './world/editor.mts';
import { Panel } from './world/panel.mts';

describe('the output of a node that has never run', () => {
	it('is offered to the next node, by its fields', async () => {
		const { session, credential } = await world();
		const nodeId = randomUUID();
		const { id: workflowId } = await createWorkflow(session, {
			name: `Output ${nodeId}`,
			nodes: [
				{
					id: randomUUID(),
					name: 'Channels',
					type: 'n8n-nodes-messaging.messaging',
					typeVersion: 1,
					position: [0, 0],
					parameters: { resource: 'channel', operation: 'getAll' },
					credentials: { messagingApi: credential },
				},
				{
					id: nodeId,
					name: 'Next',
					type: 'n8n-nodes-base.set',
					typeVersion: 3.4,
					position: [200, 0],
					parameters: {},
				},
			],
			connections: { Channels: { main: [[{ node: 'Next', type: 'main', index: 0 }]] } },
		});
		const panel = await Panel.open(await editor(), { workflowId, nodeId });
		const input = panel.part('ndv-input-panel');
		for (const field of ['id', 'phone', 'name', 'status']) {
			await input.getByText(field, { exact: true }).waitFor();
		}
		await picture('output preview');
	});
});
