import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { Execution, type Plan } from '../execution';
import { credentials, serve, success, useMockService } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { sending } from '../../support/runMessaging';
import { useSandbox } from '../../support/sandbox';
import { phones, sendParameters } from './sendOperations';

const sandbox = useSandbox();
const harness = useHarness();

/*
 * A Retry recognises a message by its position, because n8n gives a retried node the same items. When somebody who was sent
 * to is another recipient now, nothing more is sent.
 */
describe('recipients of a Retry', () => {
	beforeEach(async () => {
		await sandbox.reset();
	});

	const [ANA, BEN, CEM, DEA] = phones(4);
	const CHANGED =
		/^Nothing more was sent\. The recipients are not the same as in an earlier attempt/;
	const COUNTED = / In an earlier attempt: 1 accepted\.$/;

	/** Sends one message for each request, and the service refuses all but the first. */
	async function first(plan: Plan): Promise<Execution> {
		await sandbox.fault({
			match: { method: 'POST' },
			skip: 1,
			fault: { kind: 'status', status: 400 },
		});
		const execution = await Execution.start(harness, plan);
		expect((await sandbox.counts()).accepted.messages).toBe(1);
		await sandbox.clearFaults();
		return execution;
	}

	const sentTo = async () => (await sandbox.counts()).accepted.byRecipient;

	const items: IDataObject[] = [ANA, BEN, CEM].map((phone) => ({ phone }));

	const plan = (to: string, options: IDataObject = {}): Plan => ({
		parameters: { ...sendParameters('sendText', { batchSize: 1, ...options }), to },
		items,
		credentials: sandbox.credentials,
	});

	test('of which one that was sent to has another number now: nothing more is sent', async () => {
		const before = await first(plan('={{ $json.phone }}'));
		const { error } = await before.retry(
			plan(`={{ $json.phone === '${ANA}' ? '${DEA}' : $json.phone }}`),
		);
		expect(error?.message).toMatch(CHANGED);
		expect(error?.message).toMatch(COUNTED);
		expect(await sentTo()).toEqual({ [ANA]: 1 });
	});

	test('under Continue On Fail each recipient has an item that says so, with an unknown outcome', async () => {
		const before = await first(plan('={{ $json.phone }}'));
		const { items: failed } = await before.retry({
			...plan(DEA),
			node: { onError: 'continueRegularOutput' },
		});
		expect(failed.map(({ json }) => json)).toEqual(
			items.map(() => ({
				to: DEA,
				status: 'unknown',
				reason: expect.stringMatching(CHANGED),
				error: expect.stringMatching(CHANGED),
				details: { outcome: 'unknown', recipient: DEA },
			})),
		);
	});

	test('with a leading 00 in place of + are the same', async () => {
		const before = await first(plan('={{ "+" + $json.phone }}'));
		await before.retry(plan('={{ "00" + $json.phone }}'));
		expect(Object.values(await sentTo())).toEqual([1, 1, 1]);
	});

	test('that were not sent to may be corrected, and so may text, sender and options', async () => {
		const before = await first(plan('={{ $json.phone }}'));
		const changed = plan(`={{ $json.phone === '${BEN}' ? '${DEA}' : $json.phone }}`, {
			timeout: 9000,
		});
		const second = await before.retry({
			...changed,
			parameters: { ...changed.parameters, message: 'Good morning' },
		});
		expect(second.status).toBe('success');
		expect(await sentTo()).toEqual({ [ANA]: 1, [DEA]: 1, [CEM]: 1 });
	});
});

/* The second attempt fails in another way than the first one. The tests check its report on the messages of the first. */
describe('the report of a Retry', () => {
	useMockService();

	const [ANA, BEN, CEM] = ['385911000001', '385911000002', '385911000003'];
	const retrying: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	const run = async (
		parameters: INodeParameters,
		node: Partial<INode> = {},
		items: IDataObject[] = [ANA, BEN, CEM].map((to) => ({ to })),
	) => await Execution.start(harness, { parameters, items, credentials, node });

	const options = { batchSize: 1 };
	const sendText = (more: INodeParameters = {}) =>
		sending('sendText', { message: 'Hello', options, ...more });
	const spoilt = (to: string) =>
		sendText({ message: `={{ $json.to === '${to}' ? '' : 'Hello' }}` });

	test('an error before sending counts the messages of the earlier attempt', async () => {
		const asked = serve(({ body }) =>
			(body as { to: string }).to === BEN ? { status: 503, body: '' } : success({ id: 'id' }),
		);
		const first = await run(sendText({ options: { batchSize: 1 } }));
		expect(first.error?.message).toMatch(/3 messages: 1 accepted/);
		const second = await first.retry({ parameters: spoilt(CEM) });
		expect(asked).toHaveLength(2);
		expect(second.error?.message).toMatch(
			/In an earlier attempt: 1 accepted, 1 may have been sent\.$/,
		);
	});

	test('an answer with a field "error", which n8n takes for a failed item, is sent once with Retry On Fail', async () => {
		const asked = serve(success({ id: 'a', error: '' }));
		const { status } = await run(sendText(), retrying, [{ to: ANA }]);
		expect([status, asked.length]).toEqual(['success', 1]);
	});
});
