import { sleep } from 'n8n-workflow';

// Stands in for service/clock.ts where waiting is not what is tested: time jumps ahead instead.
let skipped = 0;

export const now = () => Date.now() + skipped;

/** How many ms all pauses so far would have taken. */
export const waited = () => skipped;

export const pause = async (ms: number) => {
	skipped += ms;
	await Promise.resolve();
};

/** A limit that is skipped would end before the work that it limits. */
export const timeLimit = async (ms: number, signal?: AbortSignal) => {
	await sleep(ms, signal).catch(() => {});
};
