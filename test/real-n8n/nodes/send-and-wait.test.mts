import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { finishedExecution, itemsOf, type Json } from '../../../demo/n8n/rest/executions.mts';
import { createWorkflow, runWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { until } from '../../../demo/n8n/until.mts';
import { runMessaging } from './world/node-run.mts';
import { inARow, items, messaging, node, START, start, to } from './world/nodes.mts';
import { acceptedBy, isWaiting, linksIn, open, press, untilItWaits } from './world/questions.mts';
import { world, type World } from './world/world.mts';

const NODE = 'Ask';
const from = { __rl: true, mode: 'phone', value: '447700900100' };
const message = 'May we ship <order 12> & "more" today?';

let stage: World;
let recipients = 0;

const question = (parameters: Json) =>
	messaging(NODE, stage.credential, {
		resource: 'message',
		operation: 'sendAndWait',
		from,
		message,
		...parameters,
	});

/** Asks, waits until the execution waits, and returns the link of the chat message. */
async function ask(parameters: Json) {
	const to = `3859910${String(++recipients).padStart(2, '0')}055`;
	const nodes = [
		start(),
		question({ to, ...parameters }),
		node('After', 'n8n-nodes-base.noOp', 1, {}),
	];
	const { id } = await createWorkflow(stage.session, {
		name: `ask ${randomUUID()}`,
		nodes,
		connections: inARow(nodes),
	});
	const execution = await runWorkflow(stage.session, id, START);
	await untilItWaits(stage.session, execution);
	const [sent] = await acceptedBy(stage.sandbox, String(parameters.to ?? to));
	const [link] = linksIn(JSON.stringify(sent));
	return { execution, link, sent };
}

/** The output after the execution has continued. */
async function outcome(execution: string) {
	const finished = await finishedExecution(stage.session, execution);
	assert.equal(finished.status, 'success', finished.error?.message);
	const [{ json, pairedItem }] = itemsOf(finished, 'After');
	assert.deepEqual(pairedItem, { item: 0 });
	return json;
}

const double = {
	approvalOptions: {
		values: { approvalType: 'double', approveLabel: 'Ship it', disapproveLabel: 'Not yet' },
	},
};

describe('send and wait for a response', () => {
	before(async () => {
		stage = await world();
	});

	it('approve: opening the link decides nothing, the button decides, and a second answer is refused', async () => {
		const { execution, link, sent } = await ask(double);
		assert.equal(sent.message, `${message}\n\nAnswer here: ${link}`);

		for (let times = 0; times < 2; times++) {
			const { status, html, headers } = await open(link);
			assert.equal(status, 200, html);
			assert.match(html, /May we ship &lt;order 12&gt; &amp; &quot;more&quot; today\?/);
			assert.match(html, /Ship it[\s\S]*Not yet/);
			assert.doesNotMatch(html, /<script|https?:\/\//);
			assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
		}
		assert.ok(await isWaiting(stage.session, execution));
		// A POST without the button's value decides nothing either.
		await press(link, {});
		assert.ok(await isWaiting(stage.session, execution));

		const { status, html } = await press(link, { decision: 'approve' });
		assert.equal(status, 200);
		assert.match(html, /recorded/);
		const { data } = await outcome(execution);
		assert.equal(data.approved, true);
		assert.equal(data.sentAs, 'session');
		assert.match(data.respondedAt, /^\d{4}-/);

		const again = await press(link, { decision: 'disapprove' });
		assert.doesNotMatch(again.html, /recorded/);
		assert.equal((await outcome(execution)).data.approved, true);
	});

	it('decline', async () => {
		const { execution, link } = await ask(double);
		await press(link, { decision: 'disapprove' });
		assert.equal((await outcome(execution)).data.approved, false);
	});

	it('free text is returned as it was written', async () => {
		const { execution, link } = await ask({ responseType: 'freeText' });
		const { html } = await open(link);
		assert.match(html, /<textarea/);
		await press(link, { answer: '  ' });
		assert.ok(await isWaiting(stage.session, execution));
		await press(link, { answer: 'Tomorrow, <please> & thanks ✓' });
		assert.equal((await outcome(execution)).data.text, 'Tomorrow, <please> & thanks ✓');
	});

	it('a tampered link is refused', async () => {
		const { execution, link } = await ask(double);
		const tampered = new URL(link);
		tampered.searchParams.set('question', 'abcdefghijkl');
		for (const bad of [tampered.href, link.replace(/signature=[^&]+/, 'signature=abc')]) {
			const { status, html } = await press(bad, { decision: 'approve' });
			assert.equal(status, 401, html);
		}
		assert.ok(await isWaiting(stage.session, execution));
	});

	it('nobody answers in time: the workflow continues, its item says so, and n8n has a page for who comes late', async () => {
		const limitWaitTime = {
			values: { limitType: 'afterTimeInterval', resumeAmount: 0.03, resumeUnit: 'minutes' },
		};
		const { execution, link } = await ask({ options: { limitWaitTime } });
		assert.match((await open(link)).html, /You can answer until /);
		const { data } = await outcome(execution);
		assert.equal(data.timedOut, true, JSON.stringify(data));
		assert.equal(data.approved, false);
		assert.equal(data.sentAs, 'session');
		const { html } = await press(link, { decision: 'approve' });
		assert.doesNotMatch(html, /recorded/);
	});

	it('outside the 24-hour window the question is sent as a template', async () => {
		const to = '385991000024';
		const { execution, link, sent } = await ask({
			to,
			deliverAs: 'sessionThenTemplate',
			template: { __rl: true, mode: 'name', value: 'order_ready' },
			templateParameters: {
				mappingMode: 'defineBelow',
				value: { 1: '[question] [link]' },
				schema: [{ id: '1', displayName: '1', required: true, display: true, type: 'string' }],
			},
		});
		assert.equal((await acceptedBy(stage.sandbox, to)).length, 1);
		assert.match(JSON.stringify(sent), /order_ready/);
		await press(link, { decision: 'approve' });
		const { data } = await outcome(execution);
		assert.equal(data.approved, true);
		assert.equal(data.sentAs, 'template');
	});

	it('asks one question at a time, and says how to ask several', async () => {
		const { error } = await runMessaging(
			{ resource: 'message', operation: 'sendAndWait', from, to: '={{ $json.phone }}', message },
			{ items: [{ phone: '385991000155' }, { phone: '385991000255' }] },
		);
		assert.match(error ?? '', /one question at a time.*Loop Over Items/);
	});

	it('in a loop, the link of an answered question does not answer the next one', async () => {
		const people = [{ phone: '385991001155' }, { phone: '385991001255' }];
		const first = [
			start(),
			...items('People', people),
			node('Loop', 'n8n-nodes-base.splitInBatches', 3, { options: {} }),
		];
		const { id } = await createWorkflow(stage.session, {
			name: `loop ${randomUUID()}`,
			nodes: [
				...first,
				question({ to: '={{ $json.phone }}', ...double }),
				node('After', 'n8n-nodes-base.noOp', 1, {}),
			],
			connections: {
				...inARow(first),
				Loop: { main: [[to('After')], [to(NODE)]] },
				[NODE]: { main: [[to('Loop')]] },
			},
		});
		const execution = await runWorkflow(stage.session, id, START);
		const askedOf = async (phone: string) =>
			await until(`${phone} is asked`, async () => {
				const [sent] = await acceptedBy(stage.sandbox, phone);
				return sent && (await isWaiting(stage.session, execution))
					? linksIn(JSON.stringify(sent))
					: undefined;
			});
		const [firstLink] = await askedOf(people[0].phone);
		await press(firstLink, { decision: 'approve' });
		const [second] = await askedOf(people[1].phone);

		const stale = await press(firstLink, { decision: 'approve' });
		assert.match(stale.html, /no longer open/);
		assert.ok(await isWaiting(stage.session, execution));

		await press(second, { decision: 'disapprove' });
		const finished = await finishedExecution(stage.session, execution);
		assert.deepEqual(
			itemsOf(finished, 'After').map(({ json }) => json.data.approved),
			[true, false],
		);
	});
});
