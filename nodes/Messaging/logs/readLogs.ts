import { getLogs, type Ask } from '../service/endpoints';
import { RequestFailed } from '../service/failure';
import type { LogPage, LogRecord } from '../service/types';
import { formatNumber } from '../utils/text';
import { FoundRecords, type OnRecords } from './foundRecords';
import { othersLeftOut, recordFilter, type Filters } from './logFilters';
import { readPages } from './pages';

/**
 * Records per page; the largest size is not documented. Each page costs a round trip: pages of 500 read
 * five times as fast as pages of 100, and pages of 1,000 hardly faster with several in flight.
 */
const PAGE_SIZE = 500;
/** The size to request when larger pages are refused: similar services usually accept it. */
const MODEST_PAGE_SIZE = 100;
/** The smallest size to request, even if the service returns shorter pages. */
const SMALLEST_PAGE_SIZE = 20;
/** The most passes through the log while records are missing: they move between pages when statuses change. */
const MOST_PASSES = 3;

/** The result of reading a log. */
export type Scan = {
	/** Records that do not fit the filters, as far as the log was read; they were not handed over. */
	leftOut: number;
} & (
	| { complete: true }
	| {
			complete: false;
			/** Says in a sentence that records are missing. */
			warning: string;
	  }
);

/**
 * Returns the log records that fit the filters, up to `limit`, each once, in the service's order.
 *
 * @param limit Infinity for all
 * @param warn receives a sentence when records are missing, or do not fit the filters
 * @throws RequestFailed, or what `ask` throws
 */
export async function readLogs(
	filters: Filters,
	limit: number,
	ask: Ask,
	warn: (sentence: string) => void = () => {},
): Promise<LogRecord[]> {
	const records: LogRecord[] = [];
	const scan = await scanLogs(filters, limit, ask, (fresh) => {
		for (const record of fresh) records.push(record);
	});
	if (scan.leftOut > 0) warn(othersLeftOut(scan.leftOut));
	if (!scan.complete) warn(scan.warning);
	return records;
}

/**
 * Hands over the log records that fit the filters, up to `limit`, each once (by its `id`), page by page. It
 * keeps only their ids, so that a log of any length can be read.
 *
 * The service does not document page sizes or the order of records (docs/interface.md, "Get logs"). So the
 * pages are read again when the records do not agree with the service's count, and new records of a later
 * pass are handed over too. When they still do not agree, the result says so. A service may ignore a
 * filter or combine filters with "or": records that do not fit are left out.
 *
 * @param limit Infinity for all
 * @throws RequestFailed, or what `ask` throws
 */
export async function scanLogs(
	filters: Filters,
	limit: number,
	ask: Ask,
	onRecords: OnRecords,
): Promise<Scan> {
	const fits = recordFilter(filters);
	const found = new FoundRecords(limit, fits, onRecords, filters.status);
	const fetchPage = async (number: number, size: number) =>
		await ask(getLogs(filters, { size, number }));
	// The service does not filter by status: a few records among many others are found faster with large pages.
	const smallest = filters.status ? PAGE_SIZE : Math.min(PAGE_SIZE, limit);
	const start = await firstPage(smallest, fits, fetchPage);
	let { size } = start;
	let first = start.page;
	for (let pass = 1; ; pass++) {
		found.startPass();
		const result = await readPages(found, first, size, async (page) => await fetchPage(page, size));
		const { leftOut } = found;
		if (result.complete) return { complete: true, leftOut };
		if (pass === MOST_PASSES) {
			return { complete: false, leftOut, warning: recordsMissing(result.found, result.missing) };
		}
		// A service that returns shorter pages than requested may leave gaps between them. Request pages of that length.
		if (result.shortest > 0) size = Math.min(size, Math.max(SMALLEST_PAGE_SIZE, result.shortest));
		first = await fetchPage(1, size);
	}
}

/**
 * Reads the first page, and finds a page size that the service accepts.
 *
 * @param size the size to request first. A small one is raised when the page has records that do not fit: a few records
 *   among many others are found faster with large pages
 */
async function firstPage(
	size: number,
	fits: (record: LogRecord) => boolean,
	fetchPage: (number: number, size: number) => Promise<LogPage>,
): Promise<{ page: LogPage; size: number }> {
	const page = await orRefusal(fetchPage(1, size));
	const isRefused = page instanceof RequestFailed;
	if (!isRefused && page.records.every(fits)) return { page, size };
	const otherSizes = isRefused
		? [MODEST_PAGE_SIZE].filter((other) => other < size)
		: [PAGE_SIZE, MODEST_PAGE_SIZE].filter((other) => other > size);
	for (const other of otherSizes) {
		const otherPage = await orRefusal(fetchPage(1, other));
		if (!(otherPage instanceof RequestFailed)) return { page: otherPage, size: other };
	}
	// The size was not the reason, so the first refusal is the one to report.
	if (isRefused) throw page;
	return { page, size };
}

/** Returns the page, or the service's refusal; throws any other error. */
async function orRefusal(page: Promise<LogPage>): Promise<LogPage | RequestFailed> {
	return await page.catch((error: unknown) => {
		if (error instanceof RequestFailed && error.failure.reason === 'refused') return error;
		throw error;
	});
}

function recordsMissing(found: number, missing: number | undefined): string {
	return missing === undefined
		? `The service gave ${formatNumber(found)} records on pages that overlap or have gaps, also when asked again. Some may be missing.`
		: `The service counts ${formatNumber(found + missing)} records but gave only ${formatNumber(found)}, also when asked again: ${formatNumber(missing)} ${missing === 1 ? 'is' : 'are'} missing.`;
}
