import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import {
	executionsOf,
	finishedExecution,
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

	it('first-campaign: a dry run as it is imported; with Mode Send, only those who agreed get a message', async () => {
		const dryRun = await acceptedDuring(async () => void (await runExample('first-campaign')));
		assert.equal(dryRun, 0);

		const workflow = await imported('first-campaign', (text) =>
			text.replace('"mode": "dryRun"', '"mode": "send"'),
		);
		const sent = await acceptedDuring(async () => {
			const execution = await runSuccessfully(workflow);
			assert.equal(outputOf(execution, 'People')[0].people.length, 27);
			const [{ text, complete }] = outputOf(execution, 'Report');
			// Also in README.md and docs/first-campaign.md.
			assert.equal(
				text,
				'25 recipients: 23 delivered, 1 failed (Recipient is not a chat-app user), 1 read',
			);
			assert.equal(complete, true);
		});
		assert.equal(sent, 25);
		const { text } = await lastTo('447700900211');
		assert.match(text, /^Spring at the bakery\nAda Brown, take 20% off every cake this week\.$/m);
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

	it('ask-with-a-form: the text has the link to n8n’s form, and the workflow continues with what was entered', async () => {
		const { id } = await imported('ask-with-a-form');
		const execution = await runWorkflow(stage.session, id, START);
		await untilItWaits(stage.session, execution);
		const { message } = await lastTo('447700900211');
		const [link] = linksIn(message);
		assert.equal(
			message,
			`Hello Ada Brown, when may we bring order A-1042? Please tell us here: ${link}`,
		);
		const page = await (await fetch(link)).text();
		assert.match(page, /Order A-1042/);

		const form = new FormData();
		for (const [index, value] of ['2026-12-01', 'Morning', 'Ring twice'].entries()) {
			form.append(`field-${index}`, value);
		}
		const { status } = await fetch(link, { method: 'POST', body: form });
		assert.equal(status, 200);
		const filledIn = await finishedExecution(stage.session, execution);
		assert.equal(filledIn.status, 'success', filledIn.error?.message);
		const [{ Day, Time, 'Anything else?': more }] = outputOf(filledIn, 'Filled in?');
		assert.deepEqual([Day, Time, more], ['2026-12-01', 'Morning', 'Ring twice']);
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

	it('completed-report-alert: a campaign with failures raises an alert with its report as HTML', async () => {
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
		const [alert] = outputOf(execution, 'Tell somebody');
		assert.match(alert.text, /^25 recipients: .*\d+ failed/);
		assert.match(alert.html, /^<div style=.*25 recipients: /);
	});

	it('polling-report: the table has a row for a campaign that was found by polling', async () => {
		await polledSince(published);
		const [{ campaign_id }] = outputOf(await runExample('campaign-from-a-list'), 'Send campaign');
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
		assert.equal(row.recipients, 25);
		assert.match(row.statuses, /\d+ delivered/);
	});
});
