import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { requestsDuring } from '../nodes/world/counting.mts';
import { inARow, items, start } from '../nodes/world/nodes.mts';
import { world } from '../nodes/world/world.mts';
import { editor, picture } from './world/editor.mts';
import { BAKERY, people, workflowWithPeople } from './world/people.mts';
import { Panel } from './world/panel.mts';

describe('a campaign, from an empty node to the recipients', () => {
	it('is filled in from lists and columns, and sent once to each', async () => {
		const { credential } = await world();
		const page = await editor();
		const { workflowId } = await workflowWithPeople();
		await page.goto(`/workflow/${workflowId}`);
		await page.locator('[data-test-id="canvas-node"][data-node-name="Messaging"]').dblclick();
		const panel = new Panel(page);
		await panel.part('ndv').waitFor();

		await panel.chooseCredential(credential.id);
		const dialog = await panel.openCredential();
		await dialog.getByText('Connection tested successfully').waitFor();
		await picture('campaign 1 credential');
		await dialog.locator('.el-dialog__headerbtn, [aria-label="Close"]').first().click();

		await panel.chooseOption('resource', 'Campaign');
		await panel.bringInput();
		await panel.choose('from', 'Bakery main line');
		await panel.drag('phone', panel.part('parameter-input-to'));
		await panel.openList('template', 'cake');
		assert.deepEqual(await panel.entries(), [
			'spring_offer · approved · en_GB · marketing',
			'free_cake · rejected: PROMOTIONAL · en_US · marketing',
		]);
		await picture('campaign 2 templates');
		await panel.shown('rlc-item').filter({ hasText: 'spring_offer' }).click();

		const chosen = panel.part('resource-locator-template').locator('input').last();
		assert.match(await chosen.inputValue(), /^spring_offer · approved · en_GB · marketing/);
		await panel.preview.getByText('Preview of spring_offer').waitFor();
		assert.match(await panel.preview.innerText(), /^Ada, take 20% off every cake this week\.$/m);
		assert.equal(await panel.previews.count(), 1);

		const [first, second] = [
			panel.placeholders.locator('[data-test-id="parameter-input"]').nth(0),
			panel.placeholders.locator('[data-test-id="parameter-input"]').nth(1),
		];
		await panel.placeholders.getByText('Placeholder 1, e.g. Ada').waitFor();
		await panel.placeholders.getByText('Placeholder 2, e.g. 20%').waitFor();
		await panel.drag('name', first);
		await panel.drag('discount', second);
		await picture('campaign 3 filled in');

		const { requests, accepted } = await requestsDuring(async () => {
			await panel.execute();
			await panel.output.locator('[data-test-id="node-run-status-success"]').waitFor();
		});
		await picture('campaign 4 sent');
		assert.equal(requests.sendCampaign, 1);
		assert.equal(accepted, people.length);
		assert.match(await panel.output.innerText(), /3 items/);
		for (const { phone } of people) {
			await panel.output.getByText(phone).first().waitFor();
		}

		const sent = await acceptedBySandbox();
		assert.deepEqual(
			sent.slice(-3).map(({ to, from, template }) => ({ to, from, template })),
			people.map(({ name, phone, discount }) => ({
				to: phone,
				from: BAKERY,
				template: {
					name: 'spring_offer',
					components: [
						{
							type: 'body',
							parameters: [
								{ type: 'text', text: name },
								{ type: 'text', text: discount },
							],
						},
					],
				},
			})),
		);
	});
});

describe('a campaign with two values, from a list to the recipients', () => {
	it('takes at most 10 clicks and one search', async () => {
		const { session } = await world();
		const list = [start(), ...items('People', people)];
		const { id } = await createWorkflow(session, {
			name: 'Few clicks',
			nodes: list.map((node, index) => ({ ...node, position: [index * 220, 0] })),
			connections: inARow(list),
		});
		const page = await editor();
		await page.addInitScript(countPresses);
		await page.goto(`/workflow/${id}`);
		const panel = new Panel(page);

		await panel.part('canvas-handle-plus').first().click();
		await panel.part('node-creator-search-bar').waitFor();
		await page.keyboard.type('messaging');
		await panel.part('node-creator-item-name').filter({ hasText: 'Messaging' }).first().waitFor();
		// In n8n's list of nodes the first entry is chosen with Enter, and another one with the arrow keys.
		await page.keyboard.press('Enter');
		await page.getByText('Send campaign', { exact: true }).waitFor();
		for (let action = 0; action < 3; action++) {
			// As slowly as a person: the list is still sliding in.
			await page.waitForTimeout(1000);
			await page.keyboard.press('ArrowDown');
		}
		await page.keyboard.press('Enter');

		// The account's only credential is chosen, and so are resource and operation.
		await panel.part('ndv').waitFor();
		await panel.bringInput();
		await panel.choose('from', 'Bakery main line');
		// Before the drags: what a field shows after a drag covers the fields below it.
		await panel.choose('template', 'spring_offer');
		await panel.placeholders.getByText('Placeholder 2').waitFor();
		await panel.dragOnly('phone', panel.part('parameter-input-to'));
		const values = panel.placeholders.locator('[data-test-id="parameter-input"]');
		await panel.dragOnly('name', values.nth(0));
		await panel.dragOnly('discount', values.nth(1));
		await panel.preview.getByText('Preview of spring_offer in en_GB, for the first item').waitFor();
		await picture('campaign few clicks');
		const { accepted } = await requestsDuring(async () => {
			await panel.execute();
			await panel.output.getByText('3 of 3 messages were accepted.').first().waitFor();
		});
		assert.equal(accepted, people.length);
		assert.deepEqual(await panel.redInTable(), []);
		const presses = await page.evaluate(() => (globalThis as unknown as Page).presses);
		assert.ok(presses <= 10, `${presses} clicks`);
	});
});

/** What the counting of clicks uses of the page's `window`. */
type Page = {
	presses: number;
	addEventListener: (
		type: string,
		listener: (event: { isTrusted: boolean }) => void,
		capture: boolean,
	) => void;
};

/** Counts clicks and drags, in the page. */
function countPresses() {
	const counted = globalThis as unknown as Page;
	counted.presses = 0;
	counted.addEventListener(
		'pointerdown',
		({ isTrusted }) => (counted.presses += Number(isTrusted)),
		true,
	);
}

type Accepted = { from: string; to: string; template: unknown };

async function acceptedBySandbox(): Promise<Accepted[]> {
	const { sandbox } = await world();
	const answer = await fetch(`${sandbox.url}/_sandbox/accepted`);
	return (await answer.json()) as Accepted[];
}
