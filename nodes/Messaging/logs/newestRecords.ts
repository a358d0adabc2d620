import { READS_AT_ONCE } from '../n8n/connect';
import type { Ask } from '../service/endpoints';
import type { LogRecord } from '../service/types';
import { mapInOrder } from '../utils/concurrency';
import type { Filters } from './logFilters';
import { countOf, idOf, openLog, PAGE_SIZE } from './readLogs';
import { timeOf } from './record';

/** Pages to read from each end of the log: a person waits for them in the editor. */
const PAGES_OF_AN_END = 5;

/** The newest records of a log, newest first. */
type Newest = {
	records: LogRecord[];
	/** The log has no other records. */
	isWhole: boolean;
};

/**
 * Reads the newest records of the log, for the editor. Implements docs/development/interface.md, "Get logs".
 *
 * The service documents no order: the newest are on the first pages or on the last ones, so both are read.
 */
export async function newestRecords(filters: Filters, ask: Ask): Promise<Newest> {
	const { first, readPage } = await openLog(filters, PAGE_SIZE, ask);
	const count = countOf(first);
	const pages = Math.max(
		first.totalPage ?? 0,
		Math.ceil(count / (first.records.length || PAGE_SIZE)),
	);
	// Not a list of all pages: the service may count a billion.
	const firstPages = Array.from(
		{ length: Math.min(pages, PAGES_OF_AN_END) },
		(_, index) => index + 1,
	);
	const ends = [
		...new Set([...firstPages, ...firstPages.map((page) => pages + 1 - page).reverse()]),
	];
	const others = await mapInOrder(ends.slice(1), READS_AT_ONCE, readPage);
	// While messages are sent, records move between pages.
	const byId = new Map(
		[first, ...others].flatMap((page) => page.records).map((each) => [idOf(each), each]),
	);
	const records = [...byId.values()].sort((a, b) => createdAt(b) - createdAt(a));
	if (ends.length >= pages && records.length >= count) return { records, isWhole: true };
	// One of the two ends may be the oldest one. Its records are the older half.
	return { records: records.slice(0, Math.ceil(records.length / 2)), isWhole: false };
}

/** Returns the time at which a record was created; 0 when that is unknown. */
export const createdAt = (record: LogRecord) => timeOf(record.createdAt) ?? 0;
