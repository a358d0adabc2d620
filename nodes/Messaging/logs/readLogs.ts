import { sleep, UserError } from 'n8n-workflow';
import { READS_AT_ONCE } from '../n8n/connect';
import { text } from '../n8n/values';
import { getLogs, type Ask } from '../service/endpoints';
import { RequestFailed } from '../service/failure';
import type { LogPage, LogRecord } from '../service/types';
import { LargeMap } from '../utils/largeMap';
import { formatNumber } from '../utils/text';
import { recordFilter, type Filters } from './logFilters';

/** Records per page. Each page costs a round trip: 500 read five times as fast as 100, and 1,000 hardly faster. */
export const PAGE_SIZE = 500;
/** The size to request when larger pages are refused: similar services usually accept it. */
const MODEST_PAGE_SIZE = 100;
/** The most passes through the log while records are missing: they move between pages when statuses change. */
const MOST_PASSES = 3;

/** Says in sentences what is wrong with a log that was read. */
type Remarks = {
	/** Records that do not fit the filters were left out. */
	leftOut?: string;
	/** There are more records than were handed over. */
	missing?: string;
};

/**
 * Hands over the log records that fit the filters, up to `limit`, each once (by its `id`). It keeps only their ids, so
 * that a log of any length can be read. Implements docs/development/interface.md, "Get logs".
 *
 * Statuses change while the log is read, and then records move between pages. So the pages are read again while the
 * service counts more records than it gave, up to three times, and new records of a later pass are handed over too.
 *
 * @param limit Infinity for all
 * @throws RequestFailed, what `ask` throws, or UserError when a page lacks `count` or a record its `id`
 */
export async function readLogs(
	filters: Filters,
	limit: number,
	ask: Ask,
	onRecord: (record: LogRecord) => void,
): Promise<Remarks> {
	// A service may ignore a filter: a few records among many others are found faster with large pages.
	const isFiltered = Object.values(filters).some(Boolean);
	const size = isFiltered ? PAGE_SIZE : Math.min(PAGE_SIZE, limit);
	const { first, readPage } = await openLog(filters, size, ask);
	const found = new FoundRecords(filters, limit, onRecord);
	await readPages(found, first, readPage);
	for (let pass = 2; pass <= MOST_PASSES && found.missing > 0 && found.left > 0; pass++) {
		await readPages(found, await readPage(1), readPage);
	}
	return found.remarks;
}

/** Reads one page by its number, from 1. */
type ReadPage = (number: number) => Promise<LogPage>;

/** Reads the first page, in a size that the service accepts, and returns a function that reads the others. */
export async function openLog(
	filters: Filters,
	size: number,
	ask: Ask,
): Promise<{ first: LogPage; readPage: ReadPage }> {
	const readPage: ReadPage = async (number) => await ask(getLogs(filters, { size, number }));
	const first = await readPage(1).catch((error: unknown) => {
		const isRefused = error instanceof RequestFailed && error.failure.reason === 'refused';
		if (isRefused && size > MODEST_PAGE_SIZE) return undefined;
		throw error;
	});
	return first ? { first, readPage } : await openLog(filters, MODEST_PAGE_SIZE, ask);
}

/** Reads all pages once, a few at the same time; their records are taken in the order of the pages. */
async function readPages(found: FoundRecords, first: LogPage, readPage: ReadPage): Promise<void> {
	found.take(first);
	const inFlight: Array<Promise<LogPage>> = [];
	for (let number = 2; ; number++) {
		while (found.wantsPage(number + inFlight.length, inFlight.length)) {
			const page = readPage(number + inFlight.length);
			// The await below throws its error; until then Node.js must not report it as unhandled.
			page.catch(() => {});
			inFlight.push(page);
		}
		const page = await inFlight.shift();
		if (!page) return;
		// Pages that came at the same time would be handled in one piece.
		await sleep(0);
		found.take(page);
	}
}

/** The records found so far, over all passes through the log. Keeps only their ids. */
class FoundRecords {
	private readonly ids = new LargeMap<true>();

	/** Records found, whether they fit the filters or not. */
	private number = 0;

	/** Records that do not fit the filters. */
	private leftOut = 0;

	/** The most records that the service has counted. If records were deleted since, more passes and a warning do no harm. */
	private count = 0;

	/** The most pages that the service has counted. */
	private totalPage = 0;

	/** How many pages had new records. */
	private newPages = 0;

	/** The page that was taken last had nothing new: if only `totalPage` says that there are more, it is not believed. */
	private isOver = false;

	/** The page that was taken last had no records: the others have none either. */
	private isEmpty = false;

	/** A record that fits came after the limit. */
	private isCut = false;

	/** Length of the longest page. A service may return shorter pages than requested; one of more is no page, but the log. */
	private longest = 0;

	/** @param left how many records may still be handed over; Infinity for all */
	constructor(
		private readonly filters: Filters,
		public left: number,
		private readonly onRecord: (record: LogRecord) => void,
	) {}

	/** How many records the service counts but has not returned. */
	get missing() {
		return this.count - this.number;
	}

	/** How many pages to read, as far as it is known. A count that is too small says nothing. */
	private get pages() {
		const byCount = this.missing > 0 ? Math.ceil(this.count / (this.longest || PAGE_SIZE)) : 0;
		const stated = this.totalPage || (this.missing < 0 ? Infinity : 0);
		return Math.max(byCount, this.isOver ? 0 : stated);
	}

	/** Whether to request a page now, while other pages are in flight. */
	wantsPage(number: number, inFlight: number): boolean {
		const most = Math.min(READS_AT_ONCE, Math.ceil(this.left / (this.longest || PAGE_SIZE)));
		return !this.isEmpty && number <= this.pages && inFlight < most;
	}

	/** Hands over the records of a page that are new and fit, up to the limit. */
	take(page: LogPage) {
		const { number: before } = this;
		// Some services say only on the first page how many there are.
		this.count = Math.max(this.count, this.newPages > 0 ? (page.count ?? 0) : countOf(page));
		this.totalPage = Math.max(this.totalPage, page.totalPage ?? 0);
		this.longest = Math.max(this.longest, Math.min(PAGE_SIZE, page.records.length));
		const fits = recordFilter(this.filters);
		const { status = () => true } = this.filters;
		for (const record of page.records) {
			const id = idOf(record);
			if (this.ids.get(id)) continue;
			const isAskedFor = fits(record);
			const isWanted = isAskedFor && status(record);
			if (this.left <= 0) {
				this.isCut ||= isWanted;
				continue;
			}
			this.ids.set(id, true);
			this.number++;
			if (isWanted) {
				this.left--;
				this.onRecord(record);
			} else if (!isAskedFor) this.leftOut++;
		}
		this.isEmpty = page.records.length === 0;
		this.isOver = this.number === before && this.left > 0;
		if (this.number > before) this.newPages++;
	}

	get remarks(): Remarks {
		const leftOut = this.leftOut > 0 ? recordsLeftOut(this.leftOut) : undefined;
		return { leftOut, missing: this.doubt };
	}

	/** Says in a sentence that there are more records; undefined when nothing says so. */
	private get doubt(): string | undefined {
		const { missing, count, number } = this;
		// A count that is larger than a page is that of the whole log, and an empty log may have one page.
		const isSure = count > this.longest || this.totalPage <= Math.max(1, this.newPages);
		if (this.left <= 0) {
			const isCounted = missing === 0 || this.totalPage > 0;
			return missing > 0 || this.isCut || !isSure || !isCounted ? MORE : undefined;
		}
		if (missing > 0) {
			return `The service counts ${formatNumber(count)} records but gave only ${formatNumber(number)}, also when asked again: ${formatNumber(missing)} ${missing === 1 ? 'is' : 'are'} missing.`;
		}
		return isSure ? undefined : PAGES_MISSING;
	}
}

/** @throws UserError when a page has records and neither `count` nor `totalPage` */
export function countOf({ count, totalPage, records }: LogPage): number {
	if (count !== undefined) return count;
	if (totalPage !== undefined || records.length === 0) return records.length;
	throw new UserError(
		"The service's answer has no 'count', so nobody knows how many log records there are.",
	);
}

/** @throws UserError when a record has no `id` */
export function idOf(record: LogRecord): string {
	const id = text(record.id);
	if (id !== '') return id;
	throw new UserError(
		"The service returned a log record without an 'id', so it may count the same record twice.",
	);
}

const MORE =
	"The limit was reached before the end of the logs, which have no particular order. Turn on 'Return All' to get all records.";

const PAGES_MISSING = 'The service counts more pages than it gave: log records may be missing.';

const recordsLeftOut = (count: number) =>
	`The service also gave ${formatNumber(count)} ${count === 1 ? 'record that was not asked for: it was' : 'records that were not asked for: they were'} left out.`;
