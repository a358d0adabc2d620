import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../../demo/setup/paths.mjs';
import { world } from '../world/installation.mts';
import { requestsDuring } from '../world/service.mts';
import { countWork, editor, people, picture } from './world/editor.mts';
import { Panel } from './world/panel.mts';

/* What a person does who has nothing yet but n8n with this package, and the address and key of the service. */

const example = readFileSync(join(root, 'examples', 'first-campaign.json'), 'utf8');

/** Opens a new workflow in the editor. */
async function begin() {
	const page = await editor();
	const work = await countWork(page);
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	await page.goto('/workflow/new');
	const panel = new Panel(page);
	await panel.part('canvas-add-button').waitFor();
	const node = (name: string) =>
		page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	const tookAtMost = async (mostClicks: number, mostFields: number) => {
		const { clicks, fields } = await work();
		const isFew = clicks - panel.repeated <= mostClicks && fields <= mostFields;
		assert.ok(isFew, `${clicks} clicks, ${panel.repeated} of them repeated, and ${fields} fields`);
	};
	return { page, panel, node, tookAtMost };
}

/** Pastes the example. */
async function paste({ page }: Panel) {
	await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(example)})`);
	await page.mouse.click(400, 900);
	await page.keyboard.press('Control+v');
	await page.locator('[data-test-id="canvas-node"][data-node-name="Report"]').waitFor();
}

/** Creates a credential in the open node. */
async function connect(panel: Panel) {
	const { sandbox } = await world();
	const select = panel.part('node-credentials-select');
	const first = panel.page.getByText('Connect to Messaging');
	await select.or(first).first().click();
	// n8n has a button in place of the list where there is no credential yet.
	if (await select.isVisible()) await panel.shown('node-credentials-select-item-new').click();
	for (const [field, value] of [
		['baseUrl', sandbox.url],
		['apiKey', sandbox.apiKey],
	]) {
		await panel.part(`parameter-input-${field}`).locator('input').fill(value);
	}
	await panel.chooseOption('allowedHttpRequestDomains', 'None');
	await panel.part('credential-save-button').click();
	// n8n closes it when the credential works.
	await panel.part('editCredential-modal').waitFor({ state: 'hidden' });
}

describe('from nothing to messages that are sent', () => {
	it('the preview of an imported node says that a credential is missing, and how the preview comes', async () => {
		// n8n would choose one of the account's credentials by itself.
		const page = await editor();
		const list = /\/rest\/credentials(\?|$|\/for-workflow)/;
		await page.route(list, async (route) =>
			route.request().method() === 'GET'
				? await route.fulfill({ json: { data: [] } })
				: await route.continue(),
		);
		const { panel, node } = await begin();
		await paste(panel);
		await panel.open(node('Send campaign'));
		await panel.preview.getByText('choose or create a credential above, then close').waitFor();
		await picture('preview without a credential');
		await page.unroute(list);
		await connect(panel);
		await panel.openAgain('Send campaign');
		await panel.preview.getByText('Preview of spring_offer').waitFor();
		await picture('preview with a credential');
	});

	it('the first campaign from its example takes at most 31 clicks and 6 fields', async () => {
		const { panel, node, tookAtMost } = await begin();
		await paste(panel);
		await panel.open(node('Send campaign'));
		await connect(panel);
		await panel.bringInput();
		// As it is for everybody else: the sender and the template are not those of the example.
		await panel.choose('from', 'Bäckerei Berlin');
		await panel.chooseFromList('template');
		await panel.choose('template', 'bestellung_fertig');
		await panel.preview.getByText('Preview of bestellung_fertig').waitFor();
		await panel.placeholders.getByText('Placeholder 2, e.g. A-1042').waitFor();
		const values = panel.placeholders.locator('[data-test-id="parameter-input"]');
		await panel.dragOnly('name', values.first());
		await values.last().locator('input, textarea').first().fill('A-1');
		await panel.execute();
		await panel.output.getByText('Dry run: nothing was sent. 25 messages').first().waitFor();
		const code = await panel.code();
		await panel.chooseOption('sendMode', 'Test: Only to My Number');
		await panel.part('parameter-input-testRecipient').locator('input').fill(people[0].phone);
		await panel.execute();
		await panel.output.getByText('Only a test was sent').first().waitFor();
		await panel.chooseSend(code);
		await panel.part('ndv-close-button').click();
		await panel.part('execute-workflow-button').click();
		await node('Report').locator('[data-test-id="canvas-node-status-success"]').waitFor();
		await panel.open(node('Report'));
		await panel.output
			.getByText(/^Sent on .+, to 25 recipients: /)
			.first()
			.waitFor();
		await picture('clicks first campaign');
		await panel.openAgain('Send campaign');
		await panel.chooseOption('sendMode', 'Dry Run: Send Nothing');
		await tookAtMost(31, 6);
	});

	it('Send Text takes at most 14 clicks and 6 fields', async () => {
		const { page, panel, tookAtMost } = await begin();
		await panel.part('canvas-add-button').click();
		await page.getByText('Trigger manually').click();
		await panel.part('canvas-handle-plus').first().click();
		await panel.part('node-creator-search-bar').fill('messaging');
		await panel.part('node-creator-item-name').filter({ hasText: 'Messaging' }).first().click();
		await page.getByText('Send text message', { exact: true }).click();
		await panel.part('ndv').waitFor();
		await connect(panel);
		await panel.choose('from', 'Bakery main line');
		const fill = async (field: string, value: string) => {
			await panel.part(`parameter-input-${field}`).locator('input, textarea').first().fill(value);
		};
		await fill('to', people[0].phone);
		await fill('message', 'Hello');
		const { accepted } = await requestsDuring((await world()).sandbox, async () => {
			await panel.execute();
			await panel.output.getByText('1 message accepted.').first().waitFor();
		});
		await picture('clicks send text');
		assert.equal(accepted, 1);
		await tookAtMost(14, 6);
	});
});
