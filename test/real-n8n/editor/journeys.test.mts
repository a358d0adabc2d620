import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { world } from '../world/installation.mts';
import { byHand, CAMPAIGN, items, messaging, named } from '../world/nodes.mts';
import { requestsDuring } from '../world/service.mts';
import { acceptedIn, openNode, people, picture, testSaid } from './world/editor.mts';

/* Journeys that are rarer, in the dark theme. Their pictures were looked at: what is new here must be, too. */

const ME = '12025550199';

describe('Template by expression', () => {
	it('leads to a dry run, a test, a send and a report', async () => {
		const { credential, sandbox } = await world();
		const rows = people.map((person) => ({ ...person, template: 'spring_offer' }));
		const sender = messaging(credential, { ...CAMPAIGN, template: named('={{ $json.template }}') });
		const report = { resource: 'campaign', operation: 'getReport' };
		const reporter = messaging(credential, report, { name: 'Report' });
		const nodes = [byHand(), ...items('People', rows), sender, reporter];
		const panel = await openNode(nodes, 'dark', sender);

		// n8n does not load the preview again when the input comes, so the notice must say how to see it.
		const notice = panel.preview.getByText('then close this node and open it again');
		await notice.waitFor();
		await panel.bringInput();
		await notice.waitFor();
		await picture('expression 1 with input');
		await panel.openAgain();
		await panel.preview.getByText('Preview of spring_offer in en_GB').waitFor();
		const values = panel.placeholders.locator('[data-test-id="parameter-input"]');
		await panel.dragOnly('name', values.nth(0));
		await panel.dragOnly('discount', values.nth(1));
		await picture('expression 2 filled in');

		let code = '';
		const acceptedAs = async (mode: string, sentence: string) => {
			if (mode === 'Send') await panel.chooseSend(code);
			else await panel.chooseOption('sendMode', mode);
			if (mode.startsWith('Test')) {
				await panel.part('parameter-input-testRecipient').locator('input').fill(ME);
			}
			const { accepted } = await requestsDuring(sandbox, async () => {
				await panel.execute();
				await panel.output.getByText(sentence).first().waitFor();
			});
			await picture(`expression 3 ${mode}`);
			if (mode.startsWith('Dry')) code = await panel.code();
			return accepted;
		};
		assert.equal(await acceptedAs('Dry Run: Send Nothing', 'Dry run: nothing was sent.'), 0);
		assert.equal(await acceptedAs('Test: Only to My Number', testSaid(ME)), 1);
		assert.equal(await acceptedAs('Send', '3 messages accepted as one campaign.'), people.length);

		// As long as the sender's output is there, the report executes only itself.
		await panel.openAgain('Report');
		const { accepted } = await requestsDuring(sandbox, async () => {
			await panel.execute();
			await panel.output
				.getByText(/^Sent on .+, to 3 recipients: /)
				.first()
				.waitFor();
		});
		assert.equal(accepted, 0);
	});
});

describe('building on after a send', () => {
	it('sends no campaign twice, and the next one once', async () => {
		const { credential } = await world();
		const nodes = [byHand(), ...items('People', people), messaging(credential, CAMPAIGN)];
		const panel = await openNode(nodes, 'dark');
		const { page } = panel;
		assert.equal(await acceptedIn(panel), 0);
		await panel.output
			.getByText('In the editor, this node sends these 3 messages')
			.first()
			.waitFor();
		await picture('building on 0 no code');

		/** Makes the dry run in the open node, and sends with the code that it shows. */
		const sendWithCode = async () => {
			await panel.chooseOption('sendMode', 'Dry Run: Send Nothing');
			assert.equal(await acceptedIn(panel), 0);
			await panel.chooseSend(await panel.code());
			return await acceptedIn(panel);
		};
		assert.equal(await sendWithCode(), people.length);

		for (const [before, next] of [
			['Messaging', 'Edit Fields'],
			['Edit Fields', 'Limit'],
			['Limit', 'No Operation'],
		]) {
			await panel.addBehind(before, next);
			assert.equal(await acceptedIn(panel), 0, next);
			await panel.output
				.getByText(/^\d items?$/)
				.first()
				.waitFor();
		}

		const goOn = async () => {
			await panel.openAgain('Edit Fields');
			return await acceptedIn(panel);
		};
		// n8n opens the node again that was open, and has no output any more.
		await page.reload();
		assert.equal(await goOn(), 0);
		await page.getByText('Nothing was sent. 3 of these 3 messages').first().waitFor();
		await picture('building on 1 refused');
		await panel.openAgain('Messaging');
		await panel.output.getByText('To build the next nodes').first().waitFor();
		await picture('building on 2 refused');

		assert.equal(await sendWithCode(), people.length);
		// The code is good for one send.
		assert.equal(await acceptedIn(panel), 0);

		// n8n has the output, though it shows none.
		await page.reload();
		await panel.output.getByText('set mock data').click();
		await panel.output.getByText('campaign_id').first().waitFor();
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		assert.equal(await goOn(), 0);
		await picture('building on 3 pinned');

		await panel.openAgain('Messaging');
		await panel.output.getByText('Unpin', { exact: true }).click();
		await panel.openAgain('List of People');
		const list = panel.part('node-parameters').locator('.cm-content').first();
		await list.click();
		await page.keyboard.press('Control+a');
		const others = people.map(({ name }, index) => ({ name, phone: `1212555014${index}` }));
		await page.keyboard.insertText(JSON.stringify({ elements: others }));
		assert.equal(await goOn(), 0);
		await panel.openAgain('Messaging');
		assert.equal(await sendWithCode(), others.length);
	});
});
