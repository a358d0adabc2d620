import type { NodeApiError } from 'n8n-workflow';
import { getLogs, type Ask } from '../service/endpoints';
import { RequestFailed } from '../service/failure';
import type { LogRecord } from '../service/types';
import { mapInOrder } from '../utils/concurrency';
import type { Filters } from './logFilters';
import { hasId, idText, timeOf } from './record';

/** Records per page: with more, a page would take too long for a person who waits. */
const PAGE_SIZE = 500;
/** The size to request when larger pages are refused: similar services usually accept it. */
const MODEST_PAGE_SIZE = 100;
/** HTTP statuses with which a service may refuse the size of a page. */
const REFUSED = /^4(?!01|03|29)/;
/** The most pages to read: a person waits for the records in the editor. */
const MOST_PAGES = 10;
const PAGES_AT_ONCE = 5;

/** The newest records of a log, in the service's order. */
export type Newest = {
	records: LogRecord[];
	/** The log has no other records. */
	isWhole: boolean;
};

/**
 * Reads the newest pages of the log, for the editor. Implements docs/interface.md, "Get logs".
 *
 * The service does not document the order of records: if the oldest come first, the newest are on the last pages.
 */
export async function newestRecords(filters: Filters, ask: Ask): Promise<Newest> {
	let size = PAGE_SIZE;
	const fetchPage = async (number: number) => await ask(getLogs(filters, { size, number }));
	const first = await fetchPage(1).catch(async (error: RequestFailed | NodeApiError) => {
		const status = error instanceof RequestFailed ? error.failure.httpStatus : error.httpCode;
		if (!REFUSED.test(String(status ?? ''))) throw error;
		size = MODEST_PAGE_SIZE;
		return await fetchPage(1);
	});
	const { count, totalPage, records } = first;
	const pages = totalPage ?? Math.ceil((count ?? records.length) / (records.length || 1));
	let isOldestFirst = createdAt(records[0]) < createdAt(records.at(-1));
	if (pages > MOST_PAGES && createdAt(records[0]) === createdAt(records.at(-1))) {
		// The messages of a large campaign were created together: only another page shows the order.
		const last = (await fetchPage(pages)).records.at(-1);
		isOldestFirst = createdAt(records[0]) < createdAt(last);
	}
	const others = Math.max(0, Math.min(pages, MOST_PAGES) - 1);
	const from = isOldestFirst ? pages - others + 1 : 2;
	const numbers = Array.from({ length: others }, (_, index) => from + index);
	const more = await mapInOrder(numbers, PAGES_AT_ONCE, fetchPage);
	// If a long log begins with the oldest records, the first page is left out: the pages after it were not read.
	const taken = isOldestFirst && pages > MOST_PAGES ? more : [first, ...more];
	const read = withoutRepeated(taken.flatMap((page) => page.records));
	return { records: read, isWhole: count !== undefined && read.length >= count };
}

/** Drops repeated records: while messages are sent, records move between pages. */
function withoutRepeated(records: LogRecord[]): LogRecord[] {
	const ids = new Set<string>();
	return records.filter((record) => {
		if (!hasId(record)) return true;
		const id = idText(record.id);
		return !ids.has(id) && ids.add(id);
	});
}

/** Returns the time at which a record was created; Infinity when that is unknown. */
export const createdAt = (record: LogRecord | undefined) => timeOf(record?.createdAt) ?? Infinity;
