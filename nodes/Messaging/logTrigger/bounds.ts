import type { TimeSlice } from '../utils/concurrency';
import { Entries, type Bounds, type LogState } from './state';

/** More than this is not remembered; the oldest go first, and the horizon moves to them. */
export const MOST_RECORDS = 20_000;
/** Records that are sorted in one piece, into those that are sorted already: a few ms. */
const BATCH = 2000;

/** As many as may be remembered; the bounds move to the others, so that they are not told again. */
export async function bounded(
	entries: Entries,
	bounds: Bounds,
	slice: TimeSlice,
): Promise<{ state: LogState; forgotten: number }> {
	const forgotten = Math.max(0, entries.length - MOST_RECORDS);
	if (forgotten === 0) return { state: { ...bounds, entries }, forgotten };
	const { hashes, statuses, times, undated } = entries;
	const { kept, youngestDated, youngestUndated } = await youngest(entries, slice);
	const remembered = new Entries();
	for (const index of kept) {
		remembered.add(hashes[index], statuses[index], times[index], undated[index]);
	}
	const state: LogState = { ...bounds, entries: remembered };
	if (youngestDated !== undefined) {
		state.horizon = times[youngestDated];
		state.upTo = hashes[youngestDated];
	}
	if (youngestUndated !== undefined) state.undatedUpTo = hashes[youngestUndated];
	return { state, forgotten };
}

/**
 * The places of the youngest {@link MOST_RECORDS}, and of the youngest two of the others: with a time and without.
 * Sorted batch by batch, because a log of some hundred thousand in one piece keeps n8n from everything else for a second.
 */
async function youngest({ hashes, times, undated }: Entries, slice: TimeSlice) {
	/**
	 * By time; of the same second by the hash, because a horizon has to lie between two of them. Records
	 * without a time come first and by their hashes alone: when they were seen says nothing of their age.
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
		for (const index of kept.splice(MOST_RECORDS)) drop(index);
		oldestKept = kept[MOST_RECORDS - 1];
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
