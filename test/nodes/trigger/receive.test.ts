import { sleep, type IDataObject, type IWebhookFunctions } from 'n8n-workflow';
import { ADDRESS, KEY } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { completionOf, Hook, replyOf, SECRET, withLogs, type Delivery } from './hook';

/* The story of a call, in n8n-core's webhook context. The other tests in this folder are about its parts. */

const harness = useHarness();
const EVENTS = ['campaignCompleted', 'smsDeliveryReport', 'other'];

let workflows = 0;
const hookOf = (settings: Partial<Hook> = {}, trigger?: Hook['trigger']) =>
	new Hook(
		harness,
		{ parameters: { events: EVENTS }, workflowId: `workflow-${++workflows}`, ...settings },
		trigger,
	);
/** A trigger whose logs know every campaign. */
const knowing = (settings: Partial<Hook> = {}) => {
	const hook = hookOf(settings);
	withLogs(hook, 'known');
	return hook;
};

/** The same trigger after a restart of n8n, or in another process: only the database is the same. */
function restarted({ parameters, workflowId, database, node, sabotage }: Hook): Hook {
	let trigger: Hook['trigger'] | undefined;
	jest.isolateModules(() => {
		const { MessagingTrigger } = jest.requireActual<
			typeof import('../../../nodes/Messaging/MessagingTrigger.node')
		>('../../../nodes/Messaging/MessagingTrigger.node');
		trigger = new MessagingTrigger();
	});
	return hookOf({ parameters, workflowId, database, node, sabotage }, trigger);
}

/** Changes the context or the response of each further call, beside what is changed already. */
function alsoChange(hook: Hook, change: Hook['sabotage']) {
	const before = hook.sabotage;
	hook.sabotage = (context, response) => {
		before(context, response);
		change(context, response);
	};
}
const leaves: Hook['sabotage'] = (_, response) => void response.leave();

const completion = completionOf;
const { body } = completion('c') as { body: IDataObject };
const WORD = { event: body.event };
const report = (id: string): Delivery => ({
	body: { event: 'smsDeliveryReport', conversation: { id } },
});
const listOf = (...ids: string[]): Delivery => ({
	body: ids.map((id) => completion(id).body),
});
/** Delivers calls at once, and returns each answer: its status, its first word, and how many items start. */
const words = async (hook: Hook, ...deliveries: Delivery[]) =>
	(await Promise.all(deliveries.map(async (delivery) => await hook.deliver(delivery)))).map(
		({ status, message, items }) =>
			`${status} ${message.split(/[ .:]/)[0]}${items ? ` ${items.length}` : ''}`,
	);
const ACCEPTED = '200 Accepted 1';
const DUPLICATE = '200 Duplicate';
const STARTING = '503 n8n';
const times = (count: number, word: string) => Array.from({ length: count }, () => word);

describe('Messaging Trigger: a call with events', () => {
	test('starts one execution with all its data, and is answered once', async () => {
		const hook = knowing();
		const call = { body, query: { page: '1' }, headers: { 'x-a': 'b' } };
		expect(await hook.deliver(call)).toEqual({
			status: 200,
			message: 'Accepted.',
			answers: 1,
			log: '',
			items: [
				{
					event: 'campaignCompleted',
					campaign_id: 'c',
					receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
					headers: { 'content-type': 'application/json', 'x-a': 'b' },
					query: { page: '1' },
					body,
				},
			],
		});
		expect(hook.database.executions).toHaveLength(1);
	});

	test('that is a list starts one execution with an item for each, and the whole call in it', async () => {
		const hook = knowing();
		const call = { body: [...(listOf('a', 'b').body as object[]), report('r').body, 7] };
		const { items } = await hook.deliver(call);
		expect(items).toMatchObject([
			{ event: 'campaignCompleted', campaign_id: 'a', body: call.body },
			{ event: 'campaignCompleted', campaign_id: 'b', body: call.body },
			{ event: 'smsDeliveryReport', campaign_id: null, body: call.body },
		]);
		expect(hook.database.executions).toHaveLength(1);
	});

	test('may be about a hundred campaigns, not more', async () => {
		const ids = Array.from({ length: 101 }, (_, index) => `c${index}`);
		expect((await knowing().deliver(listOf(...ids.slice(1)))).items).toHaveLength(100);
		const { status, message } = await knowing().deliver(listOf(...ids));
		expect([status, message]).toEqual([400, 'Unreadable: more than 100 campaigns in one call.']);
	});

	test('starts only on the chosen ones', async () => {
		const hook = knowing({ parameters: { events: ['smsDeliveryReport'] } });
		const call = { body: [...(listOf('a').body as object[]), report('r').body] };
		expect((await hook.deliver(call)).items).toMatchObject([{ event: 'smsDeliveryReport' }]);
		expect(await hook.deliver(completion('c'))).toMatchObject({
			status: 200,
			message: expect.stringMatching(/^Ignored: /) as string,
			items: undefined,
		});
	});

	test('is a completion as the options tell, also with the path that the editor copies', async () => {
		const conditions = [{ field: '{{ $json.body.report.state }}', value: 'Ready, Sent' }];
		const options = { campaignIdField: 'report.job', completedWhen: { conditions } };
		const hook = knowing({ parameters: { events: ['campaignCompleted'], options } });
		const report = (state: string) => ({ body: { event: 'report', report: { job: 'j', state } } });
		const calls = ['open', 'READY', 'sent'].map(report);
		for (const [nth, call] of calls.entries())
			expect(await words(hook, call)).toEqual([['200 Ignored', ACCEPTED, DUPLICATE][nth]]);
	});
});

describe('Messaging Trigger: a published workflow that ignores a call with a campaign ID', () => {
	const reply = { body: { campaign_id: 'c', status: 'Versendet' } };
	const WARNING =
		"Messaging Trigger: a call was ignored; further ones are not logged. It says: body.status is 'Versendet'. Its ID is body.campaign_id (c). If one means the end of the whole campaign, enter it under 'Options' in 'Completed When'. If not, press 'Execute step' again and wait.\n";

	test('says so once in the log, with what to enter', async () => {
		const hook = knowing({ parameters: { events: ['campaignCompleted'] } });
		const logs = [];
		for (let nth = 0; nth < 3; nth++) logs.push((await hook.deliver(reply)).log);
		expect(logs).toEqual([WARNING, '', '']);
	});

	test.each<[string, string[], Delivery]>([
		['campaigns do not start it', ['smsDeliveryReport'], reply],
		['the call has no ID', ['campaignCompleted'], { body: { status: 'Versendet' } }],
		['the call starts something else', EVENTS, reply],
	])('says nothing when %s', async (_, events, call) => {
		expect((await knowing({ parameters: { events } }).deliver(call)).log).toBe('');
	});
});

describe('Messaging Trigger: while the editor listens for a test event', () => {
	type Logs = Parameters<typeof withLogs>[1];
	const COMPLETIONS = ['campaignCompleted'];
	const IGNORES = 'The published workflow would ignore this call.';
	const shown = async (logs: Logs, delivery: Delivery, events = COMPLETIONS) => {
		const hook = hookOf({ mode: 'manual', parameters: { events } });
		withLogs(hook, logs);
		const { status, message, items = [] } = await hook.deliver(delivery);
		expect([status, message]).toEqual([200, 'Accepted.']);
		return items.map(({ hint }) => hint);
	};

	test.each<[string, Logs, string[], string]>([
		['is not chosen', 'known', ['other'], `${IGNORES} It is not chosen in 'Trigger On'.`],
		[
			'is of an unknown campaign',
			'unknown',
			COMPLETIONS,
			`${IGNORES} The service's logs know no campaign 'c': is`,
		],
		[
			'cannot be confirmed',
			'keyRefused',
			COMPLETIONS,
			'The published workflow would ask for this call again. The service refused the API key',
		],
	])('an event that %s is output with the reason', async (_, logs, events, hint) => {
		const hints = await shown(logs, completion('c'), events);
		expect(hints).toEqual([expect.stringContaining(hint)]);
	});

	test('of a list, each event has its own', async () => {
		const logs = (id: string) => replyOf(id === 'a' ? 'known' : 'unknown', id);
		expect(await shown(logs, listOf('a', 'b'))).toEqual([
			"The published workflow would start: body.event is 'campaign.completed'.",
			`${IGNORES} The service's logs know no campaign 'b': is its ID in another field? Then set 'Campaign ID Field' under 'Options'.`,
		]);
	});

	const ASKS =
		"If one means the end of the whole campaign, enter it under 'Options' in 'Completed When'";
	const WAIT = "If not, press 'Execute step' again and wait.";
	const PATHS =
		"Press 'Execute step' again and wait. If it is the end all the same, copy the paths of its ID and of what says so ('JSON' on the right, 'Copy Item Path') to 'Campaign ID Field' and 'Completed When' under 'Options'.";
	const ID = 'Its ID is body.campaign_id (c).';
	const NONE = { campaign_id: undefined };
	test.each<[string, object, string]>([
		[
			'another word',
			{ event: 'campaign.status', status: 'Versendet' },
			`It says: body.status is 'Versendet', body.event is 'campaign.status'. ${ID} ${ASKS}. ${WAIT}`,
		],
		[
			'one message',
			{ status: 'done', to: '447700900211' },
			"This call seems to be about one message or person: body.to is '447700900211'. Press 'Execute step' again and wait for the call about the whole campaign. If it is the end all the same, copy its paths to 'Campaign ID Field' and 'Completed When' under 'Options'.",
		],
		[
			'an event_name is an event, and of two rows none is left out',
			{ event_name: 'campaign.status_updated', what_it_has_become: 'done' },
			`If this ends the whole campaign, set under 'Options': 'Completed When' with field body.what_it_has_become, value done, and field body.event_name, value campaign.status_updated. ${ID}`,
		],
		[
			'an ID under another name',
			{ ...NONE, key: 'k', event: 'broadcast.sent' },
			`It says: body.event is 'broadcast.sent'. ${ASKS}, and the path of its ID ('JSON' on the right, 'Copy Item Path') in 'Campaign ID Field'. ${WAIT}`,
		],
		[
			'an end in a field of another name is in front, because a long hint leaves out the last ones',
			{ type: 'campaign.activity.updated', contenttype: 'text/csv', current_status: 'DONE' },
			`It says: body.current_status is 'DONE', body.type is 'campaign.activity.updated', body.contenttype is 'text/csv'. ${ID} ${ASKS}. ${WAIT}`,
		],
		[
			'an ID that the logs know, without a word that says an end',
			{ ...NONE, id_campaña: 'ES-5510', estado: 'FINALIZADA' },
			`No word in it says an end. Its ID is body.id_campaña (ES-5510), which the logs know. ${PATHS}`,
		],
		[
			'an ID deep in the call that the logs know, without a word that says an end',
			{ ...NONE, dados: { disparo: { id: 'dsp_77120', situacao: 'CONCLUIDO' } } },
			`No word in it says an end. Its ID is body.dados.disparo.id, which the logs know. ${PATHS}`,
		],
		[
			'what is said of a campaign is in front of what is said of anything',
			{ type: 'regular', event: 'campaign.sent' },
			`It says: body.event is 'campaign.sent', body.type is 'regular'. ${ID} ${ASKS}. ${WAIT}`,
		],
		['nothing', NONE, `No word in it says an end. ${PATHS}`],
	])('the hint says why, and what to enter: %s', async (_, call, hint) => {
		const hints = await shown('known', { body: { campaign_id: 'c', ...call } });
		expect(hints).toEqual([`${IGNORES} ${hint}`]);
	});

	test('a ready hint has at most 250 characters, also with two conditions, and any hint 350', async () => {
		const payload = { id: '6f1e5c1a', status: 'completed' };
		const [ready] = await shown('known', { body: { event: 'campaign.updated', payload } });
		expect(ready).toBe(
			`${IGNORES} If this ends the whole campaign, set under 'Options': 'Campaign ID Field' body.payload.id, 'Completed When' with field body.payload.status, value completed, and field body.event, value campaign.updated.`,
		);
		expect(String(ready).length).toBeLessThanOrEqual(250);
		const value = { metadata: { display_phone_number: '15550100777' } };
		const [long] = await shown('known', { body: { entry: { changes: { value } } } });
		expect(long).toContain('person: body.entry.changes.value.metadata.display_phone_number. Press');
		expect(String(long).length).toBeLessThanOrEqual(350);
	});

	test('of several fields that may be the ID, the logs are asked which one they know', async () => {
		const body = { account_id: 'a', list: { id: 'l' }, event_id: 'e', event: 'broadcast.done' };
		const hintOf = async (logs: Logs) => (await shown(logs, { body }))[0];
		const rows = "'Completed When' with field body.event, value broadcast.done.";
		expect(await hintOf((id) => replyOf(id === 'l' ? 'known' : 'unknown', id))).toContain(
			`: 'Campaign ID Field' body.list.id, ${rows} The logs know this ID.`,
		);
		const both = 'Its ID may be body.account_id (a) or body.list.id (l)';
		expect(await hintOf('unknown')).toBe(
			`${IGNORES} It says: body.event is 'broadcast.done'. ${both}; the logs know none of them. ${ASKS}, its ID in 'Campaign ID Field'. ${WAIT}`,
		);
		expect(await hintOf('unavailable')).toContain(`${rows} ${both}.`);
		expect(await hintOf('keyRefused')).toContain(`${rows} ${both}.`);
	});

	test('at most six fields are asked about, in the order of the call, and none in production', async () => {
		const ids = Object.fromEntries([...'gfedcba'].map((letter) => [`${letter}_id`, letter]));
		const requestedIn = async (mode: Hook['mode']) => {
			const hook = hookOf({ mode, parameters: { events: COMPLETIONS } });
			const requested = withLogs(hook, 'unknown');
			await hook.deliver({ body: { ...ids, event: 'broadcast.done' } });
			return requested;
		};
		expect(await requestedIn('manual')).toEqual([...'gfedcb']);
		expect(await requestedIn('webhook')).toEqual([]);
	});

	test('the hint does not show the secret', async () => {
		const hook = knowing({ mode: 'manual' });
		hook.credential.webhookSecret = SECRET;
		const call = { query: { secret: SECRET }, body: { campaign_id: 'c', status: `x ${SECRET}` } };
		const { items } = await hook.deliver(call);
		expect(items![0].hint).toContain("body.status is 'x ***'");
	});

	test('the same event is shown again and again, and starts production all the same', async () => {
		const hook = knowing({ mode: 'manual' });
		expect(await words(hook, completion('c'))).toEqual([ACCEPTED]);
		expect(await words(hook, completion('c'))).toEqual([ACCEPTED]);
		hook.mode = 'webhook';
		expect(await words(hook, completion('c'))).toEqual([ACCEPTED]);
		expect(await words(hook, completion('c'))).toEqual([DUPLICATE]);
	});

	test('a call without the secret is refused all the same', async () => {
		const hook = knowing({ mode: 'manual' });
		hook.credential.webhookSecret = SECRET;
		expect(await words(hook, completion('c'))).toEqual(['401 Refused']);
	});
});

describe('Messaging Trigger: an event that is delivered more than once starts one execution', () => {
	test('ten at once, in five shapes: the others are told that it is starting, and to come again', async () => {
		const hook = knowing();
		const shapes: Delivery[] = [
			{ body: { ...WORD, campaign_id: 'c' } },
			{ body: { ...WORD, campaignId: 'c', attempt: 2 } },
			{ body: { ...WORD, campaign: { id: 'C' } } },
			{ query: { ...WORD, campaign_id: 'c' } },
			{ body: [completion('c').body, { ...WORD, campaignId: ' c ' }] },
		];
		const answers = await words(hook, ...shapes, ...shapes);
		expect(answers.filter((word) => word === ACCEPTED)).toHaveLength(1);
		expect(answers.every((word) => [ACCEPTED, STARTING, DUPLICATE].includes(word))).toBe(true);
		expect(await words(hook, ...shapes)).toEqual(times(5, DUPLICATE));
		expect(hook.database.executions).toHaveLength(1);
	});

	test('after a restart of n8n, it may start again: nothing is kept in the workflow', async () => {
		const hook = knowing();
		expect(await words(hook, completion('c'), completion('c'))).toContain(ACCEPTED);
		expect(await words(restarted(hook), completion('c'))).toEqual([ACCEPTED]);
		expect(hook.database.isChanged).toBe(false);
	});

	test('of a list, only what has not started starts', async () => {
		const hook = knowing();
		await words(hook, completion('b'));
		const { items } = await hook.deliver(listOf('a', 'b', 'c'));
		expect(items?.map(({ campaign_id }) => campaign_id)).toEqual(['a', 'c']);
	});

	test.each<[string, Delivery, Delivery]>([
		[
			'long numbers',
			{ body: '{"id":1234567890123456789}', contentType: 'application/json' },
			{ body: '{"id":1234567890123456790}', contentType: 'application/json' },
		],
		['another form', { form: { order: '1' } }, { form: { order: '2' } }],
	])('%s is another event', async (_, one, two) => {
		const hook = hookOf();
		expect(await words(hook, one, two)).toEqual([ACCEPTED, ACCEPTED]);
		expect(await words(hook, one, two)).toEqual([DUPLICATE, DUPLICATE]);
	});

	test('the secret is no part of it', async () => {
		const hook = hookOf();
		hook.credential.webhookSecret = 'old-secret';
		expect(await words(hook, { query: { order: '1', secret: 'old-secret' } })).toEqual([ACCEPTED]);
		hook.credential = { ...hook.credential, webhookSecret: 'new-secret' };
		expect(await words(hook, { query: { order: '1', secret: 'new-secret' } })).toEqual([DUPLICATE]);
	});

	test('without Ignore Repeated Events each delivery starts', async () => {
		const hook = knowing({ parameters: { events: EVENTS, deduplicate: false } });
		expect(await words(hook, completion('c'), completion('c'))).toEqual([ACCEPTED, ACCEPTED]);
	});
});

describe('Messaging Trigger: an event that did not start starts when it is delivered again', () => {
	test.each(['unavailable', 'keyRefused', 'unknown'] as const)('logs: %s', async (logs) => {
		const hook = hookOf();
		withLogs(hook, logs);
		const refused = logs === 'unknown' ? '200 Ignored' : '503 The';
		expect(await words(hook, completion('c'))).toEqual([refused]);
		withLogs(hook, 'known');
		expect(await words(hook, completion('c'))).toEqual([ACCEPTED]);
	});

	/** n8n fails to write the first execution, and then starts and saves another event. */
	async function failOnce(hook: Hook, delivery: Delivery) {
		hook.database.beforeWrite = async () => {
			throw new Error('database is locked');
		};
		const first = await hook.deliver(delivery);
		hook.database.beforeWrite = async () => {};
		await hook.deliver(completion('another'));
		return first;
	}

	test.each<[string, Delivery]>([
		['JSON', completion('c')],
		['a form with a file', { form: body }],
	])('n8n cannot write the execution: %s', async (_, delivery) => {
		const hook = knowing();
		expect(await failOnce(hook, delivery)).toMatchObject({ status: 500, items: undefined });
		expect(await words(hook, delivery)).toEqual([ACCEPTED]);
		expect(await words(hook, delivery)).toEqual([DUPLICATE]);
	});

	test('the caller left before it was answered: it has started, and is a duplicate', async () => {
		const hook = knowing();
		alsoChange(hook, leaves);
		await hook.deliver(completion('c'));
		expect(await words(hook, completion('c'))).toEqual([DUPLICATE]);
		expect(hook.database.executions).toHaveLength(1);
	});
});

describe('Messaging Trigger: at the door', () => {
	/** A trigger whose executions n8n does not write until `open` is called. */
	function blocked(settings: Partial<Hook> = {}) {
		const hook = knowing(settings);
		const counts = { now: 0, most: 0 };
		let open = () => {};
		const opened = new Promise<void>((resolve) => (open = resolve));
		hook.database.beforeWrite = async () => {
			counts.most = Math.max(counts.most, ++counts.now);
			await opened;
			counts.now--;
		};
		return { hook, counts, open };
	}
	const calls = (count: number) => Array.from({ length: count }, (_, n) => completion(`c${n}`));

	test('eight calls are handled at once, the others wait, and each starts', async () => {
		const { hook, counts, open } = blocked();
		const answers = words(hook, ...calls(30));
		while (counts.now < 8) await sleep(1);
		await sleep(50);
		expect(counts).toEqual({ now: 8, most: 8 });
		open();
		expect(await answers).toEqual(times(30, ACCEPTED));
		expect([counts.most, hook.database.executions.length]).toEqual([8, 30]);
	});

	test('a call without the secret is refused at once, and another trigger does not wait', async () => {
		const { hook, open } = blocked();
		hook.credential.webhookSecret = SECRET;
		const secured = calls(20).map((call) => ({ ...call, query: { secret: SECRET } }));
		const answers = words(hook, ...secured);
		await sleep(50);
		expect(await words(hook, completion('c'))).toEqual(['401 Refused']);
		expect(await words(knowing(), completion('c'))).toEqual([ACCEPTED]);
		open();
		expect(await answers).toEqual(times(20, ACCEPTED));
	});

	test('calls that start nothing, fail, or whose callers have left give their places free', async () => {
		const hook = knowing();
		await words(hook, completion('c'));
		const write = hook.database.beforeWrite;
		for (let round = 0; round < 3; round++) {
			await words(hook, ...calls(4).map(() => completion('c')), { body: 'hello' });
			hook.database.beforeWrite = async () => {
				throw new Error('database is locked');
			};
			await words(hook, ...calls(8));
			hook.database.beforeWrite = write;
			const whole = hook.sabotage;
			hook.sabotage = breaking('getRequestObject');
			await words(hook, ...calls(8));
			hook.sabotage = whole;
			alsoChange(hook, leaves);
			await words(hook, ...Array.from({ length: 8 }, (_, n) => completion(`left-${round}-${n}`)));
			hook.sabotage = whole;
		}
		expect(await words(hook, ...calls(8))).toEqual(times(8, ACCEPTED));
	});
});

/** Makes a member of the context throw. */
const breaking =
	(member: keyof IWebhookFunctions): Hook['sabotage'] =>
	(context) =>
		Object.defineProperty(context, member, {
			value: () => {
				throw new RangeError(`${member} is broken`);
			},
		});

describe('Messaging Trigger: whatever breaks, a call is answered once', () => {
	test.each<keyof IWebhookFunctions>([
		'getCredentials',
		'getNodeParameter',
		'getQueryData',
		'getHeaderData',
		'getRequestObject',
		'getMode',
		'getWorkflow',
		'getNode',
	])('%s throws: 503, and the event starts when it is delivered again', async (member) => {
		const hook = knowing();
		const whole = hook.sabotage;
		hook.sabotage = breaking(member);
		const outcome = await hook.deliver({ body });
		expect(outcome).toMatchObject({ status: 503, answers: 1, items: undefined });
		expect(outcome.log).toMatch(/Messaging Trigger: .* is broken/);
		hook.sabotage = whole;
		expect((await hook.deliver({ body })).items).toHaveLength(1);
	});

	const failing = '={{ $json.body.no.such.thing }}';
	test.each<[string, IDataObject, 'known' | 'unknown', number, number]>([
		['events: 503', { events: failing }, 'known', 503, 0],
		['confirm: it lets nobody in', { confirm: failing }, 'unknown', 200, 0],
		['deduplicate: one execution', { deduplicate: failing }, 'known', 200, 1],
		['options: the small rule', { options: failing }, 'known', 200, 1],
		['a path, which is not evaluated', { options: { campaignIdField: failing } }, 'known', 200, 1],
	])('an expression that fails in %s', async (_, parameters, logs, status, starts) => {
		const hook = hookOf({ parameters: { events: EVENTS, ...parameters } });
		withLogs(hook, logs);
		expect(await hook.deliver({ body })).toMatchObject({ status, answers: 1 });
		await hook.deliver({ body });
		expect(hook.database.executions).toHaveLength(starts);
	});
});

describe('Messaging Trigger: the secret', () => {
	const secured = (secret = SECRET) => {
		const hook = hookOf();
		hook.credential = { baseUrl: ADDRESS, apiKey: KEY, webhookSecret: secret };
		withLogs(hook, 'known');
		return hook;
	};

	test('is hidden in the query, the headers and the body that the workflow sees', async () => {
		const { items } = await secured().deliver({
			query: { secret: SECRET, url: `?secret=${SECRET}` },
			headers: { 'x-webhook-secret': SECRET, referer: `https://n8n.test/?a=1&secret=${SECRET}` },
			body: { ...body, note: `in ${SECRET} text` },
		});
		expect(items).toMatchObject([
			{ query: { url: '?secret=***' }, headers: { referer: 'https://n8n.test/?a=1&secret=***' } },
		]);
		expect(items![0].body).toEqual({ ...body, note: 'in *** text' });
		expect(JSON.stringify(items)).not.toContain(SECRET);
	});

	const escaped = JSON.stringify(SECRET).replaceAll('/', '\\/');
	const form = (note: string): Delivery => ({
		body: String(new URLSearchParams({ note })),
		contentType: 'application/x-www-form-urlencoded',
	});
	test.each<[string, Delivery, string]>([
		['JSON', { body: { note: SECRET } }, '***'],
		['JSON, behind its name', { body: { note: '?secret=other' } }, '?secret=***'],
		['JSON, escaped', { body: `{"note":${escaped}}` }, '***'],
		['JSON, behind its escaped name', { body: '{"note":"?s\\u0065cret=other"}' }, '?secret=***'],
		['JSON sent as text', { body: `{"note":${escaped}}`, contentType: 'text/plain' }, '***'],
		['a form', form(SECRET), '***'],
		['a form, behind its name', form('?secret=other'), '?secret=***'],
		['a form with a file', { form: { note: SECRET } }, '***'],
	])('is hidden in %s', async (_, call, note) => {
		const hook = secured();
		hook.parameters = { ...hook.parameters, events: ['other'] };
		const contentType = typeof call.body === 'string' ? 'application/json' : undefined;
		const { items } = await hook.deliver({ contentType, ...call, query: { secret: SECRET } });
		expect(items).toMatchObject([{ body: { note } }]);
	});

	test.each<[string, unknown, number, number]>([
		['a number', 12345678, 401, 200],
		['nothing', undefined, 200, 200],
		['blanks, which let nobody in', ' ', 401, 401],
	])('%s in the credential', async (_, secret, without, withIt) => {
		const hook = secured();
		hook.credential = { ...hook.credential, webhookSecret: secret as string };
		expect((await hook.deliver({ body })).status).toBe(without);
		const given = await hook.deliver({ body, query: { secret: String(secret) } });
		expect(given.status).toBe(withIt);
	});

	test('a refused call is not read: no request, nothing saved, nothing logged', async () => {
		const hook = secured();
		const requested = withLogs(hook, 'known');
		const outcome = await hook.deliver({ body });
		expect(outcome).toEqual({
			status: 401,
			message: expect.stringMatching(/^Refused: /) as string,
			answers: 1,
			items: undefined,
			log: '',
		});
		expect(requested).toEqual([]);
	});
});

describe('Messaging Trigger: a call by a stranger', () => {
	test('cannot write lines into the log', async () => {
		const hook = hookOf();
		withLogs(hook, 'unknown');
		const { log } = await hook.deliver(completion('x\u2028y "z"'));
		expect(log.trimEnd().split('\n')).toHaveLength(1);
		const ignored = await hookOf({ parameters: { events: ['campaignCompleted'] } }).deliver({
			body: { campaign_id: 'c', status: 'a\nb\u2028c' },
		});
		expect(ignored.log.trimEnd().split(/[\n\u2028]/)).toHaveLength(1);
	});

	test('cannot give the output another prototype', async () => {
		const hook = hookOf();
		hook.credential = { ...hook.credential, webhookSecret: SECRET };
		const { items } = await hook.deliver({
			body: '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
			contentType: 'application/json',
			query: { secret: SECRET },
			headers: { __proto__: 'x' } as unknown as IDataObject,
		});
		expect(({} as IDataObject).polluted).toBeUndefined();
		expect((items![0].body as IDataObject).polluted).toBeUndefined();
		expect(Object.getPrototypeOf(items![0].body)).toBe(Object.prototype);
	});
});

describe('Messaging Trigger: the credential', () => {
	const CREDENTIAL = { baseUrl: ADDRESS, apiKey: KEY, webhookSecret: '' };
	/** A trigger that starts on nothing, because calls that start something read n8n's database for another reason. */
	const idle = (settings: Partial<Hook> = {}) =>
		hookOf({ parameters: { events: [] }, ...settings });

	/** Lets each reading of the credential take a moment. @param fails whether the nth reading fails */
	function slowly(
		hook: Hook,
		credential: IDataObject,
		fails: (nth: number) => boolean = () => false,
	) {
		const reads = { all: 0 };
		hook.sabotage = (context) =>
			Object.defineProperty(context, 'getCredentials', {
				value: async () => {
					const nth = ++reads.all;
					for (let tick = 0; tick < 20; tick++) await null;
					if (fails(nth)) throw new RangeError('operation timed out');
					return credential;
				},
			});
		return reads;
	}

	test('is read once for all calls of one second, and again a second later', async () => {
		const hook = idle();
		const reads = slowly(hook, CREDENTIAL);
		await words(hook, ...times(30, 'x').map(() => ({ body })));
		expect(reads.all).toBe(1);
		// The clock jumps ahead here.
		await sleep(1);
		await words(hook, { body });
		expect(reads.all).toBe(2);
	});

	test('cannot be read: all calls that come at once are answered 503, and a later one reads it', async () => {
		const hook = idle();
		slowly(hook, CREDENTIAL, (nth) => nth === 1);
		const answers = await words(hook, ...times(30, 'x').map(() => ({ body })));
		expect(new Set(answers)).toEqual(new Set(['503 The']));
		expect(await words(hook, { body })).toEqual(['200 Ignored']);
	});

	test.each<[string, Partial<Hook>]>([
		['another workflow', { workflowId: 'another' }],
		['another trigger', { node: { id: 'another', name: 'Another' } }],
		['a test', { mode: 'manual' }],
	])('is not shared with %s', async (_, other) => {
		const here = idle();
		const there = idle({ workflowId: here.workflowId, ...other });
		slowly(here, { ...CREDENTIAL, webhookSecret: 'here' });
		slowly(there, { ...CREDENTIAL, webhookSecret: 'there' });
		const answers = await Promise.all([
			words(here, { body, query: { secret: 'here' } }),
			words(there, { body, query: { secret: 'there' } }),
		]);
		expect(answers.flat().map((answer) => answer.slice(0, 3))).toEqual(['200', '200']);
	});
});
