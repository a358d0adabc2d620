import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { createWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { runMessaging } from '../nodes/world/node-run.mts';
import { world } from '../nodes/world/world.mts';
import { editor, picture } from './world/editor.mts';
import { Panel } from './world/panel.mts';

/** Creates a workflow with nothing but a Messaging Trigger. */
async function triggerWorkflow(parameters: object = {}) {
	const { session, credential } = await world();
	const nodeId = randomUUID();
	const webhookId = randomUUID();
	const { id: workflowId } = await createWorkflow(session, {
		name: `Trigger ${nodeId}`,
		nodes: [
			{
				id: nodeId,
				webhookId,
				name: 'Messaging Trigger',
				type: 'n8n-nodes-messaging.messagingTrigger',
				typeVersion: 1.1,
				position: [0, 0],
				parameters,
				credentials: { messagingApi: credential },
			},
		],
		connections: {},
	});
	return { workflowId, nodeId, webhookId };
}

describe("the trigger's panel", () => {
	it('says what to do with its URLs, and shows them', async () => {
		const { n8n } = await world();
		const { workflowId, nodeId, webhookId } = await triggerWorkflow();
		const panel = await Panel.open(await editor(), { workflowId, nodeId });
		const ndv = panel.part('ndv');
		/** The steps must be in the order that works: while n8n waits for the event, it covers the URLs. */
		const inOrder = (text: string) => {
			const steps = [
				/1\. Copy the test URL/,
				/2\. Enter it as the webhook/,
				/3\. Click .?Execute step/,
			];
			const places = steps.map((step) => text.search(step));
			// n8n drops some tags of a notice.
			assert.doesNotMatch(text, /[.:]\d/);
			assert.deepEqual(
				places,
				places.filter((place) => place >= 0).sort((x, y) => x - y),
				text,
			);
		};

		await ndv.getByText('Trigger On', { exact: true }).waitFor();
		await ndv.getByText('Campaign Completed', { exact: true }).waitFor();
		inOrder(await ndv.locator('.notice').first().innerText());

		// The notice below the field names the URL too.
		await ndv.getByText('Webhook URLs', { exact: true }).first().click();
		await ndv.getByText(`${n8n.url}/webhook-test/${webhookId}/webhook`).waitFor();
		await picture('trigger');
		await panel.part('radio-button-production').click();
		await ndv.getByText(`${n8n.url}/webhook/${webhookId}/webhook`).waitFor();

		await ndv.getByText('When will this node trigger my flow?').click();
		const help = ndv.getByText(/While you build/).locator('..');
		await help.waitFor();
		inOrder(await help.innerText());
		await picture('trigger help');
		assert.doesNotMatch(await ndv.innerText(), /<\/?\w+>|undefined|\[object/);
	});

	it('waits for a test event, and shows its data', async () => {
		const { n8n } = await world();
		const { workflowId, nodeId, webhookId } = await triggerWorkflow({ confirm: false });
		const panel = await Panel.open(await editor(), { workflowId, nodeId });
		await panel.part('trigger-execute-button').click();
		await panel.part('ndv').getByText('Listening for test event').waitFor();
		await picture('trigger waits');
		const answer = await fetch(`${n8n.url}/webhook-test/${webhookId}/webhook`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ event: 'campaignCompleted', campaign_id: 'campaign-from-a-test' }),
		});
		assert.equal(answer.status, 200, await answer.text());
		await panel.output.getByText('campaign-from-a-test').first().waitFor();
		await picture('trigger event');
	});
});

describe("the log trigger's panel", () => {
	it('says what starts the workflow, and fetches the newest records', async () => {
		const { session, credential } = await world();
		const nodeId = randomUUID();
		const { id: workflowId } = await createWorkflow(session, {
			name: `Log Trigger ${nodeId}`,
			nodes: [
				{
					id: nodeId,
					name: 'Messaging Log Changes Trigger',
					type: 'n8n-nodes-messaging.messagingLogTrigger',
					typeVersion: 1,
					position: [0, 0],
					parameters: { pollTimes: { item: [{ mode: 'everyHour' }] } },
					credentials: { messagingApi: credential },
				},
			],
			connections: {},
		});
		const phone = '385997001990';
		const { error } = await runMessaging(
			{
				resource: 'message',
				operation: 'sendTemplate',
				from: { __rl: true, mode: 'phone', value: '447700900100' },
				template: { __rl: true, mode: 'name', value: 'opening_hours' },
				to: phone,
			},
			{ items: [{}] },
		);
		assert.equal(error, undefined);

		const page = await editor();
		const panel = await Panel.open(page, { workflowId, nodeId });
		const ndv = panel.part('ndv');
		await ndv.getByText('Start when messages are logged or change their status').waitFor();
		await ndv.getByText('Trigger On', { exact: true }).waitFor();
		await ndv.getByText('When will this node trigger my flow?').click();
		await ndv.getByText(/up to 10 of the newest log records that fit/).waitFor();
		await picture('log trigger');
		await panel.part('trigger-execute-button').click();
		await panel.output.getByText(phone).first().waitFor();
		await picture('log trigger event');
		await panel.part('ndv-close-button').click();
		await page.getByText('New Record, Status Changed', { exact: true }).waitFor();
		await picture('log trigger canvas');
	});
});
