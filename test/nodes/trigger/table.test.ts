import { useHarness } from '../../support/harness';
import { Hook, SECRET, withLogs, type Delivery, type Logs, type Outcome } from './hook';

// Before its second request to the logs the trigger waits. Here the clock jumps ahead instead.
jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

const harness = useHarness();

/** What a call is, when it is let in. */
type Kind = 'campaignCompleted' | 'smsDeliveryReport' | 'other' | 'unreadable';
/** `make`: the call; its id is new for each row, so that no row meets another one's memory. */
type Call = { name: string; kind: Kind; make: (id: string) => Delivery };

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const UNKNOWN_TYPE = 'application/octet-stream';
const nested = (depth: number) => `${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`;
const json = (id: string) => JSON.stringify({ campaign_id: id });
const latin1 = (id: string) =>
	Buffer.from(`{"campaign_id":"${id}","name":"B\xe4ckerei"}`, 'latin1');
const inField = (value: object) => `a=b&payload=${encodeURIComponent(JSON.stringify(value))}`;
const status = (id: string) => ({ event: 'messageStatus', campaign_id: id });
const sms = (id: string) => ({ event: 'smsDeliveryReport', message: null, conversation: { id } });
/** A body as bytes; without a content type n8n does not parse it. */
const sent = (body: unknown, contentType: string | null = null): Delivery => ({
	body,
	contentType,
});

/* The ways in which a call may arrive. Which fields and names count is in event.test.ts. */
const COMPLETIONS: Array<[string, (id: string) => Delivery]> = [
	['JSON', (id) => ({ body: { event: 'campaignCompleted', campaign_id: id } })],
	['a form', (id) => sent(`event=done&campaign_id=${id}`, FORM)],
	['a form that does not say so', (id) => sent(`campaign_id=${id}&a=b`)],
	['JSON in a field of a form', (id) => sent(inField({ campaign_id: id }), FORM)],
	['a multipart form with a file', (id) => ({ form: { event: 'done', campaign_id: id } })],
	['JSON in a field of a multipart form', (id) => ({ form: { payload: json(id) } })],
	['the query, and no body', (id) => ({ query: { campaign_id: id } })],
	['the query, and an empty object', (id) => ({ body: {}, query: { campaignId: id } })],
	['JSON as text/plain', (id) => sent(json(id), 'text/plain')],
	['JSON without a content type', (id) => sent(json(id))],
	['JSON of an unknown content type', (id) => sent(json(id), UNKNOWN_TYPE)],
	['JSON within JSON', (id) => sent(JSON.stringify(json(id)), JSON_TYPE)],
	// n8n hands over the decompressed bytes, and leaves the header as it was.
	['compressed', (id) => ({ body: { campaign_id: id }, headers: { 'content-encoding': 'gzip' } })],
	['a byte order mark', (id) => sent(`\uFEFF${json(id)}`, JSON_TYPE)],
	['a byte order mark without a content type', (id) => sent(`\uFEFF${json(id)}`)],
	['bytes that are not UTF-8', (id) => sent(latin1(id), JSON_TYPE)],
	['bytes that are not UTF-8, without a content type', (id) => sent(latin1(id))],
	['beside deep nesting', (id) => sent(`{"campaign_id":"${id}","x":${nested(40)}}`, JSON_TYPE)],
	['beside 200 KB', (id) => ({ body: { text: 'x'.repeat(200_000), campaign_id: id } })],
	[
		'beside prototype names',
		(id) =>
			sent(`{"__proto__":{"event":"sent"},"hasOwnProperty":1,"campaign_id":"${id}"}`, JSON_TYPE),
	],
	['an id in a prototype', (id) => sent(`{"__proto__":{"campaign_id":"${id}"}}`, JSON_TYPE)],
];

const OTHERS: Array<[string, (id: string) => Delivery]> = [
	['a status of one message', (id) => ({ body: status(id) })],
	['a status in a form', (id) => sent(`event=messageStatus&campaign_id=${id}`, FORM)],
	['a status in JSON in a field of a form', (id) => sent(inField(status(id)), FORM)],
	['a status in a multipart form', (id) => ({ form: status(id) })],
	['a status in the query', (id) => ({ query: status(id) })],
	['statuses of 150 campaigns', (id) => ({ body: Array.from({ length: 150 }, () => status(id)) })],
	['beside 5 MB', (id) => ({ body: { text: 'x'.repeat(5_000_000), campaign_id: id } })],
	[
		'the query, beside 300 KB',
		(id) => ({ body: { text: 'x'.repeat(300_000) }, query: { campaign_id: id } }),
	],
	['no body', (id) => ({ query: { ping: id } })],
	['an empty text', (id) => ({ ...sent('', JSON_TYPE), query: { ping: id } })],
	['a list of other things', (id) => ({ body: [1, id, null, { a: 1 }] })],
	['a number', (id) => sent(id.replace(/\D/g, '1'), JSON_TYPE)],
	['a text in JSON', (id) => sent(JSON.stringify(id), JSON_TYPE)],
	['null', (id) => ({ ...sent('null', JSON_TYPE), query: { ping: id } })],
	['an id with half a character', (id) => sent(`{"campaign_id":"${id}\\ud800"}`, JSON_TYPE)],
];

const UNREADABLE: Array<[string, () => Delivery]> = [
	['text', () => sent('hello world', 'text/plain')],
	['text without a content type', () => sent('<html>campaign</html>')],
	['JSON cut off, without a content type', () => sent('{"campaign_id":')],
	['bytes', () => sent(Buffer.from([0, 255, 254, 1, 128]))],
	['UTF-16', () => sent(Buffer.from('{"campaign_id":"c"}', 'utf16le'))],
	['nested 500 deep', () => sent(nested(250), JSON_TYPE)],
	['nested 20,000 deep', () => sent(nested(5_000))],
];

const callsOf = (kind: Kind, rows: Array<[string, (id: string) => Delivery]>): Call[] =>
	rows.map(([name, make]) => ({ name, kind, make }));
const CALLS = [
	...callsOf('campaignCompleted', COMPLETIONS),
	...callsOf('smsDeliveryReport', [['an SMS report', (id) => ({ body: sms(id) })]]),
	...callsOf('other', OTHERS),
	...callsOf('unreadable', UNREADABLE),
];
/** The first of each kind. */
const TYPICAL = CALLS.filter(
	({ kind }, at) => CALLS.findIndex((call) => call.kind === kind) === at,
);

type Authentication = {
	name: string;
	/** The secret in the credential. */
	secret: string;
	add: (delivery: Delivery) => Delivery;
	isLetIn: boolean;
};

const inQuery =
	(secret: unknown) =>
	(delivery: Delivery): Delivery => ({
		...delivery,
		query: { ...delivery.query, secret: secret as string },
	});
const inHeader =
	(secret: unknown) =>
	(delivery: Delivery): Delivery => ({
		...delivery,
		headers: { ...delivery.headers, 'x-webhook-secret': secret as string },
	});
const asItIs = (delivery: Delivery) => delivery;

/* Every other way to give a secret is in secret.test.ts. */
const AUTHENTICATIONS: Authentication[] = [
	{ name: 'no secret set', secret: '', add: asItIs, isLetIn: true },
	{ name: 'none set, one given', secret: '', add: inQuery(SECRET), isLetIn: true },
	{ name: 'right in the query', secret: SECRET, add: inQuery(SECRET), isLetIn: true },
	{ name: 'right in the header', secret: SECRET, add: inHeader(SECRET), isLetIn: true },
	{ name: 'missing', secret: SECRET, add: asItIs, isLetIn: false },
	{ name: 'wrong', secret: SECRET, add: inQuery('wrong'), isLetIn: false },
];

type Settings = {
	isChosen: boolean;
	confirm: boolean;
	deduplicate: boolean;
	isTest: boolean;
};

const both = [true, false];
const SETTINGS: Settings[] = both.flatMap((isChosen) =>
	both.flatMap((confirm) =>
		both.flatMap((deduplicate) =>
			both.map((isTest) => ({ isChosen, confirm, deduplicate, isTest })),
		),
	),
);
const DEFAULTS: Settings = { isChosen: true, confirm: true, deduplicate: true, isTest: false };
const LOGS: Logs[] = ['known', 'unknown', 'unavailable', 'keyRefused'];

type Expected = { status: number; message: RegExp; items: number };

/** The answer that the documentation promises. The first rule that fits decides. */
function expected(call: Call, isLetIn: boolean, logs: Logs, settings: Settings): Expected {
	if (!isLetIn) return { status: 401, message: /^Refused/, items: 0 };
	if (call.kind === 'unreadable') return { status: 400, message: /^Unreadable/, items: 0 };
	const accepted = { status: 200, message: /^Accepted/, items: 1 };
	// The editor shows every call, with a hint where production would not start.
	if (settings.isTest) return accepted;
	if (!settings.isChosen) return { status: 200, message: /^Ignored/, items: 0 };
	if (call.kind !== 'campaignCompleted' || !settings.confirm || logs === 'known') return accepted;
	return logs === 'unknown'
		? { status: 200, message: /^Ignored/, items: 0 }
		: { status: 503, message: /again/, items: 0 };
}

function expectedAgain(first: Expected, { deduplicate, isTest }: Settings): Expected {
	return first.items > 0 && deduplicate && !isTest
		? { status: 200, message: /^Duplicate/, items: 0 }
		: first;
}

let rows = 0;

/** Delivers a call twice, and compares both answers with the promised ones. */
async function check(
	call: Call,
	{ secret, add, isLetIn }: Authentication,
	logs: Logs,
	settings: Settings,
) {
	const id = `c${String(++rows).padStart(8, '0')}`;
	const delivery = add(call.make(id));
	const hook = new Hook(harness, {
		parameters: {
			events: chosen(call.kind, settings.isChosen),
			confirm: settings.confirm,
			deduplicate: settings.deduplicate,
		},
		mode: settings.isTest ? 'manual' : 'webhook',
		workflowId: id,
	});
	hook.credential.webhookSecret = secret;
	withLogs(hook, logs);

	const first = expected(call, isLetIn, logs, settings);
	const outcomes = [await hook.deliver(delivery), await hook.deliver(delivery)];
	compare(outcomes[0], first, call);
	compare(outcomes[1], expectedAgain(first, settings), call);
	for (const secretText of [secret, encodeURIComponent(secret)].filter(Boolean)) {
		expect(JSON.stringify(outcomes)).not.toContain(JSON.stringify(secretText).slice(1, -1));
	}
}

const ALL: Kind[] = ['campaignCompleted', 'smsDeliveryReport', 'other'];
const chosen = (kind: Kind, isChosen: boolean) =>
	isChosen ? [...ALL] : ALL.filter((event) => event !== kind);

function compare(outcome: Outcome, { status, message, items }: Expected, call: Call) {
	expect(outcome).toMatchObject({ status, answers: 1 });
	expect(outcome.message).toMatch(message);
	// One execution, however many events. Without an event the trigger returns no items at all.
	expect(outcome.items?.map(({ event }) => event)).toEqual(
		items === 0 ? undefined : Array.from({ length: items }, () => call.kind),
	);
}

const [OPEN, , SECURED] = AUTHENTICATIONS;

describe('every way in which a call may arrive, without a secret and with the right one', () => {
	const cases = CALLS.flatMap((call) =>
		[OPEN, SECURED].map((authentication) => ({ call, authentication })),
	);
	test.each(cases)('$call.kind: $call.name; $authentication.name', async (row) => {
		await check(row.call, row.authentication, 'known', DEFAULTS);
	});
});

describe('every way to authenticate', () => {
	const cases = AUTHENTICATIONS.flatMap((authentication) =>
		TYPICAL.map((call) => ({ call, authentication })),
	);
	test.each(cases)('$authentication.name; $call.kind', async (row) => {
		await check(row.call, row.authentication, 'known', DEFAULTS);
	});
});

describe('every setting and every answer of the logs', () => {
	const cases = TYPICAL.flatMap((call) =>
		LOGS.flatMap((logs) =>
			SETTINGS.map((settings, index) => ({
				call,
				logs,
				settings,
				authentication: index % 2 ? OPEN : SECURED,
				title: `${call.kind}; logs: ${logs}; ${JSON.stringify(settings)}`,
			})),
		),
	);
	test.each(cases)('$title', async ({ call, logs, settings, authentication }) => {
		await check(call, authentication, logs, settings);
	});
});
