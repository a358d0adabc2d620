import {
	loadLog,
	saveLog,
	type KnownLog,
	type SavedLog,
	type SavedLogOfVersion02,
} from './knownLog';

/** Which log the trigger watches. If one of these values changes, it starts over. */
export type WatchedLog = {
	filters: string;
	/** A hash of the Base URL and the API key. Earlier versions did not save it. */
	account?: string;
	/** *Look Back* in days. Earlier versions did not save it. */
	days?: number;
};

/** The workflow's static data: what the trigger remembers from poll to poll. */
export type LogMemory = Partial<WatchedLog> & {
	log?: SavedLog;
	/** What version 0.2 saved. A new name, so that an older version starts over instead of misreading `log`. */
	logs?: SavedLogOfVersion02;
	/** Start of the poll that this memory comes from, in ms since 1970. */
	began?: number;
	/** Number of polls so far, if none of them read all records. */
	incompleteLooks?: number;
};

/** Polls that may stay incomplete before the log is accepted as it is: the service may count records that it never returns. */
const MAX_INCOMPLETE_POLLS = 3;

/** Returns what the last poll knew of this log; undefined if it watched another log, or if this is the first poll. */
export function knownLogOf(
	memory: LogMemory,
	{ filters, account, days }: WatchedLog,
): KnownLog | undefined {
	const isSameAccount = memory.account === undefined || memory.account === account;
	// A longer Look Back watches records that were dropped before, and they would all seem new.
	const goesFurtherBack = memory.days !== undefined && days !== undefined && days > memory.days;
	const saved = memory.log ?? memory.logs;
	const isSame = memory.filters === filters && isSameAccount && !goesFurtherBack;
	return saved && isSame ? loadLog(saved) : undefined;
}

export const isEmpty = ({ log, logs }: LogMemory) => (log ?? logs) === undefined;

/** Remembers what the poll that began at `began` (ms since 1970) knows. */
export function remember(memory: LogMemory, watched: WatchedLog, began: number, log: KnownLog) {
	delete memory.logs;
	Object.assign(memory, watched, { log: saveLog(log), began });
}

/**
 * Whether a poll outputs changes. The first poll of a log only remembers its records. Until a poll has read all records,
 * the next ones also only remember: the missing records would seem new.
 */
export const outputsChanges = ({ incompleteLooks }: LogMemory, isFirst: boolean) =>
	!isFirst && incompleteLooks === undefined;

/**
 * Counts the incomplete polls until one is complete.
 *
 * @returns whether the next poll also only remembers records
 */
export function countIncompletePoll(
	memory: LogMemory,
	isFirst: boolean,
	isComplete: boolean,
): boolean {
	const before = isFirst ? 0 : memory.incompleteLooks;
	delete memory.incompleteLooks;
	if (before === undefined || isComplete || before + 1 >= MAX_INCOMPLETE_POLLS) return false;
	memory.incompleteLooks = before + 1;
	return true;
}
