import type { TimeSlice } from '../utils/concurrency';

/** Says which records are no longer watched. The field names are saved with the workflow. */
export type Bounds = {
	/** Records created before this (s since 1970) are not watched. */
	horizon: number;
	/** Of the records created in the second of the horizon, those with a hash up to this one are not watched. */
	upTo?: string;
	/** Records without a creation time are not watched if their hash is not above this one. */
	undatedUpTo?: string;
};

/** What the trigger knows of the log since the last poll. */
export type KnownLog = Bounds & { records: KnownRecords };

/** A known log, as it is saved in the workflow's static data. */
export type SavedLog = Bounds & {
	statuses: string[];
	/**
	 * All records in one string. n8n wraps and copies every object in static data without yielding: an array for each of
	 * 20,000 records cost 80 to 180 ms whenever n8n loaded the workflow.
	 */
	records: string;
};

/** What version 0.2 saved. `status` is an index of `statuses`; the 1 marks a record without a creation time. */
export type SavedLogOfVersion02 = Bounds & {
	statuses: string[];
	records: { [hash: string]: [status: number, createdAt: number, isUndated?: 1] };
};

/** Known records in columns, because the garbage collector would have to visit an object for each record. */
export class KnownRecords {
	/** The hashes that identify the records. */
	readonly hashes: string[] = [];

	readonly statuses: string[] = [];

	/** Creation times (s since 1970); for an undated record the time of the last poll that returned it. */
	readonly times: number[] = [];

	/** Whether the record has no creation time. */
	readonly undated: boolean[] = [];

	get length() {
		return this.hashes.length;
	}

	add(hash: string, status: string, time: number, isUndated: boolean) {
		this.hashes.push(hash);
		this.statuses.push(status);
		this.times.push(time);
		this.undated.push(isUndated);
	}
}

/** What is known before the first poll. */
export const emptyLog = (): KnownLog => ({ horizon: 0, records: new KnownRecords() });

export const isWatched = (
	{ horizon, upTo = '', undatedUpTo = '' }: Bounds,
	hash: string,
	time: number,
	isUndated: boolean,
): boolean =>
	!(isUndated && hash <= undatedUpTo) && (time > horizon || (time === horizon && hash > upTo));

/** Moves the horizon forward. It never moves back: records behind it are unknown and would seem new. */
export const moveHorizon = ({ horizon, upTo, undatedUpTo }: Bounds, next: number): Bounds =>
	next > horizon ? { horizon: next, undatedUpTo } : { horizon, upTo, undatedUpTo };

/** The most records that are known: they limit the static data, which n8n saves and loads with the workflow. */
export const MAX_RECORDS = 20_000;

/** Drops the oldest records above {@link MAX_RECORDS}, and moves the bounds so that they do not seem new later. */
export async function dropOldest(
	{ records, ...bounds }: KnownLog,
	slice: TimeSlice,
): Promise<{ log: KnownLog; dropped: number }> {
	const dropped = Math.max(0, records.length - MAX_RECORDS);
	if (dropped === 0) return { log: { ...bounds, records }, dropped };
	const { hashes, statuses, times, undated } = records;
	const { kept, youngestDated, youngestUndated } = await youngest(records, slice);
	const remaining = new KnownRecords();
	for (const index of kept) {
		remaining.add(hashes[index], statuses[index], times[index], undated[index]);
	}
	const log: KnownLog = { ...bounds, records: remaining };
	if (youngestDated !== undefined) {
		log.horizon = times[youngestDated];
		log.upTo = hashes[youngestDated];
	}
	if (youngestUndated !== undefined) log.undatedUpTo = hashes[youngestUndated];
	return { log, dropped };
}

/** How many records to sort at once: this takes a few ms; sorting several hundred thousand would block n8n for a second. */
const BATCH = 2000;

/**
 * Finds the records to keep.
 *
 * @returns `kept`: indexes of the youngest {@link MAX_RECORDS}; `youngestDated` and `youngestUndated`: indexes of the
 * youngest dropped record with and without a creation time
 */
async function youngest({ hashes, times, undated }: KnownRecords, slice: TimeSlice) {
	/**
	 * Sorts by time, and within a second by hash, because the horizon has to lie between two records. Undated
	 * records come first and by hash only: the time of the poll that returned them does not show their age.
	 */
	const youngestFirst = (a: number, b: number): number => {
		if (undated[a] !== undated[b]) return undated[a] ? -1 : 1;
		const byTime = undated[a] ? 0 : times[b] - times[a];
		return byTime || (hashes[a] < hashes[b] ? 1 : -1);
	};
	const kept: number[] = [];
	let youngestDated: number | undefined;
	let youngestUndated: number | undefined;
	const drop = (index: number) => {
		const other = undated[index] ? youngestUndated : youngestDated;
		if (other !== undefined && youngestFirst(index, other) > 0) return;
		if (undated[index]) youngestUndated = index;
		else youngestDated = index;
	};
	let oldestKept: number | undefined;
	let unsorted = 0;
	const sortAndCut = () => {
		kept.sort(youngestFirst);
		for (const index of kept.splice(MAX_RECORDS)) drop(index);
		oldestKept = kept[MAX_RECORDS - 1];
		unsorted = 0;
	};
	for (let index = 0; index < hashes.length; index++) {
		if (slice.isOver) await slice.yieldIfOver();
		if (oldestKept !== undefined && youngestFirst(oldestKept, index) < 0) {
			drop(index);
		} else {
			kept.push(index);
			unsorted++;
		}
		if (unsorted === BATCH) sortAndCut();
	}
	sortAndCut();
	await slice.yieldIfOver();
	return { kept, youngestDated, youngestUndated };
}

/** Matches a saved record: hash, index of the status, `.` for a creation time or `~` for the time of a poll, and the time. */
const SAVED_RECORD = /([\w-]{12})([0-9a-z]+)([.~])([0-9a-z]+)/g;

export function saveLog({ records, ...bounds }: KnownLog): SavedLog {
	const { hashes, statuses, times, undated } = records;
	const indexes = new Map<string, number>();
	const saved = hashes.map((hash, place) => {
		const index = indexes.get(statuses[place]) ?? indexes.size;
		indexes.set(statuses[place], index);
		return `${hash}${index.toString(36)}${undated[place] ? '~' : '.'}${times[place].toString(36)}`;
	});
	return { ...bounds, statuses: [...indexes.keys()], records: saved.join(' ') };
}

export function loadLog({
	statuses,
	records: saved,
	...bounds
}: SavedLog | SavedLogOfVersion02): KnownLog {
	const records = new KnownRecords();
	if (typeof saved === 'string') {
		for (const [, hash, status, mark, time] of saved.matchAll(SAVED_RECORD)) {
			records.add(hash, statuses[parseInt(status, 36)], parseInt(time, 36), mark === '~');
		}
	} else {
		for (const [hash, [status, time, isUndated]] of Object.entries(saved)) {
			records.add(hash, statuses[status], time, isUndated === 1);
		}
	}
	return { ...bounds, records };
}
