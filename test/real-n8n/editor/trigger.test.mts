import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { createWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { world } from '../nodes/world/world.mts';
import { editor, picture } from './world/editor.mts';
import { Panel } from './world/panel.mts';

describe("the trigger's panel", () => {
	it('says what to do with its URLs, and shows them', async () => {
		const { session, credential, n8n } = await world();
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
					typeVersion: 1,
					position: [0, 0],
					parameters: {},
					credentials: { messagingApi: credential },
				},
			],
			connections: {},
		});
		const panel = await Panel.open(await editor(), { workflowId, nodeId });
		const ndv = panel.part('ndv');

		await ndv
			.getByText(/enter the URL as the webhook in the settings of your messaging service/)
			.waitFor();
		await ndv.getByText('Campaign Completed', { exact: true }).waitFor();

		// The notice below the field names the URL too.
		await ndv.getByText('Webhook URLs').first().click();
		await ndv.getByText(`${n8n.url}/webhook-test/${webhookId}/webhook`).waitFor();
		await picture('trigger');
		await panel.part('radio-button-production').click();
		await ndv.getByText(`${n8n.url}/webhook/${webhookId}/webhook`).waitFor();

		await ndv.getByText('When will this node trigger my flow?').click();
		await ndv.getByText(/While you build/).waitFor();
		await picture('trigger help');
		assert.doesNotMatch(await ndv.innerText(), /<\/?\w+>|undefined|\[object/);
	});

	it('waits for a test event, and shows its data', async () => {
		const { session, credential, n8n } = await world();
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
					typeVersion: 1,
					position: [0, 0],
					parameters: { confirm: false },
					credentials: { messagingApi: credential },
				},
			],
			connections: {},
		});
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
