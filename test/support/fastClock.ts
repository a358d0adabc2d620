// Stands in for service/clock.ts where waiting is not what is tested: time jumps ahead instead.
let skipped = 0;

export const now = () => Date.now() + skipped;

/** How many ms all pauses so far would have taken. */
export const waited = () => skipped;

export const pause = async (ms: number) => {
	skipped += ms;
	await Promise.resolve();
};
