import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { executionsOf, outputOf } from '../../../demo/n8n/rest/executions.mts';
import { activateWorkflow, runWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { until } from '../../../demo/n8n/until.mts';
import { executed, imported, inTest, lastTo, live, played } from '../world/examples.mts';
import { world } from '../world/installation.mts';
import type { Json } from '../world/nodes.mts';
import { linksIn, press } from '../world/questions.mts';
import { acceptedBy, campaigns, control, newPeople } from '../world/service.mts';
import { call, latest, succeeded, untilItWaits } from '../world/workflows.mts';

const stage = await world();

/* The workflows of examples/ as people import them. Those about campaigns are in campaign-examples.test.mts, the agent's is in agent-review.test.mts. */

const START = 'When you press Execute';
/** n8n polls at most once a minute. */
const TWO_POLLS = { withinMs: 150_000 };

const startById = async (id: string) => await runWorkflow(stage.session, id, START);

const run = async (id: string) => (await executed(stage, id)).execution;

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

/** Publishes an example that the service calls, and registers it there. */
async function publishedForService(name: string) {
	const id = await imported(stage, name);
	const { nodes } = await stage.session.get<Json>(`/rest/workflows/${id}`);
	const hook = nodes.find(({ webhookId }: Json) => webhookId).webhookId;
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
		polling = await imported(stage, 'polling-report', (parameters) => {
			if (parameters.pollTimes) parameters.pollTimes.item = [{ mode: 'everyMinute' }];
		});
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

	it('campaign-completed: the completion of a campaign starts the workflow', async () => {
		const { id, url } = await publishedForService('campaign-completed');
		const people = newPeople(25).map(({ phone }) => phone);
		await campaigns(stage.sandbox, 1, people);

		const completion = await succeeded(stage, await latest(stage, id));
		assert.equal(outputOf(completion, 'Campaign completed')[0].event, 'campaignCompleted');
		const logged = outputOf(completion, 'Messages').map(({ to }) => to);
		assert.deepEqual(logged.sort(), people.sort());
		assert.equal(outputOf(completion, 'Report')[0].recipients, 25);
		assert.deepEqual(
			stage.sandbox.world.webhook.deliveries.map(({ status, attempt }) => [status, attempt]),
			[[200, 1]],
		);
		// Another event of the same campaign, as after a restart of n8n: Remove Duplicates stops it.
		const [{ campaign_id }] = outputOf(completion, 'Campaign completed');
		assert.equal((await call(url, { event: 'done', campaign_id })).status, 200);
		const again = await succeeded(stage, await latest(stage, id));
		assert.notEqual(again.id, completion.id);
		assert.deepEqual(outputOf(again, 'Report'), []);
		for (const body of ['hello', '', '[1]', '{"campaign_id":']) {
			const { status, text } = await call(url, body, { 'content-type': 'application/json' });
			assert.ok(status < 500, `to ${JSON.stringify(body)}: ${status} ${text}`);
		}
	});

	it('first-campaign: a dry run as it is imported; with Mode Send, only those who agreed get a message', async () => {
		const dry = await executed(stage, await imported(stage, 'first-campaign'));
		assert.deepEqual(dry.accepted, []);

		const { execution, accepted } = await executed(
			stage,
			await imported(stage, 'first-campaign', live),
		);
		assert.equal(outputOf(execution, 'People')[0].people.length, 27);
		assert.equal(accepted.length, 25);
		const [{ text: counted, complete }] = outputOf(execution, 'Report');
		// Also in README.md and docs/first-campaign.md.
		assert.match(
			counted,
			/^Sent on .+, to 25 recipients: 24 delivered, of them 1 read; 1 failed \(Recipient is not a chat-app user\)$/,
		);
		assert.equal(complete, true);
		const { text } = await lastTo(stage, '12025550111');
		assert.match(text, /^Spring at the bakery\nAda Brown, take 20% off every cake this week\.$/m);
	});

	it('otp-template-by-language: each person gets the code in their language', async () => {
		const execution = await run(await imported(stage, 'otp-template-by-language', live));
		assert.equal(outputOf(execution, 'Send code').length, 3);
		const texts = [];
		for (const phone of ['12025550111', '12025550112', '12025550113']) {
			texts.push((await lastTo(stage, phone)).message);
		}
		assert.deepEqual(texts, [
			'Your Bakery code is 482913. Please use it within 5 minutes.',
			'071544 is your code for Bakery. It expires in 5 minutes.',
			// There is no template in Portuguese.
			'930127 is your code for Bakery. It expires in 5 minutes.',
		]);
	});

	it('text-or-template: only people whose text the service has refused get a template', async () => {
		// The service accepts Chloe's text, but the connection breaks before the answer.
		stage.sandbox.world.faults.add([
			{ match: { recipient: '12025550113' }, fault: { kind: 'reset' }, act: true },
		]);
		const { execution, error } = await played(
			stage,
			await imported(stage, 'text-or-template', live),
		);
		assert.match(
			error ?? '',
			/^Not everybody got a message: .*Daniel \(.*Chloe \(|Chloe \(.*Daniel \(/,
		);
		assert.doesNotMatch(error ?? '', /undefined/);
		const namesAt = (node: string) => outputOf(execution, node).map(({ name, to }) => name ?? to);
		assert.equal(outputOf(execution, 'Sent as text').length, 1);
		assert.deepEqual(namesAt('Sent as template'), ['12025550124']);
		assert.deepEqual(namesAt('Look at these').sort(), ['Chloe', 'Daniel']);

		assert.match((await lastTo(stage, '12025550111')).message, /^Hello Ada,/);
		const { template } = await lastTo(stage, '12025550124');
		assert.equal(template.name, 'order_ready');
		assert.match(JSON.stringify(template), /"Ben"/);
		// Nobody got both.
		assert.equal((await lastTo(stage, '12025550113')).template, undefined);

		// A test to somebody whose 24 hours are over. The bad row is only left out.
		const tested = await played(
			stage,
			await imported(stage, 'text-or-template', inTest('12025550124')),
		);
		assert.equal(outputOf(tested.execution, 'Look at these').length, 1);
		assert.deepEqual(outputOf(tested.execution, 'Sent as template'), []);
	});

	it('send-and-wait-approval: one question after the other, and both answers at the end', async () => {
		const managers = ['12025550111', '12025550112'];
		const askedBefore = await Promise.all(
			managers.map(async (manager) => (await acceptedBy(stage.sandbox, manager)).length),
		);
		const execution = await startById(await imported(stage, 'send-and-wait-approval'));
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
		const execution = await startById(await imported(stage, 'ask-with-a-form'));
		await untilItWaits(stage, execution);
		const { message } = await lastTo(stage, '12025550111');
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
		const [{ to, status }] = outputOf(
			await run(await imported(stage, 'login-code-template', live)),
			'Send code',
		);
		assert.equal(status, 'accepted');
		const { template } = await lastTo(stage, to);
		assert.deepEqual(
			template.components.map(({ type, parameters }: Json) => [type, parameters[0].text]),
			[
				['button', '482913'],
				['body', '482913'],
			],
		);
	});

	it('completed-report-alert: a campaign with failures raises an alert with its report as HTML', async () => {
		const { id } = await publishedForService('completed-report-alert');
		// In the sandbox, messages to such a number fail.
		const people = [...newPeople(24).map(({ phone }) => phone), '12025550101'];
		await campaigns(stage.sandbox, 1, people);
		const [alert] = outputOf(await succeeded(stage, await latest(stage, id)), 'Tell somebody');
		assert.match(alert.text, /^Sent on .+, to 25 recipients: .*1 failed/);
		assert.match(alert.html, /^<div style=.*25 recipients: /);
	});

	it('polling-report: the log trigger finds each record of a campaign once, and the table has a row for it', async () => {
		await polledSince(published);
		const people = newPeople(25).map(({ phone }) => phone);
		const [campaign_id] = await campaigns(stage.sandbox, 1, people);
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
		assert.equal(row.delivered + row.failed, 25);
		const found = (await polls())
			.flatMap((poll) => outputOf(poll, 'Messages changed'))
			.filter((record) => record.campaign_id === campaign_id && record.change === 'new');
		assert.deepEqual(found.map(({ to }) => to).sort(), people.sort());
	});
});
