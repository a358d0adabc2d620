import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { world } from '../world/installation.mts';
import { logTrigger, messagingTrigger, TEMPLATE, type Json } from '../world/nodes.mts';
import { campaigns, newPeople } from '../world/service.mts';
import { runMessaging } from '../world/sendByHand.mts';
import { call } from '../world/workflows.mts';
import { openNode, picture } from './world/editor.mts';

/** Opens a Messaging Trigger that is alone in its workflow. */
async function openTrigger(parameters: Json = {}) {
	const { credential, sandbox, url } = await world();
	const webhookId = randomUUID();
	const panel = await openNode([messagingTrigger(credential, parameters, { webhookId })]);
	return { panel, sandbox, url: (kind: string) => `${url}/${kind}/${webhookId}/webhook` };
}

describe("the trigger's panel", () => {
	it('says what to do with its URLs, and shows them', async () => {
		const { panel, url } = await openTrigger();
		const ndv = panel.part('ndv');
		/** The steps must be in the order that works: while n8n waits for the event, it covers the URLs. */
		const inOrder = (text: string) => {
			const steps = [/Copy the test URL/, /Enter it as the webhook/, /Click .?Execute step/];
			const places = steps.map((step) => text.search(step));
			// n8n drops most tags: no step may stick to the sentence before it.
			assert.doesNotMatch(text, /[.:](\d|[A-Z])/);
			assert.deepEqual(
				places,
				places.filter((place) => place >= 0).sort((x, y) => x - y),
				text,
			);
		};

		await ndv.getByText('Trigger On', { exact: true }).waitFor();
		await ndv.getByText('Campaign Completed', { exact: true }).waitFor();
		await ndv.getByText('Enter the test URL at the service first').first().waitFor();
		await ndv.getByText('Webhook URLs', { exact: true }).first().click();
		await ndv.getByText(url('webhook-test')).waitFor();
		await picture('trigger');
		await panel.part('radio-button-production').click();
		await ndv.getByText(url('webhook')).waitFor();

		await ndv.getByText('When will this node trigger my flow?').click();
		const help = ndv.getByText(/While you build/).locator('..');
		await help.waitFor();
		inOrder(await help.innerText());
		assert.doesNotMatch(await ndv.innerText(), /<\/?\w+>|undefined|\[object/);
	});

	it('waits for a test event, and shows its data', async () => {
		const { panel, url } = await openTrigger({ confirm: false });
		await panel.part('trigger-execute-button').click();
		await panel.part('ndv').getByText('Listening for test event').waitFor();
		await picture('trigger waits');
		const event = { event: 'campaignCompleted', campaign_id: 'campaign-from-a-test' };
		const answer = await call(url('webhook-test'), event);
		assert.equal(answer.status, 200, answer.text);
		await panel.output.getByText('campaign-from-a-test').first().waitFor();
	});
});

describe('a service whose calls the trigger does not know', () => {
	it('is told with two entries, which the hint of the test event names; then its next call would start', async () => {
		const { panel, sandbox, url } = await openTrigger({ confirm: false });
		const { page } = panel;
		// The logs know it: for another ID, nothing is proposed.
		const [broadcast_id] = await campaigns(sandbox, 1);
		const sent = { kind: 'report', job: { broadcast_id, state: 'FINISHED' } };
		const listen = async () => {
			await panel.part('trigger-execute-button').click();
			await panel.part('ndv').getByText('Listening for test event').waitFor();
			assert.equal((await call(url('webhook-test'), sent)).status, 200);
		};
		await listen();
		const hint = panel.output.getByText(/^The published workflow would/).first();
		await hint.waitFor();
		await picture('trigger told 1 the hint');
		const [, idField, field, value] =
			/'Campaign ID Field' (\S+), 'Completed When' with field (\S+), value (.+?)\.(?: The logs|$)/.exec(
				await hint.innerText(),
			)!;

		await panel.addOption('Campaign ID Field');
		await panel.part('parameter-input-campaignIdField').locator('input').fill(idField);
		await panel.addOption('Completed When');
		await page.getByRole('button', { name: 'Add Condition' }).click();
		await panel.part('parameter-input-field').locator('input').fill(field);
		await panel.part('parameter-input-value').locator('input').fill(value);
		await picture('trigger told 2 the entries');
		await listen();
		await panel.output
			.getByText(/^The published workflow would start: body/)
			.first()
			.waitFor();
		await panel.output.getByText('campaignCompleted').first().waitFor();
		await picture('trigger told 3 it would start');
	});
});

describe("the log trigger's panel", () => {
	it('says what starts the workflow, and fetches the newest records', async () => {
		const stage = await world();
		const [person] = newPeople(1);
		const { error } = await runMessaging(stage, TEMPLATE, { people: [person] });
		assert.equal(error, undefined);

		const pollTimes = { item: [{ mode: 'everyHour' }] };
		const panel = await openNode([logTrigger(stage.credential, { pollTimes })]);
		const ndv = panel.part('ndv');
		await ndv.getByText('Start when messages are logged or change their status').waitFor();
		await ndv.getByText('Trigger On', { exact: true }).waitFor();
		await ndv.getByText('When will this node trigger my flow?').click();
		await ndv.getByText(/up to 10 of the newest log records that fit/).waitFor();
		await picture('log trigger');
		await panel.part('trigger-execute-button').click();
		await panel.output.getByText(person.phone).first().waitFor();
		await picture('log trigger event');
		await panel.part('ndv-close-button').click();
		await panel.page.getByText('New Record, Status Changed', { exact: true }).waitFor();
	});
});
