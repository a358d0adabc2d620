import { readEvents } from '../../../nodes/Messaging/trigger/event';
import { toldBy } from '../../../nodes/Messaging/trigger/told';

/* SMS reports, long IDs and large calls. Which call is a completed campaign is in rule.test.ts and told.test.ts. */

const readText = (json: string, options = {}) =>
	readEvents({ body: JSON.parse(json) as unknown, query: {}, headers: {} }, json, toldBy(options));
const read = (body: unknown, options = {}) => {
	const reading = readText(JSON.stringify(body), options);
	if ('wrong' in reading) throw new Error(reading.wrong);
	return reading;
};
const completed = (json: string, options = {}) => {
	const reading = readText(json, options);
	return 'wrong' in reading
		? reading.wrong
		: reading.events.flatMap(({ campaignId }) => campaignId ?? []);
};
const SMS = { event: 'smsDeliveryReport', conversation: { id: 'x' } };
const DONE = { event: 'done', campaign_id: 'c' };

describe('Messaging Trigger: an SMS report', () => {
	test.each<[string, unknown, string[]]>([
		['a list of several: one event', [SMS, { ...SMS, campaign_id: 'c' }], [SMS.event]],
		['in a list beside a campaign', [DONE, SMS], ['campaignCompleted', SMS.event]],
		['in a list beside something else', [SMS, { type: 'ping' }, null], [SMS.event]],
		['another spelling', { event: 'smsdeliveryreport' }, ['other']],
		['in an object', { data: SMS }, ['other']],
	])('%s', (_, body, expected) => {
		expect(read(body).events.map(({ event }) => event)).toEqual(expected);
	});

	const report = (id: string, status: string, more = {}) => ({
		...SMS,
		conversation: { id, status },
		...more,
	});
	test.each<[string, unknown, unknown, boolean]>([
		[
			'another attempt',
			report('m', 'sent', { attempt: 1 }),
			report('m', 'sent', { attempt: 2 }),
			true,
		],
		['other letters of the status', report('m', 'DELIVERED'), report('m', 'delivered'), true],
		[
			'two reports in another order',
			[report('m', 'sent'), report('n', 'read')],
			[report('n', 'read'), report('m', 'sent')],
			true,
		],
		['another status', report('m', 'sent'), report('m', 'read'), false],
		['another message', report('m', 'sent'), report('n', 'sent'), false],
		[
			'its own fields',
			{ ...SMS, conversation: null, message_id: 7, status: 'sent', at: 1 },
			{ ...SMS, conversation: null, message_id: 7, status: 'sent' },
			true,
		],
	])('has its message and its status for its key: %s', (_, one, two, isSame) => {
		const [a, b] = [one, two].map((each) => read(each).events[0].name);
		expect([Boolean(a), a === b]).toEqual([true, isSame]);
	});

	test('without a status, or with a rounded id, is known by its bytes', () => {
		const rounded = { ...SMS, conversation: { id: Number('3319237025400370299'), status: 'sent' } };
		for (const each of [[SMS], rounded]) expect(read(each).events[0].name).toBeUndefined();
	});
});

test.each<[string, string, string[]]>([
	[
		'beside one that is rounded alike',
		'{"id":3319237025400370299,"event":"campaign.done","campaignId":3319237025400370211}',
		['3319237025400370211'],
	],
	[
		'two that are rounded alike',
		'{"event":"done","list":[{"campaign_id":3319237025400370211},{"campaign_id": 3319237025400370212}]}',
		['3319237025400370211', '3319237025400370212'],
	],
	[
		'a negative one',
		'{"event":"done","campaign":{"id": -3319237025400370211 }}',
		['-3319237025400370211'],
	],
	[
		'in JSON in a text',
		'{"event":"done","payload":"{\\"campaign_id\\":3319237025400370211}"}',
		['3319237025400370211'],
	],
	[
		'beside a text that looks like one',
		'{"event":"done","x":":3319237025400370212,","campaign_id":3319237025400370211}',
		['3319237025400370211'],
	],
])('Messaging Trigger: the ID of a campaign keeps all its digits: %s', (_, json, ids) => {
	expect(completed(json)).toEqual(ids);
});

test('Messaging Trigger: a told ID keeps its digits in a list', () => {
	expect(
		completed('{"event":"done","ids":[3319237025400370211]}', { campaignIdField: 'body.ids' }),
	).toEqual(['3319237025400370211']);
});

describe('Messaging Trigger: a large call', () => {
	const beside = (count: number) => Array.from({ length: count }, (_, n) => ({ n, x: 'y' }));
	test.each<[string, unknown, string[] | string]>([
		['5 MB of text', { ...DONE, text: 'x'.repeat(5_000_000) }, ['c']],
		['a text of a million @', { ...DONE, text: `${'@ '.repeat(500_000)} x` }, ['c']],
		['a text of 15 million digits', { ...DONE, text: '7'.repeat(15_000_000) }, ['c']],
		['8,000 objects beside it', { ...DONE, list: beside(8_000) }, ['c']],
		['100,000 objects beside it: too large to be read', { ...DONE, list: beside(100_000) }, []],
		[
			'many campaigns and many fields: too large to be read',
			{ list: beside(4_000).map(() => DONE) },
			[],
		],
		[
			'101 campaigns',
			Array.from({ length: 101 }, (_, n) => ({ ...DONE, campaign_id: `c${n}` })),
			'more than 100 campaigns in one call',
		],
	])('%s', (_, body, expected) => {
		expect(completed(JSON.stringify(body))).toEqual(expected);
	});

	test('says that it is too large, and its SMS reports start all the same', () => {
		expect(read({ ...DONE, list: beside(100_000) }).why).toBe('it is too large to be read');
		expect(read([SMS, beside(100_000)]).events).toMatchObject([{ event: SMS.event }]);
	});

	test('that is deep is read', () => {
		const deep = JSON.parse(`${'{"to":'.repeat(1_000)}1${'}'.repeat(1_000)}`) as object;
		expect(completed(JSON.stringify({ ...deep, ...DONE }))).toEqual(['c']);
	});
});
