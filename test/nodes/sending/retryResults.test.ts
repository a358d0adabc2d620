import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { Execution } from '../../support/execution';
import {
	credentials,
	failure,
	messagesOf,
	serve,
	success,
	type ServiceRequest,
	type ServiceAnswer,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { chosen, plainTemplate, SENDER } from '../../support/runMessaging';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

/* The second attempt fails in another way than the first one. The tests check its report on the messages of the first. */

const harness = useHarness();
const [ANA, BEN, CEM] = ['385911000001', '385911000002', '385911000003'];
const retrying: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };

const run = async (
	parameters: INodeParameters,
	node: Partial<INode> = {},
	items: IDataObject[] = [ANA, BEN, CEM].map((to) => ({ to })),
) => await Execution.start(harness, { parameters, items, credentials, node });

const sendText = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'message',
	operation: 'sendText',
	from: chosen('phone', SENDER),
	to: '={{ $json.to }}',
	message: 'Hello',
	options: { batchSize: 1 },
	...more,
});
const sendTemplate = (more: INodeParameters = {}): INodeParameters => ({
	...sendText(),
	operation: 'sendTemplate',
	...plainTemplate('order_update'),
	...more,
});

const refusing = (refused: string) => (asked: ServiceRequest) => {
	const { to } = asked.body as { to: string };
	return to === refused ? failure('Not now') : success({ id: `id-${to}` });
};

describe('a retry after a change that makes one recipient invalid', () => {
	const spoilt = (to: string) =>
		sendText({ message: `={{ $json.to === '${to}' ? '' : 'Hello' }}` });

	test('recipients of accepted messages keep their answers', async () => {
		const asked = serve(refusing(CEM));
		const first = await run(sendText());
		const second = await first.retry({ parameters: spoilt(ANA) });
		// Only the third message is sent again, and refused again.
		expect(asked.map(({ body }) => (body as { to: string }).to)).toEqual([ANA, BEN, CEM, CEM]);
		expect(second.error?.message).toMatch(/^Not sent to 385911000003: .* 2 of 3 messages were/);
	});

	test('the error names the invalid recipient, and says that nothing more was sent', async () => {
		const asked = serve(refusing(CEM));
		const first = await run(sendText());
		const second = await first.retry({ parameters: spoilt(CEM) });
		expect(asked).toHaveLength(3);
		expect(second.error?.message).toMatch(
			/^Nothing more was sent, because of item 3 \(385911000003\): /,
		);
		// A new execution would send to the others again.
		expect((second.error as { description?: string }).description).toMatch(
			/^A retry, also by 'Retry On Fail', sends only what was certainly not sent\. /,
		);
	});

	test('an error before sending counts the messages of the earlier attempt', async () => {
		const asked = serve(({ body }) =>
			(body as { to: string }).to === BEN ? { status: 503, body: '' } : success({ id: 'id' }),
		);
		const first = await run(sendText({ options: { batchSize: 1 } }));
		expect(first.error?.message).toMatch(/1 of 3 messages was accepted/);
		const second = await first.retry({ parameters: spoilt(CEM) });
		expect(asked).toHaveLength(2);
		expect(second.error?.message).toMatch(
			/In an earlier attempt, 1 message was accepted and 1 message may have been sent\.$/,
		);
	});

	test('a recipient who is a duplicate now keeps the answer of an accepted message', async () => {
		let count = 0;
		serve(() => (++count < 4 ? success({ id: `id-${count}` }) : failure('Not now')));
		const people = [{ to: ANA }, { to: BEN }, { to: ANA }, { to: BEN }];
		const first = await run(sendText(), {}, people);
		const second = await first.retry({
			parameters: sendText({ options: { batchSize: 1, onDuplicateRecipient: 'skip' } }),
			node: { onError: 'continueRegularOutput' },
		});
		expect(count).toBe(4);
		expect(second.items.map(({ json: { id, skipped } }) => skipped || id)).toEqual([
			'id-1',
			'id-2',
			'id-3',
			true,
		]);
	});

	test('recipients of a campaign without an answer that is in the logs were sent to', async () => {
		const items = [{ to: '+385 91 1000 001' }];
		const campaign = { ...sendTemplate(), resource: 'campaign', operation: 'send' };
		let isLogged = false;
		let identifier: unknown;
		serve((asked) => {
			if (asked.method === 'POST') {
				[{ identifier }] = messagesOf(asked);
				return failure('Broken', 503);
			}
			return success(isLogged ? [{ id: 'l', to: ANA, identifier, campaign_id: 'c' }] : []);
		});
		const first = await run(campaign, {}, items);
		expect(first.error?.message).toMatch(/May have been sent/);
		isLogged = true;
		const second = await first.retry({
			parameters: { ...campaign, options: { templateFields: '{bad' } },
			node: { onError: 'continueRegularOutput' },
		});
		expect(second.items.map(({ json }) => json)).toMatchObject([{ campaign_id: 'c' }]);
	});

	test('with Continue On Fail each recipient has its own result', async () => {
		serve(refusing(CEM));
		const first = await run(sendText());
		const second = await first.retry({
			parameters: spoilt(ANA),
			node: { onError: 'continueRegularOutput' },
		});
		expect(
			second.items.map(({ json }) => json.id || (json.details as IDataObject).outcome),
		).toEqual([`id-${ANA}`, `id-${BEN}`, 'rejected']);
	});

	test('an invalid recipient whose message may have been sent is reported as such', async () => {
		const asked = serve((request) =>
			(request.body as { to: string }).to === ANA ? failure('Broken', 503) : success({ id: 'x' }),
		);
		const first = await run(sendText());
		const second = await first.retry({
			parameters: spoilt(ANA),
			node: { onError: 'continueRegularOutput' },
		});
		expect(asked).toHaveLength(3);
		expect(second.items[0].json.details).toMatchObject({ outcome: 'unknown', httpStatus: 503 });
	});
});

test('a failure of the whole second attempt does not say that nothing was sent', async () => {
	let isAway = false;
	serve((asked) => {
		if (asked.method === 'GET') {
			return isAway
				? failure('Away')
				: asked.path.endsWith('/templates')
					? ({ body: { success: true, body: [{ name: 'order_update', components: [] }] } } as never)
					: success([{ id: 'ch', phone: SENDER }]);
		}
		const [{ to }] = messagesOf(asked);
		isAway = true;
		return to === ANA ? failure('Not now') : success([{ status: 'success', response: 'queued' }]);
	});
	const execution = await run(
		sendTemplate({ template: chosen('name', 'order_update'), templatePreview: {} }),
		{
			...retrying,
			onError: 'continueRegularOutput',
		},
	);
	expect(execution.items.map(({ json }) => json)).toEqual(
		[ANA, BEN, CEM].map((to) => ({
			to,
			error: expect.stringMatching(/templates cannot be read/),
			details: { outcome: 'unknown', recipient: to },
		})),
	);
});

describe('an answer with a field "error", which n8n takes for a failed item', () => {
	const ANSWERS: Array<[string, INodeParameters, IDataObject | IDataObject[]]> = [
		['sendText', sendText(), { id: 'a', error: '' }],
		['sendTemplate', sendTemplate(), [{ status: 'success', response: 'queued', error: {} }]],
		[
			'campaign send',
			{ ...sendTemplate(), resource: 'campaign', operation: 'send' },
			{ campaign_id: 'c', error: 0 },
		],
	];

	test.each(ANSWERS)('%s: is sent once with Retry On Fail', async (_, parameters, data) => {
		const asked = serve(success(data));
		const execution = await run(parameters, retrying, [{ to: ANA }]);
		expect({ status: execution.status, sent: asked.length }).toEqual({
			status: 'success',
			sent: 1,
		});
	});

	test('without Retry On Fail the run memory is deleted', async () => {
		serve(success({ id: 'a', error: '' }));
		const execution = await run(sendText(), {}, [{ to: ANA }]);
		expect(execution.memory.messagingSent).toBeUndefined();
	});
});

test('an accepted campaign keeps its sender when the retry has another one', async () => {
	let refuses = true;
	const asked = serve(({ body }) =>
		refuses && messagesOf({ body } as ServiceRequest)[0].to === BEN
			? failure('Not now')
			: success({ campaign_id: `of ${(body as { from: string }).from}` }),
	);
	const campaign = (from: string): INodeParameters => ({
		...sendTemplate(),
		resource: 'campaign',
		operation: 'send',
		from: chosen('phone', from),
		options: { batchSize: 1, maxRecipients: 1, output: 'campaign' },
	});
	const first = await run(campaign(SENDER), {}, [{ to: ANA }, { to: BEN }]);
	refuses = false;
	const second = await first.retry({ parameters: campaign('491713920020') });
	expect(asked).toHaveLength(3);
	expect(second.items.map(({ json }) => [json.campaign_id, json.from])).toEqual([
		[`of ${SENDER}`, SENDER],
		['of 491713920020', '491713920020'],
	]);
});

test('with Resend Unknown, a message whose second request is refused may have been sent with the first', async () => {
	let answer: ServiceAnswer = failure('Out of order', 503);
	const asked = serve(() => answer);
	const first = await run(sendText(), {}, [{ to: ANA }]);
	answer = failure('Not now');
	const parameters = sendText({ options: { batchSize: 1, resendUnknown: true } });
	const second = await first.retry({ parameters });
	expect(asked).toHaveLength(2);
	expect(second.error?.message).toMatch(
		/^May have been sent to 385911000001: The service refused: Not now\. If the recipient.* But an earlier attempt may have sent it\. .* 1 may have been sent\.$/,
	);
});
