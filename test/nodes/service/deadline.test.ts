import { Ended, within } from '../../../nodes/Messaging/service/deadline';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const never = async () => await new Promise<never>(() => {});

test('work that is done in time leaves nothing behind', async () => {
	const cancel = new AbortController();
	const remove = jest.spyOn(cancel.signal, 'removeEventListener');
	expect(await within(1000, cancel.signal, async () => 'done')).toBe('done');
	expect({ timers: jest.getTimerCount(), removed: remove.mock.calls.length }).toEqual({
		timers: 0,
		removed: 1,
	});
});

test('work that fails in time fails with its own error, and leaves nothing behind', async () => {
	const work = async () => {
		throw new Error('its own');
	};
	await expect(within(1000, undefined, work)).rejects.toThrow('its own');
	expect(jest.getTimerCount()).toBe(0);
});

test('work that does not heed its signal ends all the same when the time is over', async () => {
	let given: AbortSignal | undefined;
	const ended = expect(
		within(1000, undefined, async (signal) => {
			given = signal;
			return await never();
		}),
	).rejects.toEqual(new Ended('ETIMEDOUT'));
	await jest.advanceTimersByTimeAsync(999);
	expect(given?.aborted).toBe(false);
	await jest.advanceTimersByTimeAsync(1);
	await ended;
	expect(given?.aborted).toBe(true);
});

test('a cancelled execution ends it, and the timer with it', async () => {
	const cancel = new AbortController();
	const ended = expect(within(1000, cancel.signal, never)).rejects.toMatchObject({
		code: 'ERR_CANCELED',
	});
	cancel.abort();
	await ended;
	expect(jest.getTimerCount()).toBe(0);
});

test('what is cancelled already does not begin', async () => {
	const work = jest.fn(never);
	await expect(within(1000, AbortSignal.abort(), work)).rejects.toMatchObject({
		code: 'ERR_CANCELED',
	});
	expect(work).not.toHaveBeenCalled();
});
