/**
 * Jest itself may have timers in the realm that test files share, so this file has its own.
 *
 * @jest-environment node
 */
import { Aborted, TimeLimits, withTimeout } from '../../../nodes/Messaging/service/clock';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const never = async () => await new Promise<never>(() => {});

test('work that finishes in time leaves no listener behind, and no timer after the next check', async () => {
	const cancel = new AbortController();
	const removal = jest.spyOn(cancel.signal, 'removeEventListener');
	expect(await withTimeout(1000, cancel.signal, async () => 'done')).toBe('done');
	expect(removal).toHaveBeenCalledTimes(1);
	await jest.advanceTimersByTimeAsync(100);
	expect(jest.getTimerCount()).toBe(0);
});

test('work that fails in time keeps its own error', async () => {
	const work = async () => {
		throw new Error('its own');
	};
	await expect(withTimeout(1000, undefined, work)).rejects.toThrow('its own');
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
	const ended = expect(
		withTimeout(1000, undefined, async (signal) => {
			given = signal;
			return await never();
		}),
	).rejects.toEqual(new Aborted('ETIMEDOUT'));
	await jest.advanceTimersByTimeAsync(999);
	expect(given?.aborted).toBe(false);
	await jest.advanceTimersByTimeAsync(1);
	await ended;
	expect(given?.aborted).toBe(true);
});

test('a cancelled execution ends the wait', async () => {
	const cancel = new AbortController();
	const ended = expect(withTimeout(1000, cancel.signal, never)).rejects.toMatchObject({
		code: 'ERR_CANCELED',
	});
	cancel.abort();
	await ended;
});

test('work does not start after a cancellation', async () => {
	const work = jest.fn(never);
	await expect(withTimeout(1000, AbortSignal.abort(), work)).rejects.toMatchObject({
		code: 'ERR_CANCELED',
	});
	expect(work).not.toHaveBeenCalled();
});
