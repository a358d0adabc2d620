import type { IDataObject } from 'n8n-workflow';
import { webhookCall } from '../../support/webhookCall';
import {
	ACCEPTED,
	campaignIn,
	completion,
	CREDENTIAL,
	DUPLICATE,
	failing,
	known,
	list,
	moments,
	NOT_CONFIRMED,
	NOT_HANDLED,
	openTriggerOf,
	slowCredential,
	triggerOf,
} from './triggerCall';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

const savedIn = (staticData: IDataObject) => Object.keys(staticData.accepted ?? {});

describe('executions begin one after the other', () => {
	const ids = Array.from({ length: 30 }, (_, index) => `c${index}`);
	const callAll = async (call: ReturnType<typeof triggerOf>, more: object) =>
		await Promise.all(ids.map(async (id) => await call({ ...completion(id), more })));

	test('of many calls at once, all begin, with one read of n8n’s database at a time', async () => {
		const { reads, more } = slowCredential();
		const outcomes = await callAll(triggerOf(), more);
		expect(outcomes.map((outcome) => outcome.ids)).toEqual(ids.map((id) => [id]));
		// One read that all calls share, and one for each execution.
		expect(reads).toEqual({ now: 0, most: 1, all: 31 });
	});

	test('also when n8n’s database cannot be read: n8n answers, and the next call begins', async () => {
		const { more } = slowCredential(CREDENTIAL, (nth) => nth > 1);
		const call = triggerOf();
		const outcomes = await callAll(call, more);
		expect(outcomes.map((outcome) => outcome.ids)).toEqual(ids.map((id) => [id]));
		expect(outcomes[0].log).toEqual([
			'debug Messaging Trigger: the database is busy. RangeError: operation timed out',
		]);
		expect((await call(completion('later'))).ids).toEqual(['later']);
	});

	test('calls that start nothing do not wait', async () => {
		const { reads, more } = slowCredential();
		await triggerOf({ parameters: { events: [] } })({ ...completion('a'), more });
		expect(reads.all).toBe(1);
	});

	test('the next begins when n8n has answered the call before', async () => {
		const call = openTriggerOf();
		const ended: Array<Awaited<ReturnType<typeof call>>> = [];
		const calls = ['a', 'b'].map(async (id) => ended.push(await call(completion(id))));
		await moments();
		expect(ended).toHaveLength(1);
		ended[0].response.answerAsN8n(ended[0].result);
		await Promise.all(calls);
	});

	test('a caller who leaves does not let the next begin: n8n still saves', async () => {
		const call = openTriggerOf();
		const first = await call(completion('a'));
		first.response.leave();
		let hasBegun = false;
		const second = call(completion('b')).then(() => (hasBegun = true));
		for (let tick = 0; tick < 100; tick++) await null;
		expect(hasBegun).toBe(false);
		first.response.answerAsN8n(first.result);
		await second;
	});
});

describe('n8n answers a call that starts the workflow', () => {
	test('when it has stored the execution', async () => {
		const { result, response } = await openTriggerOf()(completion('c'));
		expect(result).toMatchObject({ webhookResponse: { message: 'Accepted.' } });
		expect([result.noWebhookResponse, response.answers]).toEqual([undefined, 0]);
	});

	test('n8n cannot begin: the event starts when it is redelivered', async () => {
		const call = openTriggerOf();
		const first = await call(completion('c'));
		const meanwhile = call(completion('c'));
		await moments();
		first.response.answerAsN8n(first.result, false);
		expect((await meanwhile).answers).toEqual([NOT_CONFIRMED]);
		expect((await call(completion('c'))).result.workflowData).toHaveLength(1);
	});

	test('redelivered before n8n has begun: the call waits, and is a duplicate then', async () => {
		const call = openTriggerOf();
		const first = await call(completion('c'));
		const meanwhile = call(completion('c'));
		let isAnswered = false;
		void meanwhile.then(() => (isAnswered = true));
		await moments();
		expect(isAnswered).toBe(false);
		first.response.answerAsN8n(first.result);
		expect((await meanwhile).answers).toEqual([DUPLICATE]);
	});

	test.each(['before n8n begins', 'after that'])(
		'the caller leaves %s: the event starts all the same, once',
		async (when) => {
			const call = openTriggerOf();
			const { response } = webhookCall({});
			if (when !== 'after that') response.leave();
			const first = await call({ ...completion('c'), more: { getResponseObject: () => response } });
			if (when === 'after that') response.leave();
			expect(first.result.workflowData).toHaveLength(1);
			expect((await call(completion('c'))).answers).toEqual([DUPLICATE]);
		},
	);

	test('n8n cannot begin, and the caller has left: the redelivered event starts', async () => {
		const call = openTriggerOf();
		const first = await call(completion('c'));
		first.response.leave();
		first.response.answerAsN8n(first.result, false);
		expect((await call(completion('c'))).result.workflowData).toHaveLength(1);
	});

	test('the event is in the static data that n8n saves with the call', async () => {
		const staticData: IDataObject = {};
		await openTriggerOf()({ ...completion('c'), staticData });
		expect(savedIn(staticData)).toHaveLength(1);
	});
});

describe('the trigger answers a call that starts the workflow', () => {
	/** The campaign b cannot be confirmed, so a list with it is answered 503, and its other events start. */
	const withoutB = (options: IDataObject) =>
		campaignIn(options) === 'b' ? failing() : known(options);

	test('with 503 when another event of the list must be redelivered', async () => {
		const { result, answers } = await openTriggerOf({ service: withoutB })(list('a', 'b'));
		expect([result.noWebhookResponse, answers]).toEqual([true, [NOT_CONFIRMED]]);
		expect(result.workflowData?.flat().map(({ json }) => json.campaign_id)).toEqual(['a']);
	});

	test('then the event is saved with a later call: n8n may still fail to store the execution', async () => {
		const staticData: IDataObject = {};
		const call = openTriggerOf({ service: withoutB });
		await call({ ...list('a', 'b'), staticData });
		await moments();
		expect(savedIn(staticData)).toEqual([]);
		const later: IDataObject = {};
		await call({ ...completion('c'), staticData: later });
		expect(savedIn(later)).toHaveLength(2);
	});

	test('n8n’s database cannot be read: nothing starts before the redelivery', async () => {
		const { more } = slowCredential(CREDENTIAL, (nth) => nth > 1);
		const call = triggerOf({ service: withoutB });
		const outcome = await call({ ...list('a', 'b'), more });
		expect([outcome.answers, outcome.ids]).toEqual([[NOT_HANDLED], undefined]);
		expect(outcome.log.at(-1)).toBe(
			"error Messaging Trigger: a call was not handled. n8n's database cannot be read, so no execution was started.",
		);
		const again = await call({ ...list('a', 'b'), service: known });
		expect([again.answers, again.ids]).toEqual([[ACCEPTED], ['a', 'b']]);
	});

	test.each<[string, boolean, number]>([
		['the caller has the answer: the event is saved at once', true, 1],
		['the caller has left, so the service may redeliver: it is not', false, 0],
	])('before it begins, and %s', async (_, isDelivered, saved) => {
		const { response } = webhookCall({});
		if (!isDelivered) response.leave();
		response.status(200).json({ message: 'Accepted.' });
		const staticData: IDataObject = {};
		const more = { getResponseObject: () => response };
		const { result } = await openTriggerOf()({ ...completion('c'), staticData, more });
		expect([result.noWebhookResponse, response.answers]).toEqual([true, 1]);
		expect(savedIn(staticData)).toHaveLength(saved);
	});
});
