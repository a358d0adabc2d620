import { completedIn, readingOf, type Parts } from './reading';

/* What the calls of payloads.jsonl do not show of the small rule (docs/triggers.md, "Which call is a completed campaign"). */

const completed = (body: unknown, parts?: Parts) => completedIn(body, {}, parts);
const DONE = { event: 'campaign.completed' };
const ID = { campaign_id: 'c' };

describe('Messaging Trigger: where the ID of a campaign is', () => {
	test.each<[string, unknown, string[]]>([
		['campaign id', { ...DONE, 'campaign id': 'c' }, ['c']],
		['campaign.campaign_id', { ...DONE, campaign: { campaign_id: 'c' } }, ['c']],
		[
			'each once',
			[
				{ ...DONE, campaign_id: 'a' },
				{ ...DONE, campaignId: ' A ' },
			],
			['a'],
		],
		['another name', { ...DONE, id: 'c', parent_campaign_id: 'c', campaign_ids: ['c'] }, []],
		['a list of campaigns beside the word', { ...DONE, campaign: [{ id: 'a' }, { id: 'b' }] }, []],
		['the same, in one of them', { ...DONE, campaign: [{ campaign: { id: 'a' } }] }, []],
		['broken JSON', { ...DONE, payload: '{"campaign_id":"c"' }, []],
	])('%s', (_, body, expected) => {
		expect(completed(body)).toEqual(expected);
	});

	test.each<[unknown, string[]]>([
		[' c 1 ', ['c 1']],
		[0, ['0']],
		['x'.repeat(200), ['x'.repeat(200)]],
		['😀', ['😀']],
		['x'.repeat(201), []],
		['a\nb', []],
		['a\ud800', []],
		[null, []],
	])('the value %j', (campaign_id, expected) => {
		expect(completed({ ...DONE, campaign_id })).toEqual(expected);
	});

	test('the query has it when the body has none', () => {
		expect(completed(DONE, { query: ID })).toEqual(['c']);
		expect(completed({ ...DONE, campaign_id: 'b' }, { query: ID })).toEqual(['b']);
		expect(completed({ event: 'message.sent' }, { query: { ...ID, ...DONE } })).toEqual([]);
		expect(completed(DONE, { headers: ID })).toEqual([]);
	});
});

describe('Messaging Trigger: the words of a call', () => {
	test.each(['completion', 'campaign sending ended', 'Campaign is completed', 'was done'])(
		'%s says an end',
		(event) => {
			expect(completed({ event, ...ID })).toEqual(['c']);
		},
	);

	test.each([
		...['not completed', 'partially_completed', 'almostDone', '80% complete', 'completely', '…'],
		`${'campaign '.repeat(10)}done`,
	])('%s says something else', (event) => {
		expect(completed({ event, ...ID })).toEqual([]);
		expect(completed({ ...DONE, type: event, ...ID })).toEqual([]);
	});

	test.each<[string, unknown, boolean]>([
		['a list of words: only the first is read', { type: ['campaign', 'done'], ...ID }, false],
		['an end that is empty elsewhere', { ...DONE, status: null, state: '', ...ID }, true],
		['another word far away', { ...DONE, ...ID, a: { b: { status: 'open' } } }, true],
	])('%s', (_, body, isEnd) => {
		expect(completed(body)).toEqual(isEnd ? ['c'] : []);
	});
});

describe('Messaging Trigger: a call about a person or a message', () => {
	test.each<[string, object]>([
		['with stars', { x: '******0211' }],
		['in other digits', { x: '٩٦٦٥٥١٢٣٤٥٦٧' }],
		['an SMS ID', { smsId: 7 }],
		['a message ID, cut short', { msg_id: 7 }],
		['a UUID of a message', { message_uuid: 'm' }],
		['an identifier', { identifier: 'order-7' }],
	])('%s', (_, beside) => {
		expect(completed({ ...DONE, ...ID, ...beside })).toEqual([]);
	});

	test.each<[string, object]>([
		['the source', { source: { phone: '447700900100' } }],
		['a list of all', { recipients: 'all' }],
		['a time', { at: '2026-12-01 10.00' }],
		['texts', { name: 'Spring @ noon', note: '5 to 10' }],
	])('not %s', (_, beside) => {
		expect(completed({ ...DONE, ...ID, ...beside })).toEqual(['c']);
	});
});

test('Messaging Trigger: a word without "campaign" may be that of anything else with an ID', () => {
	const done = { status: 'completed', ...ID };
	for (const beside of [{ user_id: 1 }, { id_cliente: 7 }]) {
		expect(completed({ ...done, ...beside })).toEqual([]);
		for (const event of ['campaign.completed', 'broadcast.completed'])
			expect(completed({ event, ...done, ...beside })).toEqual(['c']);
	}
	for (const its of [{ id: 'e' }, { event_id: 'e' }, { paid: true }, { data: ID }]) {
		expect(completed({ ...done, ...its })).toEqual(['c']);
	}
});

test('Messaging Trigger: a completion is known by its campaign and its word, in any spelling', () => {
	const nameOf = (call: object) => readingOf({ ...call, ...ID }).events[0].name;
	expect(nameOf({ event: 'CAMPAIGN_COMPLETED' })).toBe('campaigncompleted');
	expect(nameOf({ status: 'done', event: 'CampaignCompleted' })).toBe('campaigncompleted');
});
