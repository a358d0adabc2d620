import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe, it } from 'node:test';
import { executionsOf, outputOf } from '../../../demo/n8n/rest/executions.mts';
import {
	activateWorkflow,
	createWorkflow,
	runWorkflow,
} from '../../../demo/n8n/rest/workflows.mts';
import { until } from '../../../demo/n8n/until.mts';
import { world } from '../world/installation.mts';
import type { Json } from '../world/nodes.mts';
import { linksIn, press } from '../world/questions.mts';
import { acceptedBy, control, requestsDuring } from '../world/service.mts';
import { call, ended, errorOf, latest, succeeded, untilItWaits } from '../world/workflows.mts';

const stage = await world();

/* The workflows of examples/ as people import them. The agent's is in agent-review.test.mts. */

const START = 'When you press Execute';
/** n8n polls at most once a minute. */
const TWO_POLLS = { withinMs: 150_000 };

/** Imports an example; `change` adapts it for the test. @returns its id */
async function imported(name: string, change = (text: string) => text): Promise<string> {
	const file = new URL(`../../../examples/${name}.json`, import.meta.url);
	const ours = readFileSync(file, 'utf8').replaceAll('messagingSandbox', stage.credential.id);
	const { id: _, ...workflow } = JSON.parse(change(ours));
	return (await createWorkflow(stage.session, workflow)).id;
}

const startById = async (id: string) => await runWorkflow(stage.session, id, START);

const run = async (id: string) => await succeeded(stage, await startById(id));

const runExample = async (name: string) => await run(await imported(name));

/** Runs `work`, and counts the messages that the service accepted meanwhile. */
const acceptedDuring = async (work: () => Promise<unknown>) =>
	(await requestsDuring(stage.sandbox, work)).accepted;

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

/** Sets the first node that sends to Mode Test. */
const inTest = (number: string) => (text: string) =>
	text.replace('"to": "=', `"sendMode": "test", "testRecipient": "${number}", "to": "=`);

/** Publishes an example that the service calls, and registers it there. */
async function publishedForService(name: string) {
	// Another path than that of the file, which n8n accepts only once.
	const hook = `e2e-${randomUUID()}`;
	const id = await imported(name, (text) =>
		text.replace(/"webhookId": "[^"]+"/, `"webhookId": "${hook}"`),
	);
	await activateWorkflow(stage.session, id);
	const url = `${stage.url}/webhook/${hook}/webhook`;
	await control(stage.sandbox, 'PUT', '/webhook', { url });
	return { id, url };
}

describe('the example workflows', () => {
	let polling: string;
	let published: string;

	before(async () => {
		// Its first poll, within a minute, only remembers the existing records: the other tests run meanwhile.
		polling = await imported('polling-report', (text) =>
			text.replace(/\{[^{}]*"mode": "everyX"[^{}]*\}/, '{ "mode": "everyMinute" }'),
		);
		await activateWorkflow(stage.session, polling);
		published = new Date().toISOString();
	});

	// Campaigns of other tests must not start these workflows: their requests would count as theirs.
	afterEach(() => {
		stage.sandbox.world.webhook.registration = null;
	});

	after(async () => {
		await stage.session.post(`/rest/workflows/${polling}/deactivate`, {});
	});

	it('campaign-from-a-list, campaign-completed: the list is one campaign, whose completion starts the other workflow', async () => {
		const { id, url } = await publishedForService('campaign-completed');
		const { result, requests, accepted } = await requestsDuring(stage.sandbox, async () => {
			return await runExample('campaign-from-a-list');
		});
		// The first two are the check that the template needs no values.
		const { getChannels, getChannelTemplates, sendCampaign } = requests;
		assert.deepEqual([getChannels, getChannelTemplates, sendCampaign, accepted], [1, 1, 1, 25]);

		const completion = await succeeded(stage, await latest(stage, id));
		assert.equal(outputOf(completion, 'Campaign completed')[0].event, 'campaignCompleted');
		const phones = outputOf(result, 'One item per person').map(({ phone }) => phone);
		const logged = outputOf(completion, 'Messages').map(({ to }) => to);
		assert.deepEqual(logged.sort(), phones.sort());
		assert.equal(outputOf(completion, 'Report').length, 1);
		assert.deepEqual(
			stage.sandbox.world.webhook.deliveries.map(({ status, attempt }) => [status, attempt]),
			[[200, 1]],
		);
		for (const body of ['hello', '', '[1]', '{"campaign_id":']) {
			const { status, text } = await call(url, body, { 'content-type': 'application/json' });
			assert.ok(status < 500, `to ${JSON.stringify(body)}: ${status} ${text}`);
		}
	});

	it('campaign-from-a-table: sends to each row once, and writes the campaign into the row', async () => {
		const tested = await imported('campaign-from-a-table', inTest('447700900299'));
		assert.deepEqual(outputOf(await run(tested), 'Note it'), []);

		const workflow = await imported('campaign-from-a-table');
		const phones = ['447700900241', '447700900242', '447700900243', '447700900244'];
		const first = await run(workflow);
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
			assert.deepEqual(outputOf(await run(workflow), 'Not written to yet'), []);
		});
		assert.equal(again, 0);
	});

	it('first-campaign: a dry run as it is imported; with Mode Send, only those who agreed get a message', async () => {
		assert.equal(await acceptedDuring(async () => await runExample('first-campaign')), 0);

		const workflow = await imported('first-campaign', (text) =>
			text.replace('"sendMode": "dryRun"', '"sendMode": "send"'),
		);
		const sent = await acceptedDuring(async () => {
			const execution = await run(workflow);
			assert.equal(outputOf(execution, 'People')[0].people.length, 27);
			const [{ text, complete }] = outputOf(execution, 'Report');
			// Also in README.md and docs/first-campaign.md.
			assert.match(
				text,
				/^Sent on .+, to 25 recipients: 23 delivered, 1 failed \(Recipient is not a chat-app user\), 1 read$/,
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
			const failed = await ended(stage, await startById(workflow));
			assert.match(errorOf(failed) ?? '', /Nothing was sent.*'Message' is empty/s);
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

		// A test to somebody whose 24 hours are over.
		const tested = await run(await imported('text-or-template', inTest('447700900024')));
		assert.equal(outputOf(tested, 'Look at these').length, 2);
		assert.deepEqual(outputOf(tested, 'Sent as template'), []);
	});

	it('send-and-wait-approval: one question after the other, and both answers at the end', async () => {
		const managers = ['447700900211', '447700900212'];
		const askedBefore = await Promise.all(
			managers.map(async (manager) => (await acceptedBy(stage.sandbox, manager)).length),
		);
		const execution = await startById(await imported('send-and-wait-approval'));
		for (const [index, decision] of ['approve', 'disapprove'].entries()) {
			const { message } = await until(`the question reaches ${managers[index]}`, async () =>
				(await acceptedBy(stage.sandbox, managers[index])).at(askedBefore[index]),
			);
			await untilItWaits(stage, execution);
			assert.match(message, /Shall we pay\?/);
			assert.equal((await press(linksIn(message)[0], { decision })).status, 200);
		}
		const decided = await succeeded(stage, execution);
		const approved = (output: number) =>
			outputOf(decided, 'Approved?', output).map(({ data }) => data.approved);
		assert.deepEqual([approved(0), approved(1)], [[true], [false]]);
	});

	it('ask-with-a-form: the text has the link to n8n’s form, and the workflow continues with what was entered', async () => {
		const execution = await startById(await imported('ask-with-a-form'));
		await untilItWaits(stage, execution);
		const { message } = await lastTo('447700900211');
		const [link] = linksIn(message);
		assert.equal(
			message,
			`Hello Ada Brown, when may we bring order A-1042? Please tell us here: ${link}`,
		);
		assert.match(await (await fetch(link)).text(), /Order A-1042/);

		const form = new FormData();
		for (const [index, value] of ['2026-12-01', 'Morning', 'Ring twice'].entries()) {
			form.append(`field-${index}`, value);
		}
		assert.equal((await call(link, form)).status, 200);
		const [filledIn] = outputOf(await succeeded(stage, execution), 'Filled in?');
		const { Day, Time, 'Anything else?': more } = filledIn;
		assert.deepEqual([Day, Time, more], ['2026-12-01', 'Morning', 'Ring twice']);
	});

	it('login-code-template: the code is in the text and in the button', async () => {
		const [{ to, status }] = outputOf(await runExample('login-code-template'), 'Send code');
		assert.equal(status, 'success');
		const { template } = await lastTo(to);
		assert.deepEqual(
			template.components.map(({ type, parameters }: Json) => [type, parameters[0].text]),
			[
				['body', '482913'],
				['button', '482913'],
			],
		);
	});

	it('completed-report-alert: a campaign with failures raises an alert with its report as HTML', async () => {
		const { id } = await publishedForService('completed-report-alert');
		// In the sandbox, messages to some of its recipients fail.
		await runExample('campaign-from-a-list');
		const [alert] = outputOf(await succeeded(stage, await latest(stage, id)), 'Tell somebody');
		assert.match(alert.text, /^Sent on .+, to 25 recipients: .*\d+ failed/);
		assert.match(alert.html, /^<div style=.*25 recipients: /);
	});

	it('polling-report: the log trigger finds each record of a campaign once, and the table has a row for it', async () => {
		await polledSince(published);
		const sent = outputOf(await runExample('campaign-from-a-list'), 'Send campaign');
		const [{ campaign_id }] = sent;
		const polls = async () => {
			const started = await executionsOf(stage.session, polling);
			return await Promise.all(started.map(async ({ id }) => await succeeded(stage, id)));
		};
		const row = await until(
			`the row of campaign ${campaign_id}`,
			async () => {
				const rows = (await polls()).flatMap((poll) => outputOf(poll, 'Write row'));
				return rows.find((each) => each.campaign_id === campaign_id && each.pending === 0);
			},
			{ ...TWO_POLLS, everyMs: 2000 },
		);
		assert.equal(row.recipients, 25);
		assert.match(row.statuses, /\d+ delivered/);
		const found = (await polls())
			.flatMap((poll) => outputOf(poll, 'Messages changed'))
			.filter((record) => record.campaign_id === campaign_id && record.change === 'new');
		assert.deepEqual(found.map(({ to }) => to).sort(), sent.map(({ to }) => to).sort());
	});
});
