import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { pressExecute } from '../../../demo/n8n/rest/workflows.mts';
import { until } from '../../../demo/n8n/until.mts';
import { campaigns, control } from '../world/service.mts';
import { call, completionOf, type Answer } from '../world/workflows.mts';
import { inDatabase, receiver, SECRET, stage } from './receiver.mts';

const { n8n, restart, sandbox } = stage;

const short = ({ status, text }: Answer) => `${status} ${/[A-Z]\w+/.exec(text)?.[0]}`;
const times = (count: number, text: string) => Array.from({ length: count }, () => text);

const campaign = async () => (await campaigns(sandbox, 1))[0];

/** Of calls about the same events at once, one of each event is accepted, and the others are told why they are not. */
function assertStarted(answers: Answer[], events: number) {
	const said = answers.map(({ status, text }) => `${status} ${JSON.parse(text).message}`);
	assert.equal(said.filter((each) => each === '200 Accepted.').length, events, said.join('\n'));
	const OTHERS = [
		'200 Accepted.',
		'200 Duplicate: this event was accepted before.',
		'503 n8n is starting this event. Please deliver it again.',
	];
	assert.deepEqual(
		said.filter((each) => !OTHERS.includes(each)),
		[],
	);
}

describe('one event', () => {
	it('starts one execution, however often it is delivered: at once and later; after a restart of n8n it may start again', async () => {
		const { url, settled } = await receiver();
		const campaign_id = await campaign();
		const tenTimes = async () =>
			await Promise.all(
				times(10, url).map(async (to) => await call(to, completionOf(campaign_id))),
			);

		assertStarted(await tenTimes(), 1);
		assert.deepEqual((await tenTimes()).map(short), times(10, '200 Duplicate'));
		assert.equal((await settled(1)).length, 1);

		await restart();
		assertStarted(await tenTimes(), 1);
		const runs = await settled(2);
		assert.deepEqual(
			runs.map(({ status, mode, items }) => [status, mode, items[0].campaign_id]),
			[campaign_id, campaign_id].map((id) => ['success', 'webhook', id]),
		);
	});

	it('starts one execution, also when many events arrive at once', async () => {
		const { url, settled } = await receiver();
		const ids = await campaigns(sandbox, 30);
		const all = async () =>
			await Promise.all(
				ids.flatMap((id) => [call(url, completionOf(id)), call(url, completionOf(id))]),
			);
		assertStarted(await all(), 30);
		assert.equal((await settled(30)).length, 30);
		assert.deepEqual((await all()).map(short), times(60, '200 Duplicate'));
		assert.equal((await settled(30)).length, 30);
	});

	it('starts one execution when the service redelivers it after a 503', async () => {
		const { url, settled } = await receiver();
		const id = await campaign();
		sandbox.world.faults.add([
			{ match: { endpoint: 'getLogs' }, times: 3, fault: { kind: 'status', status: 503 } },
		]);
		await control(sandbox, 'PUT', '/webhook', { url, retryDelayMs: 100, repeat: 3 });
		sandbox.world.campaigns.complete(id);
		const [run, ...more] = await settled(1);
		assert.equal(run.items[0].campaign_id, id);
		assert.deepEqual(more, []);
		sandbox.world.faults.clear();
		sandbox.world.webhook.registration = null;
	});
});

describe('the secret', () => {
	it('is required of each call, and is in no answer, execution or log afterwards', async () => {
		const { url, settled } = await receiver({}, { isSecured: true });
		const [first, second] = [await campaign(), await campaign()];
		const refused = [
			await call(url, completionOf(first)),
			await call(`${url}?secret=wrong`, completionOf(first)),
			await call(`${url}?secret=${encodeURIComponent(SECRET)}x`, completionOf(first)),
			await call(url, { ...completionOf(first), secret: SECRET }),
			await call(`${url}?secret=a&secret=${encodeURIComponent(SECRET)}`, completionOf(first)),
			await call(`${url}?secret[a]=${encodeURIComponent(SECRET)}`, completionOf(first)),
			await call(url, completionOf(first), { 'x-webhook-secret': 'wrong' }),
		];
		assert.deepEqual(refused.map(short), times(refused.length, '401 Refused'));
		assert.deepEqual(await settled(0), []);

		const withSecret = `${url}?secret=${encodeURIComponent(SECRET)}`;
		const referer = { referer: withSecret, 'x-forwarded-uri': withSecret };
		const accepted = [
			await call(withSecret, completionOf(first), referer),
			await call(url, completionOf(second), { 'x-webhook-secret': SECRET }),
		];
		assert.deepEqual(accepted.map(short), times(2, '200 Accepted'));
		const runs = await settled(2);
		assert.deepEqual(
			runs.map(({ items }) => items[0].campaign_id),
			[first, second],
		);
		const visible = JSON.stringify([runs, refused, accepted]) + n8n.log();
		assert.ok(!visible.includes(SECRET), 'The secret is visible');
		assert.ok(!visible.includes(encodeURIComponent(SECRET)), 'The secret is visible, encoded');
	});
});

describe('an execution that n8n cannot write', () => {
	it('is answered 500, and its event starts when it is delivered again: also a form with a file', async () => {
		const { folder } = n8n.instance.place;
		const { url, id, settled } = await receiver();
		const form = new FormData();
		form.set('campaign_id', await campaign());
		form.set('event', 'campaign.completed');
		form.set('file', new Blob(['x'.repeat(1000)]), 'list.csv');
		const json = completionOf(await campaign());
		inDatabase(
			folder,
			`CREATE TRIGGER refused BEFORE INSERT ON execution_entity WHEN NEW.workflowId = '${id}'
				BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`,
		);
		try {
			for (const body of [form, json]) assert.equal((await call(url, body)).status, 500);
		} finally {
			inDatabase(folder, 'DROP TRIGGER refused');
		}
		for (const body of [form, json]) assert.equal(short(await call(url, body)), '200 Accepted');
		for (const body of [form, json]) assert.equal(short(await call(url, body)), '200 Duplicate');
		assert.equal((await settled(2)).length, 2);
	});
});

describe('Listen for test event', () => {
	const listening = async (parameters: object, body: unknown) => {
		const { id, testUrl, settled } = await receiver(parameters, { isPublished: false });
		const calls: Array<[string, unknown]> = [];
		for (let round = 1; round <= 2; round++) {
			const { waitingForWebhook } = await pressExecute(stage.session, id, 'Messaging Trigger');
			assert.equal(waitingForWebhook, true);
			const answer = short(await call(testUrl, body));
			const runs = await settled(round);
			assert.deepEqual([runs.length, runs.at(-1)!.mode], [round, 'manual']);
			calls.push([answer, runs.at(-1)!.items[0].hint]);
		}
		// The same call is shown each time.
		assert.deepEqual(calls[0], calls[1]);
		return calls[0];
	};

	it('shows the next call to the test URL each time, also a duplicate', async () => {
		const body = completionOf(await campaign());
		assert.deepEqual(await listening({}, body), [
			'200 Accepted',
			`The published workflow would start: body.event is '${(body as { event: string }).event}'.`,
		]);
	});

	it('shows a call that production would ignore, with the reason', async () => {
		const [answer, hint] = await listening({}, completionOf(randomUUID()));
		assert.equal(answer, '200 Accepted');
		assert.match(String(hint), /would ignore this call\. The service's logs know no campaign/);
		const [, other] = await listening({ events: ['campaignCompleted'] }, { hello: 'world' });
		assert.match(String(other), /would ignore this call\. No word in it says an end\./);
	});
});

describe('a service whose calls are not known', () => {
	it('is told with what the hint of a test event names, and starts on the next call of its kind only', async () => {
		const body = (id: string, state: string) => ({
			kind: 'report',
			job: { broadcast_uuid: id, state },
		});
		const id = await campaign();
		const events = ['campaignCompleted'];
		const shown = await receiver({ events }, { isPublished: false });
		await pressExecute(stage.session, shown.id, 'Messaging Trigger');
		await call(shown.testUrl, body(id, 'DISPATCHED'));
		const [{ items }] = await shown.settled(1);
		assert.match(
			String(items[0].hint),
			/It says: body\.job\.state is 'DISPATCHED'\. Its ID is body\.job\.broadcast_uuid \(.+\), which the logs know\. /,
		);
		const options = {
			// As n8n's editor copies a path.
			campaignIdField: '{{ $json.body.job.broadcast_uuid }}',
			completedWhen: { conditions: [{ field: 'body.job.state', value: 'DISPATCHED' }] },
		};
		const { url, settled } = await receiver({ events, options });
		const states = ['STARTED', 'DISPATCHED', 'dispatched'];
		const answers: string[] = [];
		for (const state of states) answers.push(short(await call(url, body(id, state))));
		assert.deepEqual(answers, ['200 Ignored', '200 Accepted', '200 Duplicate']);
		const runs = await settled(1);
		assert.deepEqual(
			runs.map((run) => run.items[0].campaign_id),
			[id],
		);
		assert.match(n8n.log(), /a call was ignored; .*body\.job\.state is 'STARTED': does not hold/);
	});
});

describe('bodies as they arrive over the network', () => {
	const id = randomUUID();
	const json = JSON.stringify(completionOf(id));
	const ofType = (type: string, encoding?: string): Record<string, string> => ({
		'content-type': type,
		...(encoding && { 'content-encoding': encoding }),
	});
	const JSON_TYPE = ofType('application/json');
	const form = () => {
		const data = new FormData();
		data.set('campaign_id', id);
		data.set('event', 'done');
		data.set('file', new Blob(['x'.repeat(1000)]), 'list.csv');
		return data;
	};
	const deep = (depth: number) => `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`;
	const accepted: Array<[string, unknown, Record<string, string>?]> = [
		['JSON', json],
		['JSON with a charset', json, ofType('application/json; charset=utf-8')],
		['JSON as text', json, ofType('text/plain')],
		['JSON of no type', new TextEncoder().encode(json), ofType('')],
		['a form', `event=done&campaign_id=${id}`, ofType('application/x-www-form-urlencoded')],
		['a form with a file', form(), {}],
		['XML', `<call><event>done</event><campaign_id>${id}</campaign_id></call>`, ofType('text/xml')],
		['gzip', gzipSync(json), ofType('application/json', 'gzip')],
		['gzip of no type', gzipSync(json), ofType('', 'gzip')],
		['not UTF-8', Buffer.from(`{"event":"done","campaign_id":"${id}","n":"\xe4"}`, 'latin1')],
		['5 MB', JSON.stringify({ ...completionOf(id), text: 'x'.repeat(5_000_000) })],
		['nested 40 deep', `{"event":"done","campaign_id":"${id}","x":${deep(20)}}`],
		['a list', `[${json}]`],
		['a number', '42'],
		['null', 'null'],
		['text in JSON', '"hello"'],
		['prototype names', '{"__proto__":{"a":1},"constructor":{"prototype":{}}}'],
		['nothing', ''],
	];
	const refused: Array<[string, unknown, Record<string, string>, string]> = [
		['text', 'hello world', ofType('text/plain'), '400 Unreadable'],
		['nested 500 deep', deep(250), JSON_TYPE, '400 Unreadable'],
		['nested 100,000 deep', deep(50_000), JSON_TYPE, '400 Unreadable'],
		// n8n itself answers the following ones; the trigger does not get them.
		['malformed JSON', '{"campaign_id":', JSON_TYPE, '422 Failed'],
		['no gzip at all', json, ofType('application/json', 'gzip'), '500 There'],
		['20 MB', JSON.stringify({ text: 'x'.repeat(20_000_000) }), JSON_TYPE, '500 There'],
	];
	const cases = [
		...accepted.map(
			([name, body, headers = JSON_TYPE]) => [name, body, headers, '200 Accepted'] as const,
		),
		...refused,
	];

	it('are answered once, and saved and shown by n8n', async () => {
		const { url, settled } = await receiver({ confirm: false, deduplicate: false });
		const answers: string[] = [];
		for (const [name, body, headers] of cases) {
			const answer = await call(url, body, headers);
			answers.push(`${name}: ${short(answer)}`);
		}
		assert.deepEqual(
			answers,
			cases.map(([name, , , expected]) => `${name}: ${expected}`),
		);
		const runs = await settled(accepted.length);
		assert.deepEqual(
			runs.map(({ status }) => status),
			times(accepted.length, 'success'),
		);
		const completions = runs.filter(({ items }) => items[0].campaign_id === id);
		assert.equal(completions.length, 13);
	});
});

describe('XML', () => {
	const sentAsXml = (id: string, state: string) =>
		`<?xml version="1.0"?><Report><Broadcast Nr="7"><Id>${id}</Id><State>${state}</State></Broadcast></Report>`;

	it('that ends a campaign starts the workflow as it is told, and its numbers keep their digits', async () => {
		const id = '3319237025400370211';
		const type = { 'content-type': 'application/xml; charset=utf-8' };
		const parameters = { events: ['campaignCompleted'], confirm: false };
		const shown = await receiver(parameters, { isPublished: false });
		await pressExecute(stage.session, shown.id, 'Messaging Trigger');
		await call(shown.testUrl, sentAsXml(id, 'Completed'), type);
		const [{ items }] = await shown.settled(1);
		assert.match(
			String(items[0].hint),
			/It says: body\.report\.broadcast\.state is 'Completed'\. Its ID may be body\.report\.broadcast\.id \(331923702540037…\)/,
		);
		const conditions = [{ field: 'body.report.broadcast.state', value: 'Completed' }];
		const options = {
			campaignIdField: 'body.report.broadcast.id',
			completedWhen: { conditions },
		};
		const { url, settled } = await receiver({ ...parameters, options });
		const answers: string[] = [];
		for (const state of ['Running', 'Completed', 'Completed'])
			answers.push(short(await call(url, sentAsXml(id, state), type)));
		assert.deepEqual(answers, ['200 Ignored', '200 Accepted', '200 Duplicate']);
		const [run] = await settled(1);
		assert.equal(run.items[0].campaign_id, id);
		assert.equal(run.items[0].body.report.broadcast.id, id);
	});
});

describe('n8n itself', () => {
	it('still answers, and its log has no unhandled error', async () => {
		await sleep(200);
		assert.doesNotMatch(n8n.log(), /unhandled|Unhandled|ERR_HTTP_HEADERS_SENT|was not handled/);
		await until('n8n answers', async () =>
			(await fetch(`${stage.url}/healthz`)).ok ? true : undefined,
		);
	});
});
