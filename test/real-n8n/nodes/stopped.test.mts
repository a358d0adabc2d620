import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, before, describe, it } from 'node:test';
import {
	executionsOf,
	finishedExecution,
	itemsOf,
	outputOf,
	type Json,
} from '../../../demo/n8n/rest/executions.mts';
import { activateWorkflow, createWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { until } from '../../../demo/n8n/until.mts';
import { inARow, items, messaging, node, to as into } from './world/nodes.mts';
import { world, type World } from './world/world.mts';

/* n8n ends an execution while the node sends, and a person retries it. */

const SEND = 'Messaging';
const MARK = 'Mark as sent';
const ALARM = 'Alarm';
/** The time limit of the execution, in seconds. */
const TIME_OUT = 2;
const from = { __rl: true, mode: 'phone', value: '447700900100' };
const to = '={{ $json.phone }}';
const TEXT = { resource: 'message', operation: 'sendText', from, to: to, message: 'Hello' };
const CAMPAIGN = {
	resource: 'campaign',
	operation: 'send',
	from,
	to: to,
	template: { __rl: true, mode: 'name', value: 'opening_hours' },
};

/** A report on a campaign without records: it is valid and counts nobody. */
const REPORT = {
	resource: 'campaign',
	operation: 'getReport',
	campaignId: { __rl: true, mode: 'id', value: randomUUID() },
};

let stage: World;
let block = 0;

/** The phones of ten people to whom no other test sends. */
const people = () => {
	block++;
	return Array.from(
		{ length: 10 },
		(_, index) => `3859700${String(block).padStart(2, '0')}${index}55`,
	);
};

type Started = { workflow: string; execution: string; phones: string[] };

/** A webhook node, and nodes that output the people with these phones. */
function callFor(path: string, phones: string[]) {
	const webhook = { path, httpMethod: 'POST', responseMode: 'onReceived', options: {} };
	return [
		node('Call', 'n8n-nodes-base.webhook', 2, webhook, { webhookId: path }),
		...items(
			'People',
			phones.map((phone) => ({ phone })),
		),
	];
}

/** Starts, by its webhook, a workflow that sends to ten people one by one and marks the people who got a message. */
async function started(
	parameters: Json,
	{ settings = {}, more = {} }: { settings?: object; more?: Json } = {},
): Promise<Started> {
	const phones = people();
	const path = randomUUID();
	const nodes = [
		...callFor(path, phones),
		messaging(SEND, stage.credential, { options: { batchSize: 1 }, ...parameters }, more),
		node(MARK, 'n8n-nodes-base.noOp', 1, {}),
	];
	const alarm = node(ALARM, 'n8n-nodes-base.noOp', 1, {});
	const connections = { ...inARow(nodes), [SEND]: { main: [[into(MARK)], [into(ALARM)]] } };
	const { id: workflow } = await createWorkflow(stage.session, {
		name: `stopped ${randomUUID()}`,
		nodes: [...nodes, alarm],
		connections,
		settings,
	});
	await activateWorkflow(stage.session, workflow);
	const answer = await fetch(`${stage.n8n.url}/webhook/${path}`, { method: 'POST' });
	assert.equal(answer.status, 200, await answer.text());
	const execution = await until('the call starts an execution', async () => {
		const [latest] = await executionsOf(stage.session, workflow);
		return latest?.id;
	});
	return { workflow, execution, phones };
}

/** The service accepts each message immediately and answers late, so a message that is cut off in between was accepted. */
const answerLate = async (endpoint: string, ms = 500) =>
	await misbehave({ match: { endpoint }, times: 0, act: true, fault: { kind: 'delay', ms } });

async function misbehave(rule: Json) {
	const answer = await fetch(`${stage.sandbox.url}/_sandbox/faults`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify([rule]),
	});
	assert.equal(answer.status, 200, await answer.text());
}

async function answerImmediately() {
	await fetch(`${stage.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
}

const timesAccepted = (phones: string[]) => {
	const { byRecipient } = stage.sandbox.world.messages.tally();
	return phones.map((phone) => byRecipient[phone] ?? 0);
};

const once = (phones: string[]) => phones.map(() => 1);

async function untilSomeAreAccepted(phones: string[], count: number) {
	await until(`${count} are accepted`, async () =>
		timesAccepted(phones).filter((times) => times > 0).length >= count ? true : undefined,
	);
}

/** Retries through n8n's API, because the list of executions shows no *Retry* for a canceled one. */
async function retried(execution: string) {
	await answerImmediately();
	const { id } = await stage.session.post<{ id: string }>(`/rest/executions/${execution}/retry`, {
		loadWorkflow: false,
	});
	return await finishedExecution(stage.session, id);
}

const settings = { executionTimeout: TIME_OUT };

describe('n8n ends an execution while it sends', () => {
	before(async () => {
		stage = await world();
	});

	afterEach(answerImmediately);

	it('time-out: the next node marks nobody; Retry sends exactly the rest, and names who may have been sent a message', async () => {
		await answerLate('sendText');
		const { execution, phones } = await started(TEXT, { settings });
		const cut = await finishedExecution(stage.session, execution);
		assert.equal(cut.status, 'canceled');
		assert.deepEqual(itemsOf(cut, MARK), []);
		const before = timesAccepted(phones);
		const sent = before.filter((times) => times > 0).length;
		assert.ok(sent > 1 && sent < 10, `${sent} of 10 were accepted`);

		const again = await retried(execution);
		assert.deepEqual(timesAccepted(phones), once(phones));
		assert.equal(again.status, 'error');
		// The one that was in flight.
		assert.match(
			again.error?.message ?? '',
			new RegExp(`May have been sent to ${phones[sent - 1]}`),
		);
		assert.match(again.error?.message ?? '', /9 of 10 messages were accepted/);
		assert.deepEqual(itemsOf(again, MARK), []);
	});

	it('time-out while a report is read: nothing is reported, and Retry reads it', async () => {
		await answerLate('getLogs', 5000);
		const { execution } = await started(REPORT, { settings });
		const cut = await finishedExecution(stage.session, execution);
		assert.equal(cut.status, 'canceled');
		assert.deepEqual(itemsOf(cut, SEND), []);
		const again = await retried(execution);
		assert.equal(again.status, 'success', again.error?.message);
		assert.equal(itemsOf(again, MARK).length, 1);
	});

	it('time-out of a campaign: Retry finds it in the logs, and marks all', async () => {
		await answerLate('sendCampaign', 5000);
		const { execution, phones } = await started(CAMPAIGN, { settings });
		const cut = await finishedExecution(stage.session, execution);
		assert.equal(cut.status, 'canceled');
		assert.deepEqual(itemsOf(cut, MARK), []);
		assert.deepEqual(timesAccepted(phones), once(phones));

		const again = await retried(execution);
		assert.equal(again.status, 'success', again.error?.message);
		assert.deepEqual(timesAccepted(phones), once(phones));
		assert.equal(itemsOf(again, MARK).length, 10);
	});

	it('time-out with an error output: accepted messages are output, all others are failed items', async () => {
		await answerLate('sendText');
		const more = { onError: 'continueErrorOutput' };
		const { execution, phones } = await started(TEXT, { settings, more });
		const cut = await finishedExecution(stage.session, execution);
		assert.equal(cut.status, 'canceled');
		const sent = timesAccepted(phones).filter((times) => times > 0).length;
		const output = [...outputOf(cut, SEND, 0), ...outputOf(cut, SEND, 1)];
		assert.equal(output.length, 10, JSON.stringify(cut.runs[SEND]));
		const outcomes = output.map(({ error, details }) => (error ? details.outcome : 'accepted'));
		const expected = phones.map((_, index) =>
			index < sent - 1 ? 'accepted' : index === sent - 1 ? 'unknown' : 'notSent',
		);
		assert.deepEqual(outcomes, expected);
	});

	it('Stop: Retry sends nothing, and names everyone who may have been sent a message', async () => {
		await answerLate('sendText');
		const { execution, phones } = await started(TEXT);
		await untilSomeAreAccepted(phones, 3);
		await stage.session.post(`/rest/executions/${execution}/stop`, {});
		const stopped = await finishedExecution(stage.session, execution);
		assert.equal(stopped.status, 'canceled');
		const before = timesAccepted(phones);
		assert.ok(before.includes(0), 'Stop came too late');
		assert.deepEqual(itemsOf(stopped, MARK), []);

		const again = await retried(execution);
		assert.deepEqual(timesAccepted(phones), before);
		assert.equal(again.status, 'error');
		const said = `${again.error?.message}\n${again.error?.description}`;
		assert.match(said, /10 of 10 messages may have been sent/);
		for (const phone of phones) assert.ok(said.includes(phone), said);
		assert.deepEqual(itemsOf(again, MARK), []);
	});

	describe('in a sub-workflow, as README says', () => {
		const SUB = 'Sub-workflow';

		/** A workflow that passes ten people to another one, which sends to them. */
		async function startedInSub() {
			const trigger = node('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, {
				inputSource: 'passthrough',
			});
			const sends = [
				trigger,
				messaging(SEND, stage.credential, { ...TEXT, options: { batchSize: 1 } }),
			];
			const { id: sub } = await createWorkflow(stage.session, {
				name: `sub ${randomUUID()}`,
				nodes: sends,
				connections: inARow(sends),
			});
			await activateWorkflow(stage.session, sub);
			const phones = people();
			const path = randomUUID();
			const nodes = [
				...callFor(path, phones),
				node(SUB, 'n8n-nodes-base.executeWorkflow', 1.2, {
					workflowId: { __rl: true, mode: 'id', value: sub },
					workflowInputs: { mappingMode: 'defineBelow', value: {} },
					options: { waitForSubWorkflow: true },
				}),
			];
			const { id: workflow } = await createWorkflow(stage.session, {
				name: `stopped ${randomUUID()}`,
				nodes,
				connections: inARow(nodes),
			});
			await activateWorkflow(stage.session, workflow);
			const answer = await fetch(`${stage.n8n.url}/webhook/${path}`, { method: 'POST' });
			assert.equal(answer.status, 200, await answer.text());
			await untilSomeAreAccepted(phones, 3);
			const [[calling], [called]] = await Promise.all(
				[workflow, sub].map(async (id) => await executionsOf(stage.session, id)),
			);
			return { phones, calling: calling.id, called: called.id };
		}

		const stop = async (execution: string) => {
			await stage.session.post(`/rest/executions/${execution}/stop`, {});
		};

		it('Stop of the workflow that called it does not reach the node', async () => {
			await answerLate('sendText', 200);
			const { phones, calling, called } = await startedInSub();
			await stop(calling);
			assert.equal((await finishedExecution(stage.session, calling)).status, 'canceled');
			await finishedExecution(stage.session, called);
			assert.deepEqual(timesAccepted(phones), once(phones));
		});

		it('Stop of its own execution does: the next message does not leave', async () => {
			await answerLate('sendText');
			const { phones, calling, called } = await startedInSub();
			await stop(called);
			const { error } = await finishedExecution(stage.session, calling);
			const sent = timesAccepted(phones).filter((times) => times > 0).length;
			assert.ok(sent < 10, `${sent} of 10 were accepted`);
			assert.match(error?.message ?? '', new RegExp(`May have been sent to ${phones[sent - 1]}`));
		});
	});
});
