import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SavedWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { until } from '../../../demo/n8n/until.mts';
import { requestsDuring } from '../nodes/world/counting.mts';
import { world } from '../nodes/world/world.mts';
import { editor, picture } from './world/editor.mts';
import { Panel } from './world/panel.mts';
import { workflowWithPeople } from './world/people.mts';

type Mapper = { schema?: Array<{ id: string }> };

/** The fields that the editor has saved with the preview and the placeholders. */
async function savedFields(workflowId: string): Promise<string[]> {
	const { session } = await world();
	const { nodes } = await session.get<SavedWorkflow>(`/rest/workflows/${workflowId}`);
	const saved = nodes as Array<{ name: string; parameters: Record<string, Mapper | undefined> }>;
	const { parameters } = saved.find(({ name }) => name === 'Messaging')!;
	return ['templatePreview', 'templateParameters'].flatMap((name) =>
		(parameters[name]?.schema ?? []).map(({ id }) => id),
	);
}

describe('what the editor saves of the chosen template', () => {
	it('are its placeholders, or that it has none; without values nothing is sent', async () => {
		const { credential } = await world();
		const page = await editor();
		const parameters = { resource: 'campaign', operation: 'send', to: '={{ $json.phone }}' };
		const { workflowId, nodeId } = await workflowWithPeople(parameters, credential);
		const panel = await Panel.open(page, { workflowId, nodeId });
		const save = async (fields: string[]) => {
			await page.keyboard.press('Control+s');
			await until(`the workflow is saved with the fields ${fields.join(', ')}`, async () => {
				const saved = await savedFields(workflowId);
				return JSON.stringify(saved) === JSON.stringify(fields) || undefined;
			});
		};

		await panel.bringInput();
		await panel.choose('from', 'Bakery main line');
		await panel.choose('template', 'order_ready');
		await panel.placeholders.getByText('Placeholder 1').waitFor();
		await save(['1', 'template:order_ready']);
		await panel.choose('template', 'opening_hours');
		await panel.placeholders.waitFor({ state: 'detached' });
		await save(['noPlaceholders:opening_hours']);
		await panel.choose('template', 'spring_offer');
		await panel.placeholders.getByText('Placeholder 2').waitFor();
		await save(['1', '2', 'template:spring_offer']);

		const { requests, accepted } = await requestsDuring(async () => {
			await panel.execute();
			await page.getByText('Placeholder "1" is required').first().waitFor();
		});
		await picture('unfilled refused');
		assert.deepEqual([requests.sendCampaign, accepted], [undefined, 0]);
	});
});
