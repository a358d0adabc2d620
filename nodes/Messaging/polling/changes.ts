import { Turns } from '../host/turns';
import { timeOf } from '../logs/timeOf';
import type { LogRecord } from '../service/types';
import { bounded, boundsAfter, isWithin } from './bounds';
import { distinct } from './distinct';
import type { Age, Known, LogState } from './state';

export type ChangeName = 'new' | 'statusChanged';

/** A log record with what is new about it. */
export type Change = LogRecord & { change: ChangeName; previousStatus: string | null };

/** s since 1970; undefined when the record does not say. */
function createdAtOf({ createdAt }: LogRecord): number | undefined {
	const time = timeOf(createdAt);
	return time === undefined ? undefined : Math.floor(time / 1000);
}

/**
 * Compares the log with what was there at the last look. Every status is taken as it comes, known or
 * not.
 *
 * @param horizon records created before this (s since 1970) are left out
 * @returns the changes in the order of the log, and what to remember for the next look; how many
 * records had to be forgotten; how many are not watched because they have no id and are alike
 */
export async function changesSince(
	previous: LogState,
	log: LogRecord[],
	horizon: number,
	now: number,
): Promise<{ changes: Change[]; state: LogState; forgotten: number; alike: number }> {
	const turns = new Turns();
	const lookBack = now - horizon;
	const times = new Map<LogRecord, number | undefined>();
	let newest = newestKnown(previous);
	for (const record of log) {
		if (turns.isOver) await turns.giveWay();
		const time = createdAtOf(record);
		times.set(record, time);
		newest = Math.max(newest, time ?? -Infinity);
	}
	// At most `now`. The clock alone does not move the horizon: one that ran ahead once would put all records
	// behind it until that time has come.
	newest = Number.isFinite(newest) ? Math.min(newest, now) : now;
	const bounds = boundsAfter(previous, newest - lookBack);
	const isFirst = previous.horizon === 0;
	// What is known of an old record stays as it is: the clock may be wrong, and the record not so old.
	const since = isFirst ? bounds.horizon : Math.max(bounds.horizon, horizon);
	const isWatched = (record: LogRecord) => (times.get(record) ?? Infinity) >= since;
	const { byHash, alike } = await distinct(log, isWatched, turns);
	const numbers = new Map<string, number>();
	const numberOf = (status: string) => {
		if (!numbers.has(status)) numbers.set(status, numbers.size);
		return numbers.get(status)!;
	};
	const changes: Change[] = [];
	const records = new Map<string, Known>();

	for (const [hash, record] of byHash) {
		if (turns.isOver) await turns.giveWay();
		const createdAt = times.get(record);
		const isOld = createdAt !== undefined && createdAt < horizon;
		const age: Age = createdAt === undefined ? [now, 1] : [createdAt];
		if (!isWithin(bounds, hash, age)) continue;
		records.set(hash, [numberOf(String(record.status)), ...age]);
		const change = isOld ? undefined : changeOf(record, previous, hash);
		if (change) changes.push(change);
	}
	// A record may be missing from one answer and be back in the next: it is not new then.
	for (const [hash, [status, ...age]] of Object.entries(previous.records)) {
		if (turns.isOver) await turns.giveWay();
		if (records.has(hash) || !isWithin(bounds, hash, age)) continue;
		records.set(hash, [numberOf(previous.statuses[status]), ...age]);
	}
	return { changes, alike, ...(await bounded(records, [...numbers.keys()], bounds, turns)) };
}

function changeOf(record: LogRecord, previous: LogState, hash: string): Change | undefined {
	const known = previous.records[hash] as Known | undefined;
	if (!known) return { ...record, change: 'new', previousStatus: null };
	const previousStatus = previous.statuses[known[0]];
	if (previousStatus === String(record.status)) return undefined;
	return { ...record, change: 'statusChanged', previousStatus };
}

/** The newest time that any remembered record gives; -Infinity for none. */
function newestKnown({ records }: LogState): number {
	let newest = -Infinity;
	for (const [, createdAt, isUndated] of Object.values(records)) {
		if (!isUndated) newest = Math.max(newest, createdAt);
	}
	return newest;
}
