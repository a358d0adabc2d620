import { describe, it } from 'node:test';
import { createWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { start } from '../nodes/world/nodes.mts';
import { world } from '../nodes/world/world.mts';
import { editor, picture } from './world/editor.mts';

describe("n8n's list of nodes", () => {
	const open = async () => {
		const { session } = await world();
		const { id } = await createWorkflow(session, {
			name: 'What happens next',
			nodes: [start()],
			connections: {},
		});
		const page = await editor();
		await page.goto(`/workflow/${id}`);
		await page.locator('[data-test-id="node-creator-plus-button"]').click();
		return page.locator('[data-test-id="node-creator"]');
	};

	it('has one entry for the node and its trigger, which describes both', async () => {
		const list = await open();
		await list.getByRole('textbox').fill('Messaging');
		await list.getByText('send them, see what happened to them, and start a workflow').click();
		await list.getByText('Send campaign', { exact: true }).waitFor();
		await picture('nodes actions');
	});

	it('lists the node among those that ask a person', async () => {
		const list = await open();
		await list.getByText('Human review').click();
		await list.getByText('Messaging', { exact: true }).waitFor();
		await picture('nodes human review');
	});
});
