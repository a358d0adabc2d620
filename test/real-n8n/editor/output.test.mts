import { it } from 'node:test';
import { world } from '../world/installation.mts';
import { messaging, node } from '../world/nodes.mts';
import { openNode } from './world/editor.mts';

it('the output of a node that has never run is offered to the next node, by its fields', async () => {
	const { credential } = await world();
	const panel = await openNode([
		messaging(credential, { resource: 'channel', operation: 'getAll' }),
		node('Next', 'n8n-nodes-base.set', 3.4, {}),
	]);
	const input = panel.part('ndv-input-panel');
	for (const field of ['id', 'phone', 'name', 'status']) {
		await input.getByText(field, { exact: true }).waitFor();
	}
});
