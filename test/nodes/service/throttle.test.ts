import { Throttle } from '../../../nodes/Messaging/service/throttle';
import { sendText } from '../../../nodes/Messaging/service/endpoints';
import { type Http, Service } from '../../../nodes/Messaging/service/service';
import { now } from '../../support/fastClock';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

const message = () => sendText({ from: '1', to: '2', message: 'Hello' });
const accepted = { statusCode: 200, headers: {}, body: { success: true, data: { id: 'm' } } };
const busy = (retryAfter?: string) => ({
	statusCode: 429,
	headers: retryAfter ? { 'retry-after': retryAfter } : {},
	body: { success: false, data: null, message: 'Slow down' },
});

/** A service that returns these answers in their order, and the times of its requests in ms. */
function serviceAnswering(...replies: Array<Awaited<ReturnType<Http>>>) {
	const start = now();
	const askedAt: number[] = [];
	const service = new Service(async () => {
		askedAt.push(now() - start);
		return replies[Math.min(askedAt.length, replies.length) - 1];
	}, 'host');
	return { service, askedAt };
}

test('a 429 delays all requests of the run for as long as the service asks', async () => {
	const { service, askedAt } = serviceAnswering(busy('30'), accepted);
	const throttle = new Throttle();
	const first = service.call(message(), { throttle });
	await Promise.resolve();
	await new Promise<void>((resolve) => {
		queueMicrotask(resolve);
	});
	const answers = await Promise.all([
		first,
		...[1, 2, 3].map(() => service.call(message(), { throttle })),
	]);
	expect(answers.map(({ ok }) => ok)).toEqual([true, true, true, true]);
	expect(askedAt[0]).toBeLessThan(1000);
	const afterThePause = askedAt.slice(1).filter((at) => at >= 30_000);
	// Requests that were sent before the 429 are not delayed.
	expect(afterThePause.length).toBeGreaterThanOrEqual(1);
	expect(askedAt.slice(1).every((at) => at < 1000 || at >= 30_000)).toBe(true);
});

test('a request after a 429 waits', async () => {
	const { service, askedAt } = serviceAnswering(busy('30'), accepted);
	const throttle = new Throttle();
	await service.call(message(), { throttle, maxRetries: 0 });
	await service.call(message(), { throttle });
	expect(askedAt[1]).toBeGreaterThanOrEqual(30_000);
});

test('when the service asks to wait for an hour, the run stops', async () => {
	const { service, askedAt } = serviceAnswering(busy('3600'));
	const throttle = new Throttle();
	const [first, second] = [
		await service.call(message(), { throttle }),
		await service.call(message(), { throttle }),
	];
	expect(first).toMatchObject({ ok: false, outcome: 'rejected', httpStatus: 429 });
	expect(second).toMatchObject({ ok: false, outcome: 'notSent' });
	expect((second as { message: string }).message).toMatch(
		/The service asks to wait 60 minutes: try again after that\.$/,
	);
	expect(askedAt).toHaveLength(1);
});

test('a stopped throttle stops all requests, also one that waits for its retry', async () => {
	const { service, askedAt } = serviceAnswering(busy('10'));
	const throttle = new Throttle();
	const waiting = service.call(message(), { throttle, maxRetries: 5 });
	throttle.stop('Sending stopped.');
	expect(await waiting).toMatchObject({ outcome: 'notSent', message: 'Sending stopped.' });
	expect(askedAt.length).toBeLessThanOrEqual(1);
});

test('a cancelled execution stops all requests', async () => {
	const { service, askedAt } = serviceAnswering(accepted);
	const cancel = new AbortController();
	cancel.abort();
	const throttle = new Throttle(cancel.signal);
	expect(await service.call(message(), { throttle })).toMatchObject({
		outcome: 'notSent',
		reason: 'cancelled',
	});
	expect(askedAt).toEqual([]);
});

test('isReady is true only when the next request may be sent immediately', () => {
	const cancel = new AbortController();
	const [ready, delayed, stopped, cancelled] = [
		new Throttle(),
		new Throttle(),
		new Throttle(),
		new Throttle(cancel.signal),
	];
	delayed.delay(10);
	stopped.stop('Stopped.');
	cancel.abort();
	expect([ready, delayed, stopped, cancelled].map(({ isReady }) => isReady)).toEqual([
		true,
		false,
		false,
		false,
	]);
});

test('isStopped is true after a cancellation or a stop, and the first message stays', async () => {
	const cancel = new AbortController();
	const throttle = new Throttle(cancel.signal);
	expect([throttle.isStopped, await throttle.ready()]).toEqual([false, undefined]);
	cancel.abort();
	expect(throttle.isStopped).toBe(true);
	const other = new Throttle();
	expect(other.isStopped).toBe(false);
	other.stop('First.');
	other.stop('Second.');
	expect(other.isStopped).toBe(true);
	expect(await other.ready()).toEqual({
		ok: false,
		reason: 'stopped',
		outcome: 'notSent',
		message: 'First.',
	});
});
