import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestsDuring } from '../nodes/world/counting.mts';
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

type Accepted = { from: string; to: string; template: unknown };

async function acceptedBySandbox(): Promise<Accepted[]> {
	const { sandbox } = await world();
	const answer = await fetch(`${sandbox.url}/_sandbox/accepted`);
	return (await answer.json()) as Accepted[];
}
