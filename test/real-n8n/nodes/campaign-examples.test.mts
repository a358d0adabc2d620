import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, describe, it } from 'node:test';
import { createCredential } from '../../../demo/n8n/rest/credentials.mts';
import { outputOf } from '../../../demo/n8n/rest/executions.mts';
import { activateWorkflow, changeNode, runWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { enterCode } from '../../../demo/story/code.mts';
import {
	acceptedDuring,
	type Change,
	choosing,
	executed,
	imported,
	inTest,
	live,
	played,
	withList,
} from '../world/examples.mts';
import { world } from '../world/installation.mts';
import { startMailServer } from '../world/mailServer.mts';
import { into, type Json } from '../world/nodes.mts';
import { fillIn, linksIn, open, press } from '../world/questions.mts';
import { enterCodes } from '../world/sendByHand.mts';
import { acceptedBy, campaigns, control } from '../world/service.mts';
import {
	ended,
	errorOf,
	executeStep,
	latest,
	publishForCalls,
	stop,
	succeeded,
	untilItWaits,
} from '../world/workflows.mts';

const stage = await world();

/* The examples about campaigns (examples/README.md), each played with its own list: what leaves, and to whom. */

const MY_NUMBER = '12025550199';
const START = 'When you press Execute';
const MONDAY = 'Every Monday at 10';

const toOf = (messages: Json[]) => messages.map(({ to }) => to);

/** A campaign of these people that has reached its end. */
async function campaignTo(...people: string[]): Promise<string> {
	const [id] = await campaigns(stage.sandbox, 1, people);
	await control(stage.sandbox, 'POST', `/campaigns/${id}/complete`);
	return id;
}

describe('the examples of campaigns', () => {
	afterEach(async () => {
		await control(stage.sandbox, 'DELETE', '/faults');
	});

	it('weekly-to-new-rows: sends to each new number once, however it is written, and notes it', async () => {
		const name = 'weekly-to-new-rows';
		const dry = await played(stage, await imported(stage, name), MONDAY);
		assert.equal(outputOf(dry.execution, 'Send campaign').length, 4);
		const tested = await played(stage, await imported(stage, name, inTest(MY_NUMBER)), MONDAY);
		assert.deepEqual([toOf(dry.accepted), toOf(tested.accepted)], [[], [MY_NUMBER]]);
		for (const { execution } of [dry, tested]) assert.deepEqual(outputOf(execution, 'Note it'), []);

		const workflow = await imported(stage, name, live);
		const first = await played(stage, workflow, MONDAY);
		assert.deepEqual(
			first.accepted.map(({ to, text }) => [to, text.split('\n')[1]]),
			[
				['12025550141', 'Ada Brown, take 20% off every cake this week.'],
				['12025550142', 'Ben Castillo, take 20% off every cake this week.'],
				['12025550143', 'Chloe Diaz, take 20% off every cake this week.'],
			],
		);
		assert.deepEqual(
			outputOf(first.execution, 'Note it').map(({ number, outcome }) => [number, outcome]),
			[
				['12025550141', 'accepted'],
				['12025550142', 'accepted'],
				['12025550143', 'accepted'],
				['', 'duplicate of 12025550141'],
			],
		);
		assert.deepEqual(toOf(outputOf(first.execution, 'Look at these')), ['020 7946 0145']);
		assert.match(
			first.error ?? '',
			/^Not everybody got the message: Emma Fischer \(020 7946 0145\): This is/,
		);
		assert.deepEqual((await played(stage, workflow, MONDAY)).accepted, []);

		const rows = [
			{ name: 'Ada', phone: '001 (202) 555-0141', agreed: 'yes' },
			{ name: 'Zoe', phone: '+1 202 555 0146', agreed: 'X' },
		];
		// The service accepts the message, but the connection breaks, and the logs cannot be read.
		await control(stage.sandbox, 'POST', '/faults', [
			{ match: { endpoint: 'sendCampaign' }, fault: { kind: 'reset' }, act: true },
			{ match: { endpoint: 'getLogs' }, fault: { kind: 'status', status: 404 }, times: 0 },
		]);
		const next = await imported(stage, name, live, withList('Customers', rows));
		const before = (await acceptedBy(stage.sandbox)).length;
		const second = await ended(stage, await runWorkflow(stage.session, next, MONDAY));
		assert.deepEqual(toOf((await acceptedBy(stage.sandbox)).slice(before)), ['12025550146']);
		assert.match(
			errorOf(second) ?? '',
			/^Not everybody got the message: Zoe \(.*delete their row from the table 'Sent every week'/,
		);
		const [{ number, outcome }] = outputOf(second, 'Note it');
		assert.deepEqual([number, outcome], ['12025550146', 'may have been sent']);
		assert.deepEqual((await executed(stage, next, MONDAY)).accepted, []);
	});

	it('send-between-9-and-18: sends at once within the hours, and otherwise waits for them', async () => {
		const at = (hours: Json) => (parameters: Json, node: string) => {
			if (node === 'When') parameters.jsonOutput = JSON.stringify(hours);
		};
		const name = 'send-between-9-and-18';
		const allDay = { fromHour: 0, untilHour: 24 };
		const phones = ['12025550141', '12025550142', '12025550143'];
		// Somebody is in the list twice.
		const people = [...phones, '+1 202 555 0141'].map((phone) => ({
			name: 'Ada',
			phone,
			agreed: 'yes',
		}));
		const twice = withList('People', people);
		const open = await imported(stage, name, live, twice, at({ ...allDay, notBefore: '' }));
		assert.deepEqual(toOf((await executed(stage, open)).accepted), phones);

		await enterCodes(stage, open);
		const notBefore = new Date(Date.now() + 4000).toISOString();
		const jsonOutput = JSON.stringify({ ...allDay, notBefore });
		await changeNode(stage.session, open, 'When', { jsonOutput });
		const before = (await acceptedBy(stage.sandbox)).length;
		const execution = await succeeded(stage, await runWorkflow(stage.session, open, START));
		const accepted = (await acceptedBy(stage.sandbox)).slice(before);
		assert.deepEqual(toOf(accepted), phones);
		assert.equal(outputOf(execution, 'Wait until then').length, 1);

		// A date that is still to come.
		const closed = await imported(
			stage,
			name,
			live,
			at({ ...allDay, notBefore: new Date(Date.now() + 86_400_000).toISOString() }),
		);
		const sent = await acceptedDuring(stage, async () => {
			const waiting = await runWorkflow(stage.session, closed, START);
			await untilItWaits(stage, waiting);
			await stop(stage, waiting);
		});
		assert.equal(sent, 0);
	});

	it('opt-out-page: whoever enters a number gets no campaign, however the list writes it', async () => {
		const workflow = await imported(stage, 'opt-out-page', live);
		await activateWorkflow(stage.session, workflow);
		const page = `${stage.url}/form/no-more-messages`;
		const { html } = await open(`${page}?Phone=%2B1 202 555 0142`);
		assert.match(html, /No more messages/);
		assert.match(html, /with \+ and country code, such as \+1 202 555 0126/);
		assert.match(html, /value="\+1 202 555 0142"/);

		const answers: string[] = [];
		// The second has the right length in Egypt, +20.
		for (const typed of ['+1 (202) 555-0142', '(202) 555-0141', 'my number']) {
			answers.push(await fillIn(page, typed));
		}
		assert.match(answers[0], /We will not write to \+12025550142 again/);
		for (const answer of answers.slice(1))
			assert.match(answer, /Nothing was changed\. .*with \+ and the country code, such as \+1 202/);

		const { accepted } = await executed(stage, workflow);
		assert.deepEqual(toOf(accepted), ['12025550141', '12025550143']);

		// The campaign of every week, the reminder and the rest of a campaign read the same table.
		const phones = ['001 (202) 555-0142', '+1 202 555 0149'];
		const rows = phones.map((phone) => ({ name: 'Ben', phone, agreed: 'yes' }));
		const ofNewOffer = (parameters: Json, node: string) => {
			if (node === 'Table') parameters.tableName = 'Sent 2026-12-07';
		};
		const list = withList('Customers', rows);
		const weekly = await imported(stage, 'weekly-to-new-rows', live, list, ofNewOffer);
		assert.deepEqual(toOf((await executed(stage, weekly, MONDAY)).accepted), ['12025550149']);
		assert.deepEqual((await executed(stage, weekly, MONDAY)).accepted, []);

		const campaign = choosing(await campaignTo('12025550142', '12025550149'));
		const people = withList('People', rows);
		const reminder = await imported(stage, 'remind-unread', live, people, campaign);
		assert.deepEqual(toOf((await executed(stage, reminder)).accepted), ['12025550149']);

		const reached = choosing(await campaignTo('12025550148'));
		const all = withList('People', [...rows, { ...rows[0], phone: '+1 202 555 0148' }]);
		const rest = await imported(stage, 'send-to-the-rest', live, all, reached);
		assert.deepEqual(toOf((await executed(stage, rest)).accepted), ['12025550149']);
	});

	it('remind-unread: reminds whoever has not read the campaign, once', async () => {
		const others = ['12025550154'];
		const people = ['12025550151', '12025550101', '12025550102', '12025550153'];
		const campaign = await campaignTo(...people, ...others);
		const dry = await imported(stage, 'remind-unread', choosing(campaign));
		const before = await played(stage, dry);
		assert.deepEqual(before.accepted, []);
		assert.match(
			before.error ?? '',
			/^Not everybody would get the message: Grace Hughes \(12025550101\)/,
		);

		const workflow = await imported(stage, 'remind-unread', choosing(campaign), live);
		const { accepted, execution, error } = await played(stage, workflow);
		// The sandbox fails a message to 0101.
		assert.match(error ?? '', /^Not everybody got the message: Grace Hughes \(12025550101\)[^)]*$/);
		assert.deepEqual(
			accepted.map(({ to, text }) => [to, /^(.*), take/m.exec(text)?.[1]]),
			[
				['12025550151', 'Ada Brown'],
				['12025550153', 'Marco Nowak'],
			],
		);
		assert.equal(outputOf(execution, 'Note it').length, 2);
		assert.deepEqual((await played(stage, workflow)).accepted, []);
	});

	it('send-to-the-rest: sends to whoever is not in the logs, by digits; to nobody when they are in doubt', async () => {
		// The second was sent as the list writes it, with *Phone Format* set to *As Is*.
		const campaign = await campaignTo('12025550161', '2025550163', '+12025550164');
		/** A list that writes some numbers without their country code. */
		const local: Change = (parameters, node) => {
			if (node === 'People')
				parameters.jsonOutput = parameters.jsonOutput.replace('+1 202 555 0163', '202 555 0163');
			if (node === 'Read the numbers') parameters.options.defaultCountryCode = '1';
		};
		const dry = await executed(
			stage,
			await imported(stage, 'send-to-the-rest', choosing(campaign), local),
		);
		const rest = ['12025550162', '12025550165'];
		assert.deepEqual(toOf(outputOf(dry.execution, 'Send to the rest')), rest);
		assert.deepEqual(dry.accepted, []);

		const workflow = await imported(stage, 'send-to-the-rest', choosing(campaign), live, local);
		const { accepted } = await executed(stage, workflow);
		assert.deepEqual(toOf(accepted), rest);
		assert.match(accepted[0].text, /Ben Castillo, take/);

		// The list became two campaigns: the node that reads the logs is copied, and connected or forgotten.
		const second = await campaignTo('12025550162');
		const copied =
			(isConnected: boolean): Change =>
			(_, node, { nodes, connections }) => {
				if (node !== 'Logs of the campaign') return;
				const copy = structuredClone(nodes.find(({ name }: Json) => name === node));
				nodes.push(Object.assign(copy, { id: randomUUID(), name: `${node}1` }));
				copy.parameters.campaignId.value = second;
				if (!isConnected) return;
				connections[copy.name] = connections[node];
				connections[node] = { main: [[into(copy.name)]] };
			};
		const two = await imported(
			stage,
			'send-to-the-rest',
			copied(true),
			choosing(campaign),
			live,
			local,
		);
		assert.deepEqual(toOf((await executed(stage, two)).accepted), ['12025550165']);

		// The list became many campaigns: their IDs come from the log records since the send began. Who got others before isn't left out.
		// A ms before: the sandbox is in this process, and may accept the campaign within the same one.
		const began = new Date(Date.now() - 1).toISOString();
		await campaignTo('12025550161');
		await campaignTo('12025550162', '+12025550164');
		const byTime: Change = (parameters, node, { nodes, connections }) => {
			if (node !== 'Logs of the campaign') return;
			const { typeVersion, credentials } = nodes.find(({ name }: Json) => name === node);
			const [records, since] = ['Log → Get Many', 'Since the send began'];
			nodes.push({
				...{ id: randomUUID(), name: records, position: [300, 200], typeVersion, credentials },
				type: 'n8n-nodes-messaging.messaging',
				parameters: { resource: 'log', operation: 'getAll', returnAll: true },
			});
			const filter = nodes.find(({ name }: Json) => name === 'Only those who agreed');
			const { conditions } = structuredClone(filter.parameters);
			conditions.conditions = [
				{
					...{ id: randomUUID(), leftValue: '={{ $json.createdAt }}', rightValue: began },
					operator: { type: 'dateTime', operation: 'after' },
				},
			];
			nodes.push({ ...filter, id: randomUUID(), name: since, parameters: { conditions } });
			parameters.campaignId = { __rl: true, mode: 'id', value: '={{ $json.campaign_id }}' };
			connections['Opt-outs'] = { main: [[into(records)]] };
			connections[records] = { main: [[into(since)]] };
			connections[since] = { main: [[into(node)]] };
		};
		const many = await imported(stage, 'send-to-the-rest', byTime, live, local);
		const expected = ['12025550163', '12025550165'];
		assert.deepEqual(toOf((await executed(stage, many)).accepted), expected);

		const ofOthers = await campaignTo('12025550169');
		for (const [wrong, why] of [
			[choosing('no-such-campaign'), /Nothing was sent, because the logs do not show/],
			[choosing(ofOthers), /Nothing was sent, because nobody of this list is in the logs/],
			[copied(false), /'Logs of the campaign1'/],
		] as const) {
			const chosen = await imported(stage, 'send-to-the-rest', wrong, choosing(campaign), live);
			const sent = await acceptedDuring(stage, async () => {
				const failed = await ended(stage, await runWorkflow(stage.session, chosen, START));
				assert.match(errorOf(failed) ?? '', why);
			});
			assert.equal(sent, 0);
		}
	});

	it('take-out-refused: whom the provider refuses for good is in the table, once, and gets no campaign', async () => {
		const list = [
			{ name: 'Ada', phone: '+1 202 555 0172', agreed: 'yes' },
			{ name: 'Rosa', phone: '+1 303 555 0101', agreed: 'yes' },
		];
		const campaign = choosing(await campaignTo('12025550172', '13035550101'));
		const takesOut = await imported(stage, 'take-out-refused', campaign);
		for (let time = 0; time < 2; time++) {
			const { execution, accepted } = await executed(stage, takesOut);
			assert.deepEqual(accepted, []);
			assert.deepEqual(
				outputOf(execution, 'Write it down').map(({ number }) => number),
				['13035550101'],
			);
			assert.deepEqual(outputOf(execution, 'Other reasons')[0].reasons, []);
		}
		const others = await imported(stage, 'take-out-refused', campaign, (parameters, node) => {
			if (node === 'For good') parameters.jsonOutput = '{ "reasons": ["opted out"] }';
		});
		const { execution } = await executed(stage, others);
		assert.deepEqual(outputOf(execution, 'Write it down'), []);
		assert.deepEqual(outputOf(execution, 'Other reasons')[0].reasons, [
			{ reason: 'Recipient is not a chat-app user', count: 1 },
		]);

		const ofNewOffer: Change = (parameters, node) => {
			if (node === 'Table') parameters.tableName = 'Sent to the rest of the world';
		};
		const weekly = await imported(
			stage,
			'weekly-to-new-rows',
			...[live, withList('Customers', list), ofNewOffer],
		);
		assert.deepEqual(toOf((await executed(stage, weekly, MONDAY)).accepted), ['12025550172']);
	});

	it('quiet-hours-by-zone: only those for whom it is day, once; a country without a zone is told once', async () => {
		/** A zone in which it is this hour now. */
		const zoneAt = (hour: number) => {
			const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
			// In these names, plus is west.
			return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
		};
		const list = [
			{ name: 'Day', phone: '+1 202 555 0173', agreed: 'yes' },
			{ name: 'Night', phone: '+44 20 7946 0174', agreed: 'yes' },
			{ name: 'Both', phone: '+49 171 3920175', agreed: 'yes' },
			{ name: 'Nowhere', phone: '+61 491 570 156', agreed: 'yes' },
			{ name: 'Misspelt', phone: '+39 333 123 4567', agreed: 'yes' },
		];
		const [day, dawn, night] = [zoneAt(13), zoneAt(8), zoneAt(1)];
		const zones = { '+1': [day], '+44': [night], '+49': [day, dawn], '+39': ['Europe/Rom'] };
		const workflow = await imported(
			stage,
			'quiet-hours-by-zone',
			...[live, withList('Customers', list)],
			(parameters, node) => {
				if (node === 'Zones')
					parameters.jsonOutput = JSON.stringify({ fromHour: 9, untilHour: 18, zones });
			},
		);
		const first = await played(stage, workflow, 'Every hour');
		assert.deepEqual(toOf(first.accepted), ['12025550173']);
		assert.deepEqual(
			outputOf(first.execution, 'Later').map(({ country }) => country),
			['+44', '+49'],
		);
		assert.match(
			first.error ?? '',
			/^Not everybody got the message: Nowhere \(61491570156\): their country \+61 has no zone in 'Zones', a misspelt one, or no hour when it is day in all of them\. Misspelt/,
		);
		const second = await executed(stage, workflow, 'Every hour');
		assert.deepEqual(second.accepted, []);
	});

	it('report-of-a-campaign, weekly-report: count what was sent, and send nothing', async () => {
		const campaign = await campaignTo('12025550171', '12025550101', '12025550102');
		const sent = await acceptedDuring(stage, async () => {
			const one = await imported(stage, 'report-of-a-campaign', choosing(campaign));
			const [{ text, html }] = outputOf((await executed(stage, one)).execution, 'Report');
			assert.match(text, /3 recipients: 2 delivered, of them 1 read; 1 failed /);
			assert.match(html, /^<div style=/);

			const weekly = await imported(stage, 'weekly-report');
			const { execution } = await executed(stage, weekly, 'Every Monday at 8');
			const [all] = outputOf(execution, 'Put your e-mail here');
			const lines = all.concatenated_text.split('\n');
			assert.equal(lines.length, all.count_campaign_id);
			assert.ok(lines.includes(text), `${text} is not in ${lines.join('\n')}`);
			assert.ok(all.sum_recipients >= 3);
		});
		assert.equal(sent, 0);
	});

	it('approval-before-a-campaign: asks with the texts, and sends exactly these after a yes only', async () => {
		const approver = '12025550181';
		for (const [decision, phones] of [
			['disapprove', []],
			['approve', ['12025550141', '12025550142', '12025550143']],
		] as const) {
			const workflow = await imported(stage, 'approval-before-a-campaign', live);
			let message = '';
			const answered = async () => {
				const execution = await runWorkflow(stage.session, workflow, START);
				await untilItWaits(stage, execution);
				({ message } = (await acceptedBy(stage.sandbox, approver)).at(-1)!);
				assert.match(message, /^Shall this campaign be sent\? 3 messages; 0 rows/);
				assert.equal((await press(linksIn(message)[0], { decision })).status, 200);
				return await succeeded(stage, execution);
			};
			// With a yes the dry run shows the code, and the step alone sends: nobody is asked twice.
			const asked = await enterCode(stage.session, workflow, ['Send campaign'], answered);
			const before = (await acceptedBy(stage.sandbox)).length;
			if (decision === 'approve') {
				await succeeded(stage, await executeStep(stage, asked, 'Send campaign'));
			}
			const accepted = (await acceptedBy(stage.sandbox)).slice(before);
			assert.deepEqual(toOf(accepted), phones);
			for (const { text } of accepted) assert.ok(message.includes(text), text);
		}

		const other = await imported(stage, 'approval-before-a-campaign', live, (parameters, node) => {
			if (node === 'Send campaign') parameters.templateParameters.value['2'] = '50%';
		});
		const asked = await acceptedDuring(stage, async () => {
			const failed = await ended(stage, await runWorkflow(stage.session, other, START));
			assert.match(errorOf(failed) ?? '', /Nobody was asked and nothing was sent/);
		});
		assert.equal(asked, 0);
	});

	it('alert-when-a-workflow-fails: one e-mail an hour for each workflow; and a message, switched on', async () => {
		const mail = await startMailServer();
		after(mail.close);
		const { id, name } = await createCredential(stage.session, {
			...{ name: 'Mail', type: 'smtp', data: mail.account },
		});
		const withMail: Change = (_, node, { nodes }) => {
			const changed = nodes.find((each: Json) => each.name === node);
			if (node === 'E-mail to me') changed.credentials = { smtp: { id, name } };
			if (node === 'Message to me') delete changed.disabled;
		};
		const alert = await imported(stage, 'alert-when-a-workflow-fails', withMail);
		await activateWorkflow(stage.session, alert);
		const failing = (errorMessage: string) => ({
			id: 'fails',
			name: 'It fails',
			type: 'n8n-nodes-base.stopAndError',
			typeVersion: 1,
			position: [200, 0] as [number, number],
			parameters: { errorMessage },
		});
		const fails = failing('The sheet\n\n\tis empty.');
		const began = new Date().getHours();
		const settings = { errorWorkflow: alert };
		const { start } = await publishForCalls(stage, [fails], { settings, name: 'Newsletter' });
		let known: string | undefined;
		for (let time = 0; time < 2; time++) {
			await ended(stage, await start());
			known = await latest(stage, alert, known);
			await succeeded(stage, known);
		}
		const alerts = await acceptedBy(stage.sandbox, '12025550191');
		const text = 'The workflow Newsletter failed: The sheet is empty. Look into its executions.';
		// The clock may strike between the two.
		const isNewHour = new Date().getHours() !== began && alerts.length === 2;
		assert.deepEqual(
			alerts.map((each) => each.text),
			isNewHour ? [text, text] : [text],
		);
		assert.equal(mail.mails.length, alerts.length);
		assert.match(mail.mails[0]!, /^Subject: The workflow Newsletter failed$/m);
		assert.match(mail.mails[0]!, /^The sheet is empty\.\s+http:.*executions/m);

		// The mail says so when the message has not left.
		assert.doesNotMatch(mail.mails[0]!, /Message to me/);
		await control(stage.sandbox, 'POST', '/faults', [
			{ match: { endpoint: 'sendTemplate' }, fault: { kind: 'status', status: 401 } },
		]);
		const unreached = await imported(stage, 'alert-when-a-workflow-fails', withMail);
		await activateWorkflow(stage.session, unreached);
		const others = { settings: { errorWorkflow: unreached }, name: 'Shop' };
		await ended(stage, await (await publishForCalls(stage, [fails], others)).start());
		await succeeded(stage, await latest(stage, unreached));
		assert.match(mail.mails.at(-1)!, /^Message to me: Not sent to 12025550191: /m);
		const shopAlerts = (await acceptedBy(stage.sandbox, '12025550191')).length;
		assert.equal(shopAlerts, alerts.length);

		// What n8n and other services say of an error, and an address of the mail server that does not answer: the message leaves.
		const other = await createCredential(stage.session, {
			...{ name: 'No mail', type: 'smtp', data: { ...mail.account, port: 1 } },
		});
		for (const [reason, text, credential] of [
			["Cannot read properties of undefined (reading 'name')", undefined, id],
			['The time 2026-12-01T09:30:00.000Z is over', undefined, id],
			['{"error": {"code": 500}}', undefined, id],
			['Placeholder 1 has "{{ $json.name }}"', undefined, id],
			['<b>Bad request</b> &amp; #REF!', undefined, id],
			['[object Object]', 'no reason was given.', id],
			[`${'a'.repeat(299)}😀`, undefined, id],
			['The sheet is empty.', undefined, other.id],
		] as const) {
			const watches = await imported(stage, 'alert-when-a-workflow-fails', (...change) => {
				withMail(...change);
				const [, node, { nodes }] = change;
				const { credentials } = nodes.find((each: Json) => each.name === node);
				if (node === 'E-mail to me') credentials.smtp.id = credential;
			});
			await activateWorkflow(stage.session, watches);
			const [messages, mails] = [
				(await acceptedBy(stage.sandbox, '12025550191')).length,
				mail.mails.length,
			];
			const { start: fail } = await publishForCalls(stage, [failing(reason)], {
				settings: { errorWorkflow: watches },
				name: 'Newsletter',
			});
			await ended(stage, await fail());
			const told = await ended(stage, await latest(stage, watches));
			const isSent = credential === id;
			assert.equal(told.status, isSent ? 'success' : 'error', errorOf(told));
			const sent = (await acceptedBy(stage.sandbox, '12025550191')).slice(messages);
			assert.deepEqual(
				[sent.map((each) => each.text), mail.mails.length - mails],
				[
					[`The workflow Newsletter failed: ${text ?? reason} Look into its executions.`],
					isSent ? 1 : 0,
				],
			);
		}
	});
});
