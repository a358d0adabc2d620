import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { world } from '../world/installation.mts';
import { CAMPAIGN, named, type Json } from '../world/nodes.mts';
import { control } from '../world/service.mts';
import { openMessaging, picture } from './world/editor.mts';

const { from } = CAMPAIGN;

describe('the lists of the node', () => {
	const open = async (parameters: Json = {}) =>
		await openMessaging({ resource: 'campaign', operation: 'send', ...parameters });

	const reset = async (settings = {}) =>
		await control((await world()).sandbox, 'POST', '/reset', settings);

	afterEach(async () => await reset());

	it('show all senders, and which of them cannot send', async () => {
		const panel = await open();
		await panel.openList('from');
		assert.deepEqual(await panel.entries(), [
			'Bakery main line · 12025550100 · active',
			'Bäckerei Berlin · 491713920020 · active',
			'Old shop · 13035550142 · inactive, cannot send',
			'New shop · 12125550130 · pending, cannot send',
		]);
	});

	it('ask for a sender first when none is chosen', async () => {
		const panel = await open();
		await panel.openList('template');
		assert.match(await panel.listError(), /Choose a sender in 'From' first/);
	});

	it('show approved templates first, and each once, with all its languages', async () => {
		const panel = await open({ from });
		await panel.openList('template');
		assert.deepEqual(await panel.entries(), [
			'spring_offer · approved · en_GB · marketing',
			'login_code · approved · en_US · authentication',
			'workflow_alert · approved · en_US · alert update',
			'opening_hours · submitted · en_US · alert update',
			'order_ready · submitted · en_US, de_DE · alert update',
			'delivery_update · submitted · en_US · alert update',
			'free_cake · rejected: PROMOTIONAL · en_US · marketing',
		]);
	});

	it('of 5,000 channels come in pages, and can be searched', async () => {
		await reset({ channels: 5000 });
		const panel = await open();
		await panel.openList('from');
		// n8n may ask for the second page at once.
		const { length } = await panel.entries();
		assert.ok(length < 5000 && length % 100 === 0, `${length} entries`);

		await panel.shown('rlc-item').last().scrollIntoViewIfNeeded();
		await panel.shown('rlc-item').nth(150).waitFor();
		await picture('list 5000 channels');

		const { sandbox } = await world();
		const last = sandbox.world.directory.chatAppChannels().at(-1)!;
		const found = panel.answerOf('resource-locator-results');
		await panel.shown('rlc-search').fill(last.phone!);
		await found;
		await panel.shown('rlc-item').nth(1).waitFor({ state: 'detached' });
		const [entry] = await panel.entries();
		assert.ok(entry.includes(`${last.name} · ${last.phone}`), entry);
	});

	it('of placeholders follow the template, and so does the preview', async () => {
		const panel = await open({ from });
		assert.equal(await panel.previews.count(), 0);

		await panel.choose('template', 'delivery_update');
		await panel.preview.getByText('Preview of delivery_update').waitFor();
		await panel.placeholders.getByText('Placeholder 3').waitFor();

		await panel.choose('template', 'order_ready');
		await panel.preview.getByText('Hello Ada, your order is ready.').waitFor();
		await panel.placeholders.getByText('Placeholder 3').waitFor({ state: 'detached' });
		await panel.placeholders.getByText('Placeholder 1, e.g. Ada').waitFor();

		await panel.choose('template', 'opening_hours');
		await panel.preview.getByText('Preview of opening_hours').waitFor();
		await panel.placeholders.waitFor({ state: 'detached' });
		// Nothing is red, and nothing asks for anything.
		assert.equal(await panel.part('mapping-mode-select').count(), 0);
		await picture('preview without placeholders');

		await panel.choose('template', 'free_cake');
		await panel.preview.getByText('It was rejected (PROMOTIONAL) and cannot be sent.').waitFor();
	});

	it('show no placeholder as an expression', async () => {
		const panel = await open({ from, template: named('login_code') });
		await panel.placeholders.getByText('Placeholder 1').waitFor();
		const text = await panel.part('node-parameters').innerText();
		assert.doesNotMatch(text, /\{\{\s*\d/);
	});
});
