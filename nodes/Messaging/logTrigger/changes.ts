import { hash } from 'crypto';
import { hasId, idText, timeOf } from '../logs/record';
import type { StatusFilter } from '../logs/logFilters';
import type { LogRecord } from '../service/types';
import { TimeSlice } from '../utils/concurrency';
import { LargeMap } from '../utils/largeMap';
import { dropOldest, isWatched, KnownRecords, moveHorizon, type KnownLog } from './knownLog';

export type ChangeName = 'new' | 'statusChanged';

/** A log record with the change that was found. */
export type Change = LogRecord & { change: ChangeName; previousStatus: string | null };

/** Fields that do not change while a message's status does. */
const FIXED_FIELDS = ['externalId', 'campaign_id', 'identifier', 'from', 'to', 'createdAt'];

/** Identifies a record by its id, or without an id by its fixed fields. */
function hashOf(record: LogRecord): string {
	const key = hasId(record)
		? idText(record.id)
		: JSON.stringify(FIXED_FIELDS.map((field) => record[field]));
	return hash('sha256', key, 'base64url').slice(0, 12);
}

/** Returns the status unchanged, whether it is documented or not; '' for a record without one. */
const statusOf = ({ status }: LogRecord) => String(status ?? '');

/**
 * Compares the log with what the last poll knew, page by page. Of a record without a change it keeps only the hash, the
 * status and the time: several hundred thousand whole records in memory cause garbage collection pauses of 100 ms and more.
 */
export class ChangeDetector {
	/** Shorter than the default: together with sorting and garbage collection, n8n is blocked for less than 50 ms. */
	private readonly slice = new TimeSlice(10);

	/** The index of each known record in `known.records`, by hash. */
	private readonly knownIndex = new Map<string, number>();

	private readonly records = new KnownRecords();

	/** Changes in the order of the log, each with the index of its record in `records`. */
	private readonly changes: Array<{ index: number; change: Change }> = [];

	/** The index of each record without an id in `records`, by hash. */
	private readonly withoutId = new LargeMap<number>();

	/** How many records without an id have the same hash, if several have: by the index of the first in `records`. */
	private readonly identical = new Map<number, number>();

	/** The newest creation time that is known or in the log, in s since 1970. */
	private newest = -Infinity;

	/**
	 * @param wanted the kinds of changes to collect
	 * @param hasWantedStatus whether to collect the change of a record
	 */
	constructor(
		private readonly known: KnownLog,
		private readonly wanted: readonly ChangeName[],
		private readonly hasWantedStatus: StatusFilter = () => true,
	) {
		const { hashes, times, undated } = known.records;
		hashes.forEach((each, index) => {
			this.knownIndex.set(each, index);
			if (!undated[index]) this.newest = Math.max(this.newest, times[index]);
		});
	}

	/** Adds the next records of the log. */
	async add(records: LogRecord[]): Promise<void> {
		for (const record of records) {
			if (this.slice.isOver) await this.slice.yieldIfOver();
			this.addRecord(record);
		}
	}

	private addRecord(record: LogRecord) {
		const { known, records } = this;
		const ms = timeOf(record.createdAt);
		const isUndated = ms === undefined;
		const time = isUndated ? Infinity : Math.floor(ms / 1000);
		if (!isUndated) this.newest = Math.max(this.newest, time);
		const key = hashOf(record);
		if (!isWatched(known, key, time, isUndated)) return;
		if (!hasId(record)) {
			const first = this.withoutId.get(key);
			if (first !== undefined) {
				this.identical.set(first, (this.identical.get(first) ?? 1) + 1);
				return;
			}
			this.withoutId.set(key, records.length);
		}
		const status = statusOf(record);
		const knownIndex = this.knownIndex.get(key);
		const before = knownIndex === undefined ? undefined : known.records.statuses[knownIndex];
		if (before !== status) {
			const change = before === undefined ? 'new' : 'statusChanged';
			if (this.wanted.includes(change) && this.hasWantedStatus(record)) {
				this.changes.push({
					index: records.length,
					change: { ...record, change, previousStatus: before || null },
				});
			}
		}
		records.add(key, status, time, isUndated);
	}

	/**
	 * Finishes the comparison after the whole log was added.
	 *
	 * @param horizon records created before this (s since 1970) are not watched
	 * @param now in s since 1970
	 * @returns `changes` in the order of the log; `log` for the next poll; `dropped`: number of records that are no
	 * longer watched because there are too many; `identical`: number of records that are not watched because they have
	 * no id and the same fixed fields
	 */
	async finish(
		horizon: number,
		now: number,
	): Promise<{ changes: Change[]; log: KnownLog; dropped: number; identical: number }> {
		const { known, records, slice } = this;
		const { hashes, statuses, times, undated } = records;
		// The horizon follows the newest record, not only the clock: if the clock was once ahead, all records would be hidden
		// until that time.
		const newest = Number.isFinite(this.newest) ? Math.min(this.newest, now) : now;
		const bounds = moveHorizon(known, newest - (now - horizon));
		const isFirst = known.horizon === 0;
		// Records created before this keep what is known of them: if the clock is wrong, they are younger than they seem.
		const since = isFirst ? bounds.horizon : Math.max(bounds.horizon, horizon);
		const changes: Change[] = [];
		const next = new KnownRecords();
		const isListed = new Uint8Array(known.records.length);
		let identical = 0;
		let nextChange = 0;
		for (let index = 0; index < records.length; index++) {
			if (slice.isOver) await slice.yieldIfOver();
			const change = this.changes[nextChange]?.index === index && this.changes[nextChange++].change;
			const time = undated[index] ? now : times[index];
			if (times[index] < since) continue;
			const count = this.identical.get(index);
			if (count !== undefined) {
				identical += count;
				continue;
			}
			if (!isWatched(bounds, hashes[index], time, undated[index])) continue;
			const knownIndex = this.knownIndex.get(hashes[index]);
			if (knownIndex !== undefined) isListed[knownIndex] = 1;
			next.add(hashes[index], statuses[index], time, undated[index]);
			if (change && times[index] >= horizon) changes.push(change);
		}
		const old = known.records;
		// Keep known records that are missing from this log: a record may be missing once, and is not new when it is back.
		for (let index = 0; index < old.length; index++) {
			if (slice.isOver) await slice.yieldIfOver();
			const [key, time, isUndated] = [old.hashes[index], old.times[index], old.undated[index]];
			if (isListed[index] || !isWatched(bounds, key, time, isUndated)) continue;
			next.add(key, old.statuses[index], time, isUndated);
		}
		return { changes, identical, ...(await dropOldest({ ...bounds, records: next }, slice)) };
	}
}
