import type { IDataObject } from 'n8n-workflow';
import { failure, serve, success, type ServiceRequest } from '../support/mockService';
import { useHarness } from '../support/harness';
import { chosen, plainTemplate, runMessaging, SENDER } from '../support/runMessaging';

jest.mock('../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../support/fastClock'),
);

const harness = useHarness();
const TO = ['385911000001', '385911000002', '385911000003'];
const items = TO.map((to) => ({ to }));
const campaign = (more: IDataObject = {}) => ({
	resource: 'campaign',
	operation: 'send',
	from: chosen('phone', SENDER),
	to: '={{ $json.to }}',
	...plainTemplate('opening_hours'),
	...more,
});
const posts = (asked: ServiceRequest[]) => asked.filter(({ method }) => method === 'POST');

describe('a failure of the whole run', () => {
	const WRONG_CODE = campaign({ options: { defaultCountryCode: 'HR' } });
	const NO_CODE = `"HR" is not a country calling code. Enter digits in 'Default Country Code', for example 385.`;
	const FILLED = campaign({
		templatePreview: {},
	});
	const UNREADABLE =
		"The channel's templates cannot be read. The service refused: Database is unavailable.";

	const ROWS: Array<[string, IDataObject, string]> = [
		['an invalid option', WRONG_CODE, NO_CODE],
		['unreadable templates', FILLED, UNREADABLE],
	];

	test.each(ROWS)('%s: the node fails, and nothing is sent', async (_, parameters, sentence) => {
		const asked = serve(failure('Database is unavailable'));
		const { error } = await runMessaging(harness, parameters as never, { items });
		expect({ message: error?.message, posts: posts(asked) }).toEqual({
			message: sentence,
			posts: [],
		});
	});

	test.each(ROWS)(
		'%s, Continue On Fail: each input item becomes an error item with notSent',
		async (why, parameters, sentence) => {
			// An invalid option is found before the recipients are read.
			const isKnown = why === 'unreadable templates';
			const asked = serve(failure('Database is unavailable'));
			const { outputs, error } = await runMessaging(harness, parameters as never, {
				items,
				onError: 'continueRegularOutput',
			});
			expect({ error, posts: posts(asked), outputs }).toEqual({
				error: undefined,
				posts: [],
				outputs: [
					TO.map((to, item) => ({
						json: {
							...(isKnown && { to }),
							error: sentence,
							details: { outcome: 'notSent', ...(isKnown && { recipient: to }) },
						},
						pairedItem: { item },
					})),
				],
			});
		},
	);
});

test('output `campaign`: each recipient without a message has its own item', async () => {
	serve(success({ campaign_id: 'c-1' }));
	const { outputs } = await runMessaging(
		harness,
		campaign({ options: { output: 'campaign', onDuplicateRecipient: 'skip' } }) as never,
		{
			items: [{ to: TO[0] }, { to: 'call me' }, { to: TO[1] }, { to: TO[0] }],
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
		{ json: { to: TO[0], skipped: true }, pairedItem: { item: 3 } },
	]);
});
