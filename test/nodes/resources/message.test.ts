import type { IDataObject } from 'n8n-workflow';
import {
	credentials,
	failure,
	messagesOf,
	post,
	serve,
	success,
	withTemplates,
	type ServiceRequest,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import {
	plainTemplate,
	paired,
	refusalOf,
	runMessaging,
	SENDER,
	sending,
} from '../../support/runMessaging';

const harness = useHarness();

describe('Send Text', () => {
	const PATH = '/api/public/conversation/text';
	const TO = '385911000001';

	const textMessage = (more: IDataObject = {}) =>
		sending('sendText', { message: '={{ $json.text }}', ...more });

	test.each<[string, unknown]>([
		['spaces and line breaks', '  Hello,\n\n  Ana!  '],
		['emoji, quotes, backslashes and braces', 'مرحبا 👩‍👩‍👧 "a" \\ { b } {"c": 1}'],
		['text that looks like a number', '0012'],
		['a number', 12],
	])('the text arrives as it was written: %s', async (_, text) => {
		const asked = serve(success({ id: 'm1' }));
		await runMessaging(harness, textMessage(), { items: [{ to: TO, text } as IDataObject] });
		expect(asked).toEqual([post(PATH, { from: SENDER, to: TO, message: String(text) })]);
	});

	const EMPTY = ` (${TO}): 'Message' is empty. Fill it in, or check the expression for this item.`;

	test.each<[IDataObject, string]>([
		...['', '   ', '\n'].map((text): [IDataObject, string] => [{ to: TO, text }, EMPTY]),
		[{ to: TO, text: ['a'] }, ` (${TO}): 'Message' must be text, but is a list.`],
		[{ to: TO, text: { a: 1 } }, ` (${TO}): 'Message' must be text, but is an object.`],
		[{ to: true, text: 'Hi' }, ": 'To' must be text, but is true."],
	])('%j is refused, and the error says what it is', async (item, sentence) => {
		expect(await refusalOf(harness, textMessage(), [item])).toBe(
			`Nothing was sent, because of item 1${sentence}`,
		);
	});

	describe('the output', () => {
		const RECORD = {
			id: 'm1',
			content: 'Hello',
			externalId: 'x1',
			conversation_id: 'c1',
			createdAt: '2026-01-01T10:00:00.000Z',
			updatedAt: '2026-01-01T10:00:00.000Z',
			later: 1,
		};
		test('begins with the recipient that was sent, whatever the service returns', async () => {
			serve(success({ id: 'm1', to: 'somebody else' }));
			const { outputs } = await runMessaging(harness, textMessage({ simplify: false }), {
				items: [{ to: TO, text: 'Hello' }],
			});
			expect(JSON.stringify(outputs[0][0].json)).toBe(`{"to":"${TO}","id":"m1"}`);
		});

		test('has few columns before the reason when the first of two was sent', async () => {
			serve(({ body }) =>
				(body as IDataObject).message === 'no' ? failure('Blocked') : success(RECORD),
			);
			const { outputs } = await runMessaging(harness, textMessage(), {
				items: [
					{ to: TO, text: 'Hello' },
					{ to: '385911000002', text: 'no' },
				],
				onError: 'continueRegularOutput',
			});
			const rows = outputs[0].map(({ json }) => json);
			expect(rows.map(({ to }) => to)).toEqual([TO, '385911000002']);
			// The editor's table takes its columns from the rows, in the order in which they first appear.
			const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
			expect(columns).toEqual(['to', 'id', 'externalId', 'error', 'details']);
			expect(rows[1].error).toMatch(/^Not sent to 385911000002: The service refused: Blocked\./);
		});
	});
});

describe('Send Template', () => {
	const PATH = '/api/public/conversation/template';
	const TO = ['385911000001', '385911000002', '385911000003'];
	const ITEMS = TO.map((to) => ({ to }));

	const templateMessage = (more: IDataObject = {}) =>
		sending('sendTemplate', { ...plainTemplate('opening_hours'), ...more });

	const message = (to: string, more: IDataObject = {}) => ({
		to,
		save: false,
		template: { name: 'opening_hours' },
		...more,
	});

	const sent = (to: unknown) => ({ status: 'success', response: `p-${String(to)}` });

	const inOrder = (asked: ServiceRequest) => success(messagesOf(asked).map(({ to }) => sent(to)));

	test('`metadata` and `save` go into the message; without metadata the field is not sent', async () => {
		const asked = serve(inOrder);
		const metadata = { order: 12, nested: { a: [1] } };
		const options = { batchSize: 1, save: true };
		const parameters = templateMessage({ metadata: '={{ $json.metadata }}', options });
		const items = [
			{ to: TO[0], metadata },
			{ to: TO[1], metadata: '{"order": 13}' },
			{ to: TO[2], metadata: {} },
		];
		await runMessaging(harness, parameters, { items });
		expect(asked.flatMap(messagesOf)).toEqual([
			message(TO[0], { save: true, metadata }),
			message(TO[1], { save: true, metadata: { order: 13 } }),
			message(TO[2], { save: true }),
		]);
	});

	test.each([
		['[1]', /item 1 \(\d+\): 'Metadata' must be a JSON object, like {"order": 12}\.$/],
		['{"a"', /item 1 \(\d+\): 'Metadata' is not valid JSON: .+\.$/],
	])('metadata %j is refused in a sentence', async (metadata, sentence) => {
		expect(await refusalOf(harness, templateMessage({ metadata }), [ITEMS[0]])).toMatch(sentence);
	});

	test('a list’s entries have their own metadata', async () => {
		const asked = serve(inOrder);
		const recipientList = JSON.stringify([{ to: TO[0], metadata: { order: 1 } }, { to: TO[1] }]);
		const { outputs } = await runMessaging(
			harness,
			templateMessage({ recipients: 'list', recipientList, options: { messagesPerRequest: 5 } }),
		);

		expect(asked).toEqual([
			post(PATH, {
				from: SENDER,
				messages: [message(TO[0], { metadata: { order: 1 } }), message(TO[1])],
			}),
		]);
		expect(outputs).toEqual([
			[paired({ to: TO[0], ...sent(TO[0]) }), paired({ to: TO[1], ...sent(TO[1]) })],
		]);
	});

	describe('messagesPerRequest', () => {
		const twoPerRequest = templateMessage({ options: { messagesPerRequest: 2, batchSize: 1 } });

		test('as many results as messages: each recipient gets the result at its position', async () => {
			const asked = serve(inOrder);
			const { outputs } = await runMessaging(harness, twoPerRequest, { items: ITEMS });

			expect(asked).toEqual([
				post(PATH, { from: SENDER, messages: [message(TO[0]), message(TO[1])] }),
				post(PATH, { from: SENDER, messages: [message(TO[2])] }),
			]);
			expect(outputs).toEqual([TO.map((to, item) => paired({ to, ...sent(to) }, item))]);
		});

		test.each([
			['fewer results than messages', [sent('one')]],
			['more results than messages', [sent('one'), sent('two'), sent('three')]],
		])('%s: every recipient of the request gets all results', async (_, responses) => {
			serve(success(responses));
			const { outputs } = await runMessaging(harness, twoPerRequest, { items: ITEMS.slice(0, 2) });
			expect(outputs).toEqual([TO.slice(0, 2).map((to, item) => paired({ to, responses }, item))]);
		});

		test.each([
			['in another order', [TO[1], TO[0]], [TO[0], TO[1]]],
			[
				'in another order and format',
				[`+${TO[1]}`, '385 91 1000001'],
				['385 91 1000001', `+${TO[1]}`],
			],
			['for one of the two', [TO[1]], [undefined, TO[1]]],
			['twice for the same', [TO[1], TO[1]], [undefined, TO[1]]],
		])(
			'results that name their recipients, %s: each recipient gets its own',
			async (_, named, own) => {
				const responses = named.map((to) => ({ ...sent(to), to }));
				serve(success(responses));
				const { outputs } = await runMessaging(harness, twoPerRequest, {
					items: ITEMS.slice(0, 2),
				});
				expect(outputs).toEqual([
					TO.slice(0, 2).map((to, item) =>
						paired(own[item] ? { to, ...sent(own[item]) } : { to, responses }, item),
					),
				]);
				for (const { json } of outputs[0]) expect(Object.keys(json)[0]).toBe('to');
			},
		);

		const failing = { ...sent('two'), status: 'failed' };
		test.each([
			['each gets its own', [sent('one'), failing], '1 message'],
			['both get all', [sent('one'), failing, sent('three')], '2 messages'],
		])('a result with an undocumented status, %s: a hint counts it', async (_, results, count) => {
			serve(success(results));
			const run = { items: ITEMS.slice(0, 2) };
			const { saved } = await runMessaging(harness, twoPerRequest, run);
			expect(saved).toContain(
				'"2 messages accepted. Accepted is not yet delivered. Executing again sends to all again."',
			);
			expect(saved).toContain(
				`"For ${count} the service answered another status than success: see the field status."`,
			);
		});

		test('two messages to one recipient, results that name it: each message gets its own, in order', async () => {
			serve(success(['first', 'second'].map((id) => ({ ...sent(id), to: TO[0] }))));
			const items = [ITEMS[0], ITEMS[0]];
			const { outputs } = await runMessaging(harness, twoPerRequest, { items });
			expect(outputs[0].map(({ json }) => json)).toMatchObject([sent('first'), sent('second')]);
		});

		test('results that name other recipients are assigned by position, and `to` is still the recipient', async () => {
			serve(
				success([
					{ ...sent('a'), to: '1' },
					{ ...sent('b'), to: '2' },
				]),
			);
			const { outputs } = await runMessaging(harness, twoPerRequest, { items: ITEMS.slice(0, 2) });
			expect(outputs[0].map(({ json }) => json)).toEqual([
				{ to: TO[0], ...sent('a') },
				{ to: TO[1], ...sent('b') },
			]);
		});
	});

	test.each([
		[
			'INACTIVE',
			[
				'Note: The channel Shop (447700900100) is INACTIVE: the service may refuse to send from it.',
			],
		],
		['ACTIVE', []],
	])('dryRun from a channel that is %s', async (status, expected) => {
		const components = [{ type: 'BODY', text: 'From 7.' }];
		serve(withTemplates([{ name: 'opening_hours', components }], inOrder, { status }));
		const { task } = await harness.run('messaging', templateMessage({ sendMode: 'dryRun' }), {
			items: ITEMS,
			credentials,
		});
		expect(
			(task?.hints ?? []).filter(({ type }) => type === 'warning').map(({ message }) => message),
		).toEqual(expected);
	});
});
