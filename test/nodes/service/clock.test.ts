import { Aborted, withTimeout } from '../../../nodes/Messaging/service/clock';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const never = async () => await new Promise<never>(() => {});

test('work that finishes in time leaves no timer and no listener behind', async () => {
	const cancel = new AbortController();
	const remove = jest.spyOn(cancel.signal, 'removeEventListener');
	expect(await withTimeout(1000, cancel.signal, async () => 'done')).toBe('done');
	expect({ timers: jest.getTimerCount(), removed: remove.mock.calls.length }).toEqual({
		timers: 0,
		removed: 1,
	});
});

test('work that fails in time keeps its own error and leaves no timer behind', async () => {
	const work = async () => {
		throw new Error('its own');
	};
	await expect(withTimeout(1000, undefined, work)).rejects.toThrow('its own');
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

test('a cancelled execution ends the wait and the timer', async () => {
	const cancel = new AbortController();
	const ended = expect(withTimeout(1000, cancel.signal, never)).rejects.toMatchObject({
		code: 'ERR_CANCELED',
	});
	cancel.abort();
	await ended;
	expect(jest.getTimerCount()).toBe(0);
});

test('work does not start after a cancellation', async () => {
	const work = jest.fn(never);
	await expect(withTimeout(1000, AbortSignal.abort(), work)).rejects.toMatchObject({
		code: 'ERR_CANCELED',
	});
	expect(work).not.toHaveBeenCalled();
});
