import { hash } from 'crypto';
import { LargeMap } from '../utils/largeMap';
import { Turns } from '../utils/turns';
import { hasId, idText, timeOf } from '../logs/record';
import type { LogRecord } from '../service/types';
import { bounded } from './bounds';
import { boundsAfter, Entries, isWithin, type LogState } from './state';

export type ChangeName = 'new' | 'statusChanged';

/** A log record with what is new about it. */
export type Change = LogRecord & { change: ChangeName; previousStatus: string | null };

/** What stays the same while a message's status changes. */
const FIXED_FIELDS = ['externalId', 'campaign_id', 'identifier', 'from', 'to', 'createdAt'];

/** Tells records apart: by their id, or else by all of them that does not change. */
function hashOf(record: LogRecord): string {
	const key = hasId(record)
		? idText(record.id)
		: JSON.stringify(FIXED_FIELDS.map((field) => record[field]));
	return hash('sha256', key, 'base64url').slice(0, 12);
}

/** Empty for a record without one. */
const statusOf = ({ status }: LogRecord) => String(status ?? '');

/**
 * Compares the log with what was there at the last poll, page by page: of a record that did not change only its hash,
 * status and time are kept. Some hundred thousand whole records in memory make pauses of the collector of 100 ms and more.
 *
 * Every status is taken as it comes, known or not.
 */
export class Comparison {
	/** Short ones: with a sort in between and the collector of memory, n8n waits for less than 50 ms. */
	private readonly turns = new Turns(10);

	/** The place of each known record in `previous.entries`. */
	private readonly known = new Map<string, number>();

	private readonly entries = new Entries();

	/** The changes in the order of the log, each with the place of its record in `entries`. */
	private readonly changes: Array<{ place: number; change: Change }> = [];

	/** The places of records without an id. */
	private readonly withoutId = new LargeMap<number>();

	/** How many records are like the one at this place, itself included. */
	private readonly alike = new Map<number, number>();

	/** The newest time that any record gives, remembered or in the log; s since 1970. */
	private newest = -Infinity;

	/** @param wanted the changes to collect */
	constructor(
		private readonly previous: LogState,
		private readonly wanted: readonly ChangeName[],
	) {
		const { hashes, times, undated } = previous.entries;
		hashes.forEach((each, index) => {
			this.known.set(each, index);
			if (!undated[index]) this.newest = Math.max(this.newest, times[index]);
		});
	}

	/** Takes the next records of the log. */
	async add(records: LogRecord[]): Promise<void> {
		for (const record of records) {
			if (this.turns.isOver) await this.turns.giveWay();
			this.addRecord(record);
		}
	}

	private addRecord(record: LogRecord) {
		const { entries, previous } = this;
		const ms = timeOf(record.createdAt);
		const time = ms === undefined ? Infinity : Math.floor(ms / 1000);
		const isUndated = ms === undefined;
		if (!isUndated) this.newest = Math.max(this.newest, time);
		const key = hashOf(record);
		// The bounds only move on from poll to poll: what was outside at the last one stays outside.
		if (!isWithin(previous, key, time, isUndated)) return;
		if (!hasId(record)) {
			const other = this.withoutId.get(key);
			if (other !== undefined) {
				this.alike.set(other, (this.alike.get(other) ?? 1) + 1);
				return;
			}
			this.withoutId.set(key, entries.length);
		}
		const status = statusOf(record);
		const known = this.known.get(key);
		const before = known === undefined ? undefined : previous.entries.statuses[known];
		if (before !== status) {
			const change = before === undefined ? 'new' : 'statusChanged';
			if (this.wanted.includes(change)) {
				this.changes.push({
					place: entries.length,
					change: { ...record, change, previousStatus: before || null },
				});
			}
		}
		entries.add(key, status, time, isUndated);
	}

	/**
	 * Call when the whole log was added.
	 *
	 * @param horizon records created before this (s since 1970) are left out
	 * @returns the changes in the order of the log, and what to remember for the next poll; how many
	 * records had to be forgotten; how many are not watched because they have no id and are alike
	 */
	async end(
		horizon: number,
		now: number,
	): Promise<{ changes: Change[]; state: LogState; forgotten: number; alike: number }> {
		const { entries, previous, turns } = this;
		const { hashes, statuses, times, undated } = entries;
		// At most `now`. The clock alone does not move the horizon: one that ran ahead once would put all records
		// behind it until that time has come.
		const newest = Number.isFinite(this.newest) ? Math.min(this.newest, now) : now;
		const bounds = boundsAfter(previous, newest - (now - horizon));
		const isFirst = previous.horizon === 0;
		// What is known of an old record stays as it is: the clock may be wrong, and the record not so old.
		const since = isFirst ? bounds.horizon : Math.max(bounds.horizon, horizon);
		const changes: Change[] = [];
		const next = new Entries();
		const isThere = new Uint8Array(previous.entries.length);
		let alike = 0;
		let nextChange = 0;
		for (let index = 0; index < entries.length; index++) {
			if (turns.isOver) await turns.giveWay();
			const change = this.changes[nextChange]?.place === index && this.changes[nextChange++].change;
			const time = undated[index] ? now : times[index];
			if (times[index] < since) continue;
			const same = this.alike.get(index);
			if (same !== undefined) {
				alike += same;
				continue;
			}
			if (!isWithin(bounds, hashes[index], time, undated[index])) continue;
			const known = this.known.get(hashes[index]);
			if (known !== undefined) isThere[known] = 1;
			next.add(hashes[index], statuses[index], time, undated[index]);
			if (change && times[index] >= horizon) changes.push(change);
		}
		const old = previous.entries;
		// A record may be missing from one answer and be back in the next: it is not new then.
		for (let index = 0; index < old.length; index++) {
			if (turns.isOver) await turns.giveWay();
			const [key, time, isUndated] = [old.hashes[index], old.times[index], old.undated[index]];
			if (isThere[index] || !isWithin(bounds, key, time, isUndated)) continue;
			next.add(key, old.statuses[index], time, isUndated);
		}
		return { changes, alike, ...(await bounded(next, bounds, turns)) };
	}
}
