import type { Turns } from '../host/turns';
import type { Age, Bounds, Known, LogState } from './state';

/** More than this is not remembered; the oldest go first, and the horizon moves to them. */
export const MOST_RECORDS = 20_000;
/** Records that are sorted in one piece, into those that are sorted already: a few ms. */
const BATCH = 2000;

type Entry = [hash: string, known: Known];

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
export async function bounded(
	records: Map<string, Known>,
	statuses: string[],
	bounds: Bounds,
	turns: Turns,
): Promise<{ state: LogState; forgotten: number }> {
	const forgotten = Math.max(0, records.size - MOST_RECORDS);
	if (forgotten === 0) {
		return { state: { statuses, records: Object.fromEntries(records), ...bounds }, forgotten };
	}
	const { kept, dated, undated } = await youngest(records, turns);
	return {
		state: {
			statuses,
			records: Object.fromEntries(kept),
			...bounds,
			...(dated && { horizon: dated[1][1], upTo: dated[0] }),
			...(undated && { undatedUpTo: undated[0] }),
		},
		forgotten,
	};
}

/**
 * The youngest {@link MOST_RECORDS}, and the youngest two of the others: with a time and without. Sorted batch by
 * batch, because a log of some hundred thousand in one piece keeps n8n from everything else for a second.
 */
async function youngest(records: Map<string, Known>, turns: Turns) {
	const kept: Entry[] = [];
	const gone: { dated?: Entry; undated?: Entry } = {};
	const letGo = (entry: Entry) => {
		const kind = isUndated(entry[1]) ? 'undated' : 'dated';
		const other = gone[kind];
		if (!other || youngestFirst(entry, other) < 0) gone[kind] = entry;
	};
	let oldestKept: Entry | undefined;
	let unsorted = 0;
	const sortAndCut = () => {
		kept.sort(youngestFirst);
		for (const entry of kept.splice(MOST_RECORDS)) letGo(entry);
		oldestKept = kept[MOST_RECORDS - 1];
		unsorted = 0;
	};
	for (const entry of records) {
		if (turns.isOver) await turns.giveWay();
		if (oldestKept && youngestFirst(oldestKept, entry) < 0) {
			letGo(entry);
		} else {
			kept.push(entry);
			unsorted++;
		}
		if (unsorted === BATCH) sortAndCut();
	}
	sortAndCut();
	return { kept, ...gone };
}

const isUndated = ([, , mark]: Known): number => mark ?? 0;

/**
 * By time; of the same second by the hash, because a horizon has to lie between two of them. Records
 * without a time come first and by their hashes alone: when they were seen says nothing of their age.
 */
function youngestFirst([hashA, a]: Entry, [hashB, b]: Entry): number {
	const byTime = isUndated(a) && isUndated(b) ? 0 : b[1] - a[1];
	return isUndated(b) - isUndated(a) || byTime || (hashA < hashB ? 1 : -1);
}
