import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	failure,
	messagesOf,
	plainTemplates,
	post,
	serve,
	success,
	withTemplates,
	type ServiceRequest,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import {
	chosen,
	plainTemplate,
	paired,
	refusalOf,
	runMessaging,
	SENDER,
	sending,
} from '../../support/runMessaging';

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
}: IDataObject & { options?: IDataObject } = {}) =>
	sending('send', {
		...plainTemplate('opening_hours'),
		...more,
		options: { ...(identifier !== '' && { identifier }), ...options },
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
	template: { name: 'opening_hours' },
	identifier: `order-${to}`,
	...more,
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
	const [status, reason] = ['accepted', '-'];
	expect(outputs[0]).toEqual([
		paired(
			{ to: ANA, status, reason, identifier: `order-${ANA}`, campaign_id: `111111111/${ANA}` },
			0,
		),
		paired(
			{ to: BEN, status, reason, identifier: `order-${BEN}`, campaign_id: `222222222/${BEN}` },
			1,
		),
		paired(
			{ to: CEM, status, reason, identifier: `order-${CEM}`, campaign_id: `111111111/${ANA}` },
			2,
		),
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
				json: { status: 'accepted', campaign_id: `${SENDER}/${ANA}`, from: SENDER, recipients: 2 },
				pairedItem: [{ item: 0 }, { item: 1 }],
			},
			{
				json: { status: 'accepted', campaign_id: `${SENDER}/${CEM}`, from: SENDER, recipients: 1 },
				pairedItem: [{ item: 2 }],
			},
		],
	]);
});

/** The POST requests: a dry run also reads the templates. */
const sentOf = (asked: ServiceRequest[]) => asked.filter(({ method }) => method === 'POST');

test('a dry run with one item per campaign outputs the exact requests', async () => {
	const components = [{ type: 'BODY', text: 'From 7.' }];
	const asked = serve(withTemplates([{ name: 'opening_hours', components }], numbered()));
	const { outputs } = await runMessaging(
		harness,
		campaign({ sendMode: 'dryRun', options: { maxRecipients: 2, output: 'campaign' } }),
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
	expect(sentOf(asked)).toEqual([]);
	expect(outputs).toEqual([
		[
			{ json: request(message(ANA), message(BEN)), pairedItem: [{ item: 0 }, { item: 1 }] },
			{ json: request(message(CEM)), pairedItem: [{ item: 2 }] },
		],
	]);
});

// n8n refuses empty parameters before the node runs, but an expression can still return nothing.
test.each([
	['From', 'from'],
	['Template', 'template'],
])('an empty %s is an error, and nothing is sent', async (label, field) => {
	const parameters = campaign({ [field]: chosen('name', '={{ $json.missing }}') });
	expect(await refusalOf(harness, parameters, ITEMS.slice(0, 1))).toContain(
		`Nothing was sent. Item 1 (${ANA}): '${label}' is empty.`,
	);
});

// An expression is refused by parameters.test.ts; a workflow that a program wrote may have any word.
test.each([
	['yes', 'Nothing was sent. \'Mode\' must be one of send, test, dryRun, but is "yes".', 0],
	['send', undefined, 1],
])('Mode: %j', async (sendMode, message, sent) => {
	const asked = serve(numbered());
	const { error } = await runMessaging(harness, campaign({ sendMode }), { items: [ITEMS[0]] });
	expect([error?.message, sentOf(asked).length]).toEqual([message, sent]);
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
		serviceStatus: 'queued',
		status: 'accepted',
		reason: '-',
	});
	expect(Object.keys(outputs[0][0].json).slice(0, 3)).toEqual(['to', 'status', 'reason']);
});

describe('a failure of the whole run', () => {
	const WRONG_OUTPUT = campaign({ options: { output: 'all' } });
	const NO_OUTPUT = `Nothing was sent. 'Output' must be one of recipients, campaign, but is "all".`;
	const plain = [...plainTemplates];
	afterEach(() => plain.forEach((name) => plainTemplates.add(name)));
	const UNREADABLE =
		'Nothing was sent. The templates cannot be read. The service refused: Database is unavailable.';

	test.each<[string, INodeParameters, string]>([
		['an invalid option', WRONG_OUTPUT, NO_OUTPUT],
		['unreadable templates', campaign(), UNREADABLE],
	])(
		'%s: nothing is sent; the node fails, and under Continue On Fail each recipient has an item with notSent',
		async (_, parameters, error) => {
			plainTemplates.clear();
			const asked = serve(failure('Database is unavailable'));
			const stopped = await runMessaging(harness, parameters, { items: ITEMS });
			expect(stopped.error?.message).toBe(error);
			const { outputs } = await runMessaging(harness, parameters, {
				items: ITEMS,
				onError: 'continueRegularOutput',
			});
			expect(outputs).toEqual([
				[ANA, BEN, CEM].map((to, item) =>
					paired(
						{
							to,
							status: 'failed',
							reason: error,
							error,
							details: { outcome: 'notSent', recipient: to },
						},
						item,
					),
				),
			]);
			expect(sentOf(asked)).toEqual([]);
		},
	);
});

test('a skipped duplicate is counted above the output', async () => {
	serve(named);
	const options = { onDuplicateRecipient: 'skip' };
	const { hints } = await runMessaging(harness, campaign({ identifier: '', options }), {
		items: [{ to: ANA }, { to: BEN }, { to: ANA }],
	});
	expect(hints.join()).toContain('2 messages accepted as one campaign, 1 duplicate skipped.');
});

test('several senders: the campaigns are counted above the output, and one campaign is called one', async () => {
	serve(named);
	const hintOf = async (...senders: string[]) => {
		const { hints } = await runMessaging(
			harness,
			campaign({ from: chosen('phone', '={{ $json.from }}'), identifier: '' }),
			{ items: senders.map((from, item) => ({ to: [ANA, BEN, CEM][item], from })) },
		);
		return hints.join();
	};
	const [one, other] = ['111111111', '222222222'];
	expect(await hintOf(one, other, one)).toContain('3 messages accepted as 2 campaigns.');
	expect(await hintOf(one, one, one)).toContain('3 messages accepted as one campaign.');
});

test('output `campaign`: an item where the first recipient of each is, and one for each recipient without a message', async () => {
	serve(named);
	const { outputs } = await runMessaging(
		harness,
		campaign({
			from: chosen('phone', '={{ $json.from }}'),
			options: { output: 'campaign', onDuplicateRecipient: 'skip' },
			identifier: '',
		}),
		{
			items: [
				{ to: ANA, from: '111111111' },
				{ to: '', from: '111111111' },
				{ to: BEN, from: '222222222' },
				{ to: CEM, from: '111111111' },
				{ to: ANA, from: '111111111' },
			],
			onError: 'continueRegularOutput',
		},
	);
	expect(outputs[0]).toMatchObject([
		{
			json: { campaign_id: `111111111/${ANA}`, recipients: 2 },
			pairedItem: [{ item: 0 }, { item: 3 }],
		},
		{
			json: { to: '-', error: 'Not sent: The recipient is empty.' },
			pairedItem: { item: 1 },
		},
		{ json: { campaign_id: `222222222/${BEN}`, recipients: 1 }, pairedItem: [{ item: 2 }] },
		{
			json: { to: ANA, status: 'skipped', reason: 'The same recipient is also in item 1.' },
			pairedItem: { item: 4 },
		},
	]);
	expect(outputs[0][1].json.details).toEqual({ outcome: 'notSent', recipient: '' });
});
