import { describe, it } from 'node:test';
import { world } from '../nodes/world/world.mts';
import { editor, picture } from './world/editor.mts';
import { BAKERY, workflowWithPeople } from './world/people.mts';
import { Panel } from './world/panel.mts';

/*
 * While an expression of the node has no value, n8n's editor does not notice that the template has changed. When it has a
 * value, the editor misses the first change.
 */
describe('the preview of a saved workflow whose recipients are an expression', () => {
	const parameters = {
		resource: 'campaign',
		operation: 'send',
		from: { __rl: true, mode: 'phone', value: BAKERY },
		to: '={{ $json.phone }}',
		template: { __rl: true, mode: 'list', value: 'login_code', cachedResultName: 'login_code' },
		parameterFormat: 'components',
	};
	const open = async () => {
		const { credential } = await world();
		const panel = await Panel.open(
			await editor(),
			await workflowWithPeople(parameters, credential),
		);
		await panel.preview.getByText('Preview of login_code').waitFor();
		return panel;
	};
	const chooseAll = async (panel: Panel) => {
		for (const name of ['delivery_update', 'order_ready', 'spring_offer', 'opening_hours']) {
			await panel.choose('template', `${name} ·`);
			await panel.preview.getByText(`Preview of ${name}`).waitFor();
		}
	};

	it('follows the template before anything was executed', async () => {
		const panel = await open();
		await panel.choose('template', 'order_ready ·');
		await panel.preview
			.getByText('If the fields below are still those of login_code, close this node')
			.waitFor();
		await picture('preview without input');
		await chooseAll(panel);
		await panel.choose('template', 'delivery_update ·');
		await panel.preview.getByText('Preview of delivery_update').waitFor();
		await panel.openAgain();
		await panel.preview.getByText('Preview of delivery_update').waitFor();
		await panel.placeholders.getByText('Placeholder 3').waitFor();
		await picture('preview opened again');
	});

	it('follows the first change of the template with input', async () => {
		const panel = await open();
		await panel.bringInput();
		await chooseAll(panel);
	});
});
