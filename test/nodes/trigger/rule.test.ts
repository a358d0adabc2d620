import type { IDataObject } from 'n8n-workflow';
import { completedIn, readingOf, type Parts } from './reading';

/* The small rule (docs/triggers.md, "Which call is a completed campaign"), row by row; whole payloads are in payloads.test.ts. */

const completed = (body: unknown, parts?: Parts) => completedIn(body, {}, parts);
const DONE = { event: 'campaign.completed' };
const ID = { campaign_id: 'c' };

describe('Messaging Trigger: where the ID of a campaign is', () => {
	test.each<[string, unknown, string[]]>([
		['campaign_id', { ...DONE, campaign_id: 'c' }, ['c']],
		['campaignId', { ...DONE, campaignId: 'c' }, ['c']],
		['Campaign-ID', { ...DONE, 'Campaign-ID': 'c' }, ['c']],
		['campaign id', { ...DONE, 'campaign id': 'c' }, ['c']],
		['campaign_sid', { ...DONE, campaign_sid: 'c' }, ['c']],
		['campaign.id', { ...DONE, campaign: { id: 'c' } }, ['c']],
		['campaign.campaign_id', { ...DONE, campaign: { campaign_id: 'c' } }, ['c']],
		['one object deeper, whatever its name', { ...DONE, x: ID }, ['c']],
		['campaign.id, one object deeper', { ...DONE, x: { campaign: { id: 'c' } } }, ['c']],
		['the outermost', { ...DONE, ...ID, data: { campaign_id: 'inner' } }, ['c']],
		[
			'a list of calls',
			[
				{ ...DONE, campaign_id: 'a' },
				{ ...DONE, campaign_id: 'b' },
			],
			['a', 'b'],
		],
		[
			'a list in the call',
			{ ...DONE, data: [{ campaign_id: 'a' }, { campaign_id: 'b' }] },
			['a', 'b'],
		],
		[
			'each once',
			[
				{ ...DONE, campaign_id: 'a' },
				{ ...DONE, campaignId: ' A ' },
			],
			['a'],
		],
		['JSON in a field of a form', { ...DONE, payload: '{"campaign_id":"c"}' }, ['c']],
		['two objects deeper', { ...DONE, x: { y: ID } }, []],
		['another name', { ...DONE, id: 'c', broadcast_id: 'c', campaign_ids: ['c'] }, []],
		['a field with a point', { ...DONE, 'campaign.id': 'c' }, []],
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
		['', []],
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
	});
});

describe('Messaging Trigger: the words of a call', () => {
	const FIELDS = [
		'event',
		'eventType',
		'event_type',
		'TYPE',
		'topic',
		'action',
		'campaign-status',
		'state',
	];
	test.each([
		...['complete', 'COMPLETED', 'completion', 'finished', 'Done', 'ended', 'campaign:done'],
		...['campaign_completed', 'CampaignFinished', 'campaign sending ended', 'broadcast.completed'],
		...['campaign.status.updated.completed', 'Campaign is completed', 'campaign.has_been.finished'],
	])('%s says an end', (word) => {
		for (const field of FIELDS) expect(completed({ [field]: word, ...ID })).toEqual(['c']);
	});

	test.each([
		...[
			'campaign.started',
			'scheduled',
			'paused',
			'failed',
			'sent',
			'ending',
			'Completing',
			'tamamlandı',
		],
		...[
			'campaign.step.completed',
			'import.completed',
			'message.done',
			'contact.campaign.completed',
		],
		...[
			'not completed',
			'partially_completed',
			'uncompleted',
			'incomplete',
			'almostDone',
			'80% complete',
		],
		...[
			'completed_with_errors',
			'campaign.completion_scheduled',
			'campaign.completed.failed',
			'appended',
		],
		...[
			'campaign.end.updated',
			'weekend',
			'completed: false',
			'x'.repeat(1000) + 'Done',
			'…',
			'完成',
			'3',
		],
	])('%s says something else', (word) => {
		for (const field of FIELDS) {
			expect(completed({ [field]: word, ...ID })).toEqual([]);
			expect(completed({ ...DONE, [`x_${field}`]: word, ...ID })).toEqual([]);
		}
	});

	test.each<[string, unknown, Parts, boolean]>([
		['no word', ID, {}, false],
		[
			'only words that say nothing',
			{ event: 'campaign.status_changed', status: 'success', ...ID },
			{},
			false,
		],
		[
			'an end beside one that says nothing',
			{ event: 'campaign.status', status: 'done', ...ID },
			{},
			true,
		],
		[
			'the status of the campaign',
			{ type: 'campaign', campaign: { id: 'c', status: 'done' } },
			{},
			true,
		],
		['a list of words: only the first is read', { type: ['campaign', 'done'], ...ID }, {}, false],
		['an end around the object of the ID', { ...DONE, data: ID }, {}, true],
		['an end that is empty elsewhere', { ...DONE, status: null, state: '', ...ID }, {}, true],
		['a header', ID, { headers: { 'x-event-type': 'campaign.completed' } }, true],
		['a header of CloudEvents', ID, { headers: { 'ce-type': 'campaign.completed' } }, true],
		['the query', ID, { query: DONE as IDataObject }, true],
		['a header that is no event', ID, { headers: { 'x-note': 'campaign.completed' } }, false],
		[
			'a header that says something else',
			{ ...DONE, ...ID },
			{ headers: { 'x-event': 'ping' } },
			false,
		],
		['the query says something else', { ...DONE, ...ID }, { query: { type: 'test' } }, false],
		[
			'the content type is no word',
			{ ...DONE, ...ID },
			{ headers: { 'content-type': 'text/plain' } },
			true,
		],
		['an end in an object beside it', { ...ID, import: { status: 'completed' } }, {}, false],
		['a word of the sender', { ...DONE, ...ID, sender: { status: 'active' } }, {}, true],
		[
			'another word in an object beside it',
			{ ...DONE, ...ID, result: { status: 'failed' } },
			{},
			false,
		],
		['another word in a list below it', { ...DONE, ...ID, steps: [{ state: 'open' }] }, {}, true],
		['another word far away', { ...DONE, ...ID, a: { b: { status: 'open' } } }, {}, true],
		['a failure', { success: false, message: 'Campaign failed', data: ID }, {}, false],
	])('%s', (_, body, parts, isEnd) => {
		expect(completed(body, parts)).toEqual(isEnd ? ['c'] : []);
	});

	test('of a list, only those of its own element count', () => {
		const list = [
			{ ...DONE, campaign_id: 'a' },
			{ event: 'sent', campaign_id: 'b' },
			{ type: 'ping' },
		];
		expect([completed(list), completed({ x: list })]).toEqual([['a'], ['a']]);
	});
});

describe('Messaging Trigger: a call about a person or a message', () => {
	test.each<[string, object]>([
		['a phone number, whatever the field', { rufnummer: '491713920020' }],
		['with a plus and blanks', { x: '+44 7700 900211' }],
		['with stars', { x: '******0211' }],
		['cut off', { x: '+254711XXXYYY' }],
		['in other digits', { x: '٩٦٦٥٥١٢٣٤٥٦٧' }],
		['as a number', { x: 447700900211 }],
		['with a scheme', { x: 'whatsapp:+447700900211' }],
		['an e-mail address', { x: 'a***@shop.example' }],
		['a user of a chat app', { x: '905321234567@s.chat.example' }],
		['in a list', { to: ['447700900211'] }],
		['a message ID', { last_message_id: 'm' }],
		['an SMS ID', { smsId: 7 }],
		['a contact', { contact: { name: 'Ada' } }],
		['a lead in the campaign', { campaign: { id: 'c', lead: { name: 'Ada' } } }],
		['a recipient', { recipient_hash: 'b1946ac9' }],
		['an identifier', { identifier: 'order-7' }],
		['in an object beside it', { data: { phone: '447700900211' } }],
	])('%s', (_, beside) => {
		expect(completed({ ...DONE, ...ID, ...beside })).toEqual([]);
	});

	test.each<[string, object]>([
		[
			'the sender',
			{ from: '447700900100', sender_email: 'a@shop.example', source: { phone: '447700900100' } },
		],
		['counts', { recipients: 25, contact: 25, lead: '300', total: 12345678 }],
		[
			'times',
			{ at: '2026-12-01T10:00:00Z', ms: 1795867230000, s: '1795867230', day: '01.12.2026' },
		],
		['texts', { name: 'Spring @ noon', note: '5 to 10' }],
	])('not %s', (_, beside) => {
		expect(completed({ ...DONE, ...ID, ...beside })).toEqual(['c']);
	});

	test('of a list, only those of its own element count', () => {
		const list = [
			{ ...DONE, campaign_id: 'a' },
			{ ...DONE, campaign_id: 'b', phone: '447700900211' },
		];
		expect(completed(list)).toEqual(['a']);
	});
});

test('Messaging Trigger: a word without "campaign" may be that of anything else with an ID', () => {
	const done = { status: 'completed', ...ID };
	for (const beside of [
		{ user_id: 1 },
		{ survey_id: 's' },
		{ account: { id: 1 } },
		{ id_cliente: 7 },
	]) {
		expect([completed({ ...done, ...beside }), completed({ ...DONE, ...done, ...beside })]).toEqual(
			[[], ['c']],
		);
	}
	for (const its of [{ id: 'e' }, { event_id: 'e' }, { paid: true }]) {
		expect(completed({ ...done, ...its })).toEqual(['c']);
	}
});

test('Messaging Trigger: a completion is known by its campaign and its word, in any spelling', () => {
	const nameOf = (event: string) => readingOf({ event, ...ID }).events[0].name;
	expect(
		new Set(['campaign.completed', 'CampaignCompleted', 'CAMPAIGN_COMPLETED'].map(nameOf)),
	).toEqual(new Set(['campaigncompleted']));
	expect(readingOf({ ...DONE, status: 'done', ...ID }).events[0].name).toBe('campaigncompleted');
});
