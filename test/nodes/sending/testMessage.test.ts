import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Execution, type Plan } from '../../support/execution';
import { useHarness } from '../../support/harness';
import { useSandbox } from '../../support/sandbox';
import { phones, sendParameters, SENDS, type SendName } from '../../support/sendOperations';

/* Test Recipient: everything is checked, then only the first message is sent, to one's own number. */

jest.setTimeout(60_000);

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
	expect(test).toMatchObject({ to: ME, test: true });
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
	const { error } = await run('campaign send', { options: { testRecipient } });
	expect(error?.message).toMatch(message);
	expect(await sentTo()).toEqual({});
});

test.each(['', '  ', '={{ $json.missing }}'])('%j is off', async (testRecipient) => {
	const { hints } = await run('campaign send', { options: { testRecipient } });
	const everybody = Object.fromEntries(people.map(({ phone }) => [phone, 1]));
	expect([await sentTo(), hints]).toEqual([everybody, []]);
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

describe('a retry', () => {
	const lost = async (recipient: string, options: object = {}) => {
		await sandbox.fault({
			match: { recipient, method: 'POST' },
			times: 1,
			fault: { kind: 'reset' },
		});
		return await run('sendText', { options: { batchSize: 1, ...options } });
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
		const first = await lost(String(people[2].phone), { testRecipient: '' });
		const { items } = await first.retry({
			parameters: parametersOf('sendText', { testRecipient: ME }),
			node: { onError: 'continueRegularOutput' },
		});
		expect(items.map(({ json: { to, test } }) => [to, test])).toEqual([
			[people[0].phone, undefined],
			[people[1].phone, undefined],
			[undefined, undefined],
			[ME, true],
		]);
		expect(items[2].json.details).toMatchObject({ outcome: 'unknown' });
	});
});
