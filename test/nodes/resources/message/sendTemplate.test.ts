import type { IDataObject } from 'n8n-workflow';
import {
	credentials,
	messagesOf,
	post,
	serve,
	success,
	withTemplates,
	type ServiceRequest,
} from '../../../support/mockService';
import { useHarness } from '../../../support/harness';
import { chosen, plainTemplate, paired, runMessaging, SENDER } from '../../../support/runMessaging';

const harness = useHarness();
const PATH = '/api/public/conversation/template';
const TO = ['385911000001', '385911000002', '385911000003'];
const ITEMS = TO.map((to) => ({ to }));

const templateMessage = (more: IDataObject = {}) => ({
	resource: 'message',
	operation: 'sendTemplate',
	from: chosen('phone', SENDER),
	to: '={{ $json.to }}',
	...plainTemplate('opening_hours'),
	...more,
});

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
	await runMessaging(
		harness,
		templateMessage({
			metadata: '={{ $json.metadata }}',
			options: { batchSize: 1, save: true },
		}),
		{
			items: [
				{ to: TO[0], metadata: { order: 12, nested: { a: [1] } } },
				{ to: TO[1], metadata: '{"order": 13}' },
				{ to: TO[2], metadata: {} },
			],
		},
	);

	expect(asked).toEqual([
		post(PATH, {
			from: SENDER,
			messages: [message(TO[0], { save: true, metadata: { order: 12, nested: { a: [1] } } })],
		}),
		post(PATH, {
			from: SENDER,
			messages: [message(TO[1], { save: true, metadata: { order: 13 } })],
		}),
		post(PATH, { from: SENDER, messages: [message(TO[2], { save: true })] }),
	]);
});

test.each([
	['[1]', `'Metadata' must be a JSON object, like {"order": 12}.`],
	['"text"', `'Metadata' must be a JSON object, like {"order": 12}.`],
	['{"a"', expect.stringMatching(/: 'Metadata' is not valid JSON: .+\.$/)],
])('metadata %j is refused in a sentence', async (metadata, sentence) => {
	const asked = serve(inOrder);
	const { error } = await runMessaging(harness, templateMessage({ metadata }), {
		items: ITEMS.slice(0, 1),
	});
	expect({ asked, message: error?.message }).toEqual({
		asked: [],
		message:
			typeof sentence === 'string'
				? `Nothing was sent, because of item 1 (${TO[0]}): ${sentence}`
				: sentence,
	});
});

test.each([
	[['385911000001'], 'a list'],
	[{ phone: '385911000001' }, 'an object'],
	[true, 'true'],
])('a recipient that is %j is refused, and the error says what it is', async (to, what) => {
	const asked = serve(inOrder);
	const inItem = await runMessaging(harness, templateMessage(), { items: [{ to }] });
	const recipientList = JSON.stringify([{ to }]);
	const inList = await runMessaging(
		harness,
		templateMessage({ recipients: 'list', recipientList }),
	);
	expect([asked, inItem.error?.message, inList.error?.message]).toEqual([
		[],
		`Nothing was sent, because of item 1: 'To' must be text, but is ${what}.`,
		`Nothing was sent, because of recipient 1: 'To' must be text, but is ${what}.`,
	]);
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
			const { outputs } = await runMessaging(harness, twoPerRequest, { items: ITEMS.slice(0, 2) });
			expect(outputs).toEqual([
				TO.slice(0, 2).map((to, item) =>
					paired(own[item] ? { to, ...sent(own[item]) } : { to, responses }, item),
				),
			]);
			for (const { json } of outputs[0]) expect(Object.keys(json)[0]).toBe('to');
		},
	);

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

	test('without any result the outcome is unknown', async () => {
		const asked = serve(success([]));
		const { error } = await runMessaging(harness, twoPerRequest, { items: ITEMS.slice(0, 2) });
		expect(asked).toHaveLength(1);
		expect(error?.message).toMatch(/May have been sent to .* 2 may have been sent/);
	});

	test('messages of several senders never share a request', async () => {
		const asked = serve(inOrder);
		await runMessaging(
			harness,
			{ ...twoPerRequest, from: chosen('phone', '={{ $json.from }}') },
			{ items: ITEMS.map((item, index) => ({ ...item, from: `55555555${index % 2}` })) },
		);
		expect(asked).toEqual([
			post(PATH, { from: '555555550', messages: [message(TO[0]), message(TO[2])] }),
			post(PATH, { from: '555555551', messages: [message(TO[1])] }),
		]);
	});
});

test('Dry Run outputs each recipient with its text and its part of the request, and sends nothing', async () => {
	const components = [{ type: 'BODY', text: 'From 7.' }];
	const asked = serve(withTemplates([{ name: 'opening_hours', components }], inOrder));
	const { outputs } = await runMessaging(
		harness,
		templateMessage({ mode: 'dryRun', options: { messagesPerRequest: 2 } }),
		{ items: ITEMS },
	);
	expect({ sent: asked.filter(({ method }) => method === 'POST'), outputs }).toEqual({
		sent: [],
		outputs: [
			TO.map((to, item) => ({
				json: { dryRun: true, to, text: 'From 7.', message: message(to) },
				pairedItem: { item },
			})),
		],
	});
});

test.each([
	[
		'INACTIVE',
		[
			'Dry run: The channel Shop (447700900100) is INACTIVE: the service may refuse to send from it.',
		],
	],
	[
		'PENDING',
		[
			'Dry run: The channel Shop (447700900100) is PENDING: the service may refuse to send from it.',
		],
	],
	['ACTIVE', []],
])('dryRun from a channel that is %s', async (status, expected) => {
	const components = [{ type: 'BODY', text: 'From 7.' }];
	const answer = withTemplates([{ name: 'opening_hours', components }], inOrder);
	serve((asked) =>
		asked.path.endsWith('/channels/chatapp')
			? success([{ id: 'ch-1', name: 'Shop', phone: SENDER, status }])
			: answer(asked),
	);
	const { task } = await harness.run('messaging', templateMessage({ mode: 'dryRun' }), {
		items: ITEMS,
		credentials,
	});
	expect(
		(task?.hints ?? []).filter(({ type }) => type === 'warning').map(({ message }) => message),
	).toEqual(expected);
});

test('the documented refusal of a message without a template is reported with the service’s message', async () => {
	serve({ status: 500, body: { success: false, data: null, message: '"template" is required' } });
	const { outputs } = await runMessaging(harness, templateMessage(), {
		items: ITEMS.slice(0, 1),
		onError: 'continueRegularOutput',
	});
	expect(outputs[0][0].json).toEqual({
		to: TO[0],
		error: `Not sent to ${TO[0]}: The service refused: "template" is required.`,
		details: { httpStatus: 500, outcome: 'rejected', recipient: TO[0] },
	});
});
