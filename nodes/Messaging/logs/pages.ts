import type { LogPage } from '../service/types';
import { hasId } from './hasId';
import { isCount, type Counts } from './counts';
import type { Found, Taken } from './found';

const SAME_PAGE: Taken = { firstInPass: 0, repeated: true };

/** So many pages in a row that bring nothing, and the pages that the service still promises are not believed. */
const MOST_BARREN = 5;

export type Verdict = {
	complete: boolean;
	/** Records that came, as far as they can be held against what the service counts. */
	came: number;
	/** Records that the service counts and did not give, when it counts at all. */
	missing?: number;
	/** Length of the shortest page that others followed; 0 when nothing came. */
	shortest?: number;
};

/**
 * What the pages of one pass say about the whole: how many more to read, and whether all came.
 *
 * `count` is the measure when it can be true, that is, when no more came than it says. It may grow
 * while we read: the largest counts. Once it fell, earlier passes may have brought records that are
 * there no longer, and in the place of each another one may be missing: then only what came in this
 * pass is held against it. Without a count, a pass is whole when no record came twice, no page but
 * the last was shorter than the others, and nothing came after the last. (A record that moved to a
 * page already read leaves its place to another one, which then comes twice.) That holds for
 * pages read one after the other only, so then they are.
 */
export class Pages {
	private count?: number;

	private promised?: number;

	/** Pages taken so far. */
	private taken = 0;

	private longest = 0;

	private lastLength = 0;

	/** Pages in a row that brought nothing. */
	private barren = 0;

	private shortest = Infinity;

	/** The shortest one that brought something, was shorter than others, and was not the last. */
	private cutTo?: number;

	/** The last page that holds records without an id, as text. */
	private lastText?: string;

	/** A record came twice, or a page that came short was not the last. */
	private torn = false;

	constructor(
		private readonly found: Found,
		private readonly size: number,
		private readonly counts: Counts,
	) {}

	async add({ records, count, totalPage }: LogPage): Promise<void> {
		if (isCount(count)) this.count = Math.max(this.count ?? 0, count);
		if (isCount(totalPage)) this.promised = Math.max(this.promised ?? 0, totalPage);
		const text = records.every(hasId) ? undefined : JSON.stringify(records);
		// The same page again: the service does not turn pages, and nothing else would end this.
		const isSame = text !== undefined && text === this.lastText;
		this.lastText = text;
		const { firstInPass, repeated } = isSame ? SAME_PAGE : await this.found.add(records);
		const { length } = records;
		this.taken++;
		this.lastLength = length;
		this.barren = firstInPass > 0 ? 0 : this.barren + 1;
		this.torn ||= repeated;
		if (length > 0) {
			this.longest = Math.max(this.longest, length);
			if (this.shortest < this.longest) {
				this.torn = true;
				if (this.shortest > 0) this.cutTo = Math.min(this.cutTo ?? Infinity, this.shortest);
			}
		}
		this.shortest = Math.min(this.shortest, length);
	}

	/** Whether this page is to be asked for now, while so many others are under way. */
	isWanted(page: number, underWay: number): boolean {
		const { found, longest } = this;
		if (found.wanted <= 0 || this.isOver) return false;
		if (page > this.expected || this.count === undefined) return underWay === 0;
		return underWay < Math.ceil(found.wanted / Math.max(1, longest));
	}

	/** Pages that there should be: as the service says, or as follows from its count. */
	private get expected(): number {
		const { count, longest, promised } = this;
		const byCount = count !== undefined && longest > 0 ? Math.ceil(count / longest) : 0;
		return Math.max(promised ?? 0, byCount);
	}

	private get came(): number {
		return this.counts.fell ? this.found.sizeInPass : this.found.size;
	}

	private get isOver(): boolean {
		const { count, promised, taken, barren, found, came } = this;
		if (barren >= MOST_BARREN || (found.isReadAgain && came === count)) return true;
		if (taken < this.expected) return false;
		// A count that is reached by a full last page could be that of the page.
		const ends = promised !== undefined || this.lastLength < this.size;
		if (count !== undefined && came <= count && ends) return true;
		// Where nothing is counted, an empty page could be one in the middle.
		return barren >= (count === undefined ? 2 : 1);
	}

	get verdict(): Verdict {
		const { count, found, promised, taken, torn, came } = this;
		if (found.wanted <= 0) return { complete: true, came };
		const shortest = this.cutTo ?? this.longest;
		if (count !== undefined && came <= count) {
			const missing = count - came;
			return missing === 0
				? { complete: true, came }
				: { complete: false, came, missing, shortest };
		}
		return { complete: !torn && taken >= (promised ?? 0), came, shortest };
	}
}
