import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Execution, type Plan } from '../../support/execution';
import { useHarness } from '../../support/harness';
import { useSandbox } from '../../support/sandbox';
import { phones, sendParameters, SENDS, type SendName } from '../../support/sendOperations';

/* Test Recipient: everything is checked, then only the first message is sent, to one's own number. */

jest.setTimeout(60_000);

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

const sandbox = useSandbox();
const harness = useHarness();

beforeEach(async () => {
	await sandbox.reset();
});

const ME = '385998000001';
const names = Object.keys(SENDS) as SendName[];
const people: IDataObject[] = phones(4).map((phone, index) => ({ phone, id: `order-${index}` }));
const REASON = "Not sent, because 'Test Recipient' is set.";
const HINT = `Only a test was sent, to ${ME}. Remove the option 'Test Recipient' to send to everyone.`;

const parametersOf = (send: SendName, options: object, more: INodeParameters = {}) => ({
	...sendParameters(send, options),
	...more,
});

const run = async (
	send: SendName,
	{
		items = people,
		options = {},
		parameters = {},
		...plan
	}: Partial<Plan> & { options?: object } = {},
) =>
	await Execution.start(harness, {
		parameters: parametersOf(send, { testRecipient: ME, ...options }, parameters),
		items,
		credentials: sandbox.credentials,
		...plan,
	});

const sentTo = async () => (await sandbox.counts()).accepted.byRecipient;

test.each(names)('%s: one message is sent, to this number', async (send) => {
	const { error, items, hints } = await run(send);
	expect({ error, sent: await sentTo(), hints }).toEqual({
		error: undefined,
		sent: { [ME]: 1 },
		hints: [HINT],
	});
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(people.map((_, item) => ({ item })));
	const [test, ...others] = items.map(({ json }) => json);
	// Next to the number: n8n's table shows the fields in this order.
	expect(Object.entries(test).slice(0, 2)).toEqual([
		['to', ME],
		['test', true],
	]);
	expect(others.map(({ to, skipped, reason }) => ({ to, skipped, reason }))).toEqual(
		people.slice(1).map(({ phone }) => ({ to: phone, skipped: true, reason: REASON })),
	);
});

test('the text is that of the first recipient', async () => {
	const items = people.map((person, index) => ({ ...person, name: `Name ${index}` }));
	await run('sendText', { items, parameters: { message: '=Hello {{ $json.name }}' } });
	const accepted = await sandbox.accepted(ME);
	expect(accepted.map(({ message }) => message)).toEqual(['Hello Name 0']);
});

test('several senders: still one message', async () => {
	const senders = ['447700900100', '447700900101', '447700900100', '447700900101'];
	const items = people.map((person, index) => ({ ...person, from: senders[index] }));
	const from = { __rl: true, mode: 'phone', value: '={{ $json.from }}' };
	await run('campaign send', { items, parameters: { from } });
	expect(await sentTo()).toEqual({ [ME]: 1 });
});

test('a recipient list: one message', async () => {
	const recipientList = JSON.stringify(people.map(({ phone }) => ({ to: phone })));
	const parameters = { recipients: 'list', recipientList };
	const { items } = await run('campaign send', { items: [{}], parameters });
	expect([await sentTo(), items.length]).toEqual([{ [ME]: 1 }, 4]);
});

test('the identifier of the first recipient stays free for the real message', async () => {
	const { items } = await run('campaign send', { parameters: { identifier: '={{ $json.id }}' } });
	const [{ identifier }] = await sandbox.accepted(ME);
	expect(identifier).toMatch(/^n8n-/);
	expect(items.map(({ json }) => json.identifier)).toEqual([
		identifier,
		'order-1',
		'order-2',
		'order-3',
	]);
});

test('One Item per Campaign: the campaign with the test, and those who got nothing', async () => {
	const { items } = await run('campaign send', { options: { output: 'campaign' } });
	expect(items.map(({ json }) => json)).toEqual([
		expect.objectContaining({ recipients: 1, test: true, campaign_id: expect.any(String) }),
		...people.slice(1).map(({ phone }) => ({ to: phone, skipped: true, reason: REASON })),
	]);
});

test.each(names)('%s: everybody is checked first', async (send) => {
	const { error } = await run(send, { items: [...people, { phone: 'call me' }] });
	expect(error?.message).toMatch(/^Nothing was sent, because of item 5 \(call me\): /);
	expect(await sentTo()).toEqual({});
});

test('with Continue On Fail the first who can be sent to is the test', async () => {
	const { items } = await run('campaign send', {
		items: [{ phone: 'call me' }, ...people],
		node: { onError: 'continueRegularOutput' },
	});
	expect(await sentTo()).toEqual({ [ME]: 1 });
	expect(items.map(({ json: { test, error, skipped } }) => test ?? skipped ?? error)).toEqual([
		expect.stringMatching(/^Not sent to call me: /),
		true,
		true,
		true,
		true,
	]);
	expect(items[1].json.to).toBe(ME);
});

test.each([
	['soon', /^'Test Recipient': "soon" is not a phone number: /],
	['123', /^'Test Recipient': "123" is not a phone number: it is too short\./],
	['={{ [1] }}', /^'Test Recipient' must be text, but is a list\./],
])('the number %s is refused by the name of the option', async (testRecipient, message) => {
	for (const dryRun of [false, true]) {
		const { error } = await run('campaign send', { options: { testRecipient, dryRun } });
		expect(error?.message).toMatch(message);
	}
	expect(await sentTo()).toEqual({});
});

const EMPTY =
	"'Test Recipient' is empty, so nothing was sent. Enter your own number, or remove the option to send to all recipients.";

describe.each(['', '  ', '={{ $json.missing }}', '={{ null }}'])('the empty number %j', (empty) => {
	const options = { testRecipient: empty };

	test.each(names)('%s: nothing is sent', async (send) => {
		const { error } = await run(send, { options });
		expect([error?.message, await sentTo()]).toEqual([EMPTY, {}]);
	});

	test.each(names)('%s: nothing is sent with On Error set to continue either', async (send) => {
		const { items } = await run(send, { options, node: { onError: 'continueRegularOutput' } });
		expect([items.map(({ json }) => json.error), await sentTo()]).toEqual([
			people.map(() => EMPTY),
			{},
		]);
	});

	test('a dry run says so, too', async () => {
		const { error } = await run('campaign send', { options: { ...options, dryRun: true } });
		expect(error?.message).toBe(EMPTY);
	});
});

test.each(names)('%s: no number for a later item sends nothing', async (send) => {
	const items = people.map((person, index) => ({ ...person, me: index < 2 ? ME : '' }));
	const { error } = await run(send, { items, options: { testRecipient: '={{ $json.me }}' } });
	expect([error?.message, await sentTo()]).toEqual([
		expect.stringContaining("'Test Recipient' is one setting for all items"),
		{},
	]);
});

test('another number by item is refused', async () => {
	const items = people.map((person, index) => ({ ...person, me: `38599800000${index}` }));
	const { error } = await run('campaign send', {
		items,
		options: { testRecipient: '={{ $json.me }}' },
	});
	expect(error?.message).toContain("'Test Recipient' is one setting for all items");
	expect(await sentTo()).toEqual({});
});

test('the number is written as Phone Format says', async () => {
	const options = {
		testRecipient: '099 800 0001',
		phoneFormat: 'e164',
		defaultCountryCode: '385',
	};
	await run('sendText', { options });
	expect(await sentTo()).toEqual({ [`+${ME}`]: 1 });
});

test('a dry run shows the number of the test', async () => {
	const { items, hints } = await run('campaign send', { options: { dryRun: true } });
	expect(items[0].json.recipients).toEqual([
		expect.objectContaining({ to: ME, text: expect.any(String) }),
	]);
	expect(items[0].json.body).toMatchObject({ messages: [{ to: ME }] });
	expect(items).toHaveLength(4);
	expect(hints).toEqual([
		"Nothing was sent: 1 message in 1 request, 3 skipped. 'Test Recipient' is set, so only that number would get a message.",
	]);
	expect(await sentTo()).toEqual({});
});

describe.each([
	['that the service refuses', { kind: 'status', status: 400 }, 'rejected'],
	['without an answer', { kind: 'reset' }, 'unknown'],
] as const)('a test %s', (_, fault, outcome) => {
	const failing = async (send: SendName, plan: Partial<Plan> = {}) => {
		await sandbox.fault({ match: { recipient: ME, method: 'POST' }, times: 1, fault });
		return await run(send, plan);
	};

	test.each(names)('%s: the error says that nobody else gets anything', async (send) => {
		const { error } = await failing(send, { mode: 'manual' });
		expect(error?.message).toContain(`to ${ME}`);
		const advice = `This was a test: only ${ME} was to get a message. You can execute this step again.`;
		expect(error?.description).toBe(advice);
	});

	test('a production execution does not say that a retry sends to everyone', async () => {
		const { error } = await failing('campaign send', { mode: 'trigger' });
		expect(error?.description).toBe(`This was a test: only ${ME} was to get a message.`);
	});

	test.each(names)('%s: the failed item says that it was a test', async (send) => {
		const node = { onError: 'continueRegularOutput' } as const;
		const { items, hints } = await failing(send, { node });
		const [{ json }, ...others] = items;
		expect(json.details).toMatchObject({ outcome, recipient: ME, test: true });
		expect(others.map((other) => other.json.reason)).toEqual([REASON, REASON, REASON]);
		const count = outcome === 'unknown' ? '1 unknown' : '1 refused';
		expect(hints).toEqual([`0 sent, ${count}, 3 skipped. The failed items say why.`]);
	});
});

describe('a retry', () => {
	const lost = async (recipient: string, parameters: INodeParameters = {}) => {
		await sandbox.fault({
			match: { recipient, method: 'POST' },
			times: 1,
			fault: { kind: 'reset' },
		});
		return await run('sendText', { options: { batchSize: 1 }, parameters });
	};

	test('of a test that may have been sent does not send it again', async () => {
		const first = await lost(ME);
		expect(first.error?.message).toContain(`May have been sent to ${ME}`);
		const second = await first.retry();
		expect(second.error?.message).toContain('the message is not sent again');
		const { requests } = await sandbox.counts();
		expect(requests.byEndpoint.sendText).toBe(1);
	});

	test('without the option sends to everyone, also to the first recipient', async () => {
		const first = await lost(ME);
		await first.retry({ parameters: parametersOf('sendText', {}) });
		const sent = await sentTo();
		expect(people.map(({ phone }) => sent[phone as string])).toEqual([1, 1, 1, 1]);
	});

	test('with the option turned on reports who got the real message, and tests with the next', async () => {
		const first = await lost(String(people[2].phone), { options: { batchSize: 1 } });
		const { items } = await first.retry({
			parameters: parametersOf('sendText', { testRecipient: ME }),
			node: { onError: 'continueRegularOutput' },
		});
		expect(items.map(({ json: { to, test } }) => [to, test])).toEqual([
			[people[0].phone, undefined],
			[people[1].phone, undefined],
			[people[2].phone, undefined],
			[ME, true],
		]);
		expect(items[2].json.details).toMatchObject({ outcome: 'unknown' });
	});

	test('that fails counts everybody, and says that one of the accepted messages is the test', async () => {
		const first = await lost(String(people[1].phone), { options: { batchSize: 1 } });
		const { error } = await first.retry({
			parameters: parametersOf('sendText', { testRecipient: ME }),
		});
		expect(error?.message).toContain(
			'2 of 4 messages were accepted before sending stopped (one of them is the test), 1 may have been sent, 0 were not sent, 1 skipped.',
		);
	});

	test('with Resend Unknown reports who may have got the real message, and tests with the next', async () => {
		const first = await lost(String(people[2].phone), { options: { batchSize: 1 } });
		const { items } = await first.retry({
			parameters: parametersOf('sendText', { testRecipient: ME, resendUnknown: true }),
			node: { onError: 'continueRegularOutput' },
		});
		expect(items[2].json).toMatchObject({
			error: `May have been sent to ${String(people[2].phone)}: This attempt sent only a test. But an earlier attempt may have sent the message. Check the service's logs before sending it again.`,
			details: { outcome: 'unknown' },
		});
		expect(items[3].json).toMatchObject({ to: ME, test: true });
	});

	test.each(names)(
		'%s: a test to a number of the list is not the message of that recipient',
		async (send) => {
			const mine = String(people[1].phone);
			await sandbox.fault({
				match: { endpoint: SENDS[send].endpoint },
				times: 1,
				act: true,
				fault: { kind: 'status', status: 503 },
			});
			await sandbox.fault({
				match: { endpoint: 'getLogs' },
				times: 99,
				fault: { kind: 'status', status: 503 },
			});
			const first = await run(send, { options: { testRecipient: mine, batchSize: 1 } });
			expect(first.error?.message).toContain(`May have been sent to ${mine}`);
			await sandbox.reset();
			const second = await first.retry({ parameters: parametersOf(send, {}) });
			expect({ error: second.error, sent: await sentTo() }).toEqual({
				error: undefined,
				sent: Object.fromEntries(people.map(({ phone }) => [phone, 1])),
			});
		},
	);
});
