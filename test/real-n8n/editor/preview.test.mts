import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { SavedWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { until } from '../../../demo/n8n/until.mts';
import { world } from '../nodes/world/world.mts';
import { editor, picture } from './world/editor.mts';
import { BAKERY, people, workflowWithPeople } from './world/people.mts';
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
	it('says what to do before anything was executed, and is right when the node is opened again', async () => {
		const panel = await open();
		await panel.preview
			.getByText('If you have chosen another template, close this node and open it again.')
			.waitFor();
		await panel.choose('template', 'delivery_update ·');
		await picture('preview without input');
		await panel.openAgain();
		await panel.preview.getByText('Preview of delivery_update').waitFor();
		await panel.placeholders.getByText('Placeholder 3').waitFor();
		await picture('preview opened again');
	});

	it('misses the first change after the input has come, and follows the next', async () => {
		const panel = await open();
		await panel.bringInput();
		await panel.choose('template', 'delivery_update ·');
		await panel.preview.getByText('close this node and open it again').waitFor();
		await panel.choose('template', 'order_ready ·');
		await panel.preview.getByText('Preview of order_ready').waitFor();
		await panel.placeholders.getByText('Placeholder 1, e.g. Ada').waitFor();
	});
});

describe('the preview', () => {
	const open = async (parameters: Record<string, unknown>) => {
		const { credential } = await world();
		const from = { __rl: true, mode: 'phone', value: BAKERY };
		const node = await workflowWithPeople({ from, ...parameters }, credential);
		return await Panel.open(await editor(), node);
	};
	const byExpression = (value: string) => ({ __rl: true, mode: 'name', value });

	for (const [resource, operation] of [
		['campaign', 'send'],
		['message', 'sendTemplate'],
	]) {
		it(`of a template by expression stands once, in its place: ${operation}`, async () => {
			const panel = await open({
				resource,
				operation,
				template: byExpression('={{ "spring" + "_offer" }}'),
			});
			await panel.preview.getByText('Preview of spring_offer').waitFor();
			await panel.placeholders.getByText('Placeholder 2').waitFor();
			assert.equal(await panel.previews.count(), 1);
			assert.equal(await panel.placeholders.count(), 1);
			await picture(`preview by expression ${operation}`);
		});

		it(`of an expression without data says so, once: ${operation}`, async () => {
			const panel = await open({
				resource,
				operation,
				template: byExpression('={{ $json.template }}'),
			});
			await panel.preview.getByText('The template is chosen by an expression').waitFor();
			assert.equal(await panel.previews.count(), 1);
			assert.equal(await panel.placeholders.count(), 0);
			await picture(`preview without data ${operation}`);
		});
	}

	it('of a template in two languages says how to choose one, and follows the choice', async () => {
		const panel = await open({
			resource: 'campaign',
			operation: 'send',
			to: people[0].phone,
			template: { __rl: true, mode: 'list', value: 'order_ready' },
		});
		await panel.preview.getByText("to choose, use the option 'Language'").waitFor();
		await picture('preview two languages');
		await panel.addOption('Language');
		await panel.openList('language');
		assert.deepEqual(await panel.entries(), ['en_US · submitted', 'de_DE · submitted']);
		await picture('list languages');
		await panel.shown('rlc-item').filter({ hasText: 'de_DE' }).click();
		await panel.preview.getByText('Preview of order_ready in de_DE').waitFor();
		await picture('preview second language');
	});
});

describe('Mode as an expression', () => {
	it('shows My Number once, and only in its operation', async () => {
		const { credential } = await world();
		const parameters = {
			resource: 'campaign',
			operation: 'send',
			mode: '={{ $json.mode }}',
			template: { __rl: true, mode: 'list', value: '' },
		};
		const node = await workflowWithPeople(parameters, credential);
		const panel = await Panel.open(await editor(), node);
		await panel.part('parameter-input-testRecipient').first().waitFor();
		assert.equal(await panel.part('parameter-input-testRecipient').count(), 1);
		await picture('mode by expression');
	});
});

describe('an option that is added', () => {
	it('has an effect at once', async () => {
		const { credential } = await world();
		const node = await workflowWithPeople({ resource: 'campaign', operation: 'send' }, credential);
		const panel = await Panel.open(await editor(), node);
		const added = {
			'Save as Conversation': { save: true },
			'Resend Unknown': { resendUnknown: true },
			'On Duplicate Recipient': { onDuplicateRecipient: 'skip' },
		};
		for (const option of Object.keys(added)) await panel.addOption(option);
		await picture('options added');
		await (await editor()).keyboard.press('Control+s');
		const { session } = await world();
		await until('the options are saved', async () => {
			const { nodes } = await session.get<SavedWorkflow>(`/rest/workflows/${node.workflowId}`);
			const saved = nodes as Array<{ id: string; parameters: { options?: object } }>;
			const { options } = saved.find(({ id }) => id === node.nodeId)!.parameters;
			return isDeepStrictEqual(options, Object.assign({}, ...Object.values(added))) || undefined;
		});
	});
});
