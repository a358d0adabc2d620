import type * as Clock from '../../nodes/Messaging/service/clock';

/*
 * The clock of all tests of the nodes, in place of service/clock.ts: a pause moves the time forward at once. A test that is
 * about time itself asks for the real one.
 */

const real = jest.requireActual<typeof Clock>('../../nodes/Messaging/service/clock');

let skipped = 0;

/** How many times faster than the real clock this one is; undefined while pauses take no time at all. */
let speed: { pauses: number; limits: number } | undefined;

jest.mock('../../nodes/Messaging/service/clock', (): typeof Clock => ({
	...real,
	now: () => real.now() + skipped,
	pause: async (ms, signal) => {
		if (speed) return await real.pause(ms / speed.pauses, signal);
		skipped += ms;
		await Promise.resolve();
	},
	withTimeout: async (ms, ...more) => await real.withTimeout(ms / (speed?.limits ?? 1), ...more),
}));

/** Ms that all pauses so far would have taken. */
export const waited = () => skipped;

/** In this test file pauses and the time limits of requests take as long as they do, or so many times less. */
export function useRealClock({ pauses = 1, limits = 1 } = {}) {
	speed = { pauses, limits };
}

/** Makes the times at which requests are sent exact, by fake timers. @returns a function that lets ms pass */
export function useExactTimers() {
	useRealClock();
	beforeEach(() => {
		jest.useFakeTimers();
		jest.spyOn(Math, 'random').mockReturnValue(1);
	});
	afterEach(() => {
		jest.restoreAllMocks();
		jest.useRealTimers();
	});
	return async (ms: number) => {
		await jest.advanceTimersByTimeAsync(ms);
	};
}
