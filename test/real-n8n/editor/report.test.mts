import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { world } from '../world/installation.mts';
import { byHand, CAMPAIGN, items, messaging, type Json } from '../world/nodes.mts';
import { campaigns } from '../world/service.mts';
import { openNode, people, picture } from './world/editor.mts';
import type { Panel } from './world/panel.mts';

const REPORT = { resource: 'campaign', operation: 'getReport' };

/** A list, a campaign to it, and a new Get Report behind it, which is opened. */
async function campaignWithReport(parameters: Json = {}, more: Json = {}) {
	const { credential } = await world();
	const nodes = [
		byHand(),
		...items('People', people),
		messaging(credential, { ...CAMPAIGN, ...more }, { name: 'Send' }),
		messaging(credential, { ...REPORT, ...parameters }, { name: 'Report' }),
	];
	return await openNode(nodes, undefined, undefined, { withCode: true });
}

const succeeded = async (panel: Panel) =>
	await panel.output
		.locator('[data-test-id="node-run-status-success"]')
		.waitFor({ timeout: 120_000 });

async function beginsWithWhatIsLookedFor({ output }: Panel) {
	await output.getByText('Table', { exact: true }).click();
	const heads = output.locator('thead th');
	await heads.first().waitFor();
	const names = (await heads.allTextContents()).map((name) => name.trim());
	assert.deepEqual(names.slice(0, 4), ['to', 'status', 'reason', 'delivered_time']);
}

describe('the report of a campaign', () => {
	it('waits for its end when the option is added, and nothing else is filled in', async () => {
		const panel = await campaignWithReport();
		await picture('report 1 new');
		await panel.addOption('Wait for Completion');
		await panel.part('node-parameters').getByText('Longest Wait (Minutes)').waitFor();
		await panel.part('node-parameters').getByText('Interval (Seconds)').waitFor();
		await picture('report 3 wait');

		await panel.execute();
		await succeeded(panel);
		await panel.output
			.getByText(/3 recipients: 3 delivered/)
			.first()
			.waitFor();
		await panel.output.getByText('complete', { exact: true }).waitFor();
	});

	it('has its summary as HTML when the option is added, and its text above the output', async () => {
		const options = { waitForCompletion: { values: { interval: 1 } } };
		const panel = await campaignWithReport({ options });
		await panel.addOption('HTML');
		await panel.execute();
		await succeeded(panel);
		// Above the table, and in it.
		await panel.output
			.getByText(/^Sent on .+, to 3 recipients: /)
			.first()
			.waitFor();
		await panel.output.getByText('Table', { exact: true }).click();
		const html = panel.output.getByText(/^<div style=/).first();
		await html.waitFor();
		const mail = (await html.textContent())!;
		await picture('report html in the table');

		const page = await panel.page.context().newPage();
		await page.setContent(mail);
		await page.getByText(/^Sent on .+, to 3 recipients: /).waitFor();
		await picture('report as mail', page);
		await page.close();
	});

	it('has recipients that begin with what a person looks for', async () => {
		const panel = await campaignWithReport({ output: 'recipients' });
		await panel.execute();
		await succeeded(panel);
		await beginsWithWhatIsLookedFor(panel);
		await picture('report recipients');
	});

	it('is of a campaign that is chosen from the list', async () => {
		const panel = await campaignWithReport();
		const { page } = panel;
		const phones = people.map(({ phone }) => phone);
		await campaigns((await world()).sandbox, 1, phones);
		const locator = panel.part('resource-locator-campaignId');
		await panel.part('node-parameters').getByText('Campaign ID').hover();
		await panel.part('radio-button-fixed').and(page.locator(':visible')).first().click();
		await locator.locator('[data-test-id="rlc-mode-selector"]').click();
		await page.getByRole('option', { name: 'From List' }).and(page.locator(':visible')).click();
		await panel.openList('campaignId');
		const [newest] = await panel.entries();
		assert.match(newest, /^\d{1,2} \w{3} \d{4}, \d\d:\d\d · 3\+? messages · [0-9a-f-]{36}$/);
		await picture('report 5 list');
		await panel.shown('rlc-item').first().click();
		await picture('report 6 chosen');
		await panel.execute();
		await succeeded(panel);
		await panel.output.getByText(newest.split(' · ')[2]).first().waitFor();
	});
});
