import { Gate } from '../../../nodes/Messaging/service/gate';
import { getOtpTemplates, sendText } from '../../../nodes/Messaging/service/endpoints';
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

/** A service that answers in this order, and the times (ms from the start) at which it was asked. */
function serviceAnswering(...replies: Array<Awaited<ReturnType<Http>>>) {
	const start = now();
	const askedAt: number[] = [];
	const service = new Service(async () => {
		askedAt.push(now() - start);
		return replies[Math.min(askedAt.length, replies.length) - 1];
	}, 'host');
	return { service, askedAt };
}

test('a 429 holds back the requests of all workers for as long as the service asks', async () => {
	const { service, askedAt } = serviceAnswering(busy('30'), accepted);
	const gate = new Gate();
	const first = service.call(message(), { gate });
	await Promise.resolve();
	await new Promise<void>((resolve) => {
		queueMicrotask(resolve);
	});
	const answers = await Promise.all([
		first,
		...[1, 2, 3].map(() => service.call(message(), { gate })),
	]);
	expect(answers.map(({ ok }) => ok)).toEqual([true, true, true, true]);
	expect(askedAt[0]).toBeLessThan(1000);
	const afterThePause = askedAt.slice(1).filter((at) => at >= 30_000);
	// Those that had left before the 429 came are not called back.
	expect(afterThePause.length).toBeGreaterThanOrEqual(1);
	expect(askedAt.slice(1).every((at) => at < 1000 || at >= 30_000)).toBe(true);
});

test('what comes after a 429 waits behind the gate', async () => {
	const { service, askedAt } = serviceAnswering(busy('30'), accepted);
	const gate = new Gate();
	await service.call(message(), { gate, maxRetries: 0 });
	await service.call(message(), { gate });
	expect(askedAt[1]).toBeGreaterThanOrEqual(30_000);
});

test('a service that asks for an hour is not waited for: nothing more leaves', async () => {
	const { service, askedAt } = serviceAnswering(busy('3600'));
	const gate = new Gate();
	const [first, second] = [
		await service.call(message(), { gate }),
		await service.call(message(), { gate }),
	];
	expect(first).toMatchObject({ ok: false, outcome: 'rejected', httpStatus: 429 });
	expect(second).toMatchObject({ ok: false, outcome: 'notSent' });
	expect((second as { message: string }).message).toMatch(
		/The service asks to wait 60 minutes: try again after that\.$/,
	);
	expect(askedAt).toHaveLength(1);
});

test('a closed gate lets nothing out, also not what waits to be repeated', async () => {
	const { service, askedAt } = serviceAnswering(busy('10'));
	const gate = new Gate();
	const waiting = service.call(message(), { gate, maxRetries: 5 });
	gate.close('Sending stopped.');
	expect(await waiting).toMatchObject({ outcome: 'notSent', message: 'Sending stopped.' });
	expect(askedAt.length).toBeLessThanOrEqual(1);
});

test('a cancelled execution lets nothing out', async () => {
	const { service, askedAt } = serviceAnswering(accepted);
	const cancel = new AbortController();
	cancel.abort();
	const gate = new Gate(cancel.signal);
	expect(await service.call(message(), { gate })).toMatchObject({
		outcome: 'notSent',
		reason: 'cancelled',
	});
	expect(askedAt).toEqual([]);
});

test('what may leave at once need not ask; what has to wait or may not leave, must', () => {
	const cancel = new AbortController();
	const [open, held, closed, cancelled] = [
		new Gate(),
		new Gate(),
		new Gate(),
		new Gate(cancel.signal),
	];
	held.hold(10);
	closed.close('Stopped.');
	cancel.abort();
	expect([open, held, closed, cancelled].map(({ isOpen }) => isOpen)).toEqual([
		true,
		false,
		false,
		false,
	]);
});

test('whether anything may still leave is known without trying', async () => {
	const cancel = new AbortController();
	const gate = new Gate(cancel.signal);
	expect([gate.isClosed, await gate.pass()]).toEqual([false, undefined]);
	cancel.abort();
	expect(gate.isClosed).toBe(true);
	const other = new Gate();
	expect(other.isClosed).toBe(false);
	other.close('First.');
	other.close('Second.');
	expect(other.isClosed).toBe(true);
	expect(await other.pass()).toEqual({
		ok: false,
		reason: 'stopped',
		outcome: 'notSent',
		message: 'First.',
	});
});

test.each([0, 1, 3])(
	'a read is repeated %i times, as it is set, and a send never',
	async (maxRetries) => {
		const failed = { statusCode: 503, headers: {}, body: '' };
		const reads = serviceAnswering(failed);
		await reads.service.call(getOtpTemplates(), { maxRetries });
		expect(reads.askedAt).toHaveLength(maxRetries + 1);
		const sends = serviceAnswering(failed);
		await sends.service.call(message(), { maxRetries });
		expect(sends.askedAt).toHaveLength(1);
	},
);

test('a service that is away is given time once, not again for every message', async () => {
	let isAway = true;
	let tries = 0;
	const service = new Service(async () => {
		tries++;
		if (isAway) throw Object.assign(new Error(), { code: 'ECONNREFUSED' });
		return accepted;
	}, 'host');
	for (let call = 0; call < 20; call++) {
		expect(await service.call(message())).toMatchObject({ ok: false, outcome: 'notSent' });
	}
	expect(tries).toBe(4 + 19);

	isAway = false;
	expect(await service.call(message())).toMatchObject({ ok: true });
	isAway = true;
	tries = 0;
	await service.call(message());
	expect(tries).toBe(4);
});
