import { getOtpTemplates, sendText } from '../../../nodes/Messaging/service/endpoints';
import { Service } from '../../../nodes/Messaging/service/service';
import { Throttle } from '../../../nodes/Messaging/service/throttle';

// With fake timers, the times at which requests are sent are exact.
beforeEach(() => {
	jest.useFakeTimers();
	jest.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

const delay = async (ms: number) => {
	await jest.advanceTimersByTimeAsync(ms);
};

describe('retries', () => {
	const READ = getOtpTemplates();
	const SEND = sendText({ from: '1', to: '2', message: 'Hello' });
	const ok = { statusCode: 200, headers: {}, body: { success: true, body: [], data: {} } };
	const failed = { statusCode: 503, headers: {}, body: '' };
	const refused = { statusCode: 400, headers: {}, body: { success: false } };
	const busy = (retryAfter?: string) => ({
		statusCode: 429,
		headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
		body: '',
	});
	const noConnection = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
	type Reply = typeof ok | Error;

	/** A service that returns these answers in their order, then repeats the last; and the times of its requests in ms. */
	function serviceAnswering(...replies: Reply[]) {
		const began = Date.now();
		const askedAt: number[] = [];
		const service = new Service(async () => {
			const reply = replies[Math.min(askedAt.length, replies.length - 1)];
			askedAt.push(Date.now() - began);
			if (reply instanceof Error) throw reply;
			return reply;
		}, 'host');
		return { service, askedAt };
	}

	async function after<Result>(work: Promise<Result>): Promise<Result> {
		await jest.runAllTimersAsync();
		return await work;
	}

	test('wait longer each time', async () => {
		const { service, askedAt } = serviceAnswering(failed as never);
		await after(service.call(READ));
		expect(askedAt).toEqual([0, 500, 1500, 3500]);
	});

	test('do not delay other requests', async () => {
		const { service, askedAt } = serviceAnswering(failed as never, ok);
		const throttle = new Throttle();
		const first = service.call(READ, { throttle });
		await delay(100);
		await service.call(READ, { throttle });
		await after(first);
		expect(askedAt).toEqual([0, 100, 500]);
	});

	test('stop waiting for Retry-After when the throttle is stopped', async () => {
		const { service } = serviceAnswering(busy('200') as never);
		const throttle = new Throttle();
		const waiting = service.call(SEND, { throttle });
		let isDone = false;
		void waiting.then(() => (isDone = true));
		await delay(100);
		throttle.stop('Stopped.');
		await delay(0);
		expect(isDone).toBe(true);
		expect(await waiting).toMatchObject({ outcome: 'notSent', message: 'Stopped.' });
	});

	test('after a 429 delay all other requests', async () => {
		const { service, askedAt } = serviceAnswering(busy('2') as never, ok);
		const throttle = new Throttle();
		const all = Promise.all([
			service.call(SEND, { throttle }),
			delay(100).then(async () => await service.call(SEND, { throttle })),
		]);
		await after(all);
		expect(askedAt).toEqual([0, 2000, 2000]);
	});

	test('wait for Retry-After up to five minutes', async () => {
		const { service, askedAt } = serviceAnswering(busy('300') as never, ok);
		expect(await after(service.call(SEND))).toMatchObject({ ok: true });
		expect(askedAt).toEqual([0, 300_000]);
	});

	test('happen at the first failure to connect, also after another failure', async () => {
		const { service } = serviceAnswering(refused as never, noConnection, ok);
		expect(await after(service.call(SEND))).toMatchObject({ ok: false, reason: 'refused' });
		expect(await after(service.call(SEND))).toMatchObject({ ok: true });
	});

	test('happen again when a service that was unreachable answers 429', async () => {
		const { service } = serviceAnswering(
			...[1, 2, 3, 4].map(() => noConnection),
			busy('1') as never,
			ok,
		);
		expect(await after(service.call(SEND))).toMatchObject({ ok: false, reason: 'notConnected' });
		expect(await after(service.call(SEND))).toMatchObject({ ok: true });
	});

	test.each([0, 1, 3])(
		'a read is retried %i times, as set, and a send never',
		async (maxRetries) => {
			const reads = serviceAnswering(failed as never);
			await after(reads.service.call(READ, { maxRetries }));
			expect(reads.askedAt).toHaveLength(maxRetries + 1);
			const sends = serviceAnswering(failed as never);
			await after(sends.service.call(SEND, { maxRetries }));
			expect(sends.askedAt).toHaveLength(1);
		},
	);

	test('of an unreachable service are made for the first request only', async () => {
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
