import { READS_AT_ONCE } from '../n8n/connect';
import type { LogPage } from '../service/types';
import { isCount, type FoundRecords } from './foundRecords';
import { hasId } from './record';

/** Stop after this many pages in a row without new records, even if the service promises more. */
const MOST_PAGES_WITHOUT_NEW = 5;

/** The result of one pass through all pages. */
export type PassResult = {
	/** Every record was found, as far as the service's numbers and its pages show. */
	complete: boolean;
	/** Records to compare with the service's count, see `FoundRecords.comparable`. */
	found: number;
	/** How many records the service counts but did not return; undefined without a usable count. */
	missing?: number;
	/** Length of the shortest page that was cut short, otherwise of the longest page. */
	shortest: number;
};

/**
 * Reads all pages once. The first page says how many there are. The others are read a few at once, and their
 * records are added in the order of the pages. Pages beyond that number are read one by one.
 *
 * @param size the page size of the requests
 */
export async function readPages(
	found: FoundRecords,
	first: LogPage,
	size: number,
	fetchPage: (number: number) => Promise<LogPage>,
): Promise<PassResult> {
	const fetchCounted = async (number: number) => {
		const before = found.highestCount;
		const page = await fetchPage(number);
		found.noteCount(page.count, before);
		return page;
	};
	found.noteCount(first.count, found.highestCount);
	const pages = new Pages(found, size);
	await pages.add(first);
	const inFlight: Array<Promise<LogPage>> = [];
	try {
		for (let next = 2; ; ) {
			while (inFlight.length < READS_AT_ONCE && pages.isWanted(next, inFlight.length)) {
				const page = fetchCounted(next++);
				// The await below throws its error; until then Node.js must not report it as unhandled.
				page.catch(() => {});
				inFlight.push(page);
			}
			const page = inFlight.shift();
			if (!page) return pages.result;
			await pages.add(await page);
		}
	} finally {
		await Promise.allSettled(inFlight);
	}
}

/**
 * The pages of one pass through the log: decides how many more to read, and whether all records were found.
 *
 * The service's `count` decides, unless more records were found than it says. It may grow while the log is
 * read, so the largest one is used. Without a count, a pass is complete when no record was returned twice, no page
 * but the last was shorter than another, and the service announced no further page. This works because a record that
 * moves to an earlier page pushes another record to a later page, where it is returned again. It works only if the
 * pages are read one by one, so without a count they are.
 */
class Pages {
	private count?: number;

	/** The number of pages that the service announced. */
	private promised?: number;

	/** Pages added so far. */
	private added = 0;

	private longest = 0;

	private shortest = Infinity;

	private lastLength = 0;

	/** Length of the shortest page that was cut short: not empty, shorter than another page, and not the last. */
	private cutTo?: number;

	/** Pages in a row without new records. */
	private withoutNew = 0;

	/** A record was returned twice, or a page before the last was shorter than another. */
	private hasGaps = false;

	/** The latest page as JSON, if it has records without an id. */
	private lastText?: string;

	constructor(
		private readonly found: FoundRecords,
		private readonly size: number,
	) {}

	async add({ records, count, totalPage }: LogPage): Promise<void> {
		if (isCount(count)) this.count = Math.max(this.count ?? 0, count);
		if (isCount(totalPage)) this.promised = Math.max(this.promised ?? 0, totalPage);
		const { firstInPass, repeated } = this.isSamePage(records)
			? { firstInPass: 0, repeated: true }
			: await this.found.add(records);
		const { length } = records;
		this.added++;
		this.lastLength = length;
		this.withoutNew = firstInPass > 0 ? 0 : this.withoutNew + 1;
		this.hasGaps ||= repeated;
		if (length > 0) {
			this.longest = Math.max(this.longest, length);
			if (this.shortest < this.longest) {
				this.hasGaps = true;
				if (this.shortest > 0) this.cutTo = Math.min(this.cutTo ?? Infinity, this.shortest);
			}
		}
		this.shortest = Math.min(this.shortest, length);
	}

	/**
	 * Whether the same page, with records without ids, was returned again. The service then ignores the page number, and
	 * without ids nothing else would end the reading.
	 */
	private isSamePage(records: LogPage['records']): boolean {
		const text = records.every(hasId) ? undefined : JSON.stringify(records);
		const isSame = text !== undefined && text === this.lastText;
		this.lastText = text;
		return isSame;
	}

	/** Whether to request a page now, while other pages are in flight. */
	isWanted(page: number, inFlight: number): boolean {
		const { found, longest } = this;
		if (found.wanted <= 0 || this.isOver) return false;
		if (page > this.expected || this.count === undefined) return inFlight === 0;
		return inFlight < Math.ceil(found.wanted / Math.max(1, longest));
	}

	/** How many pages there should be: the number that the service announced, or the one that follows from its count. */
	private get expected(): number {
		const { count, longest, promised } = this;
		const byCount = count !== undefined && longest > 0 ? Math.ceil(count / longest) : 0;
		return Math.max(promised ?? 0, byCount);
	}

	/** How many records are missing; undefined if the service gives no count, or one that is too small. */
	private get missing(): number | undefined {
		const missing = (this.count ?? -1) - this.found.comparable;
		return missing >= 0 ? missing : undefined;
	}

	private get isOver(): boolean {
		const { count, promised, withoutNew, found, missing } = this;
		if (withoutNew >= MOST_PAGES_WITHOUT_NEW || (found.isReadAgain && missing === 0)) return true;
		if (this.added < this.expected) return false;
		// A full last page proves nothing if the number of pages is unknown: `count` may count only that page.
		const isLastPage = promised !== undefined || this.lastLength < this.size;
		if (missing !== undefined && isLastPage) return true;
		// Without a count, one empty page may be followed by others with records.
		return withoutNew >= (count === undefined ? 2 : 1);
	}

	get result(): PassResult {
		const { found: records, missing } = this;
		const found = records.comparable;
		const shortest = this.cutTo ?? this.longest;
		if (records.wanted <= 0) return { complete: true, found, shortest };
		if (missing !== undefined) return { complete: missing === 0, found, missing, shortest };
		const complete = !this.hasGaps && this.added >= (this.promised ?? 0);
		return { complete, found, shortest };
	}
}
