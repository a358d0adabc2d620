import { getOtpTemplates, sendText } from '../../../nodes/Messaging/service/endpoints';
import { RETRY_TABLE, type Failure, type Cause } from '../../../nodes/Messaging/service/outcomes';
import { waitBeforeRetry } from '../../../nodes/Messaging/service/retry';
import { Service } from '../../../nodes/Messaging/service/service';
import { Throttle } from '../../../nodes/Messaging/service/throttle';
import { useExactTimers } from '../../support/clock';

describe('waitBeforeRetry', () => {
	const failed = (cause: Cause, retryAfter?: number): Failure => ({
		ok: false,
		cause,
		outcome: 'unknown',
		message: '',
		retryAfter,
	});
	beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0.5));
	afterEach(() => jest.restoreAllMocks());

	/** The requests that are retried after each failure. */
	const RETRIED: Record<Cause, Array<'GET' | 'POST'>> = {
		rateLimited: ['GET', 'POST'],
		notConnected: ['GET', 'POST'],
		serverFailed: ['GET'],
		noAnswer: ['GET'],
		unreadable: [],
		keyRefused: [],
		refusedOnTheWay: [],
		refused: [],
		redirected: [],
		blocked: [],
		cancelled: [],
		stopped: [],
	};

	test.each(Object.keys(RETRY_TABLE) as Cause[])('after `%s`', (cause) => {
		const retried = (['GET', 'POST'] as const).filter(
			(method) => waitBeforeRetry(method, failed(cause), 1, 3) !== undefined,
		);
		expect(retried).toEqual(RETRIED[cause]);
	});

	test.each([
		[1, 500],
		[2, 1000],
		[6, 16_000],
		[7, 30_000],
		[11, 30_000],
	])('after request %d the wait is random, up to %d ms', (tries, most) => {
		const wait = (random: number) => {
			jest.spyOn(Math, 'random').mockReturnValue(random);
			return waitBeforeRetry('GET', failed('rateLimited'), tries, 20);
		};
		expect([wait(0), wait(0.5), wait(1)]).toEqual([0, most / 2, most]);
	});

	test.each([
		[7000, 7000],
		[0, 0],
		[300_000, 300_000],
		[300_001, undefined],
		[Infinity, undefined],
	])('with a Retry-After of %d ms, the wait is %p', (retryAfter, expected) => {
		expect(waitBeforeRetry('POST', failed('rateLimited', retryAfter), 1, 3)).toBe(expected);
	});
});

describe('Service', () => {
	const delay = useExactTimers();
	const READ = getOtpTemplates();
	const SEND = sendText({ from: '1', to: '2', message: 'Hello' });
	type Reply = { statusCode: number; headers: Record<string, string>; body: unknown } | Error;
	const reply = (statusCode: number, body: unknown, headers = {}): Reply => ({
		statusCode,
		headers,
		body,
	});
	const ok = reply(200, { success: true, body: [], data: { id: 'm-1' } });
	const failed = reply(503, '');
	const refused = reply(400, { success: false });
	const busy = (seconds: number) => reply(429, '', { 'retry-after': String(seconds) });
	const noConnection = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });

	/** A service that returns these answers in their order, then repeats the last; and the times of its requests in ms. */
	function serviceAnswering(...replies: Reply[]) {
		const began = Date.now();
		const askedAt: number[] = [];
		const service = new Service(async () => {
			const answer = replies[Math.min(askedAt.length, replies.length - 1)];
			askedAt.push(Date.now() - began);
			if (answer instanceof Error) throw answer;
			return answer;
		}, 'host');
		return { service, askedAt };
	}

	async function after<Result>(work: Promise<Result>): Promise<Result> {
		await jest.runAllTimersAsync();
		return await work;
	}

	test('retries of a read wait longer each time', async () => {
		const { service, askedAt } = serviceAnswering(failed);
		await after(service.call(READ));
		expect(askedAt).toEqual([0, 500, 1500, 3500]);
	});

	test.each([0, 1, 3])(
		'a read is retried %i times, as set, and a send never',
		async (maxRetries) => {
			const reads = serviceAnswering(failed);
			await after(reads.service.call(READ, { maxRetries }));
			expect(reads.askedAt).toHaveLength(maxRetries + 1);
			const sends = serviceAnswering(failed);
			await after(sends.service.call(SEND, { maxRetries }));
			expect(sends.askedAt).toHaveLength(1);
		},
	);

	test('a retry does not delay other requests', async () => {
		const { service, askedAt } = serviceAnswering(failed, ok);
		const throttle = new Throttle();
		const first = service.call(READ, { throttle });
		await delay(100);
		await service.call(READ, { throttle });
		await after(first);
		expect(askedAt).toEqual([0, 100, 500]);
	});

	test('a 429 delays all other requests of the run for as long as the service asks, up to five minutes', async () => {
		const { service, askedAt } = serviceAnswering(busy(300), ok);
		const throttle = new Throttle();
		const first = service.call(SEND, { throttle });
		await delay(100);
		const second = service.call(SEND, { throttle, maxRetries: 0 });
		expect(await after(first)).toMatchObject({ ok: true });
		expect(await second).toMatchObject({ ok: true });
		expect(askedAt).toEqual([0, 300_000, 300_000]);
	});

	test('when the service asks to wait for an hour, the run stops', async () => {
		const { service, askedAt } = serviceAnswering(busy(3600));
		const throttle = new Throttle();
		const first = await service.call(SEND, { throttle });
		expect(first).toMatchObject({ outcome: 'rejected', httpStatus: 429 });
		const message = expect.stringContaining('Wait 1 h and try again;') as string;
		expect(await service.call(SEND, { throttle })).toMatchObject({ outcome: 'notSent', message });
		expect(askedAt).toEqual([0]);
	});

	test('a request that waits ends at once when the run is stopped, with the first message', async () => {
		const { service, askedAt } = serviceAnswering(busy(200));
		const throttle = new Throttle();
		const waiting = service.call(SEND, { throttle });
		await delay(100);
		throttle.stop('First.');
		throttle.stop('Second.');
		// No more time passes.
		expect(await waiting).toMatchObject({
			cause: 'stopped',
			outcome: 'notSent',
			message: 'First.',
		});
		expect(askedAt).toEqual([0]);
	});

	test('a cancelled execution sends nothing', async () => {
		const { service, askedAt } = serviceAnswering(ok);
		const throttle = new Throttle(AbortSignal.abort());
		expect(await service.call(SEND, { throttle })).toMatchObject({
			cause: 'cancelled',
			outcome: 'notSent',
		});
		expect(askedAt).toEqual([]);
	});

	test('a service that was refused or busy before is connected to with retries', async () => {
		const after4 = Array.from({ length: 4 }, () => noConnection);
		const { service } = serviceAnswering(refused, noConnection, ok, ...after4, busy(1), ok);
		expect(await after(service.call(SEND))).toMatchObject({ cause: 'refused' });
		expect(await after(service.call(SEND))).toMatchObject({ ok: true });
		expect(await after(service.call(SEND))).toMatchObject({ cause: 'notConnected' });
		expect(await after(service.call(SEND))).toMatchObject({ ok: true });
	});

	test('an unreachable service costs retries of the first request only, until it answers again', async () => {
		const unreachable = Array.from({ length: 4 + 19 }, () => noConnection);
		const again = Array.from({ length: 4 }, () => noConnection);
		const { service, askedAt } = serviceAnswering(...unreachable, ok, ...again);
		for (let call = 0; call < 20; call++) {
			expect(await after(service.call(SEND))).toMatchObject({ ok: false, outcome: 'notSent' });
		}
		expect(askedAt).toHaveLength(unreachable.length);

		expect(await after(service.call(SEND))).toMatchObject({ ok: true });
		await after(service.call(SEND));
		expect(askedAt).toHaveLength(unreachable.length + 1 + again.length);
	});
});
