import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	failure,
	messagesOf,
	post,
	serve,
	success,
	withTemplates,
	type ServiceRequest,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { chosen, plainTemplate, paired, runMessaging, SENDER } from '../../support/runMessaging';

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

test('identifiers are generated for messages without one: unique, and output', async () => {
	const asked = serve(numbered());
	const { outputs } = await runMessaging(harness, campaign({ identifier: '' }), { items: ITEMS });

	const sent = messagesOf(asked[0]).map(({ identifier }) => identifier);
	expect(new Set(sent).size).toBe(3);
	expect(sent).toEqual(sent.map(() => expect.stringMatching(/^\S{10,64}$/)));
	expect(outputs[0].map(({ json }) => json.identifier)).toEqual(sent);
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

test('`maxRecipients` splits into several campaigns; output `campaign` gives an item for each, paired with its recipients', async () => {
	const asked = serve(named);
	const { outputs } = await runMessaging(
		harness,
		campaign({ options: { maxRecipients: 2, output: 'campaign' } }),
		{ items: ITEMS },
	);

	expect(asked).toHaveLength(2);
	expect(asked).toEqual(
		expect.arrayContaining([
			post(PATH, { from: SENDER, messages: [message(ANA), message(BEN)] }),
			post(PATH, { from: SENDER, messages: [message(CEM)] }),
		]),
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

	const NOT_A_LIST =
		'\'Recipient List\' must be a JSON array of objects, like [{ "to": "+385911234567" }].';

	test.each([
		['{"to": "1"}', NOT_A_LIST],
		['[{"to": "1"}, "385911000001"]', `${NOT_A_LIST} Entry 2 is no object.`],
		['[{"to"', expect.stringMatching(/^'Recipient List' is not valid JSON: .+\.$/)],
		['', NOT_A_LIST],
	])('%j is refused in a sentence', async (recipientList, sentence) => {
		const asked = serve(numbered());
		const { error } = await runMessaging(harness, campaign({ recipients: 'list', recipientList }));
		expect({ asked, message: error?.message }).toEqual({ asked: [], message: sentence });
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
});

// n8n refuses empty parameters before the node runs, but an expression can still return nothing.
test.each([
	['From', 'from', 'Fill it in, or check the expression for this item.'],
	['Template', 'template', 'Fill it in, or check the expression for this item.'],
])('an empty %s is an error, and nothing is sent', async (label, field, advice) => {
	const asked = serve(numbered());
	const parameters = campaign({ [field]: chosen('name', '={{ $json.missing }}') });
	const { error } = await runMessaging(harness, parameters, { items: ITEMS.slice(0, 1) });
	expect({ asked, message: error?.message }).toEqual({
		asked: [],
		message: `Nothing was sent, because of item 1 (${ANA}): '${label}' is empty. ${advice}`,
	});
});

test.each([
	['dryRun', undefined, 0],
	['send', undefined, 1],
	['yes', '\'Mode\' must be one of send, test, dryRun, but is "yes".', 0],
])('Mode by expression: %j', async (value, message, sent) => {
	const asked = serve(numbered());
	const { error } = await runMessaging(harness, campaign({ mode: '={{ $json.dry }}' }), {
		items: [{ ...ITEMS[0], dry: value }],
	});
	expect([error?.message, sentOf(asked).length]).toEqual([message, sent]);
});

test('an identifier that is not text is an error, and none is generated instead', async () => {
	const asked = serve(numbered());
	const items = [{ to: ANA, identifier: { id: 'a' } as never }];
	const { error } = await runMessaging(harness, campaign(), { items });
	expect(asked).toEqual([]);
	expect(error?.message).toMatch(/'Identifier' must be text, but is an object\.$/);
});

test('a number from a spreadsheet that is not text is a valid recipient', async () => {
	const asked = serve(numbered());
	await runMessaging(harness, campaign(), { items: [{ to: 385911000001, identifier: 12 }] });
	expect(messagesOf(asked[0])).toEqual([message(ANA, { identifier: '12' })]);
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

describe('a failure of the whole run', () => {
	const WRONG_OUTPUT = campaign({ options: { output: 'all' } });
	const NO_OUTPUT = `'Output' must be one of recipients, campaign, but is "all".`;
	const FILLED = campaign({ templatePreview: {} });
	const UNREADABLE =
		"The channel's templates cannot be read. The service refused: Database is unavailable.";

	test.each<[string, INodeParameters, string, object]>([
		// Found before the recipients are read.
		['an invalid option', WRONG_OUTPUT, NO_OUTPUT, () => ({})],
		['unreadable templates', FILLED, UNREADABLE, (to: string) => ({ to, recipient: to })],
	])(
		'%s: nothing is sent; the node fails, and under Continue On Fail each recipient has an item with notSent',
		async (_, parameters, error, known) => {
			const asked = serve(failure('Database is unavailable'));
			const stopped = await runMessaging(harness, parameters, { items: ITEMS });
			expect(stopped.error?.message).toBe(error);
			const { outputs } = await runMessaging(harness, parameters, {
				items: ITEMS,
				onError: 'continueRegularOutput',
			});
			expect(outputs).toEqual([
				[ANA, BEN, CEM].map((each, item) => {
					const { to, recipient } = (known as (to: string) => IDataObject)(each);
					const details = { outcome: 'notSent', ...(recipient !== undefined && { recipient }) };
					return paired({ ...(to !== undefined && { to }), error, details }, item);
				}),
			]);
			expect(sentOf(asked)).toEqual([]);
		},
	);
});

test('output `campaign`: each recipient without a message has its own item', async () => {
	serve(success({ campaign_id: 'c-1' }));
	const { outputs } = await runMessaging(
		harness,
		campaign({ options: { output: 'campaign', onDuplicateRecipient: 'skip' }, identifier: '' }),
		{
			items: [{ to: ANA }, { to: 'call me' }, { to: BEN }, { to: ANA }],
			onError: 'continueRegularOutput',
		},
	);
	expect(outputs[0]).toMatchObject([
		{
			json: { campaign_id: 'c-1', from: SENDER, recipients: 2 },
			pairedItem: [{ item: 0 }, { item: 2 }],
		},
		{
			json: { details: { outcome: 'notSent', recipient: 'call me' } },
			pairedItem: { item: 1 },
		},
		{ json: { to: ANA, skipped: true }, pairedItem: { item: 3 } },
	]);
});
