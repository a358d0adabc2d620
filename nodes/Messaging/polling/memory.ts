import type { LogState } from './state';

/** What is watched: by another text it is another log. */
export type Watched = {
	filters: string;
	/** A hash, see account.ts. An earlier version did not save it. */
	account?: string;
};

/** What the trigger keeps in the workflow's static data from look to look. */
export type Memory = Partial<Watched> & {
	logs?: LogState;
	/** When the look began that all this comes from; ms since 1970. */
	began?: number;
	/** The looks so far when none of them, from the first on, got all records. */
	incompleteLooks?: number;
};

/** So many looks, and a service that counts more records than it gives is taken as it is. */
const MOST_INCOMPLETE = 3;

/**
 * A younger look was quicker, so what this one read is out of date. (A moment that is still to come was
 * noted by a clock that went wrong, and says nothing.)
 */
export const isOutdated = ({ began }: Memory, thisBegan: number, now: number) =>
	began !== undefined && began > thisBegan && began <= now;

/** What was there at the last look; undefined when that was into another log, or there was none. */
export function knownOf(memory: Memory, { filters, account }: Watched): LogState | undefined {
	const isSameAccount = memory.account === undefined || memory.account === account;
	return memory.filters === filters && isSameAccount ? memory.logs : undefined;
}

/**
 * Counts the looks that got not all records, as long as none got all: what they missed would come out
 * as new.
 *
 * @param isFirst nothing was known of this log
 * @returns `compared` when what a look found new may come out; `baseline` when this one only remembers;
 * `incomplete` when the next one, too, is to do no more than that
 */
export function settle(
	memory: Memory,
	isFirst: boolean,
	isComplete: boolean,
): 'compared' | 'baseline' | 'incomplete' {
	const before = isFirst ? 0 : memory.incompleteLooks;
	delete memory.incompleteLooks;
	if (before === undefined) return 'compared';
	if (isComplete || before + 1 >= MOST_INCOMPLETE) return 'baseline';
	memory.incompleteLooks = before + 1;
	return 'incomplete';
}
