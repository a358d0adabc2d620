import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import {
	executionsOf,
	finishedExecution,
	itemsOf,
	outputOf,
	type Json,
} from '../../../demo/n8n/rest/executions.mts';
import {
	activateWorkflow,
	createWorkflow,
	runWorkflow,
	type SavedWorkflow,
} from '../../../demo/n8n/rest/workflows.mts';
import { until } from '../../../demo/n8n/until.mts';
import { acceptedBy, linksIn, press, untilItWaits } from './world/questions.mts';
import { world, type World } from './world/world.mts';

/*
 * The workflows of examples/ as people import them. The agent's is in send-and-wait-agent.test.mts, the
 * demo's two are in campaign.test.mts.
 */

const START = 'When you press Execute';
/** n8n polls at most once a minute. */
const TWO_POLLS = { withinMs: 150_000 };

let stage: World;

/** Imports an example; `change` adapts it for the test. */
async function imported(name: string, change = (text: string) => text): Promise<SavedWorkflow> {
	const file = new URL(`../../../examples/${name}.json`, import.meta.url);
	const { id: _, ...workflow } = JSON.parse(change(readFileSync(file, 'utf8')));
	return await createWorkflow(stage.session, workflow);
}

const run = async ({ id }: SavedWorkflow) =>
	await finishedExecution(stage.session, await runWorkflow(stage.session, id, START));

async function runSuccessfully(workflow: SavedWorkflow) {
	const execution = await run(workflow);
	assert.equal(execution.status, 'success', execution.error?.message);
	return execution;
}

const runExample = async (name: string) => await runSuccessfully(await imported(name));

/** Runs `work`, and counts the messages that the service accepted meanwhile. */
const acceptedDuring = async (work: () => Promise<unknown>) => {
	const { messages } = stage.sandbox.world;
	const before = messages.tally().messages;
	await work();
	return messages.tally().messages - before;
};

/** The last message that the service accepted for a recipient. */
async function lastTo(recipient: string): Promise<Json> {
	const accepted = await acceptedBy(stage.sandbox, recipient);
	assert.ok(accepted.length > 0, `Nothing was accepted for ${recipient}`);
	return accepted.at(-1)!;
}

/** Waits for a poll of the log trigger after this time. Only polls read the logs without a filter. */
async function polledSince(time: string) {
	const isPoll = ({ at, endpoint, query }: { at: string; endpoint: string; query: string }) =>
		at > time && endpoint === 'getLogs' && !/campaign_id|identifier/.test(query);
	await until(
		'the log trigger polls',
		async () => stage.sandbox.world.traffic.last(Infinity).some(isPoll) || undefined,
		TWO_POLLS,
	);
}

async function pathOfTables() {
	const { id } = await stage.session.get<Json>('/rest/projects/personal');
	return `/rest/projects/${id}/data-tables`;
}

async function untilTableExists(name: string) {
	const path = await pathOfTables();
	await until(`the table ${name} exists`, async () => {
		const { data } = await stage.session.get<{ data: Json[] }>(path);
		return data.some((table) => table.name === name) || undefined;
	});
}

async function createTable(name: string, columns: string[]) {
	await stage.session.post(await pathOfTables(), {
		name,
		columns: columns.map((column) => ({ name: column, type: 'string' })),
	});
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
	let polling: SavedWorkflow;
	let published: string;

	before(async () => {
		stage = await world();
		// Its first poll, within a minute, only remembers the existing records: the other tests run meanwhile.
		polling = await imported('polling-report', (text) =>
			text.replace(/\{[^{}]*"mode": "everyX"[^{}]*\}/, '{ "mode": "everyMinute" }'),
		);
		await activateWorkflow(stage.session, polling.id);
		published = new Date().toISOString();
	});

	after(async () => {
		stage.sandbox.world.webhook.registration = null;
		// Otherwise its polls would count as requests of other tests.
		await stage.session.post(`/rest/workflows/${polling.id}/deactivate`, {});
	});

	it('campaign-from-a-table: sends to each row once, and writes the campaign into the row', async () => {
		const workflow = await imported('campaign-from-a-table');
		const phones = ['447700900241', '447700900242', '447700900243', '447700900244'];
		const first = await runSuccessfully(workflow);
		const sent = outputOf(first, 'Send campaign');
		assert.deepEqual(sent.map(({ to }) => to).sort(), phones);
		assert.equal(new Set(sent.map(({ campaign_id }) => campaign_id)).size, 1);
		assert.deepEqual(
			outputOf(first, 'Note it')
				.map(({ phone, campaign_id }) => [phone, campaign_id])
				.sort(),
			phones.map((phone) => [phone, sent[0].campaign_id]),
		);

		const again = await acceptedDuring(async () => {
			assert.deepEqual(outputOf(await runSuccessfully(workflow), 'Not written to yet'), []);
		});
		assert.equal(again, 0);
	});

	it('campaign-with-placeholders: everyone reads a text of their own', async () => {
		const execution = await runExample('campaign-with-placeholders');
		assert.deepEqual(
			outputOf(execution, 'Send campaign').map(({ to, identifier }) => [to, identifier]),
			[
				['447700900211', 'A-1042'],
				['447700900212', 'A-1043'],
				['447700900213', 'A-1044'],
			],
		);
		const { template } = await lastTo('447700900212');
		assert.deepEqual(template, {
			name: 'delivery_update',
			components: [
				{
					type: 'body',
					parameters: ['Ben', 'A-1043', 'Wednesday'].map((text) => ({ type: 'text', text })),
				},
			],
		});
	});

	it('otp-template-by-language: each person gets the code in their language', async () => {
		const execution = await runExample('otp-template-by-language');
		assert.equal(outputOf(execution, 'Send code').length, 3);
		const texts = [];
		for (const phone of ['447700900211', '447700900212', '447700900213']) {
			texts.push((await lastTo(phone)).message);
		}
		assert.deepEqual(texts, [
			'Your Bakery code is 482913. Please use it within 5 minutes.',
			'071544 is your code for Bakery. It expires in 5 minutes.',
			// There is no template in Portuguese.
			'930127 is your code for Bakery. It expires in 5 minutes.',
		]);
	});

	it('otp-template-by-language: a placeholder without a value is never sent', async () => {
		const workflow = await imported('otp-template-by-language', (text) =>
			text.replace("minutes: '5'", "hours: '1'"),
		);
		const accepted = await acceptedDuring(async () => {
			const { status, error } = await run(workflow);
			assert.equal(status, 'error');
			assert.match(error?.message ?? '', /Nothing was sent.*'Message' is empty/s);
		});
		assert.equal(accepted, 0);
	});

	it('text-or-template: only people whose text the service has refused get a template', async () => {
		// The service accepts Chloe's text, but the connection breaks before the answer.
		stage.sandbox.world.faults.add([
			{ match: { recipient: '447700900213' }, fault: { kind: 'reset' }, act: true },
		]);
		const execution = await runExample('text-or-template');
		const namesAt = (node: string) => outputOf(execution, node).map(({ name, to }) => name ?? to);
		assert.equal(outputOf(execution, 'Sent as text').length, 1);
		assert.deepEqual(namesAt('Sent as template'), ['447700900024']);
		assert.deepEqual(namesAt('Look at these').sort(), ['Chloe', 'Daniel']);

		assert.match((await lastTo('447700900211')).message, /^Hello Ada,/);
		const { template } = await lastTo('447700900024');
		assert.equal(template.name, 'order_ready');
		assert.match(JSON.stringify(template), /"Ben"/);
		// Nobody got both.
		assert.equal((await lastTo('447700900213')).template, undefined);
	});

	it('send-and-wait-approval: one question after the other, and both answers at the end', async () => {
		const { id } = await imported('send-and-wait-approval');
		const execution = await runWorkflow(stage.session, id, START);
		for (const [manager, decision] of [
			['447700900211', 'approve'],
			['447700900212', 'disapprove'],
		]) {
			const message = await until(`the question reaches ${manager}`, async () => {
				const texts = (await acceptedBy(stage.sandbox, manager)).map((sent) => sent.message ?? '');
				return texts.find((text) => /Shall we pay\?/.test(text));
			});
			await untilItWaits(stage.session, execution);
			const { status } = await press(linksIn(message)[0], { decision });
			assert.equal(status, 200);
		}
		const decided = await finishedExecution(stage.session, execution);
		assert.equal(decided.status, 'success', decided.error?.message);
		const approved = (output: number) =>
			outputOf(decided, 'Approved?', output).map(({ data }) => data.approved);
		assert.deepEqual([approved(0), approved(1)], [[true], [false]]);
	});

	it('login-code-template: the code is in the text and in the button', async () => {
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

	it('send-wait-report: waits until every message has a final status, and writes a row for each', async () => {
		const running = runExample('send-wait-report');
		// When n8n looks for a table by name, it takes the newest one whose name contains that name.
		await untilTableExists('Campaign recipients');
		await createTable('Campaign recipients of last year', ['telephone']);
		const execution = await running;
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
		// Another path, because n8n has already published a workflow with the original one.
		const hook = 'e2e-completed-report-alert';
		const workflow = await imported('completed-report-alert', (text) =>
			text.replace(/"webhookId": "[^"]+"/, `"webhookId": "${hook}"`),
		);
		await activateWorkflow(stage.session, workflow.id);
		await registerWebhook(`${stage.n8n.url}/webhook/${hook}/webhook`);

		// In the sandbox, messages to some of its recipients fail.
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

	it('polling-report: the table has a row for a campaign that was found by polling', async () => {
		await polledSince(published);
		const [{ campaign_id }] = outputOf(
			await runExample('campaign-with-placeholders'),
			'Send campaign',
		);
		const row = await until(
			`the row of campaign ${campaign_id}`,
			async () => {
				for (const { id } of await executionsOf(stage.session, polling.id)) {
					const execution = await finishedExecution(stage.session, id);
					assert.equal(execution.status, 'success', execution.error?.message);
					const rows = outputOf(execution, 'Write row');
					const found = rows.find((each) => each.campaign_id === campaign_id);
					if (found && found.pending === 0) return found;
				}
				return undefined;
			},
			{ ...TWO_POLLS, everyMs: 2000 },
		);
		assert.deepEqual(
			[row.recipients, row.statuses, row.units, row.reasons],
			[3, '3 delivered', 3, ''],
		);
	});
});
