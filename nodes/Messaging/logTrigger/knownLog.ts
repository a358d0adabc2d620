import { hash } from 'crypto';
import { recordId } from '../logs/readLogs';
import { readable, loggedTime } from '../logs/record';
import { statusKey } from '../service/status';
import type { LogRecord } from '../service/types';

export type ChangeName = 'new' | 'statusChanged';

/** What has changed in a log record since the last poll. */
export type Change = { change: ChangeName; previousStatus: string | null };

/** A known log, as it is saved in the workflow's static data. */
export type SavedLog = {
	/** Records created before this (ms since 1970) are not watched. */
	since: number;
	/**
	 * The records of each status in one string. n8n wraps and copies every object in static data without yielding: an array
	 * for each of 20,000 records cost 80 to 180 ms whenever n8n loaded the workflow.
	 */
	records: Array<[status: string, records: string]>;
};

/**
 * How many records are known: they limit the static data, which n8n saves and loads with the workflow. Records that were
 * created at the same moment are dropped together, so up to twice as many may be known.
 */
export const MOST_RECORDS = 20_000;

/** The status and the creation time (ms since 1970) of each record that the trigger watches, by a hash of its id. */
export class KnownLog {
	private readonly records = new Map<string, { status: string; time: number }>();

	private since = 0;

	/** The creation time of the newest record. */
	private newest = 0;

	/** How many records within *Look Back* are no longer watched because there are too many. */
	dropped = 0;

	/**
	 * @param saved what the last poll knew; undefined at the first poll
	 * @param now the clock, in ms since 1970
	 * @param lookBack how old a record may be, in ms
	 */
	constructor(
		private readonly saved: SavedLog | undefined,
		private readonly now: number,
		private readonly lookBack: number,
	) {
		if (!saved) return;
		this.since = saved.since;
		for (const [status, records] of saved.records) {
			for (const record of records.split(' ')) {
				const time = parseInt(record.slice(HASH), 36);
				this.records.set(record.slice(0, HASH), { status, time });
				this.newest = Math.max(this.newest, time);
			}
		}
	}

	/** Compares a record with what is known of it, and remembers its status. */
	update(record: LogRecord): Change | undefined {
		const created = loggedTime(record.createdAt);
		// Without a creation time that can be read, a record is never too old.
		const time = created ?? this.now;
		if (time < this.since) return undefined;
		// The first poll remembers old records, too: if the clock is ahead, they would be new later.
		if (this.saved && time < this.now - this.lookBack) return undefined;
		const key = hashOf(record);
		const before = this.records.get(key)?.status;
		const status = readable(record.status);
		this.records.set(key, { status, time });
		this.newest = Math.max(this.newest, created ?? 0);
		if (this.records.size >= 2 * MOST_RECORDS) this.dropOldest();
		// Another spelling is no change.
		const isSame = before === status || (before && statusKey(before) === statusKey(status));
		if (isSame) return undefined;
		return {
			change: before === undefined ? 'new' : 'statusChanged',
			previousStatus: before || null,
		};
	}

	/**
	 * Drops the oldest records if there are too many. Those of one moment are dropped or kept together: within that moment,
	 * nothing would tell a dropped record from a new one.
	 */
	private dropOldest() {
		const before = this.records.size;
		if (before <= MOST_RECORDS) return;
		const times = Float64Array.from(this.records.values(), ({ time }) => time).sort();
		const oldestKept = times[before - MOST_RECORDS];
		const kept = before - times.indexOf(oldestKept);
		this.forgetBefore(kept < 2 * MOST_RECORDS ? oldestKept : oldestKept + 1);
	}

	/** Never goes back: records that were forgotten would seem new. */
	private forgetBefore(time: number) {
		if (time <= this.since) return;
		this.since = time;
		for (const [key, known] of this.records) {
			if (known.time >= time) continue;
			this.records.delete(key);
			if (known.time >= this.now - this.lookBack) this.dropped++;
		}
	}

	/**
	 * Returns the log for the next poll, without records that are too old or too many.
	 *
	 * A record that was missing from the service's answers stays known: it is not new when it is back.
	 */
	save(): SavedLog {
		// If the clock is ahead, the newest record shows it: otherwise all records would be forgotten, and be new later.
		this.forgetBefore(Math.min(this.now, this.newest) - this.lookBack);
		this.dropOldest();
		const byStatus = new Map<string, string[]>();
		for (const [key, { status, time }] of this.records) {
			const records = byStatus.get(status) ?? [];
			byStatus.set(status, records);
			records.push(key + time.toString(36));
		}
		return {
			since: this.since,
			records: [...byStatus].map(([status, records]) => [status, records.join(' ')]),
		};
	}
}

/** Characters of a hash: it is shorter than an id, and the number of known records is limited. */
const HASH = 12;
const hashOf = (record: LogRecord) => hash('sha256', recordId(record), 'base64url').slice(0, HASH);
