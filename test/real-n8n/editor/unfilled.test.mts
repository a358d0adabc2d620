import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SavedWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { until } from '../../../demo/n8n/until.mts';
import { requestsDuring } from '../nodes/world/counting.mts';
import { world } from '../nodes/world/world.mts';
import { editor, picture } from './world/editor.mts';
import { Panel } from './world/panel.mts';
import { workflowWithPeople } from './world/people.mts';

interface Preview {
	schema?: Array<{ id: string }>;
}

/** The fields that the editor has saved with the preview. */
async function savedFields(workflowId: string): Promise<string[]> {
	const { session } = await world();
	const { nodes } = await session.get<SavedWorkflow>(`/rest/workflows/${workflowId}`);
	const saved = nodes as Array<{ name: string; parameters: { templatePreview?: Preview } }>;
	const { parameters } = saved.find(({ name }) => name === 'Messaging')!;
	return (parameters.templatePreview?.schema ?? []).map(({ id }) => id);
}

describe('a template with placeholders, and the format None', () => {
	it('is refused before anything is sent: the editor saves that the template has placeholders', async () => {
		const { credential } = await world();
		const page = await editor();
		const parameters = {
			resource: 'campaign',
			operation: 'send',
			to: '={{ $json.phone }}',
		};
		const { workflowId, nodeId } = await workflowWithPeople(parameters, credential);
		const panel = await Panel.open(page, { workflowId, nodeId });
		const save = async (fields: string[]) => {
			await page.keyboard.press('Control+s');
			await until(`the workflow is saved with the fields ${fields.join(', ')}`, async () => {
				const saved = await savedFields(workflowId);
				return JSON.stringify(saved) === JSON.stringify(fields) || undefined;
			});
		};

		// While the expression in To has no value, and at the first change after that, n8n's editor does not
		// refresh the preview.
		await panel.bringInput();
		await panel.choose('from', 'Bakery main line');
		await panel.choose('template', 'order_ready');
		await panel.preview.getByText('Preview of order_ready').waitFor();
		await save(['placeholders:1:order_ready']);
		await panel.choose('template', 'opening_hours');
		await panel.preview.getByText('Preview of opening_hours').waitFor();
		await save([]);
		await panel.choose('template', 'spring_offer');
		await panel.preview.getByText('Preview of spring_offer').waitFor();
		await save(['placeholders:2:spring_offer']);

		// Only the notice is visible, without fields or columns to map or match.
		await Panel.open(page, { workflowId, nodeId });
		await panel.preview.getByText('Preview of spring_offer').waitFor();
		assert.equal(await panel.placeholders.count(), 0);
		assert.equal(await panel.part('matching-column-select').count(), 0);
		await picture('unfilled saved');

		const { requests, accepted } = await requestsDuring(async () => {
			await panel.execute();
			await panel.output
				.getByText("spring_offer has 2 placeholders, but 'Placeholder Values' is None.")
				.first()
				.waitFor();
		});
		await picture('unfilled refused');
		assert.deepEqual([requests.sendCampaign, accepted], [undefined, 0]);
	});
});
