import type { IDataObject } from 'n8n-workflow';
import { readEvents as eventsOf, type WebhookEvent } from '../../../nodes/Messaging/trigger/event';

const readEvents = (body: unknown, query: IDataObject = {}, completion = '') =>
	eventsOf({ body, json: JSON.stringify(body) ?? '', query, headers: {} }, completion).events;
/** The events in a few words: the id of a campaign, or the kind. */
const told = (...call: Parameters<typeof readEvents>) =>
	readEvents(...call).map(({ event, campaignId }) => campaignId ?? event);
const nest = (depth: number, inner: unknown): unknown =>
	depth === 0 ? inner : { a: nest(depth - 1, inner) };
const SMS = { event: 'smsDeliveryReport', conversation: { id: 'x' } };
const OTHER = ['other'];
/** The nth spelling of `event`. */
const spelled = (nth: number) => `e${'-'.repeat(nth % 60)}vent${' '.repeat(nth / 60)}`;

test('Messaging Trigger: a completion has the id as it came, and a name in one spelling for its key', () => {
	expect(readEvents({ campaign_id: ' C-1 ' })).toEqual([
		{ event: 'campaignCompleted', campaignId: 'C-1', name: '' },
	]);
	const nameOf = (event: string) => readEvents({ event, campaign_id: 'c' })[0].name;
	expect(
		new Set(['campaign.completed', 'CampaignCompleted', 'campaign_completed'].map(nameOf)),
	).toEqual(new Set(['campaigncompleted']));
});

describe('Messaging Trigger: an SMS report', () => {
	test.each<[string, unknown, string[]]>([
		['a list of several: one event', [SMS, { ...SMS, campaign_id: 'c' }], [SMS.event]],
		['in a list beside a campaign', [{ campaign_id: 'c' }, SMS], ['c', SMS.event]],
		['in a list beside something else', [SMS, { type: 'ping' }, null], [SMS.event]],
	])('%s', (_, body, expected) => {
		expect(told(body)).toEqual(expected);
	});

	test.each<unknown>([{ event: 'smsdeliveryreport' }, { data: SMS }, 'smsDeliveryReport'])(
		'%j is none',
		(body) => {
			expect(told(body)).toEqual(OTHER);
		},
	);
});

test.each<[string, unknown, unknown, boolean]>([
	[
		'another attempt',
		{ attempt: 1, data: { id: 'm', status: 'sent' } },
		{ attempt: 2, data: { status: 'sent', id: 'm' } },
		true,
	],
	[
		'another status',
		{ conversation: { id: 'm', status: 'sent' } },
		{ conversation: { id: 'm', status: 'read' } },
		false,
	],
	[
		'another message',
		{ conversation: { id: 'm', status: 'sent' } },
		{ conversation: { id: 'n', status: 'sent' } },
		false,
	],
	[
		'its own fields',
		{ message_id: 7, status: 'sent', at: 1 },
		{ message_id: 7, status: 'sent', at: 2 },
		true,
	],
])(
	'Messaging Trigger: an SMS report has its message and status for its key: %s',
	(_, one, two, isSame) => {
		const [a, b] = [one, two].map(
			(each) => readEvents({ event: SMS.event, ...(each as object) })[0],
		);
		expect([a.event, Boolean(a.name), a.name === b.name]).toEqual([SMS.event, true, isSame]);
	},
);

test('Messaging Trigger: an SMS report without a status, or with a rounded id, is known by its bytes', () => {
	expect(readEvents([SMS])).toEqual([{ event: SMS.event, name: undefined }]);
	const rounded = { ...SMS, message_id: Number('3319237025400370299'), status: 'sent' };
	expect(readEvents(rounded)).toEqual([{ event: SMS.event, name: undefined }]);
});

test('Messaging Trigger: ids keep all digits of the text, two of one list, too', () => {
	const call = (text: string) => {
		const call = { body: JSON.parse(text) as unknown, json: text, query: {}, headers: {} };
		return eventsOf(call).events.map(({ campaignId }) => campaignId);
	};
	// Another id that is rounded alike, and a text that looks like a number.
	expect(
		call('{"id":3319237025400370299,"x":":3319237025400370212,","campaignId":3319237025400370211}'),
	).toEqual(['3319237025400370211']);
	expect(
		call('[{"campaign":{"id":3319237025400370211}},{"campaign":{"id": 3319237025400370212}}]'),
	).toEqual(['3319237025400370211', '3319237025400370212']);
	expect(call(`{"campaign":{"id": -3319237025400370211${' '.repeat(20)}}}`)).toEqual([
		'-3319237025400370211',
	]);
	expect(call('{"payload":"{\\"campaign_id\\":3319237025400370211}"}')).toEqual([
		'3319237025400370211',
	]);
});

describe('Messaging Trigger: the campaign id', () => {
	test.each<[string, boolean]>([
		...['campaign_id', 'campaignId', 'Campaign-ID', 'campaign id'].map(
			(name): [string, boolean] => [name, true],
		),
		...['campaigns_ids', 'xcampaign_id', 'campaign.id', 'id', 'x'.repeat(200)].map(
			(name): [string, boolean] => [name, false],
		),
	])('a field %j holds one: %p', (name, isOne) => {
		expect(told({ [name]: 'c' })).toEqual(isOne ? ['c'] : OTHER);
	});

	test.each<[unknown, string | undefined]>([
		[' c 1 ', 'c 1'],
		[0, '0'],
		['x'.repeat(200), 'x'.repeat(200)],
		['x'.repeat(201), undefined],
		['a\nb', undefined],
		['a\ud800', undefined],
		['😀', '😀'],
		[null, undefined],
		[{ id: 'c' }, undefined],
	])('the value %j', (id, expected) => {
		expect(told({ campaign_id: id })).toEqual(expected === undefined ? OTHER : [expected]);
	});

	test.each<[string, unknown, string[]]>([
		['the first usable of several names', { campaign_id: '', campaignId: 'b' }, ['b']],
		['a name before `campaign.id`', { campaign: { id: 'a' }, campaign_id: 'b' }, ['b']],
		['`campaign.id`', { campaign: { id: 'a' } }, ['a']],
		['the outermost', { data: { campaign_id: 'inner' }, campaign_id: 'outer' }, ['outer']],
		['a list in a field', { success: true, data: [{ campaign_id: 'a' }] }, ['a']],
		[
			'all on the outermost level',
			{ x: { campaign_id: 'a' }, y: { campaign_id: 'b' } },
			['a', 'b'],
		],
		['none further down', { x: { campaign_id: 'a' }, y: { z: { campaign_id: 'b' } } }, ['a']],
		[
			'each once',
			[{ campaign_id: 'a' }, { campaignId: ' A ' }, { campaign: { id: 'b' } }],
			['a', 'b'],
		],
		['a list of ids', { campaign_ids: ['a'] }, OTHER],
		['a field that holds a list in JSON', { payload: '[{"campaign_id":"a"}]' }, ['a']],
		['a field with malformed JSON', { payload: '{"campaign_id":"a"' }, OTHER],
		['JSON that is no object', { payload: '"campaign_id"', x: '[1]' }, OTHER],
		['nothing in a list of other values', [null, 7, 'x'], OTHER],
	])('%s', (_, body, expected) => {
		expect(told(body)).toEqual(expected);
	});

	test('is found beside very deep objects', () => {
		const to = JSON.parse(`${'{"to":'.repeat(1_000)}1${'}'.repeat(1_000)}`) as object;
		expect(told({ ...to, campaign_id: 'c' })).toEqual(['c']);
	});

	test('is found in the first 10,000 values, outermost first, however large they are', () => {
		const beside = {
			text: 'x'.repeat(1_000_000),
			list: Array.from({ length: 20_000 }, () => ({})),
		};
		expect(told(nest(90, { campaign_id: 'c' }))).toEqual(['c']);
		expect(told({ ...beside, campaign_id: 'c' })).toEqual(['c']);
		expect(told({ ...beside, inner: { campaign_id: 'c' } })).toEqual(['c']);
		expect(told({ list: [...beside.list, { campaign_id: 'c' }] })).toEqual(OTHER);
	});

	// Each of these once took minutes, or would.
	test.each<[string, unknown, string[]]>([
		['an address of a million @', { email: `${'@'.repeat(1_000_000)} x`, campaign_id: 'c' }, ['c']],
		[
			'3,000 ids of 19 digits beside a megabyte',
			[...Array.from({ length: 3_000 }, () => ({ campaign_id: 2 ** 62 })), 'x'.repeat(1_000_000)],
			[String(2 ** 62)],
		],
		[
			'3,000 campaigns, and as many names around them',
			{
				...Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [spelled(n), 'campaign'])),
				list: Array.from({ length: 3_000 }, () => ({ campaign_id: 'c' })),
			},
			OTHER,
		],
	])('a hostile body: %s', (_, body, expected) => {
		expect(told(body)).toEqual(expected);
	});

	test.each<[string, unknown, IDataObject, string[]]>([
		['the query', {}, { campaign_id: 'q' }, ['q']],
		['the body before the query', { campaign_id: 'b' }, { campaign_id: 'q' }, ['b']],
		['a list of other things', [{ a: 1 }, { b: 2 }], { campaign_id: 'q' }, ['q']],
		['a body of another event', { event: 'messageStatus' }, { campaign_id: 'q' }, OTHER],
		['a list of other events', [{ type: 'messageStatus' }], { campaign_id: 'q' }, OTHER],
		['a query of another event', {}, { type: 'sent', campaign_id: 'q' }, OTHER],
	])('in the query: %s', (_, body, query, expected) => {
		expect(told(body, query)).toEqual(expected);
	});
});

describe('Messaging Trigger: a call that names its event', () => {
	const ENDS = [
		...['complete', 'COMPLETED', 'completes', 'completion', 'finish', 'finished'],
		...['Done', 'end', 'ended', 'ends', 'campaigndone', 'CAMPAIGNEND', 'campaign:done'],
		...['campaign_completed', 'CampaignFinished', 'SMSCompleted', 'v2CampaignEnded'],
		...['campaign sending ended', 'allMessagesCompleted', 'delivery complete'],
		...['campaign.completed_with_failures', 'completed without errors'],
	];
	const NO_ENDS = [
		...[
			'Completing',
			'ending',
			'messageStatus',
			'sent',
			'campaign',
			'campaignStarted',
			'send',
			'campaignpending',
		],
		...['appended', 'extended', 'weekend', 'abandoned', 'endpoint', 'doner', 'incomplete'],
		...['notcompleted', 'notYetDone', 'never-ended', 'un-finished', 'completed: false'],
		...['messageDone', 'recipientCompleted', 'end_user_replied', 'contact_finished'],
		...['campaignMessageDone', 'batchFinished', 'chunk.done', '80% complete', 'almostDone'],
		...['partially completed', 'completion pending', 'campaign_completion_scheduled'],
		...['expectedCampaignEnd', 'campaignCompletionFailed', 'campaignEndDateChanged'],
		'campaign.end.updated',
		...['x'.repeat(1000) + 'Done', '…', '完成'],
	];
	const FIELDS = ['event', 'type', 'eventType', 'event_type', 'Event', 'EVENT_TYPE', 'eventName'];

	test.each(ENDS)('%s is an end', (name) => {
		for (const field of FIELDS) expect(told({ [field]: name, campaign_id: 'c' })).toEqual(['c']);
	});

	test.each(NO_ENDS)('%s is none', (name) => {
		for (const field of FIELDS) expect(told({ [field]: name, campaign_id: 'c' })).toEqual(OTHER);
	});

	test.each(
		[null, ' ', 17, true, [], [1], { id: 1 }].map((event) => [JSON.stringify(event), event]),
	)('%s does not name an event', (_, event) => {
		expect(told({ event, campaign_id: 'c' })).toEqual(['c']);
	});

	test.each<[string, unknown, boolean]>([
		[
			'of a list of names, one that says so is enough',
			{ type: ['campaign', 'done'], campaignId: 'c' },
			true,
		],
		['of a list of names, none says so', { type: ['campaign', 'sent'], campaignId: 'c' }, false],
		['the name of an event', { event: { name: 'sent' }, campaignId: 'c' }, false],
		['the type of an event', { event: { type: 'done', campaignId: 'c' } }, true],
		['a status in an envelope', { data: { event: 'messageStatus', campaign_id: 'c' } }, false],
		['around a list', { data: { event: 'sent', list: [{ campaign_id: 'c' }] } }, false],
		['the type of an element', [{ type: 'sent', campaign_id: 'c' }], false],
		['a type in JSON in a field', { p: '{"type":"sent","campaign_id":"c"}' }, false],
		['in a webhook', { type: 'webhook', data: { event: 'ended', campaign_id: 'c' } }, true],
		['the kind of a record', { data: { type: 'TEXT', campaign_id: 'c' } }, true],
		['an end of messages', { event: 'done', data: [{ type: 'message', campaign_id: 'c' }] }, true],
		[
			'a campaign’s, in a message',
			{ type: 'message', event: 'campaignEnd', campaignId: 'c' },
			true,
		],
		['done, of a message', { event: 'messageStatus', type: 'done', campaign_id: 'c' }, false],
		['done, in a message', { event: 'message', data: { event: 'done', campaign_id: 'c' } }, false],
		['its type in an envelope', { data: { type: 'message.sent', campaign_id: 'c' } }, false],
		[
			'in a list beside statuses',
			[
				{ event: 'sent', campaign_id: 'a' },
				{ event: 'campaign.completed', campaign_id: 'c' },
			],
			true,
		],
	])('%s', (_, body, isEnd) => {
		expect(told(body)).toEqual(isEnd ? ['c'] : OTHER);
	});
});

describe('Messaging Trigger: Completion Event Name', () => {
	const told = (body: unknown, completion: string, query: IDataObject = {}) =>
		readEvents(body, query, completion).map(
			({ event }: WebhookEvent) => event === 'campaignCompleted',
		);

	test.each<[string, unknown, string, boolean]>([
		['the same name', { event: 'report.ready', campaign_id: 'c' }, 'report.ready', true],
		['blanks and capitals', { type: ' REPORT.ready', campaign_id: 'c' }, 'Report.Ready', true],
		[
			'another name, which the usual rule knows',
			{ event: 'done', campaign_id: 'c' },
			'ready',
			false,
		],
		['a part of the name', { event: 'report.ready', campaign_id: 'c' }, 'ready', false],
		['the same as a status', { event: 'ready', status: 'READY', campaign_id: 'c' }, 'ready', true],
		['no name', { campaign_id: 'c' }, 'ready', false],
		['the name without a campaign', { event: 'ready' }, 'ready', false],
		['one of several names', { event: 'a', type: 'ready', campaign_id: 'c' }, 'ready', true],
		['a status', { event: 'update', status: 'Sent', campaign_id: 'c' }, 'sent', true],
		['a status code', { status: 3, campaign_id: 'c' }, '3', true],
		[
			'a name with an end',
			{ event: 'campaign.status', status: 'done', campaign_id: 'c' },
			'campaign.status',
			true,
		],
		[
			'a name with another status',
			{ event: 'campaign.status', status: 'scheduled', campaign_id: 'c' },
			'campaign.status',
			false,
		],
		[
			'a name with a quiet status',
			{ event: 'campaign.status', status: 'sent', campaign_id: 'c' },
			'campaign.status',
			false,
		],
		...['sent', 'success', 'ok', 1, 'delivered'].map(
			(status): [string, unknown, string, boolean] => [
				`an event’s name with the quiet status ${status}`,
				{ event: 'campaign.sent', status, campaign_id: 'c' },
				'campaign.sent',
				true,
			],
		),
		['a name that failed', { event: 'ready', status: 'failed', campaign_id: 'c' }, 'ready', false],
		[
			'a name, and one message',
			{ event: 'ready', to: '447700900211', campaign_id: 'c' },
			'ready',
			false,
		],
		['the id of a record', { event: 'campaign.sent', data: { id: 'c' } }, 'campaign.sent', true],
	])('%s', (_, body, completion, isEnd) => {
		expect(told(body, completion)).toEqual([isEnd]);
	});

	test('counts in the query, too', () => {
		expect(told({}, 'ready', { event: 'ready', campaign_id: 'c' })).toEqual([true]);
		expect(told({}, 'ready', { campaign_id: 'c' })).toEqual([false]);
	});
});
