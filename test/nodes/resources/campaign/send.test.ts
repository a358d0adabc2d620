import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	failure,
	messagesOf,
	post,
	serve,
	success,
	withTemplates,
	type ServiceRequest,
} from '../../../support/mockService';
import { useHarness } from '../../../support/harness';
import { chosen, plainTemplate, paired, runMessaging, SENDER } from '../../../support/runMessaging';

jest.mock('../../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../../support/fastClock'),
);

const harness = useHarness();
const PATH = '/api/public/chatapp/campaign';
const ANA = '385911000001';
const BEN = '385911000002';
const CEM = '385911000003';
const ITEMS = [ANA, BEN, CEM].map((to) => ({ to, identifier: `order-${to}` }));

/** @param more with `identifier` and other options */
const campaign = ({
	identifier = '={{ $json.identifier }}',
	options,
	...more
}: IDataObject & { options?: IDataObject } = {}): INodeParameters => ({
	resource: 'campaign',
	operation: 'send',
	from: chosen('phone', SENDER),
	to: '={{ $json.to }}',
	...plainTemplate('opening_hours'),
	...(more as INodeParameters),
	options: { ...(identifier !== '' && { identifier }), ...options } as INodeParameters,
});

/** Campaign ids in the order of the requests: c-1, c-2, … */
const numbered = () => {
	let count = 0;
	return () => success({ campaign_id: `c-${++count}` });
};

/** A campaign id from the sender and the first recipient. */
const named = (asked: ServiceRequest) =>
	success({ campaign_id: `${(asked.body as { from: string }).from}/${messagesOf(asked)[0].to}` });

const message = (to: string, more: IDataObject = {}) => ({
	to,
	save: false,
	template: { name: 'opening_hours' },
	identifier: `order-${to}`,
	...more,
});

test('the options Save as Conversation and Template Fields go into every message', async () => {
	const asked = serve(numbered());
	await runMessaging(
		harness,
		campaign({
			options: { save: true, templateFields: '{"category": "news"}' },
		}),
		{ items: ITEMS.slice(0, 1) },
	);

	expect(asked).toEqual([
		post(PATH, {
			from: SENDER,
			messages: [
				message(ANA, { save: true, template: { name: 'opening_hours', category: 'news' } }),
			],
		}),
	]);
});

test('identifiers are generated for messages without one: unique, and output', async () => {
	const asked = serve(numbered());
	const { outputs } = await runMessaging(harness, campaign({ identifier: '' }), { items: ITEMS });

	const sent = messagesOf(asked[0]).map(({ identifier }) => identifier);
	expect(new Set(sent).size).toBe(3);
	expect(sent).toEqual(sent.map(() => expect.stringMatching(/^\S{10,64}$/)));
	expect(outputs[0].map(({ json }) => json.identifier)).toEqual(sent);
});

test('two messages with one identifier are not sent, and the error names both items', async () => {
	const asked = serve(numbered());
	const items = [ITEMS[0], ITEMS[1], { to: CEM, identifier: `order-${ANA}` }];
	const { error } = await runMessaging(harness, campaign(), { items });

	// With an index n8n would add "[item 2]", counted from 0.
	expect({ asked, message: error?.message, itemIndex: error?.itemIndex }).toEqual({
		asked: [],
		message: `Nothing was sent, because of item 3 (${CEM}): The identifier "order-${ANA}" is already used by item 1. Each message needs its own.`,
		itemIndex: undefined,
	});
});

test('items of several senders become one request for each sender', async () => {
	const asked = serve(named);
	const items = [
		{ ...ITEMS[0], from: '111111111' },
		{ ...ITEMS[1], from: '222222222' },
		{ ...ITEMS[2], from: '111111111' },
	];
	const { outputs } = await runMessaging(
		harness,
		campaign({ from: chosen('phone', '={{ $json.from }}') }),
		{ items },
	);

	expect(asked).toHaveLength(2);
	expect(asked).toEqual(
		expect.arrayContaining([
			post(PATH, { from: '111111111', messages: [message(ANA), message(CEM)] }),
			post(PATH, { from: '222222222', messages: [message(BEN)] }),
		]),
	);
	expect(outputs[0]).toEqual([
		paired({ to: ANA, identifier: `order-${ANA}`, campaign_id: `111111111/${ANA}` }, 0),
		paired({ to: BEN, identifier: `order-${BEN}`, campaign_id: `222222222/${BEN}` }, 1),
		paired({ to: CEM, identifier: `order-${CEM}`, campaign_id: `111111111/${ANA}` }, 2),
	]);
});

test('`maxRecipients` splits into several campaigns', async () => {
	const asked = serve(named);
	const { outputs } = await runMessaging(harness, campaign({ options: { maxRecipients: 2 } }), {
		items: ITEMS,
	});

	expect(asked).toHaveLength(2);
	expect(asked).toEqual(
		expect.arrayContaining([
			post(PATH, { from: SENDER, messages: [message(ANA), message(BEN)] }),
			post(PATH, { from: SENDER, messages: [message(CEM)] }),
		]),
	);
	expect(outputs[0].map(({ json }) => json.campaign_id)).toEqual([
		`${SENDER}/${ANA}`,
		`${SENDER}/${ANA}`,
		`${SENDER}/${CEM}`,
	]);
});

test('output `campaign` gives one item for each campaign, paired with all its recipients', async () => {
	serve(named);
	const { outputs } = await runMessaging(
		harness,
		campaign({ options: { maxRecipients: 2, output: 'campaign' } }),
		{ items: ITEMS },
	);

	expect(outputs).toEqual([
		[
			{
				json: { campaign_id: `${SENDER}/${ANA}`, from: SENDER, recipients: 2 },
				pairedItem: [{ item: 0 }, { item: 1 }],
			},
			{
				json: { campaign_id: `${SENDER}/${CEM}`, from: SENDER, recipients: 1 },
				pairedItem: [{ item: 2 }],
			},
		],
	]);
});

describe('recipients from a list', () => {
	const list = [
		{ to: ANA, identifier: 'a' },
		{ to: BEN, identifier: 'b' },
	];

	const item = { people: list };
	test.each([
		['JSON text', JSON.stringify(list), [item, item]],
		['an expression that gives an array', '={{ $json.people }}', [item]],
		['an expression that gives text', '={{ JSON.stringify($json.people) }}', [item]],
	])('%s: all of it is one campaign, paired with the first item', async (_, people, items) => {
		const asked = serve(numbered());
		const { outputs, error } = await runMessaging(
			harness,
			campaign({ recipients: 'list', recipientList: people }),
			{ items },
		);

		expect({ error, asked }).toEqual({
			error: undefined,
			asked: [
				post(PATH, {
					from: SENDER,
					messages: [message(ANA, { identifier: 'a' }), message(BEN, { identifier: 'b' })],
				}),
			],
		});
		expect(outputs).toEqual([
			[
				paired({ to: ANA, identifier: 'a', campaign_id: 'c-1' }),
				paired({ to: BEN, identifier: 'b', campaign_id: 'c-1' }),
			],
		]);
	});

	test.each([
		['{"to": "1"}', `'Recipient List' must be a JSON array, like [{ "to": "+385911234567" }].`],
		[
			'["385911000001"]',
			`'Recipient List' contains something that is not an object at place 1. Each entry looks like { "to": "+385911234567" }.`,
		],
		['[{"to"', expect.stringMatching(/^'Recipient List' is not valid JSON: .+\.$/)],
		['', `'Recipient List' must be a JSON array, like [{ "to": "+385911234567" }].`],
	])('%j is refused in a sentence', async (recipientList, sentence) => {
		const asked = serve(numbered());
		const { error } = await runMessaging(harness, campaign({ recipients: 'list', recipientList }));
		expect({ asked, message: error?.message }).toEqual({ asked: [], message: sentence });
	});

	test('the error names the position of an invalid entry', async () => {
		const asked = serve(numbered());
		const recipientList = JSON.stringify([...list, { identifier: 'c' }]);
		const { error } = await runMessaging(harness, campaign({ recipients: 'list', recipientList }));
		expect({ asked, message: error?.message }).toEqual({
			asked: [],
			message: 'Nothing was sent, because of recipient 3: The recipient is empty.',
		});
	});
});

/** The POST requests: a dry run also reads the templates. */
const sentOf = (asked: ServiceRequest[]) => asked.filter(({ method }) => method === 'POST');

describe('dryRun', () => {
	const OPENING_HOURS = [
		{ name: 'opening_hours', components: [{ type: 'BODY', text: 'From 7.' }] },
	];

	const shown = ({ to, identifier, ...more }: IDataObject, item: number) =>
		paired(
			{ dryRun: true, to, text: 'From 7.', identifier, message: { to, ...more, identifier } },
			item,
		);

	test('outputs each recipient with its text and its part of the request, and sends nothing', async () => {
		const asked = serve(withTemplates(OPENING_HOURS, numbered()));
		const { outputs } = await runMessaging(harness, campaign({ mode: 'dryRun' }), { items: ITEMS });
		expect({ sent: sentOf(asked), outputs }).toEqual({
			sent: [],
			outputs: [[ANA, BEN, CEM].map((to, item) => shown(message(to), item))],
		});
	});

	test('with one item per campaign, outputs the exact requests', async () => {
		const asked = serve(withTemplates(OPENING_HOURS, numbered()));
		const { outputs } = await runMessaging(
			harness,
			campaign({ mode: 'dryRun', options: { maxRecipients: 2, output: 'campaign' } }),
			{ items: ITEMS },
		);
		const request = (...messages: IDataObject[]) => ({
			dryRun: true,
			from: SENDER,
			recipients: messages.length,
			method: 'POST',
			path: PATH,
			body: { from: SENDER, messages },
		});
		expect({ sent: sentOf(asked), outputs }).toEqual({
			sent: [],
			outputs: [
				[
					{ json: request(message(ANA), message(BEN)), pairedItem: [{ item: 0 }, { item: 1 }] },
					{ json: request(message(CEM)), pairedItem: [{ item: 2 }] },
				],
			],
		});
	});

	test('with Continue On Fail, the recipients that would be left out have failed items', async () => {
		const asked = serve(withTemplates(OPENING_HOURS, numbered()));
		const { outputs } = await runMessaging(harness, campaign({ mode: 'dryRun' }), {
			items: [ITEMS[0], { to: '', identifier: 'x' }],
			onError: 'continueErrorOutput',
		});

		expect({ sent: sentOf(asked), lengths: outputs.map(({ length }) => length) }).toEqual({
			sent: [],
			lengths: [1, 1],
		});
		expect(outputs[1][0].json).toEqual({
			to: '',
			identifier: 'x',
			error: 'Not sent: The recipient is empty.',
			details: { outcome: 'notSent', recipient: '', identifier: 'x' },
		});
	});
});

describe('invalid recipients', () => {
	const items = [ITEMS[0], { to: '', identifier: 'x' }, { to: 'soon', identifier: 'y' }];

	test('nothing is sent, and the error names each of them', async () => {
		const asked = serve(numbered());
		const { error } = await runMessaging(harness, campaign(), { items });
		expect({ asked, message: error?.message }).toEqual({
			asked: [],
			message:
				'Nothing was sent, because of item 2: The recipient is empty. In all, 2 of 3 messages cannot be sent.',
		});
		expect(error?.description).toMatch(
			/^Nobody got a message: .*'On Error'.*<br>item 2: The recipient is empty\.<br>item 3 \(soon\): /,
		);
	});

	test('with an error output they are in it, and the others are sent', async () => {
		const asked = serve(numbered());
		const { outputs } = await runMessaging(harness, campaign(), {
			items,
			onError: 'continueErrorOutput',
		});

		expect(asked).toEqual([post(PATH, { from: SENDER, messages: [message(ANA)] })]);
		expect(outputs).toEqual([
			[paired({ to: ANA, identifier: `order-${ANA}`, campaign_id: 'c-1' }, 0)],
			[
				paired(
					{
						...items[1],
						error: 'Not sent: The recipient is empty.',
						details: { outcome: 'notSent', recipient: '', identifier: 'x' },
					},
					1,
				),
				paired(
					{
						...items[2],
						error:
							'Not sent to soon: This is not a phone number: it contains characters that do not belong in a phone number.',
						details: { outcome: 'notSent', recipient: 'soon', identifier: 'y' },
					},
					2,
				),
			],
		]);
	});

	test('an expression that fails for one item is a problem of that item, and names the parameter', async () => {
		const asked = serve(numbered());
		const { error } = await runMessaging(
			harness,
			campaign({ to: '={{ $json.bad ? $("Nowhere").item.json.to : $json.to }}' }),
			{ items: [ITEMS[0], { bad: true, identifier: 'x' }] },
		);
		expect(asked).toEqual([]);
		expect(error?.message).toMatch(
			/^Nothing was sent, because of item 2: The expression in 'to' failed: \S/,
		);
	});
});

// n8n refuses empty parameters before the node runs, but an expression can still return nothing.
test.each([
	[
		'From',
		{ from: chosen('phone', '={{ $json.missing }}') },
		"'From' is empty. Choose a sender, or check the expression for this item.",
	],
	[
		'Template',
		{ template: chosen('name', '={{ $json.missing }}') },
		"'Template' is empty. Fill it in, or check the expression for this item.",
	],
])('an empty %s is an error', async (_, parameters, sentence) => {
	const asked = serve(numbered());
	const { error } = await runMessaging(harness, campaign(parameters), { items: ITEMS.slice(0, 1) });
	expect({ asked, message: error?.message }).toEqual({
		asked: [],
		message: `Nothing was sent, because of item 1 (${ANA}): ${sentence}`,
	});
});

describe('options for the format of numbers', () => {
	const numbersSent = async (options: IDataObject) => {
		const asked = serve(numbered());
		const { error } = await runMessaging(harness, campaign({ options, identifier: '' }), {
			items: [
				{ to: '091 123 4567', country: '385', as: 'e164' },
				{ to: '0170 1234567', country: '49', as: 'digits' },
			],
		});
		return error?.message ?? messagesOf(asked[0]).map(({ to }) => to);
	};

	test.each<[string, IDataObject, unknown]>([
		[
			'the country of each item',
			{ phoneFormat: 'e164', defaultCountryCode: '={{ $json.country }}' },
			['+385911234567', '+491701234567'],
		],
		[
			'the format of each item',
			{ phoneFormat: '={{ $json.as }}', defaultCountryCode: '49' },
			['+49911234567', '491701234567'],
		],
		[
			'an invalid country code',
			{ phoneFormat: 'e164', defaultCountryCode: '={{ $json.as }}' },
			`Nothing was sent, because of item 1 (091 123 4567): "e164" is not a country calling code. Enter digits in 'Default Country Code', for example 385. In all, 2 of 2 messages cannot be sent.`,
		],
	])('%s', async (_, options, expected) => {
		expect(await numbersSent(options)).toEqual(expected);
	});
});

describe('an option with an expression', () => {
	test.each([
		['dryRun', undefined, 0],
		['send', undefined, 1],
		['', "'Mode' is empty. Fill it in, or check the expression for this item.", 0],
		['yes', '\'Mode\' must be one of send, test, dryRun, but is "yes".', 0],
		[['dryRun'], "'Mode' must be text, but is a list.", 0],
	])('Mode by expression: %j', async (value, message, sent) => {
		const asked = serve(numbered());
		const { error } = await runMessaging(harness, campaign({ mode: '={{ $json.dry }}' }), {
			items: [{ ...ITEMS[0], dry: value }],
		});
		expect([error?.message, sentOf(asked).length]).toEqual([message, sent]);
	});

	test.each([
		[
			{ onDuplicateRecipient: '={{ "Skip" }}' },
			'\'On Duplicate Recipient\' must be one of send, skip, error, but is "Skip".',
		],
		[
			{ phoneFormat: '={{ "E164" }}' },
			'Nothing was sent, because of item 1 (385911000001): \'Phone Format\' must be one of digits, e164, asIs, but is "E164".',
		],
	])('%j is refused before anything is sent', async (options, message) => {
		const asked = serve(numbered());
		const { error } = await runMessaging(harness, campaign({ options }), {
			items: ITEMS.slice(0, 1),
		});
		expect({ asked, message: error?.message }).toEqual({ asked: [], message });
	});

	test('Save as Conversation accepts words from a spreadsheet', async () => {
		const asked = serve(numbered());
		await runMessaging(harness, campaign({ options: { save: '={{ $json.save }}' } }), {
			items: [
				{ ...ITEMS[0], save: 'true' },
				{ ...ITEMS[1], save: 'FALSE' },
			],
		});
		expect(messagesOf(asked[0]).map(({ save }) => save)).toEqual([true, false]);
	});
});

test.each([[['a']], [{ id: 'a' }], [true]])(
	'the identifier %j is not text: it is an error, and no identifier is generated instead',
	async (identifier) => {
		const asked = serve(numbered());
		const { error } = await runMessaging(harness, campaign(), {
			items: [{ to: ANA, identifier: identifier as never }],
		});
		expect(asked).toEqual([]);
		expect(error?.message).toMatch(/'Identifier' must be text, but is (a list|an object|true)\.$/);
	},
);

describe('options', () => {
	const twice = [ITEMS[0], { to: '+385 91 100 0001', identifier: 'again' }, ITEMS[1]];

	test('onDuplicateRecipient `send`: both are sent', async () => {
		const asked = serve(numbered());
		await runMessaging(harness, campaign(), { items: twice });
		expect(messagesOf(asked[0]).map(({ to }) => to)).toEqual([ANA, ANA, BEN]);
	});

	test('onDuplicateRecipient `skip`: the first is sent, the second is skipped', async () => {
		const asked = serve(numbered());
		const { outputs } = await runMessaging(
			harness,
			campaign({ options: { onDuplicateRecipient: 'skip' } }),
			{ items: twice },
		);
		expect(messagesOf(asked[0]).map(({ to }) => to)).toEqual([ANA, BEN]);
		// All items have the same fields: n8n's table shows a missing one in red.
		const [first, second] = outputs[0].map(({ json }) => json);
		expect(first).toMatchObject({ to: ANA, campaign_id: 'c-1', skipped: false, reason: false });
		expect(second).toEqual({
			to: ANA,
			identifier: 'again',
			skipped: true,
			reason: 'The same recipient is also in item 1.',
			campaign_id: false,
		});
	});

	test('onDuplicateRecipient `error`: nothing is sent', async () => {
		const asked = serve(numbered());
		const { error } = await runMessaging(
			harness,
			campaign({ options: { onDuplicateRecipient: 'error' } }),
			{ items: twice },
		);
		expect({ asked, message: error?.message }).toEqual({
			asked: [],
			message:
				'Nothing was sent, because of item 2 (385911000001): The same recipient is also in item 1.',
		});
	});

	test.each([
		['asIs', '+385 (0)91 100-0001', '+385 (0)91 100-0001'],
		['digits', '+385 (0)91 100-0001', '385911000001'],
		['e164', '091 100 0001', '+385911000001'],
	])('phoneFormat %s sends %j as %j', async (phoneFormat, to, expected) => {
		const asked = serve(numbered());
		await runMessaging(
			harness,
			campaign({ options: { phoneFormat, defaultCountryCode: '+385' } }),
			{ items: [{ to, identifier: 'x' }] },
		);
		expect(messagesOf(asked[0])[0].to).toBe(expected);
	});

	test('a number from a spreadsheet that is not text is a valid recipient', async () => {
		const asked = serve(numbered());
		await runMessaging(harness, campaign(), { items: [{ to: 385911000001, identifier: 12 }] });
		expect(messagesOf(asked[0])).toEqual([message(ANA, { identifier: '12' })]);
	});

	test('an invalid default country code is reported before anything else', async () => {
		const asked = serve(numbered());
		const { error } = await runMessaging(
			harness,
			campaign({ options: { defaultCountryCode: 'HR' } }),
			{ items: ITEMS },
		);
		expect({ asked, message: error?.message }).toEqual({
			asked: [],
			message: `"HR" is not a country calling code. Enter digits in 'Default Country Code', for example 385.`,
		});
	});
});

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'with On Error %s a failed item has exactly these keys, and n8n keeps them',
	async (onError) => {
		serve(failure('No credit left', 422));
		const { outputs, extras } = await runMessaging(harness, campaign(), {
			items: ITEMS.slice(0, 1),
			onError,
		});
		expect(extras).toEqual([]);
		const isRegular = onError === 'continueRegularOutput';
		const [{ json, pairedItem }] = outputs[isRegular ? 0 : 1];
		// n8n itself adds the input's fields to an item of the error output.
		const { error, details, ...more } = json;
		expect({ error, details, pairedItem }).toStrictEqual({
			error: `Not sent to ${ANA}: The service refused: No credit left.`,
			details: {
				httpStatus: 422,
				outcome: 'rejected',
				recipient: ANA,
				identifier: `order-${ANA}`,
			},
			pairedItem: { item: 0 },
		});
		// Among the others it begins with the recipient as they do.
		expect(more).toStrictEqual(isRegular ? { to: ANA } : ITEMS[0]);
	},
);

test('if one of several campaigns is refused, the error says how many messages were accepted before', async () => {
	serve((asked) =>
		messagesOf(asked)[0].to === BEN ? failure('No credit left') : success({ campaign_id: 'c' }),
	);
	const { error } = await runMessaging(
		harness,
		campaign({ options: { maxRecipients: 1, batchSize: 1 } }),
		{ items: ITEMS },
	);
	expect(error?.message).toMatch(
		new RegExp(
			`Not sent to ${BEN}: The service refused: No credit left\\. .*1 .*of 3.* accepted.*2 were not sent`,
		),
	);
});

test('with a campaign answer without an id, the outcome is unknown', async () => {
	serve(({ method }) => (method === 'POST' ? success({}) : success([], { count: 0 })));
	const { outputs } = await runMessaging(harness, campaign(), {
		items: ITEMS.slice(0, 1),
		onError: 'continueRegularOutput',
	});
	expect(outputs[0][0].json).toEqual({
		to: ANA,
		error: `May have been sent to ${ANA}: The service's answer contains no campaign id. Check the service's logs before sending it again.`,
		details: {
			httpStatus: 200,
			outcome: 'unknown',
			recipient: ANA,
			identifier: `order-${ANA}`,
		},
	});
});

test('fields of a campaign’s answer do not replace the recipient and its identifier', async () => {
	serve(success({ campaign_id: 'c-1', to: 'X', identifier: 'Y', status: 'queued' }));
	const { outputs } = await runMessaging(harness, campaign(), {
		items: [{ to: ANA, identifier: 'a' }],
	});
	expect(outputs[0][0].json).toEqual({
		to: ANA,
		identifier: 'a',
		campaign_id: 'c-1',
		status: 'queued',
	});
	expect(Object.keys(outputs[0][0].json).slice(0, 2)).toEqual(['to', 'identifier']);
});
