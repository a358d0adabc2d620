import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { findEarlierMessages } from '../../../nodes/Messaging/sending/earlierAttempt';
import type { Message } from '../../../nodes/Messaging/sending/message';
import type { SendOperation, SendRun } from '../../../nodes/Messaging/sending/sendOperation';
import { readOptions } from '../../../nodes/Messaging/sending/options';
import { Requests } from '../../../nodes/Messaging/sending/requests';
import type { Result } from '../../../nodes/Messaging/sending/results';
import { RunMemory } from '../../../nodes/Messaging/sending/runMemory';
import type { HttpReply } from '../../../nodes/Messaging/service/answer';
import { sendTemplate } from '../../../nodes/Messaging/service/endpoints';
import { Throttle } from '../../../nodes/Messaging/service/throttle';
import { Service } from '../../../nodes/Messaging/service/service';
import type { Json } from '../../../nodes/Messaging/service/types';
import { batch, message } from '../../support/messages';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

type Answer = Partial<HttpReply> | Error;
type Sending = SendOperation<Json[]>;
type LookUp = NonNullable<Sending['lookUp']>;

const accepted = (...ids: string[]): Answer => ({
	body: { success: true, data: ids.map((id) => ({ id, text: 'long' })) },
});
const refused: Answer = { statusCode: 400, body: { success: false, message: 'No credit left' } };
const keyRefused: Answer = { statusCode: 401, body: '' };
const lost: Answer = Object.assign(new Error('reset'), { code: 'ECONNRESET' });

/** An operation that keeps the messages' ids. */
const operation = (more: Partial<Sending> = {}): Sending => ({
	compose: () => ({ from: '', to: '', body: {} }),
	request: (from, messages) => sendTemplate({ from, messages: messages.map(({ to }) => ({ to })) }),
	keep: (payload, messages) => messages.map((_, index) => ({ id: payload[index].id as string })),
	output: ({ to }, kept) => ({ to, ...kept }),
	...more,
});

/** An execution. Each call of the function that it returns is an attempt. */
function execution({ token }: { token?: string } = {}) {
	const data: IDataObject = {};
	return (
		answers: Answer[],
		{
			options = {},
			continueOnFail = true,
			signal,
			...more
		}: Partial<Sending> & {
			options?: IDataObject;
			continueOnFail?: boolean;
			signal?: AbortSignal;
		} = {},
	) => {
		const sent: unknown[] = [];
		const timeouts: number[] = [];
		const service = new Service(async ({ body, timeout }) => {
			const answer = answers[Math.min(sent.length, answers.length - 1)];
			sent.push(body);
			timeouts.push(timeout);
			if (answer instanceof Error) throw answer;
			return { statusCode: 200, headers: {}, body: '', ...answer };
		}, 'host');
		const memory = new RunMemory({
			getContext: () => data,
			getWorkflowDataProxy: () => ({
				$runIndex: 0,
				$execution: token && { resumeUrl: `https://n8n.test/resume?signature=${token}` },
			}),
			getNode: () => ({ id: 'node' }),
			getMode: () => 'trigger',
		} as unknown as IExecuteFunctions);
		const results: Result[] = [];
		const throttle = new Throttle(signal);
		const run: Omit<SendRun<Json[]>, 'context'> = {
			operation: operation(more),
			service,
			memory,
			options: readOptions(options),
			perRequest: 2,
			throttle,
			signal,
			continueOnFail,
		};
		const requests = new Requests(run as SendRun<Json[]>, results);
		const recall = async (messages: Message[]) =>
			await requests.takeOverEarlier(messages, await findEarlierMessages(memory, messages));
		return { requests, recall, memory, results, sent, timeouts, throttle, data };
	};
}

const MESSAGES = [0, 1].map((position) =>
	message(position, { to: `38591${position}`, identifier: `i${position}` }),
);
const BATCH = batch(...MESSAGES);
const brief = (results: Result[]) =>
	results.map((result) =>
		result.fate === 'failed' ? `${result.outcome} ${result.sentence}` : { ...result.json },
	);
const BROKE = 'The connection to host broke before an answer came.';
const LOGS = " Check the service's logs before sending it again.";
const EARLIER =
	"That was an earlier attempt, and the message is not sent again (turn on 'Resend Unknown' to send it).";

describe('a request that is accepted', () => {
	test('settles each message with its own ids', async () => {
		const { requests, results, sent } = execution()([accepted('A', 'B')]);
		await requests.send(BATCH);
		expect(results).toEqual([
			{
				fate: 'accepted',
				message: MESSAGES[0],
				kept: { id: 'A' },
				json: { to: '385910', id: 'A' },
			},
			{
				fate: 'accepted',
				message: MESSAGES[1],
				kept: { id: 'B' },
				json: { to: '385911', id: 'B' },
			},
		]);
		expect(sent).toEqual([{ from: 'sender', messages: [{ to: '385910' }, { to: '385911' }] }]);
	});

	test('outputs the answer itself, if the operation says so', async () => {
		const { requests, results } = execution()([accepted('A')], {
			output: (_, kept, payload) => (payload?.[0] as IDataObject | undefined) ?? kept,
		});
		await requests.send(batch(MESSAGES[0]));
		expect(brief(results)).toEqual([{ id: 'A', text: 'long' }]);
	});

	test('is not sent again by the next attempt, and has the same output', async () => {
		const run = execution();
		await run([accepted('A', 'B')]).requests.send(BATCH);
		const { recall, results } = run([refused]);
		expect(await recall(MESSAGES)).toEqual([]);
		expect(brief(results)).toEqual([
			{ to: '385910', id: 'A' },
			{ to: '385911', id: 'B' },
		]);
	});
});

describe('a request that is refused', () => {
	test('fails each of its messages, and the others are still sent', async () => {
		const { requests, results, throttle } = execution()([refused]);
		await requests.send(BATCH);
		expect(brief(results)).toEqual(
			['385910', '385911'].map(
				(to) => `rejected Not sent to ${to}: The service refused: No credit left.`,
			),
		);
		expect(throttle.isStopped).toBe(false);
	});

	test('is sent by the next attempt', async () => {
		const run = execution();
		await run([refused]).requests.send(BATCH);
		expect(await run([accepted('A')]).recall(MESSAGES)).toEqual(MESSAGES);
	});

	test('stops the others without Continue On Fail', async () => {
		const { requests, results, sent } = execution()([refused], { continueOnFail: false });
		await requests.send(batch(MESSAGES[0]));
		await requests.send(batch(MESSAGES[1]));
		expect(sent).toHaveLength(1);
		expect(brief(results)[1]).toBe(
			'notSent Not sent to 385911: Sending stopped when an earlier message failed.',
		);
	});

	test.each([true, false])(
		'because of its key always stops the others (Continue On Fail: %p)',
		async (continueOnFail) => {
			const { requests, results, sent } = execution()([keyRefused], { continueOnFail });
			await requests.send(batch(MESSAGES[0]));
			await requests.send(batch(MESSAGES[1]));
			expect(sent).toHaveLength(1);
			expect(brief(results)[1]).toBe(
				'notSent Not sent to 385911: The service refused the API key for an earlier message.',
			);
		},
	);
});

describe('a request without an answer', () => {
	test('may have been sent, and is not sent again', async () => {
		const run = execution();
		const first = run([lost]);
		await first.requests.send(BATCH);
		expect(first.sent).toHaveLength(1);
		expect(brief(first.results)).toEqual(
			['385910', '385911'].map((to) => `unknown May have been sent to ${to}: ${BROKE}${LOGS}`),
		);
		const second = run([accepted('A')]);
		expect(await second.recall(MESSAGES)).toEqual([]);
		expect(brief(second.results)).toEqual(
			['385910', '385911'].map(
				(to) => `unknown May have been sent to ${to}: ${BROKE} ${EARLIER}${LOGS}`,
			),
		);
	});

	test('is reported by the next attempt with the service’s message', async () => {
		const run = execution();
		await run([{ statusCode: 500, body: 'Database is down' }]).requests.send(BATCH);
		const second = run([]);
		await second.recall(MESSAGES);
		expect(second.results[0]).toMatchObject({
			httpStatus: 500,
			sentence: expect.stringMatching(/HTTP 500.*earlier attempt/),
		});
	});

	test('whose process was stopped is reported without a reason', async () => {
		const run = execution();
		const { data, requests } = run([lost]);
		await requests.send(BATCH);
		const [stored] = Object.values(Object.values(data.messagingSent as Json)[0] as Json).filter(
			(value) => typeof value === 'object',
		) as Array<Record<string, { lost?: object }>>;
		delete stored['1'].lost;
		const second = run([]);
		await second.recall(MESSAGES);
		expect(brief(second.results)[0]).toBe(
			`unknown May have been sent to 385910: An earlier attempt got no answer, so this message is not sent again (turn on 'Resend Unknown' to send it).${LOGS}`,
		);
	});

	test('with 200,000 messages can be sent again', async () => {
		const many = Array.from({ length: 200_000 }, (_, position) => message(position));
		const run = execution();
		await run([lost]).requests.send({ ...BATCH, messages: many });
		const { recall } = run([accepted('A')], { options: { resendUnknown: true } });
		expect(await recall(many)).toHaveLength(many.length);
	}, 60_000);

	test('is sent again with Resend Unknown, in the order of the messages', async () => {
		const run = execution();
		await run([lost]).requests.send(batch(MESSAGES[0]));
		const more = [message(2), message(3)];
		await run([accepted('C')]).requests.send(batch(more[0]));
		const { recall } = run([accepted('A')], { options: { resendUnknown: true } });
		const toSend = await recall([...MESSAGES, ...more]);
		expect(toSend.map(({ position }) => position)).toEqual([0, 1, 3]);
	});

	test('is looked up with the identifiers that were sent, and is accepted when it is found', async () => {
		const lookUp = jest.fn<ReturnType<LookUp>, Parameters<LookUp>>(async () => [
			{ id: 'A' },
			{ id: 'B' },
		]);
		const run = execution();
		const { requests, results } = run([lost], { lookUp, options: { timeout: 700, maxRetries: 2 } });
		const before = Date.now();
		await requests.send(BATCH);
		expect(brief(results)).toEqual([
			{ to: '385910', id: 'A' },
			{ to: '385911', id: 'B' },
		]);
		const [, { messages, sentAt }, options] = lookUp.mock.calls[0];
		expect(messages).toEqual(MESSAGES);
		expect(sentAt).toBeGreaterThanOrEqual(before);
		expect(sentAt).toBeLessThanOrEqual(Date.now());
		expect(options).toEqual({ timeout: 700, maxRetries: 2, signal: undefined });
		// The next attempt knows it, too.
		expect(await run([refused]).recall(MESSAGES)).toEqual([]);
	});

	test('is not found: it may have been sent', async () => {
		const lookUp = jest.fn(async () => undefined);
		const { requests, results } = execution()([lost], { lookUp });
		await requests.send(BATCH);
		expect(brief(results)).toEqual(
			['385910', '385911'].map((to) => `unknown May have been sent to ${to}: ${BROKE}${LOGS}`),
		);
		expect(lookUp.mock.calls.length).toBeGreaterThan(1);
	});

	test('is looked up again by the next attempt, request by request', async () => {
		const run = execution();
		const others = [message(2, { identifier: 'i2' })];
		const first = run([lost], { lookUp: async () => undefined });
		await first.requests.send(BATCH);
		await first.requests.send(batch(...others));
		const asked: string[][] = [];
		const lookUp: LookUp = async (_, { messages }) => {
			asked.push(messages.map(({ identifier }) => identifier!));
			return messages.length === 2 ? [{ id: 'A' }, { id: 'B' }] : undefined;
		};
		const second = run([accepted('A')], { lookUp });
		// An expression gives other identifiers today than those that were sent.
		const today = [...MESSAGES, ...others].map((each) => ({ ...each, identifier: 'changed' }));
		expect(await second.recall(today)).toEqual([]);
		expect(asked).toEqual([['i0', 'i1'], ['i2']]);
		expect(brief(second.results)).toEqual([
			{ to: '385910', id: 'A' },
			{ to: '385911', id: 'B' },
			`unknown May have been sent to ${others[0].to}: ${BROKE} ${EARLIER}${LOGS}`,
		]);
		// A request that was found is known from then on.
		const third = run([refused], { lookUp: async () => undefined });
		await third.recall(today);
		expect(third.results.map(({ fate }) => fate)).toEqual(['accepted', 'accepted', 'failed']);
	});

	test('is looked up by its identifier in this attempt, if it was sent without one', async () => {
		const run = execution();
		await run([lost]).requests.send(batch(message(0)));
		const lookUp = jest.fn<ReturnType<LookUp>, Parameters<LookUp>>(async () => undefined);
		await run([refused], { lookUp }).recall([message(0, { identifier: 'now' })]);
		expect(lookUp.mock.calls[0][1].messages).toMatchObject([{ identifier: 'now' }]);
	});

	test('is not looked up when it was refused', async () => {
		const lookUp = jest.fn(async () => undefined);
		const { requests } = execution()([refused], { lookUp });
		await requests.send(BATCH);
		expect(lookUp).not.toHaveBeenCalled();
	});
});

describe('after a crash', () => {
	const CUT_OFF =
		"An earlier attempt of this execution was cut off while it was sending, or this execution was retried before. It is not known here which messages were sent, so this message is not sent again. If this execution has a later Retry, press Retry on the newest one; if it has none, turn on 'Resend Unknown' to send the message.";
	const inOneRun = () => {
		const run = execution();
		const first = run([accepted('A', 'B')]);
		const own = MESSAGES.map((each) => ({
			...each,
			identifier: first.memory.identifier(each.key),
		}));
		return { run, first, own };
	};

	test('any message may have been sent: neither this attempt nor the next sends one', async () => {
		const { run, first, own } = inOneRun();
		expect(await first.requests.takeOverCrashed(own)).toEqual([]);
		const told = ['385910', '385911'].map(
			(to) => `unknown May have been sent to ${to}: ${CUT_OFF}${LOGS}`,
		);
		expect(brief(first.results)).toEqual(told);
		const second = run([accepted('A')]);
		expect(await second.recall(own)).toEqual([]);
		expect(brief(second.results)).toEqual(told);
		expect([...first.sent, ...second.sent]).toEqual([]);
	});

	test('results have no generated identifiers without a token: the crashed run generated others', async () => {
		const { first, own } = inOneRun();
		const [mine, theirs] = [own[0], { ...own[1], identifier: 'order-1' }];
		await first.requests.takeOverCrashed([mine, theirs]);
		expect(first.results).toMatchObject([{ identifier: undefined }, { identifier: 'order-1' }]);
	});

	test('results have generated identifiers with a token: they are the same after a crash', async () => {
		const first = execution({ token: 'x' })([refused]);
		const identifier = first.memory.identifier('key-0');
		await first.requests.takeOverCrashed([{ ...MESSAGES[0], identifier }]);
		expect(first.results).toMatchObject([{ identifier }]);
	});

	describe('messages in the logs', () => {
		type Find = NonNullable<Sending['lookUpEach']>;
		const twoOwn = () => {
			const run = execution({ token: 'x' });
			const { memory } = run([]);
			const own = [0, 1, 2].map((position) =>
				message(position, { identifier: memory.identifier(`key-${position}`) }),
			);
			// An identifier of the customer proves nothing: others may have it too.
			return { run, messages: [own[0], { ...own[1], identifier: 'order-1' }, own[2]] };
		};
		/** Finds at each lookup the messages at these positions. @returns the positions that each lookup asked for */
		const finding = (lookups: number[][]) => {
			const asked: number[][] = [];
			const lookUpEach: Find = async (_, batches) => {
				const all = batches.flatMap(({ messages }) => messages);
				asked.push(all.map(({ position }) => position));
				const found = all.filter(({ position }) => lookups[asked.length - 1].includes(position));
				return new Map(found.map((each) => [each, { id: `id-${each.position}` }]));
			};
			return { lookUpEach, asked };
		};
		const fates = (results: Result[]) =>
			results.map((each) => (each.fate === 'failed' ? each.outcome : each.fate));

		test.each([
			['at once', [[0, 2]], [[0, 2]]],
			['one after the other', [[2], [0]], [[0, 2], [0]]],
			[
				'late',
				[[], [], [0, 2]],
				[
					[0, 2],
					[0, 2],
					[0, 2],
				],
			],
		])('are accepted, found %s, and are not looked up again', async (_, lookups, expected) => {
			const { run, messages } = twoOwn();
			const { lookUpEach, asked } = finding(lookups);
			const first = run([refused], { lookUpEach });
			expect(await first.requests.takeOverCrashed(messages)).toEqual([]);
			expect({ asked, fates: fates(first.results) }).toEqual({
				asked: expected,
				fates: ['accepted', 'unknown', 'accepted'],
			});
			expect(brief(first.results)[2]).toEqual({ to: messages[2].to, id: 'id-2' });
			// The next attempt knows them, and does not look them up again.
			const second = run([refused], { lookUpEach });
			expect(await second.recall(messages)).toEqual([]);
			expect({ asked, fates: fates(second.results) }).toEqual({
				asked: expected,
				fates: ['accepted', 'unknown', 'accepted'],
			});
		});

		test('are looked up again by the next attempt', async () => {
			const { run, messages } = twoOwn();
			const { lookUpEach, asked } = finding([[], [], [], [0, 2]]);
			await run([refused], { lookUpEach }).requests.takeOverCrashed(messages);
			const second = run([refused], { lookUpEach });
			expect(await second.recall(messages)).toEqual([]);
			expect(asked).toHaveLength(4);
			expect(fates(second.results)).toEqual(['accepted', 'unknown', 'accepted']);
		});

		test('are accepted, also if the others are sent again with Resend Unknown', async () => {
			const { run, messages } = twoOwn();
			const { lookUpEach } = finding([[0], [], []]);
			const { requests, results } = run([refused], {
				lookUpEach,
				options: { resendUnknown: true },
			});
			const toSend = await requests.takeOverCrashed(messages);
			expect(toSend.map(({ position }) => position)).toEqual([1, 2]);
			expect(fates(results)).toEqual(['accepted']);
		});

		test.each([
			['some', [2], ['unknown', 'unknown', 'accepted'], true],
			['all', [0, 1, 2], ['accepted', 'accepted', 'accepted'], false],
		])(
			'of messages that are sent again and lost again, %s are found',
			async (_, known, expected, stops) => {
				const run = execution({ token: 'x' });
				const own = [0, 1, 2].map((position) =>
					message(position, { identifier: run([]).memory.identifier(`key-${position}`) }),
				);
				// The third one is sent for the first time.
				await run([lost]).requests.send(batch(...own.slice(0, 2)));
				const { lookUpEach } = finding([[], known, [], []]);
				const options = { resendUnknown: true };
				const whole = jest.fn<Promise<IDataObject[]>, []>(async () => [{}, {}, {}]);
				const second = run([lost], { lookUpEach, options });
				const toSend = await second.recall(own);
				expect(toSend.map(({ earlier }) => earlier !== undefined)).toEqual([true, true, false]);
				const third = run([lost], { lookUpEach, lookUp: whole, options, continueOnFail: false });
				await third.requests.send(batch(...toSend));
				expect({ asked: whole.mock.calls.length, fates: fates(third.results) }).toEqual({
					asked: 0,
					fates: expected,
				});
				expect(third.throttle.isStopped).toBe(stops);
				// The next attempt knows the messages that were found, and sends none again.
				const fourth = run([lost], { lookUpEach: finding([[], [], [], []]).lookUpEach });
				expect(await fourth.recall(own)).toEqual([]);
				expect(fates(fourth.results)).toEqual(expected);
			},
		);

		test('are not looked up after the execution was cancelled, or without generated identifiers', async () => {
			const { run, messages } = twoOwn();
			const { lookUpEach, asked } = finding([[0, 2]]);
			const cancelled = run([refused], { lookUpEach, signal: AbortSignal.abort() });
			await cancelled.requests.takeOverCrashed(messages);
			const { requests } = execution({ token: 'x' })([refused], { lookUpEach });
			await requests.takeOverCrashed([messages[1]]);
			expect(asked).toEqual([]);
		});
	});

	test('all messages are sent with Resend Unknown, with their identifiers', async () => {
		const { run, own } = inOneRun();
		const { requests, results } = run([refused], { options: { resendUnknown: true } });
		const toSend = await requests.takeOverCrashed(own);
		expect(toSend.map(({ position, identifier }) => [position, identifier])).toEqual(
			own.map(({ position, identifier }) => [position, identifier]),
		);
		expect(results).toEqual([]);
	});
});

describe('a message that an earlier attempt may have sent, in doubt', () => {
	const DOUBTS = [
		['unclear', /nothing shows whether this one was sent/],
		['renamed', /another identifier to this number/],
		['alike', /the same last digits/],
	] as const;

	test.each(DOUBTS)('(%s) is reported as unknown, and not sent again', async (doubt, why) => {
		const { requests, results } = execution()([accepted('A')]);
		const toSend = await requests.takeOverEarlier(MESSAGES, new Map([[0, doubt]]));
		expect(toSend).toEqual([MESSAGES[1]]);
		expect(results).toMatchObject([{ outcome: 'unknown', sentence: expect.stringMatching(why) }]);
	});

	test.each(DOUBTS)('(%s) is sent with Resend Unknown', async (doubt) => {
		const { requests, results } = execution()([accepted('A')], {
			options: { resendUnknown: true },
		});
		expect(await requests.takeOverEarlier(MESSAGES, new Map([[0, doubt]]))).toEqual(MESSAGES);
		expect(results).toEqual([]);
	});
});

test('a message that is sent again and refused may still have been sent by the earlier attempt', async () => {
	const run = execution();
	await run([lost]).requests.send(batch(MESSAGES[0]));
	const { requests, recall, results } = run([refused, lost], { options: { resendUnknown: true } });
	await requests.send(batch(...(await recall([MESSAGES[0]])), MESSAGES[1]));
	const REFUSED = 'The service refused: No credit left.';
	expect(brief(results)).toEqual([
		`unknown May have been sent to 385910: ${REFUSED} But an earlier attempt may have sent it.${LOGS}`,
		`rejected Not sent to 385911: ${REFUSED}`,
	]);
	const again = run([lost], { options: { resendUnknown: true } });
	await again.requests.send(batch(...(await again.recall([MESSAGES[0]]))));
	expect(brief(again.results)).toEqual([`unknown May have been sent to 385910: ${BROKE}${LOGS}`]);
});

test('a message that was refused on its way to the service stops the others', async () => {
	const page: Answer = { statusCode: 403, body: '<html>' };
	const { requests, results, sent } = execution()([page]);
	await requests.send(batch(MESSAGES[0]));
	await requests.send(batch(MESSAGES[1]));
	expect(sent).toHaveLength(1);
	expect(brief(results)[1]).toBe(
		'notSent Not sent to 385911: An earlier message was refused on its way to the service.',
	);
});

describe('a cancelled execution', () => {
	test('sends nothing, and the next attempt sends it', async () => {
		const run = execution();
		const { requests, results, sent } = run([accepted('A')], { signal: AbortSignal.abort() });
		await requests.send(BATCH);
		expect(sent).toEqual([]);
		expect(brief(results)).toEqual(
			['385910', '385911'].map(
				(to) => `notSent Not sent to ${to}: The execution was cancelled before this was sent.`,
			),
		);
		expect(await run([refused]).recall(MESSAGES)).toEqual(MESSAGES);
	});

	test('does not wait for a lookup', async () => {
		const lookUp = jest.fn(async () => undefined);
		const cancel = new AbortController();
		const { requests, results } = execution()([lost], {
			lookUp,
			signal: cancel.signal,
			request: (from, messages) => {
				// Cancelled while the request is in flight.
				queueMicrotask(() => queueMicrotask(() => cancel.abort()));
				return operation().request(from, messages);
			},
		});
		await requests.send(BATCH);
		expect(lookUp).not.toHaveBeenCalled();
		expect(results.map((result) => result.fate === 'failed' && result.outcome)).toEqual([
			'unknown',
			'unknown',
		]);
	});
});

describe('the end of a cancelled execution', () => {
	const BEFORE = 'The execution was cancelled before this was sent.';
	const IN_FLIGHT = `The execution was cancelled before its answer came.${LOGS}`;

	test('leaves nobody out: who may have got a message, and who has not', () => {
		const { requests, results } = execution()([accepted('A')]);
		requests.cancel(MESSAGES, ({ position }) => position === 1);
		expect(brief(results)).toEqual([
			`notSent Not sent to 385910: ${BEFORE}`,
			`unknown May have been sent to 385911: ${IN_FLIGHT}`,
		]);
	});

	test('finds a request in flight, and keeps what is known already', async () => {
		const { requests, results } = execution()([accepted('A', 'B')]);
		const [first, second] = MESSAGES;
		const sending = requests.send(batch(first));
		requests.cancel([first, second], () => false);
		expect(brief(results)).toEqual([
			`unknown May have been sent to 385910: ${IN_FLIGHT}`,
			`notSent Not sent to 385911: ${BEFORE}`,
		]);
		await sending;
		requests.cancel([first], () => true);
		expect(brief(results)[0]).toEqual({ to: '385910', id: 'A' });
	});
});

describe("the operation's advice", () => {
	const adviceOn = async (answer: Answer) => {
		const { requests, results } = execution()([answer], { ifRefused: 'Send a template.' });
		await requests.send(BATCH);
		return brief(results).map((each) => String(each).includes('Send a template.'));
	};

	test('is given when the service itself refused the message', async () => {
		expect(await adviceOn(refused)).toEqual([true, true]);
	});

	test.each<[string, Answer]>([
		['a refused key', keyRefused],
		['no answer', lost],
		['a redirect', { statusCode: 307, headers: { location: 'http://other/' }, body: '' }],
	])('is not given after %s', async (_, answer) => {
		expect(await adviceOn(answer)).toEqual([false, false]);
	});
});

test('the item of a test says so', async () => {
	const { requests, results } = execution()([accepted('A', 'B')]);
	await requests.send(batch({ ...MESSAGES[0], isTest: true }, MESSAGES[1]));
	expect(brief(results)).toEqual([
		{ to: '385910', id: 'A', test: true },
		{ to: '385911', id: 'B' },
	]);
});

test('a request is noted before it leaves: n8n may save the execution at any moment', async () => {
	const run = execution();
	const under = run([accepted('A', 'B')], {
		keep: (_, messages) => {
			noted = JSON.parse(JSON.stringify(under.data)) as IDataObject;
			return messages.map(() => ({}));
		},
	});
	let noted: IDataObject = {};
	await under.requests.send(BATCH);
	expect(JSON.stringify(noted)).toContain('fingerprint-0');
	expect(JSON.stringify(noted)).toContain('fingerprint-1');
});

describe('an unexpected error', () => {
	const breaking = {
		keep: (): IDataObject[] => {
			throw new RangeError('out of memory');
		},
	};

	test('does not throw, and every message may have been sent', async () => {
		const { requests, results, throttle } = execution()([accepted('A', 'B')], breaking);
		await requests.send(BATCH);
		expect(brief(results)).toEqual(
			['385910', '385911'].map(
				(to) =>
					`unknown May have been sent to ${to}: Something unexpected happened (out of memory).${LOGS}`,
			),
		);
		expect(throttle.isStopped).toBe(false);
	});

	test('stops the others without Continue On Fail', async () => {
		const { requests, throttle } = execution()([accepted('A', 'B')], {
			...breaking,
			continueOnFail: false,
		});
		await requests.send(BATCH);
		expect(throttle.isStopped).toBe(true);
	});

	test('after the messages were noted as accepted: the next attempt does not send them', async () => {
		const run = execution();
		const output = () => {
			throw new RangeError('out of memory');
		};
		await run([accepted('A', 'B')], { output }).requests.send(BATCH);
		const { recall, results } = run([refused]);
		expect(await recall(MESSAGES)).toEqual([]);
		expect(brief(results)).toEqual([
			{ to: '385910', id: 'A' },
			{ to: '385911', id: 'B' },
		]);
	});
});

test('the options set the time limit and the number of retries', async () => {
	const busy: Answer = { statusCode: 429, body: '' };
	const { requests, sent, timeouts } = execution()([busy], {
		options: { timeout: 700, maxRetries: 2 },
	});
	await requests.send(BATCH);
	expect(sent).toHaveLength(3);
	expect(timeouts).toEqual([700, 700, 700]);
});

test('a first attempt has no messages of an earlier attempt', async () => {
	const messages: Message[] = [MESSAGES[1], MESSAGES[0]];
	const { recall, results } = execution()([refused]);
	expect(await recall(messages)).toEqual(messages);
	expect(results).toEqual([]);
});
