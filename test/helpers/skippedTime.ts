/**
 * Stands in for nodes/Messaging/service/clock where waiting is not what is tested: time jumps ahead.
 * Use with `jest.mock('../../nodes/Messaging/service/clock', () => jest.requireActual('../helpers/skippedTime'))`.
 */
let skipped = 0;

/** Every wait since the last {@link forgetWaits}, in ms. */
export let waits: number[] = [];

export const forgetWaits = () => {
	waits = [];
};

export const now = () => Date.now() + skipped;

export const pause = async (ms: number) => {
	waits.push(ms);
	skipped += ms;
};
