import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Plan } from '../execution';
import { useHarness } from '../../support/harness';
import { useEmptySandbox } from '../../support/sandbox';
import { NAMES, phones, sendingTo, sendParameters, type SendName } from './sendOperations';

/* The mode "Test": everything is checked, then only the first message is sent, to one's own number. */

const sandbox = useEmptySandbox();
const harness = useHarness();

const ME = '385998000001';
const people: IDataObject[] = phones(4).map((phone, index) => ({ phone, id: `order-${index}` }));
const REASON = 'Not sent: this was a test, to one number only.';
const HINT = `Only a test was sent: the first recipient's message, to ${ME}. Set 'Mode' to Send to send to everyone. Destinations with Send: 4 to +385 Croatia.`;

const parametersOf = (send: SendName, options: IDataObject, more: INodeParameters = {}) => ({
	...sendParameters(send, options),
	...more,
});

const sendTo = sendingTo(sandbox, harness);
const run = async (
	send: SendName,
	{
		items = people,
		options = {},
		parameters = {},
		...plan
	}: Partial<Plan> & { options?: IDataObject } = {},
) =>
	await sendTo(send, items, {
		parameters: parametersOf(send, { sendMode: 'test', testRecipient: ME, ...options }, parameters),
		...plan,
	});

const sentTo = async () => (await sandbox.counts()).accepted.byRecipient;

test.each(NAMES)('%s: one message is sent, to this number', async (send) => {
	const { error, items, hints } = await run(send);
	expect({ error, sent: await sentTo(), hints }).toEqual({
		error: undefined,
		sent: { [ME]: 1 },
		hints: [HINT, expect.stringMatching(/^The service said: "/)],
	});
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(people.map((_, item) => ({ item })));
	const [test, ...others] = items.map(({ json }) => json);
	// Next to the number: n8n's table shows the fields in this order.
	expect(Object.entries(test).slice(0, 3)).toEqual([
		['to', ME],
		['status', 'test'],
		['reason', `In place of ${people[0].phone}.`],
	]);
	expect(others).toMatchObject(
		people.slice(1).map(({ phone }) => ({ to: phone, status: 'skipped', reason: REASON })),
	);
});

test('the text is that of the first recipient', async () => {
	const items = people.map((person, index) => ({ ...person, name: `Name ${index}` }));
	await run('sendText', { items, parameters: { message: '=Hello {{ $json.name }}' } });
	const accepted = await sandbox.accepted(ME);
	expect(accepted.map(({ message }) => message)).toEqual(['Hello Name 0']);
});

test('the identifier of the first recipient stays free for the real message', async () => {
	const { items } = await run('campaign send', { options: { identifier: '={{ $json.id }}' } });
	const [{ identifier }] = await sandbox.accepted(ME);
	expect(identifier).toMatch(/^n8n-/);
	expect(items.map(({ json }) => json.identifier)).toEqual([
		identifier,
		'order-1',
		'order-2',
		'order-3',
	]);
});

test('One Item per Campaign: an item for each recipient all the same', async () => {
	const { items } = await run('campaign send', { options: { output: 'campaign' } });
	expect(await sentTo()).toEqual({ [ME]: 1 });
	expect(items.map(({ json }) => json)).toMatchObject([
		{ to: ME, status: 'test', campaign_id: expect.any(String) },
		...people.slice(1).map(({ phone }) => ({ to: phone, status: 'skipped', reason: REASON })),
	]);
});

describe('rows that cannot be sent', () => {
	const BAD = 'It cannot be sent: This is not a phone number: it has no digits.';
	const bad = { phone: 'call me' };

	test('behind the first one do not stop the test: a hint names them, and their items say why', async () => {
		const { error, items, hints } = await run('campaign send', {
			items: [people[0], bad, people[1], { phone: '' }],
		});
		expect([error, await sentTo()]).toEqual([undefined, { [ME]: 1 }]);
		expect(items.map(({ json }) => [json.to, json.reason, json.error])).toEqual([
			[ME, `In place of ${people[0].phone}.`, undefined],
			['call me', BAD, undefined],
			[people[1].phone, REASON, undefined],
			['-', 'It cannot be sent: The recipient is empty.', undefined],
		]);
		expect(hints).toEqual([
			HINT.replace(
				"Set 'Mode' to Send to send to everyone. Destinations with Send: 4",
				'Send would be refused: 2 of 4 rows cannot be sent: item 2 (call me), item 4. Destinations with Send: 2',
			),
			'The service said: "Campaign accepted"',
		]);
	});

	test('the first one must be right: the error says what is wrong with it, and only what helps in a test', async () => {
		const { error } = await run('campaign send', { items: [bad, ...people, { phone: '' }] });
		expect([error?.message, error?.description ?? null, await sentTo()]).toEqual([
			'Nothing was sent. Item 1 (call me): This is not a phone number: it has no digits.',
			'Once that is corrected, execute again.',
			{},
		]);
	});

	test('with Continue On Fail the first who can be sent to is the test', async () => {
		const { items } = await run('campaign send', {
			items: [bad, ...people],
			node: { onError: 'continueErrorOutput' },
		});
		expect(await sentTo()).toEqual({ [ME]: 1 });
		const said = items.map(({ json: { to, status, reason } }) => [to, status, reason]);
		expect(said.slice(0, 3)).toEqual([
			['call me', 'skipped', BAD],
			[ME, 'test', `In place of ${people[0].phone}.`],
			[people[1].phone, 'skipped', REASON],
		]);
	});
});

test('with Continue On Fail and nobody who can be sent to, a hint says that no test was sent', async () => {
	const { hints } = await run('campaign send', {
		items: [{ phone: 'call me' }],
		node: { onError: 'continueRegularOutput' },
	});
	expect({ sent: await sentTo(), hints }).toEqual({
		sent: {},
		hints: ['No test was sent: there is nobody who can get a message.'],
	});
});

test.each([
	['soon', /^Nothing was sent\. 'My Number' cannot be used: This is not a phone number: /],
	['  ', /^Nothing was sent\. 'My Number' is empty\. Enter your own number\.$/],
])('the number %j is refused by the name of the field', async (testRecipient, message) => {
	const { error } = await run('campaign send', { options: { testRecipient } });
	expect(error?.message).toMatch(message);
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

	test('the error says that nobody else gets anything', async () => {
		const { error } = await failing('campaign send');
		const said = `Nothing was sent to your recipients: this was a test. `;
		expect(error?.message.startsWith(said)).toBe(true);
		expect(error?.message).toContain(` sent to ${ME}: `);
	});

	test('the failed item says that it was a test', async () => {
		const node = { onError: 'continueRegularOutput' } as const;
		const { items } = await failing('campaign send', { node });
		const [{ json }, ...others] = items;
		expect(json).toMatchObject({ details: { outcome, recipient: ME, test: true } });
		expect(others.map((other) => other.json.reason)).toEqual([REASON, REASON, REASON]);
	});
});

describe('a test', () => {
	const REFUSED =
		"Nothing more was sent. A retry only sends the rest: set 'Mode' to 'Send', save, then retry. For a test or a dry run, execute instead.";

	const lost = async (recipient: string, plan: Partial<Plan> & { options?: IDataObject } = {}) => {
		await sandbox.fault({
			match: { recipient, method: 'POST' },
			times: 1,
			fault: { kind: 'reset' },
		});
		return await run('sendText', { ...plan, options: { batchSize: 1, ...plan.options } });
	};

	test('is refused in a retry of a test', async () => {
		const first = await lost(ME);
		const { error } = await first.retry();
		expect([error?.message, await sentTo()]).toEqual([REFUSED, {}]);
	});

	test.each(['test', 'dryRun'])(
		'is refused in a retry after messages were sent, and so is a dry run (%s); the error counts them',
		async (mode) => {
			const first = await lost(String(people[2].phone), { options: { sendMode: 'send' } });
			const { items, hints } = await first.retry({
				parameters: parametersOf('sendText', { sendMode: mode, testRecipient: ME }),
				node: { onError: 'continueRegularOutput' },
			});
			const error = `${REFUSED} In an earlier attempt: 2 accepted, 1 may have been sent.`;
			const details = { outcome: 'unknown' };
			expect(items.map(({ json }) => json)).toMatchObject(
				people.map(({ phone }) => ({ to: phone, error, details })),
			);
			expect([(await sentTo())[ME], hints]).toEqual([undefined, []]);
		},
	);

	test('is not remembered: the mode Send sends to everyone, also to the first recipient', async () => {
		const first = await lost(ME);
		await first.retry({ parameters: parametersOf('sendText', {}) });
		const sent = await sentTo();
		expect(people.map(({ phone }) => sent[phone as string])).toEqual([1, 1, 1, 1]);
	});
});
