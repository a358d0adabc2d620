/** Where memory ends. */
export type Bounds = {
	/** Records created before this (s since 1970) are not watched any more. */
	horizon: number;
	/** Nor are those created in that very second whose hash does not come after this one. */
	upTo?: string;
	/** The same for records that do not say when they were created. */
	undatedUpTo?: string;
};

/** The log at the last poll. */
export type LogState = Bounds & { entries: Entries };

/** What is saved of it in the workflow's static data. */
export type SavedState = Bounds & {
	statuses: string[];
	/**
	 * The records as one text, because n8n wraps and copies every object in static data, each time in one piece: an array
	 * for each of 20,000 records took it 80 to 180 ms whenever it loaded the workflow.
	 */
	records: string;
};

/** What version 0.2 and older saved: statuses by their places in `statuses`, and a 1 behind a time that is no creation's. */
export type OldState = Bounds & {
	statuses: string[];
	records: { [hash: string]: [status: number, createdAt: number, isUndated?: 1] };
};

/** Log records as they are remembered. Columns instead of an object each: the collector of memory passes over them. */
export class Entries {
	/** What tells each record from the others. */
	readonly hashes: string[] = [];

	readonly statuses: string[] = [];

	/** When the record was created (s since 1970); of an undated one, when it was last seen. */
	readonly times: number[] = [];

	/** The record does not say when it was created. */
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

export const isWithin = (
	{ horizon, upTo = '', undatedUpTo = '' }: Bounds,
	hash: string,
	time: number,
	isUndated: boolean,
): boolean =>
	!(isUndated && hash <= undatedUpTo) && (time > horizon || (time === horizon && hash > upTo));

/** A horizon never goes back: what is behind it is not known any more, and would be told as new. */
export const boundsAfter = ({ horizon, upTo, undatedUpTo }: Bounds, next: number): Bounds =>
	next > horizon ? { horizon: next, undatedUpTo } : { horizon, upTo, undatedUpTo };

/** What there is to compare with before the first poll. */
export const nothingKnown = (): LogState => ({ horizon: 0, entries: new Entries() });

/** A hash of 12 characters, the number of the status, and the time behind a mark that says which one it is. */
const SAVED_RECORD = /([\w-]{12})([0-9a-z]+)([.~])([0-9a-z]+)/g;

export function saved({ entries, ...bounds }: LogState): SavedState {
	const { hashes, statuses, times, undated } = entries;
	const numbers = new Map<string, number>();
	const records = hashes.map((hash, index) => {
		const number = numbers.get(statuses[index]) ?? numbers.size;
		numbers.set(statuses[index], number);
		return `${hash}${number.toString(36)}${undated[index] ? '~' : '.'}${times[index].toString(36)}`;
	});
	return { ...bounds, statuses: [...numbers.keys()], records: records.join(' ') };
}

export function loaded({ statuses, records, ...bounds }: SavedState | OldState): LogState {
	const entries = new Entries();
	if (typeof records === 'string') {
		for (const [, hash, status, mark, time] of records.matchAll(SAVED_RECORD)) {
			entries.add(hash, statuses[parseInt(status, 36)], parseInt(time, 36), mark === '~');
		}
	} else {
		for (const [hash, [status, time, isUndated]] of Object.entries(records)) {
			entries.add(hash, statuses[status], time, isUndated === 1);
		}
	}
	return { ...bounds, entries };
}
