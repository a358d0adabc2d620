import type { IDataObject } from 'n8n-workflow';
import { unpacked } from '../../../nodes/Messaging/trigger/packedTimes';
import type * as fastClock from '../../support/fastClock';
import { webhookCall } from '../../support/webhookCall';
import {
	ACCEPTED,
	ALL_EVENTS,
	BUSY,
	completion,
	CREDENTIAL,
	DUPLICATE,
	moments,
	openTriggerOf,
	slowCredential,
	triggerOf,
} from './triggerCall';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);
afterEach(() => jest.restoreAllMocks());

const ids = Array.from({ length: 30 }, (_, index) => `c${index}`);

describe('n8n’s database', () => {
	test('n8n answers at once, as before 2.8: a call is handled as long as there is a queue at its database', async () => {
		const { reads, more } = slowCredential(CREDENTIAL, (read) => read > 1);
		const call = triggerOf();
		const outcomes = await Promise.all(
			ids.map(async (id) => await call({ ...completion(id), more })),
		);
		expect(outcomes.map((outcome) => outcome.ids)).toEqual(ids.map((id) => [id]));
		expect(reads).toEqual({ now: 0, most: 8, all: 1 + ids.length });
		expect(outcomes[0].log).toEqual([
			'debug Messaging Trigger: the database is busy. RangeError: operation timed out',
		]);
		expect((await call(completion('later'))).ids).toEqual(['later']);
	});

	test('a call that starts nothing does not read the database', async () => {
		const { reads, more } = slowCredential();
		await triggerOf({ parameters: { events: [] } })({ ...completion('a'), more });
		expect(reads.all).toBe(1);
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
		expect((await meanwhile).answers).toEqual([BUSY]);
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

	test.each(['before it is handed over', 'after'])(
		'the caller leaves %s: it starts all the same, once',
		async (when) => {
			const call = openTriggerOf();
			const { response } = webhookCall({});
			if (when !== 'after') response.leave();
			const first = {
				...(await call({ ...completion('c'), more: { getResponseObject: () => response } })),
				response,
			};
			if (when === 'after') response.leave();
			expect(first.result.workflowData).toHaveLength(1);
			first.response.answerAsN8n(first.result);
			await moments();
			const repeated = await call(completion('c'));
			repeated.response.answerAsN8n(repeated.result);
			await moments();
			expect(repeated.answers).toEqual([DUPLICATE]);
		},
	);

	test('n8n cannot begin, and the caller has left: the redelivered event starts', async () => {
		const call = openTriggerOf();
		const first = await call(completion('c'));
		first.response.leave();
		first.response.answerAsN8n(first.result, false);
		await moments();
		expect((await call(completion('c'))).result.workflowData).toHaveLength(1);
	});

	describe('several begin at the same time', () => {
		type Called = Awaited<ReturnType<ReturnType<typeof openTriggerOf>>>;
		const keysIn = (staticData: IDataObject) => unpacked(staticData).size;

		/** Calls at the same moment; those that the trigger has handed to n8n are in `handed`. */
		async function burst(...names: string[]) {
			const call = openTriggerOf();
			const data: Record<string, IDataObject> = Object.fromEntries(names.map((id) => [id, {}]));
			const handed: Record<string, Called> = {};
			const begin = async (id: string) => {
				handed[id] = await call({ ...completion(id), staticData: data[id] });
			};
			for (const id of names) void begin(id);
			await moments();
			/** n8n has written the execution of a call, or has not, and is saving. */
			const write = (id: string) => handed[id].result.webhookResponse;
			const answer = async (id: string, canBegin = true) => {
				handed[id].response.answerAsN8n(handed[id].result, canBegin);
				await moments();
			};
			const told = () => names.map((id) => handed[id]?.answers.map(({ status }) => status));
			return { call, data, handed, write, answer, told };
		}

		test('the last one waits until the others have begun, so that its save holds them all', async () => {
			const { data, handed, answer, told } = await burst('a', 'b', 'c');
			expect(Object.keys(handed)).toEqual(['a', 'b']);
			await answer('a');
			expect(Object.keys(handed)).toEqual(['a', 'b']);
			await answer('b');
			expect(Object.keys(handed)).toEqual(['a', 'b', 'c']);
			await answer('c');
			expect(told()).toEqual([[200], [200], [200]]);
			expect(keysIn(data.c)).toBe(3);
		});

		test('an event that begins while n8n saves another one is saved with the next, and answered then', async () => {
			const { data, write, answer, told } = await burst('a', 'b', 'c');
			write('a');
			await answer('b');
			await answer('a');
			expect([keysIn(data.a), keysIn(data.b)]).toEqual([1, 0]);
			expect(told()).toEqual([[200], [], []]);
			await answer('c');
			expect(keysIn(data.c)).toBe(3);
			expect(told()).toEqual([[200], [200], [200]]);
		});

		test('a duplicate of an event that is not saved is answered when the next save has ended', async () => {
			const { call, write, answer, told } = await burst('a', 'b', 'c');
			write('a');
			await answer('b');
			const staticData: IDataObject = {};
			const repeated = call({ ...completion('b'), staticData });
			await moments();
			await answer('a');
			await answer('c');
			const { response, result, answers } = await repeated;
			expect(answers).toEqual([]);
			expect(result.workflowData).toBeUndefined();
			response.answerAsN8n(result);
			await moments();
			expect([answers, keysIn(staticData)]).toEqual([[DUPLICATE], 3]);
			expect(told()).toEqual([[200], [200], [200]]);
		});

		test('one that n8n cannot begin is answered at once, and starts when it is redelivered', async () => {
			const { call, data, answer, told } = await burst('a', 'b', 'c');
			await answer('b', false);
			expect(told()).toEqual([[], [500], undefined]);
			await answer('a');
			await answer('c');
			expect(told()).toEqual([[200], [500], [200]]);
			expect(keysIn(data.c)).toBe(2);
			expect((await call(completion('b'))).result.workflowData).toHaveLength(1);
		});

		test('the caller of one leaves: it starts all the same, and is saved', async () => {
			const { data, handed, answer } = await burst('a', 'b', 'c');
			handed.b.response.leave();
			await answer('b');
			await answer('a');
			await answer('c');
			expect(keysIn(data.c)).toBe(3);
		});

		test('no more than eight are handed to n8n', async () => {
			const { handed, answer } = await burst(...ids);
			for (const id of ids) {
				expect(Object.keys(handed).length).toBeLessThanOrEqual(8 + ids.indexOf(id));
				await answer(id);
			}
			expect(ids.map((id) => handed[id].answers)).toEqual(ids.map(() => [ACCEPTED]));
		});
	});

	describe('n8n does not begin an execution for a long time', () => {
		/** A clock that stands still until the test moves it. @returns a function that moves it by `ms` */
		function stoppedClock() {
			const clock = jest.requireMock<typeof fastClock>('../../../nodes/Messaging/service/clock');
			let now = Date.now();
			jest.spyOn(Date, 'now').mockImplementation(() => now);
			let limits: Array<{ until: number; end: () => void }> = [];
			const timeLimit = async (ms: number) => {
				if (ms > 0) await new Promise<void>((end) => limits.push({ until: now + ms, end }));
			};
			jest.spyOn(clock, 'timeLimit').mockImplementation(timeLimit);
			jest
				.spyOn(clock, 'waitAtMost')
				.mockImplementation(
					async (ms, work) => await Promise.race([work, timeLimit(ms).then(() => undefined)]),
				);
			return async (ms: number) => {
				now += ms;
				const over = limits.filter(({ until }) => until <= now);
				limits = limits.filter(({ until }) => until > now);
				for (const { end } of over) end();
				await moments();
			};
		}
		const memoryOf = (staticData: IDataObject) => unpacked(staticData).size;

		test('its call is not answered with 200, nothing of it is saved, and others go on; once it has begun, it is a duplicate', async () => {
			const pass = stoppedClock();
			const call = openTriggerOf();
			const slow = await call(completion('a'));
			// n8n's database takes long to store the execution.
			JSON.stringify(slow.result.workflowData);
			await moments();
			expect(slow.answers).toEqual([]);
			await pass(10_000);
			expect(slow.answers).toEqual([BUSY]);
			const staticData: IDataObject = {};
			const next = await call({ ...completion('b'), staticData });
			next.response.answerAsN8n(next.result);
			await moments();
			expect([next.answers, memoryOf(staticData)]).toEqual([[ACCEPTED], 1]);
			await pass(10_000);
			const redelivered = call(completion('a'));
			await moments();
			await pass(14_000);
			const meanwhile = await redelivered;
			expect([meanwhile.answers, meanwhile.result.workflowData]).toEqual([[BUSY], undefined]);

			slow.response.answerAsN8n(slow.result);
			await moments();
			expect(slow.response.answers).toBe(1);
			const again = await call({ ...completion('a'), staticData });
			again.response.answerAsN8n(again.result);
			await moments();
			expect([again.answers, again.result.workflowData]).toEqual([[DUPLICATE], undefined]);
			expect(memoryOf(staticData)).toBe(2);
		});

		test('the call behind it waits for it no longer than that', async () => {
			const pass = stoppedClock();
			const call = openTriggerOf();
			const slow = await call(completion('a'));
			const behind = call(completion('b'));
			await moments();
			await pass(10_000);
			expect([slow.answers, (await behind).result.workflowData?.length]).toEqual([[BUSY], 1]);
		});

		test('but it begins others: no call is refused before ten seconds without any', async () => {
			const pass = stoppedClock();
			const call = openTriggerOf();
			const [slow, other] = [await call(completion('a')), call(completion('b'))];
			void call(completion('c'));
			const redelivered = call(completion('a'));
			const outcomes: object[] = [];
			void redelivered.then(({ answers }) => outcomes.push(...answers));
			await moments();
			await pass(9_000);
			const { response, result } = await other;
			response.answerAsN8n(result);
			await moments();
			await pass(9_999);
			expect([slow.answers, outcomes]).toEqual([[], []]);
			await pass(1);
			expect([slow.answers, outcomes]).toEqual([[BUSY], [BUSY]]);
		});

		test('but it begins others: no call is handed to n8n in its place', async () => {
			const pass = stoppedClock();
			const call = openTriggerOf();
			const handed: Array<Awaited<ReturnType<typeof call>>> = [];
			for (const id of ids) void call(completion(id)).then((each) => handed.push(each));
			await moments();
			expect(handed).toHaveLength(8);
			await pass(9_000);
			handed[0].response.answerAsN8n(handed[0].result);
			await moments();
			await pass(9_000);
			expect(handed).toHaveLength(9);
			await pass(1_000);
			expect(handed).toHaveLength(17);
		});

		test('and cannot begin it after all: the event starts when it is redelivered', async () => {
			const pass = stoppedClock();
			const call = openTriggerOf();
			const slow = await call(completion('a'));
			await pass(10_000);
			slow.response.answerAsN8n(slow.result, false);
			await moments();
			expect((await call(completion('a'))).result.workflowData).toHaveLength(1);
		});

		test('without Deduplicate its caller waits: a redelivery would start it twice', async () => {
			const pass = stoppedClock();
			const parameters = { events: ALL_EVENTS, deduplicate: false };
			const { answers, response, result } = await openTriggerOf({ parameters })(completion('a'));
			await pass(10_000);
			expect(answers).toEqual([]);
			response.answerAsN8n(result);
			await moments();
			expect(answers).toEqual([ACCEPTED]);
		});
	});
});
