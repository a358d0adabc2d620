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
	it('shows who could not be sent to, and why, beside those that were sent', async () => {
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
		await panel.output
			.getByText(/Not sent to 447700900024: /)
			.first()
			.waitFor();
		await picture('output continue');
	});
});
