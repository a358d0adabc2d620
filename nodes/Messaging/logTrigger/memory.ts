import { loaded, saved, type LogState, type OldState, type SavedState } from './state';

/** What is watched: by another text it is another log. */
export type Watched = {
	filters: string;
	/** A hash, see account.ts. An earlier version did not save it. */
	account?: string;
	/** *Look Back* in days; with more of them, records are watched that were let go. Earlier versions did not save it. */
	days?: number;
};

/** What the trigger keeps in the workflow's static data from look to look. */
export type Memory = Partial<Watched> & {
	log?: SavedState;
	/** The same as version 0.2 saved it. Under another name, so that an older version begins anew instead of misreading it. */
	logs?: OldState;
	/** When the look began that all this comes from; ms since 1970. */
	began?: number;
	/** The looks so far when none of them, from the first on, got all records. */
	incompleteLooks?: number;
};

/** So many looks, and a service that counts more records than it gives is taken as it is. */
const MOST_INCOMPLETE = 3;

/** What was there at the last look; undefined when that was into another log, or there was none. */
export function knownOf(memory: Memory, { filters, account, days }: Watched): LogState | undefined {
	const isSameAccount = memory.account === undefined || memory.account === account;
	const goesFurtherBack = memory.days !== undefined && days !== undefined && days > memory.days;
	const state = memory.log ?? memory.logs;
	const isSame = memory.filters === filters && isSameAccount && !goesFurtherBack;
	return state && isSame ? loaded(state) : undefined;
}

export const isEmpty = ({ log, logs }: Memory) => (log ?? logs) === undefined;

/** Remembers what a look that began at `began` found. */
export function remember(memory: Memory, watched: Watched, began: number, state: LogState) {
	delete memory.logs;
	Object.assign(memory, watched, { log: saved(state), began });
}

/**
 * Whether what a look finds new comes out. The first one only remembers; so does the next as long as none got all
 * records, because what they missed would come out as new.
 *
 * @param isFirst nothing was known of this log
 */
export const tellsChanges = ({ incompleteLooks }: Memory, isFirst: boolean) =>
	!isFirst && incompleteLooks === undefined;

/**
 * Counts the looks that got not all records, as long as none got all.
 *
 * @param isFirst nothing was known of this log
 * @returns whether the next look, too, is to do no more than remember
 */
export function isStillIncomplete(memory: Memory, isFirst: boolean, isComplete: boolean): boolean {
	const before = isFirst ? 0 : memory.incompleteLooks;
	delete memory.incompleteLooks;
	if (before === undefined || isComplete || before + 1 >= MOST_INCOMPLETE) return false;
	memory.incompleteLooks = before + 1;
	return true;
}
