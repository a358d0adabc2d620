import { sleep, UserError } from 'n8n-workflow';
import { READS_AT_ONCE } from '../n8n/connect';
import { text } from '../n8n/values';
import { getLogs, type Ask } from '../service/endpoints';
import { RequestFailed } from '../service/failure';
import type { LogPage, LogRecord } from '../service/types';
import { LargeMap } from '../utils/largeMap';
import { formatNumber } from '../utils/text';
import { othersLeftOut, recordFilter, type Filters } from './logFilters';

/** Records per page. Each page costs a round trip: 500 read five times as fast as 100, and 1,000 hardly faster. */
export const PAGE_SIZE = 500;
/** The size to request when larger pages are refused: similar services usually accept it. */
const MODEST_PAGE_SIZE = 100;
/** The most passes through the log while records are missing: they move between pages when statuses change. */
const MOST_PASSES = 3;

/** Receives the records of a page that no earlier page had, in the service's order. */
export type OnRecords = (records: LogRecord[]) => void | Promise<void>;

/**
 * The result of reading a log. `leftOut`: how many records do not fit the filters, as far as it was read. `warning` says in
 * a sentence that records are missing.
 */
type Scan = { leftOut: number; warning?: string };

/**
 * Returns the log records that fit the filters, up to `limit`, each once, in the service's order.
 *
 * @param limit Infinity for all
 * @param simplify makes of each record what is returned; while the next pages are in flight, because there may be very many
 * @param warn receives a sentence when records are missing, do not fit the filters, or are more than the limit
 * @throws RequestFailed, or what `ask` throws
 */
export async function readLogs<Simplified>(
	filters: Filters,
	limit: number,
	ask: Ask,
	simplify: (record: LogRecord) => Simplified,
	warn: (sentence: string) => void = () => {},
): Promise<Simplified[]> {
	const records: Simplified[] = [];
	const { leftOut, warning } = await scanLogs(filters, limit, ask, (fresh) => {
		for (const record of fresh) records.push(simplify(record));
	});
	if (leftOut > 0) warn(othersLeftOut(leftOut));
	if (warning !== undefined) warn(warning);
	return records;
}

/**
 * Hands over the log records that fit the filters, up to `limit`, each once (by its `id`), page by page. It
 * keeps only their ids, so that a log of any length can be read. Implements docs/development/interface.md, "Get logs".
 *
 * Statuses change while the log is read, and then records move between pages. So the pages are read again while the
 * service counts more records than it gave, up to three times, and new records of a later pass are handed over too.
 *
 * @param limit Infinity for all
 * @throws RequestFailed, what `ask` throws, or UserError when a page lacks `count` or a record its `id`
 */
export async function scanLogs(
	filters: Filters,
	limit: number,
	ask: Ask,
	onRecords: OnRecords,
): Promise<Scan> {
	// A service may ignore a filter: a few records among many others are found faster with large pages.
	const isFiltered = Object.values(filters).some(Boolean);
	const size = isFiltered ? PAGE_SIZE : Math.min(PAGE_SIZE, limit);
	const { first, readPage } = await openLog(filters, size, ask);
	const found = new FoundRecords(filters, limit, onRecords);
	for (let pass = 1; ; pass++) {
		await readPages(found, pass === 1 ? first : await readPage(1), readPage);
		const { leftOut, missing, left } = found;
		if (left <= 0 && (missing > 0 || found.pages > found.taken)) return { leftOut, warning: MORE };
		if (missing <= 0) return { leftOut, warning: found.hasGap ? PAGES_MISSING : undefined };
		if (pass === MOST_PASSES) return { leftOut, warning: recordsMissing(found) };
	}
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
	found.startPass();
	await found.take(first);
	const inFlight: Array<Promise<LogPage>> = [];
	for (let next = 2; ; ) {
		while (inFlight.length < READS_AT_ONCE && found.wantsPage(next, inFlight.length)) {
			const page = readPage(next++);
			// The await below throws its error; until then Node.js must not report it as unhandled.
			page.catch(() => {});
			inFlight.push(page);
		}
		const page = await inFlight.shift();
		if (!page) return;
		// Pages that came at the same time would be handled in one piece.
		await sleep(0);
		await found.take(page);
	}
}

/** The records found so far, over all passes through the log. Keeps only their ids. */
class FoundRecords {
	private readonly ids = new LargeMap<true>();

	/** Records found, whether they fit the filters or not. */
	number = 0;

	/** Records that do not fit the filters. */
	leftOut = 0;

	/** The most records that the service has counted. If records were deleted since, more passes and a warning do no harm. */
	count = 0;

	private passes = 0;

	/** Length of the longest page: a service may return shorter pages than requested. */
	private longest = 0;

	/** Pages of this pass that were taken, and that the service counts: its `count` may be that of one page. */
	taken = 0;

	pages = 0;

	/** A page had no new records, although only the number of pages says how many there are. */
	hasGap = false;

	/** @param left how many records may still be handed over; Infinity for all */
	constructor(
		private readonly filters: Filters,
		public left: number,
		private readonly onRecords: OnRecords,
	) {}

	startPass() {
		this.passes++;
		this.taken = 0;
	}

	/** How many records the service counts but has not returned. */
	get missing() {
		return this.count - this.number;
	}

	/** Whether to request a page now, while other pages are in flight. */
	wantsPage(page: number, inFlight: number): boolean {
		if (this.passes > 1 && this.missing <= 0) return false;
		const length = this.longest || PAGE_SIZE;
		const pages = Math.max(this.pages, Math.ceil(this.count / length));
		return page <= pages && inFlight < Math.ceil(this.left / length);
	}

	/** Hands over the records of a page that are new and fit, up to the limit. */
	async take(page: LogPage): Promise<void> {
		const { number: before } = this;
		this.count = Math.max(this.count, countOf(page));
		this.longest = Math.max(this.longest, page.records.length);
		this.taken++;
		const fits = recordFilter(this.filters);
		const { status = () => true } = this.filters;
		const fresh: LogRecord[] = [];
		for (const record of page.records) {
			const id = idOf(record);
			if (this.left <= 0 || this.ids.get(id)) continue;
			this.ids.set(id, true);
			this.number++;
			if (!fits(record)) this.leftOut++;
			else if (status(record)) {
				this.left--;
				fresh.push(record);
			}
		}
		// The service may count more pages than there are: one that has nothing new is the last.
		const isOver = this.number === before && this.left > 0;
		// A count that is too small says nothing: without a number of pages, the next one is asked for.
		const nextPage = this.number > this.count ? this.taken + 1 : 0;
		const { totalPage = 0 } = page;
		this.pages = isOver ? 0 : Math.max(this.pages, page.totalPage ?? nextPage);
		const isOnlyCount = totalPage >= this.taken && this.count <= this.longest;
		if (isOver && this.passes === 1 && isOnlyCount) this.hasGap = true;
		if (fresh.length > 0) await this.onRecords(fresh);
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

const recordsMissing = ({ count, number, missing }: FoundRecords) =>
	`The service counts ${formatNumber(count)} records but gave only ${formatNumber(number)}, also when asked again: ${formatNumber(missing)} ${missing === 1 ? 'is' : 'are'} missing.`;
