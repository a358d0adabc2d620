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

test('Messaging Trigger: of very many campaigns and fields, none is read', () => {
	const campaigns = (count: number) => Array.from({ length: count }, () => DONE);
	const fields = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field${n}`, 'x']));
	expect(completedIn({ list: campaigns(4_000) })).toEqual(['c']);
	expect(completedIn({ ...fields, list: campaigns(2_000) })).toEqual([]);
});

test('Messaging Trigger: a deep call is read', () => {
	const deep = JSON.parse(`${'{"to":'.repeat(1_000)}1${'}'.repeat(1_000)}`) as object;
	expect(completedIn({ ...deep, ...DONE })).toEqual(['c']);
});
