import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { SavedWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { until } from '../../../demo/n8n/until.mts';
import { channelIds } from '../../../sandbox/seed/ids.mts';
import { seedChannelTemplates } from '../../../sandbox/seed/channelTemplates.mts';
import { world } from '../world/installation.mts';
import { CAMPAIGN, MESSAGING, named, type Json } from '../world/nodes.mts';
import { requestsDuring } from '../world/service.mts';
import { openMessaging, picture } from './world/editor.mts';
import type { Panel } from './world/panel.mts';

/** The saved parameters of the node. */
async function savedParameters({ workflow }: Panel): Promise<Json> {
	const { session } = await world();
	const { nodes } = await session.get<SavedWorkflow>(`/rest/workflows/${workflow}`);
	return (nodes as Json[]).find(({ name }) => name === MESSAGING)!.parameters;
}

/** Saves the workflow in the editor, until n8n has saved what is wanted. */
async function save(panel: Panel, wanted: unknown, read: (parameters: Json) => unknown) {
	await panel.page.keyboard.press('Control+s');
	await until(`the workflow is saved with ${JSON.stringify(wanted)}`, async () =>
		isDeepStrictEqual(read(await savedParameters(panel)), wanted) ? true : undefined,
	);
}

/*
 * While an expression of the node has no value, n8n's editor does not notice that the template has changed. When it has a
 * value, the editor misses the first change.
 */
describe('the preview of a saved workflow whose recipients are an expression', () => {
	const open = async () => {
		const template = { __rl: true, mode: 'list', value: 'login_code' };
		const panel = await openMessaging({ ...CAMPAIGN, template });
		await panel.preview.getByText('Preview of login_code').waitFor();
		const old = panel.output.getByText('belong to another template than the one in');
		/** Only an old preview is said to be old. */
		const isRight = async (preview: string, placeholder: string) => {
			await panel.preview.getByText(preview).waitFor();
			await panel.placeholders.getByText(placeholder).waitFor();
			await old.waitFor({ state: 'hidden' });
		};
		assert.equal(await old.count(), 0);
		return { panel, old, isRight };
	};

	it('is said to be old after another choice without input, and is right when the node is opened again', async () => {
		const { panel, old, isRight } = await open();
		await panel.choose('template', 'delivery_update ·');
		await old.waitFor();
		await picture('preview without input');
		await panel.openAgain();
		await isRight('Preview of delivery_update', 'Placeholder 3');
		await panel.choose('template', 'spring_offer ·');
		await old.waitFor();
		// Where n8n does not see the new one, its fields must not be filled in.
		await panel.placeholders.getByText('Placeholder 3').waitFor();
	});

	it('misses the first change after the input has come, which is said, and follows the next', async () => {
		const { panel, old, isRight } = await open();
		await panel.bringInput();
		await panel.choose('template', 'delivery_update ·');
		await old.waitFor();
		await panel.choose('template', 'order_ready ·');
		await isRight('Preview of order_ready', 'Placeholder 1, e.g. Ada');
	});
});

describe('the preview', () => {
	const open = async (parameters: Json) =>
		await openMessaging({ from: CAMPAIGN.from, ...parameters });

	for (const [resource, operation] of [
		['campaign', 'send'],
		['message', 'sendTemplate'],
	]) {
		it(`of a template by expression stands once, in its place: ${operation}`, async () => {
			const panel = await open({
				resource,
				operation,
				template: named('={{ "spring" + "_offer" }}'),
			});
			await panel.preview.getByText('Preview of spring_offer').waitFor();
			await panel.placeholders.getByText('Placeholder 2').waitFor();
			assert.equal(await panel.previews.count(), 1);
			assert.equal(await panel.placeholders.count(), 1);
		});

		it(`of an expression without data says so, once: ${operation}`, async () => {
			const panel = await open({
				resource,
				operation,
				template: named('={{ $json.template }}'),
			});
			await panel.preview.getByText('The template is chosen by an expression').waitFor();
			assert.equal(await panel.previews.count(), 1);
			assert.equal(await panel.placeholders.count(), 0);
		});
	}
});

const TEMPLATES = seedChannelTemplates.get(channelIds.main)!;

/** Has the main channel list these templates. */
async function serve(templates: readonly object[]) {
	const { sandbox } = await world();
	const headers = { 'content-type': 'application/json' };
	const body = JSON.stringify(templates);
	const answer = await fetch(`${sandbox.url}/_sandbox/templates`, { method: 'PUT', headers, body });
	assert.ok(answer.ok, await answer.text());
}

describe('a node that somebody opens while its template cannot be found', () => {
	after(async () => await serve(TEMPLATES));

	const value = { '1': '={{ $json.name }}', '2': '20%' };
	const isOffer = ({ name }: { name: string }) => name === 'spring_offer';
	const without = TEMPLATES.filter((each) => !isOffer(each));
	const offer = TEMPLATES.find(isOffer)!;
	const LISTS: Array<[what: string, templates: object[], says: string]> = [
		['it is gone', without, 'has no template "spring_offer"'],
		['it has another name', [{ ...offer, name: 'offer' }, ...without], 'has no template'],
		['the list is empty', [], 'has no template'],
	];
	for (const [what, templates, says] of LISTS) {
		it(`${what}: nothing that was entered is lost`, async () => {
			await serve(TEMPLATES);
			const template = { __rl: true, mode: 'list', value: 'spring_offer' };
			const panel = await openMessaging({
				...CAMPAIGN,
				template,
				templateParameters: { mappingMode: 'defineBelow', value },
			});
			await panel.placeholders.getByText('Placeholder 2').waitFor();
			await serve(templates);
			await panel.openAgain();
			await panel.preview.getByText(says).waitFor();
			await panel.openAgain();
			await panel.preview.getByText(says).waitFor();
			await panel.addOption('Save as Conversation');
			await save(panel, { save: true }, ({ options }) => options);
			const saved = await savedParameters(panel);
			assert.deepEqual(saved.templateParameters.value, value);
			await serve(TEMPLATES);
			await panel.openAgain();
			await panel.placeholders.getByText('Placeholder 2').waitFor();
		});
	}
});

describe('a template with named placeholders', () => {
	const components = [
		{ type: 'HEADER', format: 'IMAGE' },
		{ type: 'BODY', text: 'Hi {{name}}, order {{order-no}}' },
	];
	before(async () => await serve([...TEMPLATES, { ...TEMPLATES[0], name: 'named', components }]));
	after(async () => await serve(TEMPLATES));

	it('begins with the columns of their names, and the preview names what is not filled in', async () => {
		const panel = await openMessaging({
			resource: 'campaign',
			operation: 'send',
			to: '={{ $json.phone }}',
		});
		await panel.bringInput();
		await panel.choose('from', 'Bakery main line');
		await panel.choose('template', 'named ·');
		await panel.preview.getByText('a part that the node does not fill in (IMAGE)').waitFor();
		await panel.placeholders.getByText('Placeholder name').waitFor();
		await picture('named placeholders');
		await save(
			panel,
			{ name: '={{ $json.name }}', 'order-no': '={{ $json["order-no"] }}' },
			({ templateParameters }) => templateParameters?.value,
		);
	});
});

describe('what the editor saves of the chosen template', () => {
	it('are its placeholders, or that it has none; without values nothing is sent', async () => {
		const { sandbox } = await world();
		const panel = await openMessaging({
			resource: 'campaign',
			operation: 'send',
			to: '={{ $json.phone }}',
		});
		/** The fields of the placeholders, and those that say what the node was set up with. */
		const saved = async (...fields: string[]) =>
			await save(panel, fields, ({ templateParameters }) =>
				(templateParameters?.schema ?? []).map(({ id }: Json) => String(id)),
			);

		await panel.bringInput();
		await panel.choose('from', 'Bakery main line');
		await panel.choose('template', 'order_ready');
		await panel.placeholders.getByText('Placeholder 1').waitFor();
		await saved('1', 'template:order_ready');
		await panel.choose('template', 'opening_hours');
		await panel.placeholders.waitFor({ state: 'detached' });
		await saved();
		await panel.choose('template', 'spring_offer');
		await panel.placeholders.getByText('Placeholder 2').waitFor();
		await saved('1', '2', 'template:spring_offer');

		const { requests, accepted } = await requestsDuring(sandbox, async () => {
			await panel.execute();
			await panel.page.getByText('Placeholder 1 has no value').first().waitFor();
		});
		assert.deepEqual([requests.sendCampaign, accepted], [undefined, 0]);
	});
});
