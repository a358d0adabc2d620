import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import {
	executionsOf,
	finishedExecution,
	itemsOf,
	outputOf,
	type Json,
} from '../../demo/n8n/rest/executions.mts';
import {
	activateWorkflow,
	createWorkflow,
	runWorkflow,
	type SavedWorkflow,
} from '../../demo/n8n/rest/workflows.mts';
import { until } from '../../demo/n8n/until.mts';
import { world, type World } from './world/world.mts';

/*
 * The workflows of examples/ as people import them. Those with a person's answer are in
 * send-and-wait*.test.mts, the demo's two in campaign.test.mts.
 */

const START = 'When you press Execute';

let stage: World;

/** Imports an example; `change` is what the test must have otherwise. */
async function imported(name: string, change = (text: string) => text): Promise<SavedWorkflow> {
	const file = new URL(`../../examples/${name}.json`, import.meta.url);
	const { id: _, ...workflow } = JSON.parse(change(readFileSync(file, 'utf8')));
	return await createWorkflow(stage.session, workflow);
}

async function runExample(name: string) {
	const { id } = await imported(name);
	const execution = await finishedExecution(
		stage.session,
		await runWorkflow(stage.session, id, START),
	);
	assert.equal(execution.status, 'success', execution.error?.message);
	return execution;
}

async function registerWebhook(url: string) {
	const answer = await fetch(`${stage.sandbox.url}/_sandbox/webhook`, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ url }),
	});
	assert.equal(answer.status, 200, await answer.text());
}

describe('the example workflows', () => {
	before(async () => {
		stage = await world();
	});

	after(() => {
		stage.sandbox.world.webhook.registration = null;
	});

	it('login-code-template: the code stands in the text and in the button', async () => {
		const execution = await runExample('login-code-template');
		const [{ to, status }] = outputOf(execution, 'Send code');
		assert.equal(status, 'success');
		const accepted = await fetch(`${stage.sandbox.url}/_sandbox/accepted?recipient=${to}`);
		const sent = ((await accepted.json()) as Json[]).at(-1)!;
		assert.deepEqual(
			sent.template.components.map((component: Json) => [
				component.type,
				component.parameters[0].text,
			]),
			[
				['body', '482913'],
				['button', '482913'],
			],
		);
	});

	it('send-wait-report: waits until everyone is decided, and writes a row for each', async () => {
		const execution = await runExample('send-wait-report');
		const people = outputOf(execution, 'One item per person');
		const rows = outputOf(execution, 'Write row');
		assert.ok(people.length > 2);
		assert.deepEqual(
			rows.map(({ phone }) => phone).sort(),
			people.map(({ phone }) => phone).sort(),
		);
		for (const row of rows) assert.match(row.status, /^(delivered|read|failed)$/);
	});

	it('completed-report-alert: a campaign with failures raises an alert with its picture', async () => {
		// Another path than that of the same workflow in n8n's memory.
		const hook = 'e2e-completed-report-alert';
		const workflow = await imported('completed-report-alert', (text) =>
			text.replace(/"webhookId": "[^"]+"/, `"webhookId": "${hook}"`),
		);
		await activateWorkflow(stage.session, workflow.id);
		await registerWebhook(`${stage.n8n.url}/webhook/${hook}/webhook`);

		// Among its recipients are some whose numbers fail at the sandbox.
		await runExample('campaign-from-a-list');
		const [{ id }] = await until('the alert workflow starts', async () => {
			const executions = await executionsOf(stage.session, workflow.id);
			return executions.length > 0 ? executions : undefined;
		});
		const execution = await finishedExecution(stage.session, id);
		assert.equal(execution.status, 'success', execution.error?.message);
		const [alert] = itemsOf(execution, 'Tell somebody') as Array<{
			json: Json;
			binary?: Record<string, { mimeType: string }>;
		}>;
		assert.match(alert.json.subject, /\d+ of 25 messages of campaign .* failed/);
		assert.equal(alert.binary?.picture.mimeType, 'image/svg+xml');
	});
});
