import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { executionsOf, finishedExecution, itemsOf } from '../../../demo/n8n/rest/executions.mts';
import type { Fault } from '../../../sandbox/faults/rules.mts';
import { runMessaging } from './world/node-run.mts';
import { world } from './world/world.mts';

const from = { __rl: true, mode: 'phone', value: '447700900100' };
const template = { __rl: true, mode: 'name', value: 'opening_hours' };
const to = '={{ $json.phone }}';

/** Twelve recipients that only this test uses, so that each test counts its own messages. */
let block = 0;
const people = () => {
	block++;
	return Array.from({ length: 12 }, (_, index) => ({
		phone: `38598${String(block).padStart(3, '0')}${String(index + 30).padStart(4, '0')}`,
	}));
};

const SENDS = {
	sendText: { resource: 'message', operation: 'sendText', from, to, message: 'Hello' },
	sendTemplate: { resource: 'message', operation: 'sendTemplate', from, to, template },
	sendCampaign: { resource: 'campaign', operation: 'send', from, to, template },
};

type SendName = keyof typeof SENDS;

/** The fifth request fails. Campaigns are three requests here; of these, the second fails. */
async function breakMidway(endpoint: SendName, fault: Fault) {
	const { sandbox } = await world();
	const skip = endpoint === 'sendCampaign' ? 1 : 4;
	const answer = await fetch(`${sandbox.url}/_sandbox/faults`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify([{ match: { endpoint }, skip, fault }]),
	});
	assert.equal(answer.status, 200, await answer.text());
}

async function clearFaults() {
	const { sandbox } = await world();
	await fetch(`${sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
}

/** How many messages the service accepted for each recipient. */
async function acceptedOf(recipients: Array<{ phone: string }>) {
	const { sandbox } = await world();
	const { byRecipient } = sandbox.world.messages.tally();
	return recipients.map(({ phone }) => byRecipient[phone] ?? 0);
}

const options = { batchSize: 1 };
const optionsOf = (name: SendName) =>
	name === 'sendCampaign' ? { ...options, maxRecipients: 4 } : options;

describe('a send that fails midway', () => {
	after(clearFaults);

	for (const name of Object.keys(SENDS) as SendName[]) {
		it(`${name}: Retry On Fail sends only the remaining messages, and returns all recipients`, async () => {
			const items = people();
			await breakMidway(name, { kind: 'status', status: 400 });
			const { execution, output, error } = await runMessaging(
				{ ...SENDS[name], options: optionsOf(name) },
				{ items, settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 } },
			);
			assert.equal(execution.status, 'success', error);
			assert.equal(output.length, 12);
			assert.deepEqual(
				await acceptedOf(items),
				items.map(() => 1),
			);
			await clearFaults();
		});

		it(`${name}: a person's Retry sends only the remaining messages, and returns all recipients`, async () => {
			const { session } = await world();
			const items = people();
			await breakMidway(name, { kind: 'status', status: 400 });
			const { execution, error } = await runMessaging(
				{ ...SENDS[name], options: optionsOf(name) },
				{ items },
			);
			assert.equal(execution.status, 'error');
			assert.match(error ?? '', /4 of 12 messages were accepted/);
			assert.deepEqual(
				await acceptedOf(items),
				items.map((_, index) => (index < 4 ? 1 : 0)),
			);
			await clearFaults();

			await session.post(`/rest/executions/${execution.id}/retry`, { loadWorkflow: true });
			const [latest] = await executionsOf(session, execution.workflowId);
			assert.notEqual(latest.id, execution.id);
			const retried = await finishedExecution(session, latest.id);
			assert.equal(retried.status, 'success', retried.error?.message);
			assert.equal(itemsOf(retried, 'Messaging').length, 12);
			assert.deepEqual(
				await acceptedOf(items),
				items.map(() => 1),
			);
		});
	}

	it('a Retry does not send again what may have been sent, and says so', async () => {
		const { session } = await world();
		const items = people();
		await breakMidway('sendText', { kind: 'reset' });
		const { execution, error } = await runMessaging({ ...SENDS.sendText, options }, { items });
		assert.match(error ?? '', /May have been sent to 38598/);
		await clearFaults();

		await session.post(`/rest/executions/${execution.id}/retry`, { loadWorkflow: false });
		const [latest] = await executionsOf(session, execution.workflowId);
		const retried = await finishedExecution(session, latest.id);
		assert.equal(retried.status, 'error');
		assert.match(retried.error?.message ?? '', /11 of 12 messages were accepted/);
		assert.deepEqual(
			await acceptedOf(items),
			items.map((_, index) => (index === 4 ? 0 : 1)),
		);
	});
});
