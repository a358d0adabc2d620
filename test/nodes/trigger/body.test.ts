import fc from 'fast-check';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { readBody, readJson } from '../../../nodes/Messaging/trigger/body';
import { useHarness } from '../../support/harness';
import { Hook, SECRET, withLogs, type Delivery } from './hook';

/* The ways in which a call may arrive. Which of its fields and names count is in event.test.ts. */

const harness = useHarness();

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const nested = (depth: number) => `${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`;
const inField = (value: object) => `a=b&payload=${encodeURIComponent(JSON.stringify(value))}`;
const objects = (count: number) => Array.from({ length: count }, (_, n) => ({ n, x: 'y' }));
const status = (id: string) => ({ event: 'messageStatus', campaign_id: id });
/** A body as bytes; without a content type n8n does not parse it. */
const sent = (body: unknown, contentType: string | null = null): Delivery => ({
	body,
	contentType,
});

const DONE = { event: 'done', campaign_id: 'c' };
const CAMPAIGN = JSON.stringify(DONE);
const LATIN1 = Buffer.from('{"event":"done","campaign_id":"c","name":"B\xe4ckerei"}', 'latin1');

const COMPLETIONS: Array<[string, Delivery]> = [
	['JSON', { body: { event: 'campaignCompleted', campaign_id: 'c' } }],
	['a form', sent('event=done&campaign_id=c', FORM)],
	['a form with names in brackets', sent('data[campaign][id]=c&event=done', FORM)],
	['JSON in a field of a form', sent(inField(DONE), FORM)],
	['a multipart form with a file', { form: DONE }],
	['JSON in a field of a multipart form', { form: { payload: CAMPAIGN } }],
	['the query, and no body', { query: DONE }],
	['the query, and an empty object', { body: {}, query: { campaignId: 'c', event: 'done' } }],
	['JSON as text/plain', sent(CAMPAIGN, 'text/plain')],
	['JSON without a content type', sent(CAMPAIGN)],
	['JSON within JSON', sent(JSON.stringify(CAMPAIGN), JSON_TYPE)],
	['a byte order mark, without a content type', sent(`\uFEFF${CAMPAIGN}`)],
	['bytes that are not UTF-8, without a content type', sent(LATIN1)],
	['nested 99 deep', sent(`{"event":"done","campaign_id":"c","x":${nested(49)}}`, JSON_TYPE)],
	['beside 5 MB', { body: { text: 'x'.repeat(5_000_000), ...DONE } }],
	['beside a million @', { body: { text: `${'@ '.repeat(1_000_000)} x`, ...DONE } }],
	['beside 15 million digits', { body: { text: '7'.repeat(15_000_000), ...DONE } }],
	['beside 4,000 objects', { body: { list: objects(4_000), ...DONE } }],
	['an id in a prototype', sent('{"event":"done","__proto__":{"campaign_id":"c"}}', JSON_TYPE)],
];

const TOO_LARGE = { ...DONE, by: Object.fromEntries(objects(70_000).map(({ n }) => [`p${n}`, n])) };
const OTHERS: Array<[string, Delivery]> = [
	['a status in a form', sent('event=messageStatus&campaign_id=c', FORM)],
	['a status in a multipart form', { form: status('c') }],
	['statuses of 150 campaigns', { body: Array.from({ length: 150 }, (_, n) => status(`c${n}`)) }],
	['nothing', {}],
	['an empty text', sent('', JSON_TYPE)],
	['a list of other things', { body: [1, 'a', null, { a: 1 }] }],
	['a number', sent('17', JSON_TYPE)],
	['a text in JSON', sent('"campaign"', JSON_TYPE)],
	['null', sent('null', JSON_TYPE)],
];

const UNREADABLE: Array<[string, Delivery]> = [
	['text', sent('hello world', 'text/plain')],
	['a form that does not say so', sent('campaign_id=c&event=done')],
	['a web page without a content type', sent('<html>campaign</html>')],
	['bytes', sent(Buffer.from([0, 255, 254, 1, 128]))],
	['JSON nested 101 deep', sent(`[${nested(50)}]`, JSON_TYPE)],
	['JSON nested 101 deep, an object around', sent(`{"a":${nested(50)}}`)],
	['JSON nested 20,000 deep', sent(nested(5_000))],
];

/** XML, as n8n's body parser hands it over. */
test.each([150, 20_000])('XML nested %d deep is refused', async (depth) => {
	const xml = `${'<a>'.repeat(depth)}x${'</a>'.repeat(depth)}`;
	let body: unknown = 'x';
	for (let level = 0; level < depth; level++) body = { a: body };
	const request = {
		headers: { 'content-type': 'application/xml' },
		body,
		rawBody: Buffer.from(xml),
		readRawBody: async () => {},
	};
	const call = { getRequestObject: () => request } as unknown as IWebhookFunctions;
	expect((await readBody(call)).ok).toBe(false);
});

/** Delivers a call with the secret. */
async function outcomeOf(
	{ query, ...call }: Delivery,
	events = ['campaignCompleted', 'smsDeliveryReport', 'other'],
	mode: Hook['mode'] = 'webhook',
) {
	const hook = hookOf({ events, deduplicate: false }, mode);
	return await hook.deliver({ ...call, query: { ...query, secret: SECRET } });
}

let workflows = 0;
function hookOf(parameters: IDataObject, mode: Hook['mode'] = 'webhook') {
	const hook = new Hook(harness, { mode, parameters, workflowId: `body-${++workflows}` });
	hook.credential.webhookSecret = SECRET;
	withLogs(hook, 'known');
	return hook;
}

/** @returns the answer's status and the events that start */
async function deliver(call: Delivery, events?: string[]) {
	const { status, items = [] } = await outcomeOf(call, events);
	return [status, ...items.map(({ event }) => event)];
}

test.each(COMPLETIONS)('Messaging Trigger: a completed campaign as %s', async (_, call) => {
	expect(await deliver(call)).toEqual([200, 'campaignCompleted']);
});

test.each(OTHERS)('Messaging Trigger: another event: %s', async (_, call) => {
	expect(await deliver(call)).toEqual([200, 'other']);
});

test.each(UNREADABLE)('Messaging Trigger: %s is answered 400, wanted or not', async (_, call) => {
	expect([await deliver(call), await deliver(call, [])]).toEqual([[400], [400]]);
});

describe('Messaging Trigger: a call that is too large to be read', () => {
	const WHY =
		'the call has more than 60000 values where the ID and the end of a campaign are looked for.';
	const CAMPAIGNS = ['campaignCompleted'];

	test('is refused when Campaign Completed is chosen, and said so once in the log', async () => {
		const hook = hookOf({ events: [...CAMPAIGNS, 'other'] });
		const call = { body: TOO_LARGE, query: { secret: SECRET } };
		expect(await hook.deliver(call)).toMatchObject({
			status: 413,
			message: `Refused: ${WHY}`,
			items: undefined,
			log: `Messaging Trigger: a call could not be read for campaigns; further ones are not logged. ${WHY}\n`,
		});
		expect(await hook.deliver(call)).toMatchObject({ status: 413, log: '' });
		expect(await hook.deliver({ body: TOO_LARGE })).toMatchObject({ status: 401, log: '' });
	});

	test('is another event without that choice', async () => {
		const { status, log, items } = await outcomeOf({ body: TOO_LARGE }, ['other']);
		expect([status, log, items?.map(({ event }) => event)]).toEqual([200, '', ['other']]);
	});

	test('starts its SMS reports, and the log says that its campaigns are not read', async () => {
		const body = [{ event: 'smsDeliveryReport' }, TOO_LARGE];
		const { status, log, items } = await outcomeOf({ body });
		expect([status, items?.map(({ event }) => event)]).toEqual([200, ['smsDeliveryReport']]);
		expect(log).toContain('could not be read for campaigns');
	});

	test('is shown in a test with the reason', async () => {
		const { items } = await outcomeOf({ body: TOO_LARGE }, CAMPAIGNS, 'manual');
		expect(items![0].hint).toBe(`The published workflow would refuse this call: ${WHY}`);
	});
});

const LONG = '{"event":"done","campaign_id": 3319237025400370211 }';
const TEXT = '{"event":"done","payload":"{\\"campaign_id\\":3319237025400370211}"}';
const BESIDE =
	'{"id":3319237025400370299,"x":":3319237025400370212,","event":"campaign.done","campaignId":3319237025400370211}';
const LIST =
	'{"event":"done","list":[{"campaign_id":3319237025400370212},{"campaign_id":3319237025400370211}]}';

test.each([
	['JSON behind a byte order mark', sent(`\uFEFF${LONG}`, JSON_TYPE)],
	['JSON without a content type', sent(LONG)],
	['JSON within JSON', sent(JSON.stringify(LONG), JSON_TYPE)],
	['JSON as a form', sent(LONG, FORM)],
	['JSON in a field of a form', sent(`payload=${encodeURIComponent(LONG)}`, FORM)],
	['JSON in a text', sent(TEXT, JSON_TYPE)],
	['JSON beside numbers that are rounded alike', sent(BESIDE, JSON_TYPE)],
	['a list in which two are rounded alike', sent(LIST, JSON_TYPE)],
])('Messaging Trigger: the id of a campaign keeps its digits in %s', async (_, call) => {
	const { items = [] } = await outcomeOf(call, ['campaignCompleted']);
	expect(items.map(({ campaign_id }) => campaign_id)).toContain('3319237025400370211');
	expect(items).toHaveLength(call.body === LIST ? 2 : 1);
});

test('Messaging Trigger: the id of a campaign keeps its digits wherever it stands in the body', async () => {
	// The shortest number that JavaScript rounds.
	const call = '{"event":"done","campaign_id":9007199254740993}';
	for (let blanks = 0; blanks < 16; blanks++) {
		const { items = [] } = await outcomeOf(sent(' '.repeat(blanks) + call, JSON_TYPE));
		expect(items[0].campaign_id).toBe('9007199254740993');
	}
});

/** Any JSON, with its long integers as they are written. */
const asWritten = (_: string, value: unknown, { source }: { source?: string } = {}) =>
	/^-?\d{16,}$/.test(source ?? '') && !Number.isSafeInteger(value) ? source : value;

test('Messaging Trigger: any JSON is read as JSON, with long integers as texts', () => {
	const text = fc.oneof(
		fc.json(),
		fc.bigInt().map((long) => `[{"a":"\\":${long}"},${long}, -1.${'1'.repeat(20)}]`),
	);
	fc.assert(
		fc.property(text, (json) => expect(readJson(json)).toEqual(JSON.parse(json, asWritten))),
	);
	for (const other of ['"', '{"a":12345678901234567', '12345678901234567 x', '', 'a=b'])
		expect(readJson(other)).toBeUndefined();
});

test('Messaging Trigger: only whole numbers that JavaScript rounds become texts', () => {
	const json =
		'{"ä": [9007199254740991, 9007199254740992, -9007199254740993, -9007199254740991, 12345678901234567.0, 12345678901234567e1], "12345678901234567": "\\"12345678901234567"}';
	expect(readJson(json)).toEqual({
		ä: [
			9007199254740991,
			'9007199254740992',
			'-9007199254740993',
			-9007199254740991,
			Number('12345678901234567.0'),
			Number('12345678901234567e1'),
		],
		'12345678901234567': '"12345678901234567',
	});
});

test('Messaging Trigger: a number keeps its digits beside a text with millions of line breaks', () => {
	const lines = '\\n'.repeat(5_000_000);
	expect(readJson(`[{"text":"${lines}"},12345678901234567]`)).toMatchObject([
		{},
		'12345678901234567',
	]);
});
