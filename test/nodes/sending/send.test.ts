import type { IDataObject } from 'n8n-workflow';
import { Journal } from '../../../nodes/Messaging/sending/journal';
import { useHarness } from '../../support/harness';
import { to } from '../../support/n8n';
import { useEmptySandbox } from '../../support/sandbox';
import {
	NAMES,
	phones,
	reportedOutcomes,
	sendingTo,
	sendParameters,
	SENDS,
	type SendName,
} from './sendOperations';

const sandbox = useEmptySandbox();
const harness = useHarness();

const run = sendingTo(sandbox, harness);

describe('checks before sending', () => {
	const NOT_A_NUMBER = 'This is not a phone number: it has no digits.';
	/** Among them, three that cannot be sent: one near the beginning, one in the middle, and the last. */
	const itemsOf = (count: number): IDataObject[] => {
		const all = phones(count);
		[all[3], all[count / 2], all[count - 1]] = ['call me', '', '123'];
		return all.map((phone) => ({ phone }));
	};

	test.each(NAMES)('%s: with three invalid items of 1,000 nothing is sent', async (send) => {
		const { error } = await run(send, itemsOf(1000));
		expect(error?.message).toBe(`Nothing was sent. 3 of 1,000 rows cannot be sent.`);
		expect(error?.description?.split('<br>').slice(1)).toEqual([
			`item 4 (call me): ${NOT_A_NUMBER}`,
			'item 501: The recipient is empty.',
			'item 1000 (123): This is not a phone number: it is too short.',
		]);
		expect((await sandbox.counts()).requests.byEndpoint[SENDS[send].endpoint]).toBe(0);
	});

	test.each(NAMES)('%s: with Continue On Fail exactly the other 97 are sent', async (send) => {
		const items = itemsOf(100);
		const execution = await run(send, items, { node: { onError: 'continueErrorOutput' } });
		const { accepted, maxPerRecipient } = await sandbox.counts();
		expect([accepted.messages, maxPerRecipient]).toEqual([97, 1]);
		const outcomes = reportedOutcomes(
			execution,
			items.map(({ phone }) => phone as string),
		);
		expect([outcomes.accepted.length, outcomes.notSent]).toEqual([97, ['call me', '', '123']]);
	});

	test('behind another node that has sent, the error says that nothing more was sent', async () => {
		const empty = { ...SENDS.sendText.parameters, message: '={{ "" }}' };
		const { error } = await run('sendText', itemsOf(4).slice(0, 1), {
			parameters: empty,
			others: { Other: { parameters: sendParameters('sendText', {}) } },
			connections: { Start: { main: [['Other', 'Messaging'].map(to)] } },
		});
		expect(error?.message).toMatch(/^Nothing more was sent\. Item 1 .*: 'Message' is empty\./);
		expect(error?.description).toMatch(/^To send the rest: .* retry this execution\./);
	});

	/* A canvas often leads an error output back to the node, or to another one, to try again. */
	describe('a message that may have been sent', () => {
		const [ANA] = phones(1);
		const first = async () =>
			await sandbox.fault({
				match: { endpoint: 'sendText' },
				act: true,
				fault: { kind: 'status', status: 503 } as never,
			});
		const errorTo = (node: string, onError: 'continueErrorOutput' | 'stopWorkflow') => ({
			node: { onError } as const,
			connections: {
				Start: { main: [[to('Messaging')]] },
				Messaging: { main: [[], [to(node)]] },
			},
		});

		test('is not sent by another node behind the error output', async () => {
			await first();
			const execution = await run('sendText', [{ phone: ANA }], {
				...errorTo('Other', 'continueErrorOutput'),
				others: { Other: { parameters: sendParameters('sendTemplate', {}) } },
			});
			expect((await sandbox.counts()).accepted.byRecipient).toEqual({ [ANA]: 1 });
			expect(execution.error?.message).toBe(
				`Nothing more was sent. Item 1 (${ANA}): The item's field 'details' says that this number may have got a message before. Without that field it is sent.`,
			);
		});

		test.each([
			[ANA, `+${ANA}`],
			// As it is in the item when the whole run failed.
			['(0)91 234 5678', '(0)91 234 5678'],
			['091 234 5678', '+385912345678'],
		])('is unknown again, however its number is written: %s, %s', async (phone, recipient) => {
			const details = { outcome: 'unknown', recipient };
			const options = phone === ANA ? {} : { defaultCountryCode: '385' };
			const rows = [{ phone, error: 'May have been sent', details }];
			const { items, hints } = await run('sendText', rows, {
				parameters: sendParameters('sendText', options),
				node: { onError: 'continueRegularOutput' },
			});
			expect((await sandbox.counts()).accepted.messages).toBe(0);
			expect(items[0].json).toMatchObject({ status: 'unknown', details: { outcome: 'unknown' } });
			// Another execution would not send it either.
			expect(hints.join()).not.toContain('Executing again');
		});

		test.each(['', 'GB'])(
			'stays unknown if its country code is %j, and the others are sent',
			async (code) => {
				const details = { outcome: 'unknown', recipient: ANA };
				const rows = [
					{ phone: '091 234 5678', code, error: 'May have been sent', details },
					{ phone: '091 234 5679', code: '385' },
				];
				const { items } = await run('sendText', rows, {
					parameters: sendParameters('sendText', { defaultCountryCode: '={{ $json.code }}' }),
					node: { onError: 'continueRegularOutput' },
				});
				expect((await sandbox.counts()).accepted.byRecipient).toEqual({ '385912345679': 1 });
				expect(items.map(({ json }) => json.status)).toEqual(['unknown', 'accepted']);
			},
		);

		test('does not keep the node from telling somebody else', async () => {
			await first();
			const other = { ...sendParameters('sendText', {}), to: phones(2)[1] };
			await run('sendText', [{ phone: ANA }], {
				...errorTo('Other', 'continueErrorOutput'),
				others: { Other: { parameters: other } },
			});
			expect((await sandbox.counts()).accepted.byRecipient).toEqual({
				[ANA]: 1,
				[phones(2)[1]]: 1,
			});
		});
	});

	test.each([
		[1, ['call me']],
		[0, ['call me', phones(1)[0]]],
	])('in a loop, %i warning that n8n may end it: %j', async (warnings, numbers) => {
		const { hints } = await run(
			'sendText',
			numbers.map((phone) => ({ phone })),
			{
				node: { onError: 'continueErrorOutput' },
				others: {
					Nobody: {
						parameters: {
							resource: 'log',
							operation: 'getAll',
							logFilters: { identifier: 'nobody' },
						},
					},
				},
				connections: {
					Start: { main: [[to('Messaging')]] },
					Messaging: { main: [[to('Nobody')]] },
					Nobody: { main: [[to('Messaging')]] },
				},
			},
		);
		const told = hints.filter((hint) => hint.includes('connect the error output to it, too'));
		expect(told).toHaveLength(warnings);
	});

	test('an expression that fails is a problem of its item', async () => {
		const items = [{ phone: '385917000100', name: 'Ana' }, { phone: '385917000107' }];
		const parameters = {
			...SENDS.sendText.parameters,
			message: '={{ $json.name.toUpperCase() }}',
			options: { simplify: false },
		};
		const execution = await run('sendText', items, {
			parameters,
			node: { onError: 'continueRegularOutput' },
		});
		const [sent, failed] = execution.items;
		expect(sent.json).toMatchObject({ content: 'ANA' });
		expect(failed.json).toMatchObject({
			details: { outcome: 'notSent', recipient: '385917000107' },
		});
	});
});

describe('number, order and rate of requests', () => {
	test.each([
		[1, 1],
		[7, 7],
		[500, 50],
	])('Batch Size %i: at most %i requests in flight', async (batchSize, most) => {
		// So long that all that may be in flight are, also on a busy machine.
		await sandbox.reset({ latencyMs: 5 * most });
		await run(
			'sendText',
			phones(120).map((phone) => ({ phone })),
			{ options: { batchSize } },
		);
		const { inFlight, sockets, accepted } = await sandbox.counts();
		expect(accepted.messages).toBe(120);
		expect(inFlight.max).toBeLessThanOrEqual(most);
		expect(sockets.max).toBeLessThanOrEqual(most + 1);
	});
});

describe('the journal', () => {
	const recipients = phones(10);
	const items = recipients.map((phone) => ({ phone }));
	const failAt = async (send: SendName, skip: number, times = 1) => {
		await sandbox.fault({
			match: { endpoint: SENDS[send].endpoint },
			skip,
			times,
			fault: { kind: 'status', status: 400 },
		});
	};

	test('the execution’s data has hashes and ids, no text and no recipient', async () => {
		await failAt('sendText', 5);
		const execution = await run('sendText', items, { options: { batchSize: 1 } });
		const memory = JSON.stringify(execution.memory);
		expect(memory).not.toContain('Hello');
		for (const recipient of recipients) expect(memory).not.toContain(recipient);
		const { sent } = (execution.memory.messagingSent as Record<string, IDataObject>)['0'];
		const requests = Object.values(sent as Record<string, { receipts?: IDataObject[] }>);
		expect(requests.flatMap(({ receipts = [] }) => receipts)).toHaveLength(5);
	});

	test.each<[string, number, string[]]>([
		['the runs of a loop', 15, ['Messaging', 'Messaging']],
		['two nodes in one workflow', 13, ['Other', 'Messaging']],
	])('%s are not mixed up', async (_, skip, nodes) => {
		// The first run succeeds, the second fails halfway.
		await failAt('sendTemplate', skip);
		const first = await run('sendTemplate', items, {
			options: { batchSize: 1 },
			others: { Other: { parameters: sendParameters('sendTemplate', { batchSize: 1 }) } },
			connections: { Start: { main: [nodes.map(to)] } },
		});
		expect((await sandbox.counts()).accepted.messages).toBe(skip);
		const second = await first.retry();
		expect(second.status).toBe('success');
		const { byRecipient } = (await sandbox.counts()).accepted;
		expect(byRecipient).toEqual(Object.fromEntries(recipients.map((phone) => [phone, 2])));
		expect(second.memory.messagingSent).toEqual({});
	});
});

describe('a hint after sending', () => {
	const items = phones(4).map((phone) => ({ phone }));
	const node = { onError: 'continueErrorOutput' } as const;

	test('counts the outcomes when some messages failed', async () => {
		await sandbox.fault({
			match: { endpoint: 'sendText', recipient: items[0].phone },
			fault: { kind: 'successFalse', message: 'No' },
		});
		await sandbox.fault({
			match: { endpoint: 'sendText', recipient: items[1].phone },
			fault: { kind: 'reset' },
		});
		const { hints } = await run('sendText', [...items, { phone: 'call me' }], { node });
		expect(hints).toEqual([
			'5 messages: 2 accepted, 1 may have been sent, 2 not sent. The failed items say why. Executing again sends to all again.',
			'The service said: "Message sent"',
		]);
	});

	test.each<[SendName, string, string]>([
		[
			'sendText',
			'Message sent',
			'4 messages accepted. Destinations: 4 to +385 Croatia. Accepted does not mean delivered yet.',
		],
		[
			'campaign send',
			'Campaign accepted',
			'4 messages accepted as one campaign. Destinations: 4 to +385 Croatia. Accepted does not mean delivered yet: add Campaign → Get Report.',
		],
	])('%s: when everything was accepted, it says so', async (send, said, hint) => {
		expect((await run(send, items, { node })).hints).toEqual([
			`${hint} Executing again sends to all again.`,
			`The service said: "${said}"`,
		]);
	});

	test('says of a single message that executing again sends it again', async () => {
		const { hints } = await run('sendText', items.slice(1, 2));
		expect(hints[0]).toMatch(
			/Accepted does not mean delivered yet\. Executing again sends it again\.$/,
		);
	});

	test('says when several messages went to one number', async () => {
		const { hints } = await run('sendText', [...items, items[0]]);
		expect(hints.join()).toContain('5 messages to 4 numbers accepted. Destinations: 5 to');
	});

	test.each(NAMES)('%s: says that n8n gives it only the first item, in all modes', async (send) => {
		for (const sendMode of ['send', 'dryRun', 'test']) {
			const options = { sendMode, testRecipient: items[0].phone };
			const { hints } = await run(send, items, { options, node: { executeOnce: true } });
			expect(hints).toContain(
				"Only the first of the 4 items is sent to, because 'Execute Once' is on in the node's settings.",
			);
		}
		const { hints } = await run(send, items.slice(0, 1), { node: { executeOnce: true } });
		expect(hints.join()).not.toContain('Execute Once');
	});

	const AGAIN = 'An earlier run of this node in this execution has sent the same message to';

	test.each<[SendName, boolean]>([
		...NAMES.map((send): [SendName, boolean] => [send, true]),
		['sendText', false],
	])(
		'%s, to which two branches lead: who gets the same again is counted (%s)',
		async (send, isSame) => {
			const branch = to('Messaging');
			const message = isSame ? 'Hello' : '={{ $runIndex }}';
			const { hints } = await run(send, items, {
				parameters: { ...SENDS[send].parameters, ...(send === 'sendText' && { message }) },
				connections: { Start: { main: [[branch, branch]] } },
			});
			expect(hints.filter((hint) => hint.startsWith(AGAIN))).toEqual(
				isSame ? [expect.stringContaining(`${AGAIN} 4 numbers already. If several branches`)] : [],
			);
		},
	);

	test('of 1,100 messages, the first 100 are compared', async () => {
		const branch = to('Messaging');
		const many = phones(1100).map((phone) => ({ phone }));
		const { hints, memory } = await run('campaign send', many, {
			connections: { Start: { main: [[branch, branch]] } },
		});
		expect(hints.join()).toContain(`${AGAIN} at least 100 numbers already.`);
		expect(Object.keys(memory.messagingContents as object)).toHaveLength(100);
	});

	test.each<[SendName, number]>([
		['campaign send', 1],
		['sendText', 0],
	])(
		'%s: from the second round of a loop on, says that it is another campaign',
		async (send, says) => {
			const round = to('Messaging');
			const connections = { Start: { main: [[round, round]] } };
			const { hints } = await run(send, items, { connections });
			const another = hints.filter((hint) =>
				hint.startsWith('This is another campaign, because each run'),
			);
			expect(another).toHaveLength(says);
		},
	);
});

test('what fails behind the sending says of nobody that nothing was sent', async () => {
	const forget = jest.spyOn(Journal.prototype, 'forget').mockImplementation(() => {
		throw new Error('Broken');
	});
	const node = { onError: 'continueRegularOutput' } as const;
	const rows = [{ phone: phones(1)[0] }];
	const { items } = await run('sendText', rows, { node });
	const { error } = await run('sendText', rows);
	forget.mockRestore();
	expect((await sandbox.counts()).accepted.messages).toBe(2);
	expect(error?.message).toMatch(
		/^Do not execute again\. So far: 1 accepted\. Something unexpected happened \(Broken\)\./,
	);
	expect(items.map(({ json }) => json.status)).toEqual(['unknown']);
});

test('a round that sent nothing is no other campaign', async () => {
	await sandbox.fault({
		match: { endpoint: 'sendCampaign' },
		times: 2,
		fault: { kind: 'status', status: 400 } as never,
	});
	const round = to('Messaging');
	const { hints } = await run('campaign send', [{ phone: phones(1)[0] }], {
		connections: { Start: { main: [[round, round]] } },
		node: { onError: 'continueRegularOutput' },
	});
	expect(hints.join()).not.toContain('another campaign');
});

describe('every item begins with the recipient, what became of it, and why', () => {
	const IDS = [...phones(3), phones(1)[0], 'call me', ''];
	const node = { onError: 'continueRegularOutput' } as const;

	test.each(
		NAMES.flatMap((send) => ['send', 'test', 'dryRun'].map((mode) => [send, mode] as const)),
	)('%s, %s', async (send, sendMode) => {
		await sandbox.fault({
			match: { endpoint: SENDS[send].endpoint, recipient: IDS[1] },
			fault: { kind: 'reset' },
		});
		const options = { sendMode, testRecipient: '385998000001', onDuplicateRecipient: 'skip' };
		const items = IDS.map((phone) => ({ phone }));
		const { items: rows } = await run(send, items, { options, node });
		expect(rows).toHaveLength(IDS.length);
		for (const { json } of rows) {
			expect(Object.keys(json).slice(0, 3)).toEqual(['to', 'status', 'reason']);
			expect([json.to, json.status, json.reason].map(String)).not.toContain('');
			expect(Object.values(json)).not.toContain('');
		}
		const words = { send: /^(accepted|unknown|skipped|failed)$/, test: /^(test|skipped)$/ };
		const known = { ...words, dryRun: /^(ready|skipped|invalid)$/ }[sendMode];
		for (const { json } of rows) expect(json.status).toMatch(known!);
		if (sendMode === 'dryRun') expect(rows.some(({ json }) => 'error' in json)).toBe(false);
	});

	test.each(['send', 'dryRun'])('also when the run fails as a whole (%s)', async (sendMode) => {
		const options = { sendMode, onDuplicateRecipient: '={{ $json.what }}' };
		const { items: rows } = await run(
			'sendText',
			IDS.map((phone) => ({ phone })),
			{ options, node },
		);
		expect(rows.map(({ json }) => json.to)).toEqual(IDS.map((phone) => phone || '-'));
		for (const { json } of rows) expect([json.status, json.reason]).toEqual(['failed', json.error]);
	});
});

describe('dry run', () => {
	test.each(NAMES)('%s: shows what each recipient would get, and sends nothing', async (send) => {
		const items = phones(4).map((phone) => ({ phone }));
		const dry = await run(send, items, { options: { sendMode: 'dryRun' } });
		const { requests, accepted } = await sandbox.counts();
		expect([requests.byEndpoint[SENDS[send].endpoint], accepted.messages]).toEqual([0, 0]);
		expect(dry.items.map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_, item) => ({ item })),
		);

		await sandbox.reset();
		await run(send, items, { options: { batchSize: 1 } });
		const sent = await sandbox.requests();
		const withoutIdentifiers = (body: unknown) =>
			JSON.parse(JSON.stringify(body), (key, value: unknown) =>
				key === 'identifier' ? undefined : value,
			) as unknown;
		const parts = sent
			.filter(({ method }) => method === 'POST')
			.flatMap(({ body }) => (body as { messages?: unknown[] }).messages ?? [body]);
		const shown = dry.items.map(({ json }) => JSON.parse(json.message as string) as unknown);
		expect(shown.map(withoutIdentifiers)).toEqual(parts.map(withoutIdentifiers));
	});

	const IN_ITEM_1 = 'The same recipient is also in item 1.';

	test.each([
		[undefined, '3 messages to 2 numbers in 1 request.', undefined],
		['send', '3 messages to 2 numbers in 1 request.', undefined],
		['skip', '2 messages in 1 request, 1 duplicate skipped.', 'skipped'],
		[
			'error',
			'2 messages in 1 request; 1 of 3 rows cannot be sent: item 2 (385917000100).',
			'invalid',
		],
	])(
		'a duplicate is counted in the hint and named in its row, with On Duplicate Recipient %s',
		async (onDuplicateRecipient, counts, status = 'ready') => {
			const items = ['385917000100', '+385 91 700 0100', '385917000107'].map((phone) => ({
				phone,
			}));
			const options = { sendMode: 'dryRun', ...(onDuplicateRecipient && { onDuplicateRecipient }) };
			const { items: rows, hints } = await run('campaign send', items, { options });
			expect(hints).toEqual([
				`Dry run: nothing was sent. ${counts} Destinations: ${status === 'ready' ? 3 : 2} to +385 Croatia.`,
			]);
			expect(rows.map(({ json }) => [json.status, json.reason, json.error])).toEqual([
				['ready', '-', undefined],
				[status, IN_ITEM_1, undefined],
				['ready', '-', undefined],
			]);
		},
	);

	test('the hint names the first 20 rows that cannot be sent, and counts the others', async () => {
		const items = [...phones(2), ...Array<string>(22).fill('call me')].map((phone) => ({ phone }));
		const { hints } = await run('campaign send', items, { options: { sendMode: 'dryRun' } });
		expect(hints.join()).toMatch(
			/; 22 of 24 rows cannot be sent: item 3 \(call me\), .* item 22 \(call me\), and 2 more\. Dest/,
		);
	});

	test('a hint counts what would leave, without those who are left out', async () => {
		// Two writings of one number, which the options make the same.
		const items = ['091 700 0100', '385917000100', 'call me'].map((phone) => ({ phone }));
		const number = { phoneFormat: 'e164', defaultCountryCode: '385' };
		const { items: dry, hints } = await run('campaign send', items, {
			options: { ...number, onDuplicateRecipient: 'skip', sendMode: 'dryRun' },
			node: { onError: 'continueRegularOutput' },
		});
		expect(hints).toEqual([
			'Dry run: nothing was sent. 1 message in 1 request, 1 duplicate skipped; 1 of 3 rows cannot be sent: item 3 (call me). Destinations: 1 to +385 Croatia.',
		]);
		const [to, country] = ['+385917000100', '+385'];
		const text = expect.any(String) as string;
		expect(dry.map(({ json }) => ({ ...json, message: undefined, identifier: undefined }))).toEqual(
			[
				{ to, status: 'ready', reason: '-', country, text, dryRun: true },
				{ to, status: 'skipped', reason: IN_ITEM_1, country, text, dryRun: true },
				{
					to: 'call me',
					status: 'invalid',
					reason: 'This is not a phone number: it has no digits.',
					text,
					dryRun: true,
				},
			],
		);
	});
});
