import type * as clock from '../../nodes/Messaging/service/clock';

// Stands in for service/clock.ts in tests that are not about waiting: a pause moves the time forward at once.
let skipped = 0;

export const { Aborted, TimeLimits, withTimeout } = jest.requireActual<typeof clock>(
	'../../nodes/Messaging/service/clock',
);

export const now = () => Date.now() + skipped;

/** Ms that all pauses so far would have taken. */
export const waited = () => skipped;

export const pause = async (ms: number) => {
	skipped += ms;
	await Promise.resolve();
};
