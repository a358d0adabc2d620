import type { Age, Bounds, Known, LogState } from './state';

/** More than this is not remembered; the oldest go first, and the horizon moves to them. */
export const MOST_RECORDS = 20_000;

/** A horizon never goes back: what is behind it is not known any more, and would be told as new. */
export const boundsAfter = ({ horizon, upTo, undatedUpTo }: Bounds, next: number): Bounds =>
	next > horizon ? { horizon: next, undatedUpTo } : { horizon, upTo, undatedUpTo };

export function isWithin(
	{ horizon, upTo = '', undatedUpTo = '' }: Bounds,
	hash: string,
	[createdAt, isUndated]: Age,
): boolean {
	if (isUndated && hash <= undatedUpTo) return false;
	return createdAt > horizon || (createdAt === horizon && hash > upTo);
}

/** As many as may be remembered; the bounds move to the others, so that they are not told again. */
export function bounded(
	records: Map<string, Known>,
	statuses: string[],
	bounds: Bounds,
): { state: LogState; forgotten: number } {
	const forgotten = Math.max(0, records.size - MOST_RECORDS);
	if (forgotten === 0) {
		return { state: { statuses, records: Object.fromEntries(records), ...bounds }, forgotten };
	}
	const inOrder = [...records].sort(youngestFirst);
	const gone = inOrder.slice(MOST_RECORDS);
	const dated = gone.find(([, known]) => !isUndated(known));
	const undated = gone.find(([, known]) => isUndated(known));
	return {
		state: {
			statuses,
			records: Object.fromEntries(inOrder.slice(0, MOST_RECORDS)),
			...bounds,
			...(dated && { horizon: dated[1][1], upTo: dated[0] }),
			...(undated && { undatedUpTo: undated[0] }),
		},
		forgotten,
	};
}

const isUndated = ([, , mark]: Known): number => mark ?? 0;

/**
 * By time; of the same second by the hash, because a horizon has to lie between two of them. Records
 * without a time come first and by their hashes alone: when they were seen says nothing of their age.
 */
function youngestFirst([hashA, a]: [string, Known], [hashB, b]: [string, Known]): number {
	const byTime = isUndated(a) && isUndated(b) ? 0 : b[1] - a[1];
	return isUndated(b) - isUndated(a) || byTime || (hashA < hashB ? 1 : -1);
}
