import type { IDataObject } from 'n8n-workflow';
import { waited } from '../../support/fastClock';
import type { Given } from '../../support/webhookCall';
import {
	ACCEPTED,
	BUSY,
	campaignIn,
	completion,
	DUPLICATE,
	failing,
	keyRefused,
	known,
	list,
	moments,
	NOT_CHOSEN,
	NOT_CONFIRMED,
	openTriggerOf,
	recordsOf,
	tooManyRequests,
	triggerOf,
	unknown,
	UNKNOWN_CAMPAIGN,
} from './triggerCall';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);
afterEach(() => jest.restoreAllMocks());

type Service = NonNullable<Given['service']>;

describe('events that the workflow does not listen to', () => {
	test.each([
		[['smsDeliveryReport'], [NOT_CHOSEN], undefined],
		[['other'], [NOT_CHOSEN], undefined],
		[[], [NOT_CHOSEN], undefined],
		[['campaignCompleted'], [ACCEPTED], ['c']],
	])('a completion, and it listens to %j', async (events, answers, ids) => {
		const service = jest.fn(known);
		const outcome = await triggerOf({ parameters: { events }, service })(completion('c'));
		expect(outcome).toMatchObject({ answers, log: [] });
		expect(outcome.ids).toEqual(ids);
		expect(service).toHaveBeenCalledTimes(ids ? 1 : 0);
	});

	test('without a setting, it starts on nothing', async () => {
		const { answers, ids } = await triggerOf()({ ...completion('c'), parameters: {} });
		expect([answers, ids]).toEqual([[NOT_CHOSEN], undefined]);
	});

	test('of a list, only the others start', async () => {
		const body = [{ campaign_id: 'c' }, { event: 'smsDeliveryReport' }];
		const call = triggerOf({ parameters: { events: ['smsDeliveryReport'] } });
		const { answers, items } = await call({ body });
		expect(answers).toEqual([ACCEPTED]);
		expect(items).toMatchObject([{ event: 'smsDeliveryReport' }]);
	});
});

describe('the logs are asked', () => {
	test.each<[unknown, boolean]>([
		[false, false],
		[true, true],
		[undefined, true],
		[null, true],
		['', true],
	])('with Confirm set to %p: %p', async (confirm, isAsked) => {
		const service = jest.fn(unknown);
		const parameters = confirm === undefined ? {} : ({ confirm } as IDataObject);
		const { items } = await triggerOf({ parameters, service })(completion('c'));
		expect([service.mock.calls.length > 0, items?.length]).toEqual([
			isAsked,
			isAsked ? undefined : 1,
		]);
	});

	test('not about an event without a campaign', async () => {
		const service = jest.fn(unknown);
		expect((await triggerOf({ service })({ body: { a: 1 } })).items).toHaveLength(1);
		expect(service).not.toHaveBeenCalled();
	});
});

describe('a list gets the answer that matters most', () => {
	/** One event for each answer, the answer that matters most first. */
	const EVENTS: Array<[string, object, { status: number; message: string }]> = [
		['one that cannot be confirmed', { campaign_id: 'unconfirmed' }, NOT_CONFIRMED],
		['one that starts', { campaign_id: 'new' }, ACCEPTED],
		['a duplicate', { campaign_id: 'old' }, DUPLICATE],
		['an unknown campaign', { campaign_id: 'unknown' }, UNKNOWN_CAMPAIGN],
		['one that was not chosen', { event: 'smsDeliveryReport' }, NOT_CHOSEN],
	];
	const service: Service = (options) => {
		const id = campaignIn(options);
		if (id === 'unconfirmed') return failing();
		return id === 'unknown' ? unknown() : known(options);
	};
	const pairs = EVENTS.flatMap(([first, more, answer], index) =>
		EVENTS.slice(index).map(
			([second, less]) => [`${first} and ${second}`, [less, more], answer] as const,
		),
	);

	test.each(pairs)('%s', async (_, body, answer) => {
		const call = triggerOf({ service, parameters: { events: ['campaignCompleted'] } });
		await call(completion('old'));
		expect((await call({ body })).answers).toEqual([answer]);
	});
});

describe('a list of events', () => {
	const LETTERS = [...'abcdefghijklmnopqrst'];

	test('at most five campaigns are confirmed at the same time', async () => {
		let now = 0;
		let most = 0;
		const service: Service = async (options) => {
			most = Math.max(most, ++now);
			for (let tick = 0; tick < 50; tick++) await null;
			now--;
			return known(options);
		};
		const { ids } = await triggerOf({ service })(list(...LETTERS));
		expect([ids, most]).toEqual([LETTERS, 5]);
	});

	test.each<[string, () => unknown, number]>([
		// Five requests are in flight when the first fails; each is retried once.
		['the service fails', failing, 10],
		['the key is refused', keyRefused, 5],
	])('once %s, the rest is left for the redelivery', async (_, answer, most) => {
		const service = jest.fn(answer);
		const { answers, ids } = await triggerOf({ service })(list(...LETTERS));
		expect([answers, ids]).toEqual([[NOT_CONFIRMED], undefined]);
		expect(service.mock.calls.length).toBeLessThanOrEqual(most);
	});

	test.each([
		[7000, ACCEPTED],
		[7001, NOT_CONFIRMED],
	])('the service answers after %d ms: %j', async (ms, answer) => {
		let now = 1e12;
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		let requests = 0;
		const service: Service = (options) => {
			if (++requests === 1) now += ms;
			return known(options);
		};
		const { answers, ids } = await triggerOf({ service })(list(...'abcdefghij'));
		expect(answers).toEqual([answer]);
		expect(ids!.length < 10).toBe(answer === NOT_CONFIRMED);
	});

	test('of a slow service, redeliveries start what there was no time for, each event once', async () => {
		const ids = Array.from({ length: 30 }, (_, index) => `c${index}`);
		let now = 1e12;
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		const service = jest.fn((options: IDataObject) => {
			now += 500;
			return known(options);
		});
		const call = triggerOf({ service });
		const started: unknown[] = [];
		let answer: object | undefined;
		for (let delivery = 1; delivery <= 5 && answer !== ACCEPTED; delivery++) {
			const outcome = await call(list(...ids));
			started.push(...(outcome.ids ?? []));
			answer = outcome.answers[0].status === 200 ? ACCEPTED : NOT_CONFIRMED;
			expect(outcome.answers).toEqual([answer]);
		}
		expect(started.sort()).toEqual([...ids].sort());
		expect(service).toHaveBeenCalledTimes(30);
	});

	/** The campaign b cannot be confirmed until the service is available again. */
	function serviceWithoutB() {
		const state = { isAvailable: false };
		const service: Service = (options) =>
			!state.isAvailable && campaignIn(options) === 'b' ? failing() : known(options);
		return { state, service };
	}

	test('accepted events start and are remembered, the others start when they are redelivered', async () => {
		const { state, service } = serviceWithoutB();
		const call = triggerOf({ service });
		const first = await call(list('a', 'b'));
		expect([first.answers, first.ids]).toEqual([[NOT_CONFIRMED], ['a']]);
		state.isAvailable = true;
		const second = await call(list('a', 'b'));
		expect([second.answers, second.ids]).toEqual([[ACCEPTED], ['b']]);
	});

	test('without Deduplicate, no event starts before all of them can', async () => {
		const { state, service } = serviceWithoutB();
		const call = triggerOf({ service, parameters: { deduplicate: false } });
		const first = await call(list('a', 'b'));
		expect([first.answers, first.ids]).toEqual([[NOT_CONFIRMED], undefined]);
		state.isAvailable = true;
		const second = await call(list('a', 'b'));
		expect([second.answers, second.ids]).toEqual([[ACCEPTED], ['a', 'b']]);
	});

	test('one event fails: the others start, and it may be redelivered', async () => {
		const between = (element: unknown) => ({
			body: [{ campaign_id: 'a' }, element, { campaign_id: 'c' }],
		});
		const call = triggerOf();
		const broken = {
			toJSON: () => {
				throw new RangeError('out of memory');
			},
		};
		const outcome = await call(between(broken));
		expect(outcome.ids).toEqual(['a', 'c']);
		expect(outcome.answers).toEqual([NOT_CONFIRMED]);
		expect(outcome.log).toEqual([
			'error Messaging Trigger: an event was not handled. out of memory',
		]);
		expect((await call(between({ x: 1 }))).ids).toEqual([null]);
	});

	test('two lists that hold each other’s events do not wait for each other', async () => {
		const call = openTriggerOf();
		// The first five of each list are decided on together, so each list begins one of the shared events, a and b.
		const calls = [call(list(...'acdefb')), call(list(...'bghija'))];
		const first = await Promise.race(calls);
		first.response.answerAsN8n(first.result);
		const [one, two] = await Promise.all(calls);
		const ids = [one, two].flatMap(({ result }) => result.workflowData?.flat() ?? []);
		expect(ids.map(({ json }) => json.campaign_id).sort()).toEqual([...'abcdefghij']);
	});

	test.each([
		[true, DUPLICATE],
		[false, BUSY],
	])(
		'with events that other calls begin, it is answered when n8n has begun them (%p): %j',
		async (canBegin, answer) => {
			const call = openTriggerOf({ parameters: { events: ['campaignCompleted'] } });
			const first = await call(completion('a'));
			const sms = { event: 'smsDeliveryReport' };
			const second = call({ body: [{ campaign_id: 'a' }, sms] });
			let isAnswered = false;
			void second.then(() => (isAnswered = true));
			await moments();
			expect(isAnswered).toBe(false);
			first.response.answerAsN8n(first.result, canBegin);
			expect((await second).answers).toEqual([answer]);
		},
	);
});

describe('a completion that comes before the logs know its campaign', () => {
	/** Answers the nth request about each campaign with the nth of these, and later ones with the last. */
	const inTurn = (...answers: Service[]) => {
		const requests = new Map<string, number>();
		return jest.fn((options: IDataObject) => {
			const id = campaignIn(options);
			const nth = requests.get(id) ?? 0;
			requests.set(id, nth + 1);
			return answers[Math.min(nth, answers.length - 1)](options);
		});
	};
	const soon = tooManyRequests('1');
	const late = tooManyRequests('60');

	test.each<[string, Service[], object, number]>([
		['known then', [unknown, known], ACCEPTED, 2],
		['after a failure', [failing, unknown, known], ACCEPTED, 3],
		['before a failure', [unknown, failing, known], ACCEPTED, 3],
		['after a pause', [soon, unknown, known], ACCEPTED, 3],
		['still unknown', [unknown], UNKNOWN_CAMPAIGN, 2],
		['still unknown, after a failure', [failing, unknown], UNKNOWN_CAMPAIGN, 3],
		['then the service fails', [unknown, failing], NOT_CONFIRMED, 3],
		['then there are too many requests', [unknown, late], NOT_CONFIRMED, 2],
		['then the key is refused', [unknown, keyRefused], NOT_CONFIRMED, 2],
	])('is looked up again after five seconds: %s', async (_, answers, answer, requests) => {
		const service = inTurn(...answers);
		const before = waited();
		const outcome = await triggerOf({ service })(completion('c'));
		expect([outcome.answers, outcome.ids]).toEqual([
			[answer],
			answer === ACCEPTED ? ['c'] : undefined,
		]);
		expect(service).toHaveBeenCalledTimes(requests);
		expect(waited() - before).toBeGreaterThanOrEqual(5_000);
		expect(waited() - before).toBeLessThanOrEqual(9_000);
	});

	test('is logged once when it is ignored', async () => {
		const { log } = await triggerOf({ service: unknown })(completion('c'));
		expect(log).toEqual([expect.stringContaining('ignored the completion of campaign "c"')]);
	});

	test('all of a list wait together, and only the unknown ones are looked up again', async () => {
		const late = Array.from({ length: 30 }, (_, index) => `c${index}`);
		const answers = { early: [known], c0: [unknown] } as Record<string, Service[]>;
		const services = new Map(
			['early', ...late].map((id) => [id, inTurn(...(answers[id] ?? [unknown, known]))]),
		);
		const service: Service = (options) => services.get(campaignIn(options))!(options);
		const before = waited();
		const outcome = await triggerOf({ service })(list('early', ...late));
		expect([outcome.answers, outcome.ids]).toEqual([[ACCEPTED], ['early', ...late.slice(1)]]);
		expect([...services.values()].map((each) => each.mock.calls.length)).toEqual([
			1,
			...late.map(() => 2),
		]);
		// Besides this wait, marking the static data as changed takes less than 1.5 s.
		expect(waited() - before).toBeLessThan(10_000);
	});

	test('is asked for again within 8 s, and nothing is waited for after 14 s', async () => {
		let now = 1e12;
		const before = waited();
		jest.spyOn(Date, 'now').mockImplementation(() => now + waited() - before);
		const answers: Array<[number, Service]> = [
			[900, soon],
			[4_900, unknown],
			[900, soon],
			[0, known],
		];
		const requests: Array<{ start: number; timeout: number }> = [];
		const service: Service = (options) => {
			const start = Date.now() - 1e12;
			const [takes, answer] = answers[requests.length];
			requests.push({ start, timeout: options.timeout as number });
			now += takes;
			return answer(options);
		};
		expect((await triggerOf({ service })(completion('c'))).answers).toEqual([ACCEPTED]);
		// Reading the credential may take time before the first request.
		const [{ start: first }] = requests;
		expect(requests.map(({ start }) => start - first)).toEqual([0, 1_900, 8_000, 9_900]);
		expect(requests.map(({ timeout }) => timeout)).toEqual([5_000, 5_000, 5_000, 4_100]);
	});

	test('is not asked for again when 9 s have passed: the call is redelivered', async () => {
		let now = 1e12;
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		let requests = 0;
		const service: Service = (options) => {
			requests++;
			now += campaignIn(options) === 'f' ? 4_900 : 1_300;
			return requests === 6 ? unknown() : known(options);
		};
		const { answers, ids } = await triggerOf({ service })(list(...'abcdef'));
		expect([answers, ids, requests]).toEqual([[NOT_CONFIRMED], [...'abcde'], 6]);
	});

	test('a campaign that the logs know is accepted without this wait', async () => {
		const before = waited();
		expect((await triggerOf()(completion('c'))).ids).toEqual(['c']);
		expect(waited() - before).toBeLessThan(5_000);
	});

	test('of a list that must be redelivered anyway, nothing is looked up again', async () => {
		const service = jest.fn((options: IDataObject) =>
			campaignIn(options) === 'b' ? keyRefused() : unknown(),
		);
		const { answers, ids } = await triggerOf({ service })(list('a', 'b'));
		expect([answers, ids]).toEqual([[NOT_CONFIRMED], undefined]);
		expect(service.mock.calls.map(([options]) => campaignIn(options))).toEqual(['a', 'b']);
	});

	test('delivered twice at once, it starts once', async () => {
		const call = triggerOf({ service: inTurn(unknown, known) });
		const both = await Promise.all([call(completion('c')), call(completion('c'))]);
		expect(both.map(({ answers }) => answers)).toEqual([[ACCEPTED], [DUPLICATE]]);
		expect(both.map(({ ids }) => ids)).toEqual([['c'], undefined]);
	});

	test.each([1_000, 4_999, 6_900, 20_000])(
		'the service takes %d ms to answer: the caller is answered within 15 s',
		async (slowness) => {
			let now = 1e12;
			const before = waited();
			jest.spyOn(Date, 'now').mockImplementation(() => now + waited() - before);
			const service: Service = (options) => {
				const timeout = options.timeout as number;
				now += Math.min(slowness, timeout);
				if (slowness <= timeout) return recordsOf();
				throw Object.assign(new Error('timeout'), { code: 'ECONNABORTED' });
			};
			const many = Array.from({ length: 12 }, (_, index) => `c${index}`);
			for (const ids of [['c'], many]) {
				const start = Date.now();
				await triggerOf({ service })(list(...ids));
				// Five requests at once take as long as one. Here each of them adds its time to the clock.
				const atOnce = Math.min(5, ids.length);
				expect(Date.now() - start).toBeLessThanOrEqual(15_000 * atOnce);
			}
		},
	);
});
