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
		[
			{ to: TO, text: ['a'] },
			` (${TO}): 'Message' must be text, but is a list. Choose one of its entries.`,
		],
		[
			{ to: TO, text: { a: 1 } },
			` (${TO}): 'Message' must be text, but is an object. Choose one of its fields.`,
		],
		[{ to: true, text: 'Hi' }, ": 'To' must be text, but is true."],
	])('%j is refused, and the error says what it is', async (item, sentence) => {
		expect(await refusalOf(harness, textMessage(), [item])).toBe(
			`Nothing was sent. Item 1${sentence}`,
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
			const { outputs } = await runMessaging(
				harness,
				textMessage({ options: { simplify: false } }),
				{
					items: [{ to: TO, text: 'Hello' }],
				},
			);
			expect(JSON.stringify(outputs[0][0].json)).toBe(
				`{"to":"${TO}","status":"accepted","reason":"-","id":"m1"}`,
			);
		});

		test('shows the reason beside the number, also when the first of two was sent', async () => {
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
			expect(columns).toEqual(['to', 'status', 'reason', 'id', 'externalId', 'error', 'details']);
			expect(rows[1].reason).toMatch(/^The service refused: Blocked\./);
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
		template: { name: 'opening_hours' },
		...more,
	});

	const sent = (to: unknown) => ({ status: 'success', response: `p-${String(to)}` });

	const inOrder = (asked: ServiceRequest) => success(messagesOf(asked).map(({ to }) => sent(to)));

	test.each([
		[true, true],
		[false, false],
		['={{ $json.none }}', false],
	])('`save` %j is sent, because the option is there', async (save, sent) => {
		const asked = serve(inOrder);
		await runMessaging(harness, templateMessage({ options: { save } }), { items: [ITEMS[0]] });
		expect(asked.flatMap(messagesOf)).toEqual([message(TO[0], { save: sent })]);
	});

	test('`metadata` and `save` go into the message; without the options neither is sent', async () => {
		const asked = serve(inOrder);
		const metadata = { order: 12, nested: { a: [1] } };
		const options = { batchSize: 1, save: true, metadata: '={{ $json.metadata }}' };
		const parameters = templateMessage({ options });
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
		['[1]', /Item 1 \(\d+\): 'Metadata' must be a JSON object, like {"order": 12}\.$/],
		['{"a"', /Item 1 \(\d+\): 'Metadata' is not valid JSON: .+\.$/],
	])('metadata %j is refused in a sentence', async (metadata, sentence) => {
		expect(
			await refusalOf(harness, templateMessage({ options: { metadata } }), [ITEMS[0]]),
		).toMatch(sentence);
	});

	test('each recipient has an item, and a message of its own', async () => {
		const asked = serve(inOrder);
		const { outputs } = await runMessaging(
			harness,
			templateMessage({ options: { batchSize: 1 } }),
			{ items: ITEMS },
		);
		expect(asked).toEqual(TO.map((to) => post(PATH, { from: SENDER, messages: [message(to)] })));
		expect(outputs).toEqual([
			TO.map((to, item) => {
				const own = { to, status: 'accepted', reason: '-', serviceStatus: 'success' };
				return paired({ ...sent(to), ...own }, item);
			}),
		]);
	});

	test('more results than messages: the recipient gets all of them', async () => {
		const responses = [sent('one'), sent('two')];
		serve(success(responses));
		const { outputs } = await runMessaging(harness, templateMessage(), { items: [ITEMS[0]] });
		expect(outputs).toEqual([[paired({ to: TO[0], status: 'accepted', reason: '-', responses })]]);
	});

	const other = { ...sent('two'), status: 'queued' };
	test.each([
		['its own', [other]],
		['all', [sent('one'), other, sent('three')]],
	])(
		'a result with an undocumented status, where each gets %s: a hint counts it',
		async (_, results) => {
			serve(success(results));
			const { saved } = await runMessaging(harness, templateMessage(), { items: [ITEMS[0]] });
			expect(saved).toContain(
				'"1 message accepted. Destinations: 1 to +385 Croatia. Accepted does not mean delivered yet.',
			);
			expect(saved).toContain(
				'"For 1 message the service answered another status than success: queued."',
			);
		},
	);

	test.each([
		[
			'INACTIVE',
			['Note: The channel Shop (12025550100) is INACTIVE: the service may refuse to send from it.'],
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
