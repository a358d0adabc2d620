import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { outputOf } from '../../../demo/n8n/rest/executions.mts';
import { ensurePublished } from '../../../demo/n8n/rest/workflows.mts';
import { completionOf, sendCampaign } from '../../../demo/story/campaign.mts';
import { examples, nodeNames, webhookUrl } from '../../../demo/story/examples.mts';
import { requestsDuring } from './world/counting.mts';
import { world, type World } from './world/world.mts';

describe('a campaign and its completion, with the example workflows', () => {
	let stage: World;

	before(async () => {
		stage = await world();
		await ensurePublished(stage.session, examples.completion.id);
		const registered = await fetch(`${stage.sandbox.url}/_sandbox/webhook`, {
			method: 'PUT',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ url: webhookUrl(stage.n8n.url, examples.completion) }),
		});
		assert.equal(registered.status, 200, await registered.text());
	});

	after(() => {
		// Campaigns of other tests must not start this workflow: its requests would count as theirs.
		stage.sandbox.world.webhook.registration = null;
	});

	it('sends the whole list as one campaign, whose completion starts the other workflow', async () => {
		const { result, requests, accepted } = await requestsDuring(
			async () => await sendCampaign(stage.session),
		);
		assert.equal(result.people, 25);
		// The first two are the check that the template needs no values.
		assert.deepEqual(requests, { getChannels: 1, getChannelTemplates: 1, sendCampaign: 1 });
		assert.equal(accepted, 25);

		const completion = await completionOf(stage.session, result.campaignId);
		const [event] = outputOf(completion, nodeNames.trigger);
		assert.equal(event.event, 'campaignCompleted');

		const people = outputOf(result.execution, nodeNames.people);
		const logged = outputOf(completion, nodeNames.messages);
		assert.deepEqual(logged.map(({ to }) => to).sort(), people.map(({ phone }) => phone).sort());
		assert.equal(outputOf(completion, nodeNames.report).length, 1);
	});

	it('answers a completion with 200, and an invalid call without a server error', async () => {
		const deliveries = stage.sandbox.world.webhook.deliveries;
		assert.deepEqual(
			deliveries.map(({ status, attempt }) => [status, attempt]),
			[[200, 1]],
			JSON.stringify(deliveries),
		);
		const url = webhookUrl(stage.n8n.url, examples.completion);
		for (const body of ['hello', '', '[1]', '{"campaign_id":']) {
			const answer = await fetch(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body,
			});
			const said = `${answer.status} ${await answer.text()}`;
			assert.ok(answer.status < 500, `to ${JSON.stringify(body)}: ${said}`);
		}
	});
});
