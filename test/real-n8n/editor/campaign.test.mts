import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { world } from '../world/installation.mts';
import { BAKERY, byHand, items } from '../world/nodes.mts';
import { acceptedBy, requestsDuring } from '../world/service.mts';
import { countWork, editor, people, picture, saved, testSaid } from './world/editor.mts';
import { Panel } from './world/panel.mts';

const ME = '12025550199';

describe('a campaign with two values, from a list to the recipients', () => {
	it('takes at most 10 clicks and one search; a dry run takes two more, a test three', async () => {
		const { sandbox } = await world();
		const page = await editor();
		const work = await countWork(page);
		await page.goto(`/workflow/${await saved([byHand(), ...items('People', people)])}`);
		const panel = new Panel(page);

		await panel.part('canvas-handle-plus').first().click();
		await panel.part('node-creator-search-bar').fill('messaging');
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
		await picture('campaign empty');
		await panel.bringInput();
		await panel.choose('from', 'Bakery main line');
		// Before the drags: what a field shows after a drag covers the fields below it.
		await panel.choose('template', 'spring_offer');
		await panel.placeholders.getByText('Placeholder 2, e.g. 20%').waitFor();
		await panel.dragOnly('phone', panel.part('parameter-input-to'));
		const values = panel.placeholders.locator('[data-test-id="parameter-input"]');
		await panel.dragOnly('name', values.nth(0));
		await panel.dragOnly('discount', values.nth(1));
		await panel.preview.getByText('Preview of spring_offer in en_GB, for the first item').waitFor();
		assert.match(await panel.preview.innerText(), /^Ada, take 20% off every cake this week\.$/m);
		assert.equal(await panel.previews.count(), 1);
		await picture('campaign filled in');
		/** The person's clicks until now, and one for *Execute step*. */
		const clicks = (await work()).clicks - panel.repeated + 1;
		assert.ok(clicks <= 10, `${clicks} clicks`);

		/** Clicks besides *Execute step*, which every run takes. */
		const clicksFor = async (fillIn: () => Promise<void>, sentence: string) => {
			const before = (await work()).clicks;
			await fillIn();
			await panel.execute();
			await panel.output.getByText(sentence).first().waitFor();
			return (await work()).clicks - before - 1;
		};
		let code = '';
		const { requests, accepted: sentBefore } = await requestsDuring(sandbox, async () => {
			const dryRun = await clicksFor(
				async () => await panel.chooseOption('sendMode', 'Dry Run: Send Nothing'),
				'Dry run: nothing was sent. 3 messages in 1 request. Destinations: 3 to +1',
			);
			// One opens the list of *Mode*, and one chooses.
			assert.equal(dryRun, 2);
			await picture('campaign dry run');
			code = await panel.code();
			const test = await clicksFor(async () => {
				await panel.chooseOption('sendMode', 'Test: Only to My Number');
				const number = panel.part('parameter-input-testRecipient').locator('input');
				await number.click();
				await number.fill(ME);
			}, testSaid(ME));
			// And one into *My Number*.
			assert.equal(test, 3);
			await picture('campaign test');
		});
		assert.deepEqual([requests.sendCampaign, sentBefore], [1, 1]);

		const { accepted } = await requestsDuring(sandbox, async () => {
			await panel.chooseSend(code);
			await picture('campaign code');
			await panel.execute();
			await panel.output.getByText('3 messages accepted as one campaign.').first().waitFor();
		});
		assert.equal(accepted, people.length);
		assert.deepEqual(await panel.redInTable(), []);
		const sent = (await acceptedBy(sandbox)).slice(-people.length);
		assert.deepEqual(
			sent.map(({ to, from, template }) => ({ to, from, template })),
			people.map(({ name, phone, discount }) => {
				const parameters = [name, discount].map((text) => ({ type: 'text', text }));
				const components = [{ type: 'body', parameters }];
				return { to: phone, from: BAKERY, template: { name: 'spring_offer', components } };
			}),
		);
	});
});
