import { createHash } from 'crypto';
import type { LogRecord } from '../service/types';

export type ChangeName = 'new' | 'statusChanged';

/** A log record with what is new about it. */
export type Change = LogRecord & { change: ChangeName; previousStatus: string | null };

/**
 * What was there at the last look, small enough for the workflow's static data: the records by a hash
 * of their id, each with its status (a place in `statuses`) and its age (creation in s since 1970).
 */
export type LogState = {
	statuses: string[];
	records: { [hash: string]: [status: number, createdAt: number] };
	/** Records created before this (s since 1970) are not watched any more. */
	horizon: number;
	/** Nor are those created in that very second whose hash does not come after this one. */
	upTo?: string;
};

/** More than this is not remembered; the oldest go first, and the horizon moves to them. */
export const MOST_RECORDS = 20_000;

const hashOf = (id: string) => createHash('sha256').update(id).digest('base64url').slice(0, 12);

/** s since 1970; undefined when the record does not say. */
function createdAtOf({ createdAt }: LogRecord): number | undefined {
	const time = Date.parse(createdAt);
	return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}

/**
 * Compares the log with what was there at the last look. Every status is taken as it comes, known or
 * not.
 *
 * @param horizon records created before this (s since 1970) are left out
 * @returns the changes in the order of the log, and what to remember for the next look
 */
export function changesSince(
	previous: LogState,
	log: LogRecord[],
	horizon: number,
	now: number,
): { changes: Change[]; state: LogState; forgotten: number } {
	const from = Math.max(horizon, previous.horizon);
	const upTo = from === previous.horizon ? (previous.upTo ?? '') : '';
	const isWatched = (hash: string, createdAt: number) =>
		createdAt > from || (createdAt === from && hash > upTo);
	const numbers = new Map<string, number>();
	const numberOf = (status: string) => {
		if (!numbers.has(status)) numbers.set(status, numbers.size);
		return numbers.get(status)!;
	};
	const changes: Change[] = [];
	const records = new Map<string, [number, number]>();

	for (const record of log) {
		const createdAt = createdAtOf(record) ?? now;
		const hash = hashOf(String(record.id));
		if (!isWatched(hash, createdAt)) continue;
		const status = String(record.status);
		// The first sight of a record that came without its time counts as that time.
		const known = previous.records[hash] as [number, number] | undefined;
		records.set(hash, [numberOf(status), known?.[1] ?? createdAt]);
		const previousStatus = known ? previous.statuses[known[0]] : null;
		if (previousStatus === null) changes.push({ ...record, change: 'new', previousStatus });
		else if (previousStatus !== status) {
			changes.push({ ...record, change: 'statusChanged', previousStatus });
		}
	}
	// A record may be missing from one answer and be back in the next: it is not new then.
	for (const [hash, [status, createdAt]] of Object.entries(previous.records)) {
		if (records.has(hash) || !isWatched(hash, createdAt)) continue;
		records.set(hash, [numberOf(previous.statuses[status]), createdAt]);
	}
	return { changes, ...bounded(records, { statuses: [...numbers.keys()], horizon: from, upTo }) };
}

/** The newest of the records; of those created in the same second, the ones whose hash comes last. */
function bounded(
	records: Map<string, [number, number]>,
	rest: Omit<LogState, 'records'>,
): { state: LogState; forgotten: number } {
	const forgotten = Math.max(0, records.size - MOST_RECORDS);
	if (forgotten === 0) {
		return { state: { ...rest, records: Object.fromEntries(records) }, forgotten };
	}
	const youngestFirst = [...records].sort(
		([hashA, [, a]], [hashB, [, b]]) => b - a || (hashA < hashB ? 1 : -1),
	);
	const [upTo, [, horizon]] = youngestFirst[MOST_RECORDS];
	const kept = youngestFirst.slice(0, MOST_RECORDS);
	return { state: { ...rest, records: Object.fromEntries(kept), horizon, upTo }, forgotten };
}
