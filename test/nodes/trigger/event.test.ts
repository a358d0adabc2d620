import { completedIn, readingOf as read } from './reading';

/* SMS reports and large calls. Which call is a completed campaign is in rule.test.ts and told.test.ts. */

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

	test('without a status is known by its bytes', () => {
		expect(read([SMS]).events[0].name).toBeUndefined();
	});
});

/* What a call costs is counted: each visit of a value, for all its campaigns together. */

const MOST = 60_000;
const times = <T>(count: number, make: (n: number) => T): T[] =>
	Array.from({ length: Math.floor(count) }, (_, n) => make(n));
const filled = <T>(count: number, value: T): T[] => new Array<T>(Math.floor(count)).fill(value);
const named = (count: number, value: unknown) =>
	Object.fromEntries(times(count, (n) => [`n${n}`, value]));
const campaigns = (count: number) => ({
	event: 'done',
	list: filled(count, { campaign_id: 'c', status: 'open' }),
});
const TOLD = {
	campaignIdField: 'body.campaign_id',
	completedWhen: { conditions: [{ field: 'body.event', value: 'done' }] },
};
const TOLD_IN_LIST = { ...TOLD, campaignIdField: 'body.list.campaign_id' };

/** Bodies of about so many bytes. `starts`: with the end in front, by itself and told; `told`: only told; or neither. */
const SHAPES: Array<[string, (size: number) => object, 'starts' | 'told' | 'is given up']> = [
	[
		'a list of results',
		(size) => ({ ...DONE, x: filled(size / 30, { n: 1, status: 'sent' }) }),
		'starts',
	],
	['null in a list', (size) => ({ ...DONE, x: filled(size / 5, null) }), 'starts'],
	['empty lists', (size) => ({ ...DONE, x: filled(size / 3, []) }), 'starts'],
	['lists of {}', (size) => ({ ...DONE, x: filled(size / 9, [{}, {}]) }), 'starts'],
	['a text with commas', (size) => ({ ...DONE, x: ','.repeat(size) }), 'starts'],
	['HTML', (size) => ({ ...DONE, x: '<td class="a">1,2:3</td>'.repeat(size / 24) }), 'starts'],
	['[[[ in a text', (size) => ({ ...DONE, x: '['.repeat(size + 300_000) }), 'told'],
	['JSON in a text', (size) => ({ ...DONE, x: `[${'{"a":1},'.repeat(size / 7)}{}]` }), 'told'],
	['JSON in a text in front', (size) => ({ x: `[${'1,'.repeat(size)}1]`, ...DONE }), 'told'],
	['JSON in many texts', (size) => ({ ...DONE, x: filled(size / 11, '{"a":1}') }), 'starts'],
	[
		'what is no JSON in many texts',
		(size) => ({ ...DONE, x: { ...named(5_500, '{a'), y: 'x'.repeat(size) } }),
		'told',
	],
	['an object with many names', (size) => ({ ...DONE, x: named(70_000 + size / 200, 1) }), 'told'],
	['campaigns in a list', (size) => campaigns(size / 22), 'is given up'],
	[
		'2,000 campaigns and null',
		(size) => ({ ...campaigns(2_000), ...named(40 + size / 200, null) }),
		'is given up',
	],
	[
		'100 campaigns and [[[ in a text',
		(size) => ({ ...campaigns(100), x: '['.repeat(size + 300_000) }),
		'is given up',
	],
	[
		'lists of campaigns in lists',
		(size) => ({ event: 'done', a: filled(size / 40, { b: [DONE, DONE] }) }),
		'is given up',
	],
];

describe.each([1, 15])('Messaging Trigger: a call of %i MB costs at most 60,000 visits', (mb) => {
	test.each(SHAPES)('%s', (_, make, which) => {
		const body = make(mb * 1_000_000);
		for (const options of [{}, TOLD, TOLD_IN_LIST]) {
			const { visits, hasGivenUp } = read(body, options);
			// The last object that is put together may be above.
			if (!hasGivenUp) expect(visits).toBeLessThanOrEqual(MOST);
			else expect(visits).toBeGreaterThan(MOST);
		}
		const [byRule, told] = [{}, TOLD].map((options) => read(body, options));
		if (which !== 'is given up') {
			expect([told.hasGivenUp, told.visits < 20]).toEqual([false, true]);
			expect(told.events).toMatchObject([{ campaignId: 'c' }]);
		}
		if (which === 'starts') {
			expect(byRule.visits).toBeLessThan(1_500);
			expect(byRule.events).toMatchObject([{ campaignId: 'c' }]);
		} else {
			expect(byRule.events).toEqual([{ event: 'other' }]);
		}
	});
});

test.each([1, 5_000, 100_000])(
	'Messaging Trigger: an end in front of %i results starts',
	(count) => {
		const results = times(count, (n) => ({ id: n, to: '447700900211', status: 'failed' }));
		for (const body of [
			{ ...DONE, results },
			{ results, ...DONE },
			{ data: { ...DONE, results } },
			{ ...DONE, report: { results } },
			[{ ...DONE, results }],
		]) {
			expect(completedIn(body)).toEqual(['c']);
		}
		expect(completedIn({ ...DONE, results }, TOLD)).toEqual(['c']);
	},
);

test('Messaging Trigger: of more than 100 completed campaigns, no more are read', () => {
	const list = times(20_000, (n) => ({ campaign_id: `c${n}` }));
	const { events, hasGivenUp } = read({ event: 'done', list });
	expect([events.length, hasGivenUp]).toEqual([101, false]);
});

test('Messaging Trigger: each name in a name is a visit', () => {
	const names = times(2_000, (n) => [`${n}${'[a]'.repeat(90)}`, 1] as const);
	expect(read(Object.fromEntries(names)).hasGivenUp).toBe(true);
});

test('Messaging Trigger: a deep call is read', () => {
	const deep = JSON.parse(`${'{"to":'.repeat(1_000)}1${'}'.repeat(1_000)}`) as object;
	expect(completedIn({ ...deep, ...DONE })).toEqual(['c']);
});
