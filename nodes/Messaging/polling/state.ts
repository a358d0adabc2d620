/** When a record was created (s since 1970); of one that does not say, when it was last seen, and a 1. */
export type Age = [createdAt: number, isUndated?: 1];

/** A record as it is remembered: its status (a place in `statuses`) and its age. */
export type Known = [status: number, ...age: Age];

/** Where memory ends. */
export type Bounds = {
	/** Records created before this (s since 1970) are not watched any more. */
	horizon: number;
	/** Nor are those created in that very second whose hash does not come after this one. */
	upTo?: string;
	/** The same for records that do not say when they were created. */
	undatedUpTo?: string;
};

/**
 * What was there at the last look, small enough for the workflow's static data: the records by a hash
 * of what tells them apart.
 */
export type LogState = Bounds & {
	statuses: string[];
	records: { [hash: string]: Known };
};

/** What there is to compare with before the first look. */
export const NOTHING_KNOWN: LogState = { statuses: [], records: {}, horizon: 0 };
