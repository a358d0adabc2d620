/**
 * Jest itself may have timers in the realm that test files share, so this file has its own.
 *
 * @jest-environment node
 */
import { TimeLimits, withTimeout } from '../../../nodes/Messaging/service/clock';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const never = async () => await new Promise<never>(() => {});

test('work that ends in time keeps its result or its own error, and leaves no timer after the next check', async () => {
	expect(await withTimeout(1000, undefined, async () => 'done')).toBe('done');
	const failing = withTimeout(1000, undefined, async () => await Promise.reject(new Error('own')));
	await expect(failing).rejects.toThrow('own');
	await jest.advanceTimersByTimeAsync(100);
	expect(jest.getTimerCount()).toBe(0);
});

test('one timer serves the limits of several requests, also of those that start later', async () => {
	const limits = new TimeLimits();
	const ended: string[] = [];
	const start = (name: string, ms: number) =>
		withTimeout(ms, undefined, never, limits).catch(() => ended.push(name));
	void start('long', 1000);
	void start('short', 200);
	await jest.advanceTimersByTimeAsync(120);
	void start('late', 500);
	expect(jest.getTimerCount()).toBe(1);
	await jest.advanceTimersByTimeAsync(80);
	expect(ended).toEqual(['short']);
	await jest.advanceTimersByTimeAsync(450);
	expect(ended).toEqual(['short', 'late']);
	await jest.advanceTimersByTimeAsync(350);
	expect(ended).toEqual(['short', 'late', 'long']);
	expect(jest.getTimerCount()).toBe(0);
});

test('the wait ends when the time is over, also for work that ignores its signal', async () => {
	let given: AbortSignal | undefined;
	const work = async (signal: AbortSignal) => {
		given = signal;
		return await never();
	};
	const ended = expect(withTimeout(1000, undefined, work)).rejects.toMatchObject({
		code: 'ETIMEDOUT',
	});
	await jest.advanceTimersByTimeAsync(999);
	expect(given?.aborted).toBe(false);
	await jest.advanceTimersByTimeAsync(1);
	await ended;
	expect(given?.aborted).toBe(true);
});

test('a cancellation ends the wait, and work does not start after one', async () => {
	const cancel = new AbortController();
	const cancelled = { code: 'ERR_CANCELED' };
	const ended = expect(withTimeout(1000, cancel.signal, never)).rejects.toMatchObject(cancelled);
	cancel.abort();
	await ended;
	let isStarted = false;
	const work = async () => (isStarted = true);
	await expect(withTimeout(1000, cancel.signal, work)).rejects.toMatchObject(cancelled);
	expect(isStarted).toBe(false);
});
