import { UserError } from 'n8n-workflow';
import { READS_AT_ONCE } from '../n8n/connect';
import type { Ask } from '../service/endpoints';
import type { LogRecord } from '../service/types';
import { mapInOrder } from '../utils/concurrency';
import { numberOf } from '../utils/text';
import type { Filters } from './logFilters';
import { recordId, openLog, RECORDS_PER_PAGE } from './readLogs';
import { loggedTime } from './record';

/** Pages to read from each end of the log: a person waits for them in the editor. */
const PAGES_OF_AN_END = 5;

/**
 * Returns the newest records of the log, newest first, and whether it has no others: for the editor. Implements
 * docs/development/interface.md, "Get logs".
 *
 * The service documents no order: the newest are on the first pages or on the last ones, so both are read.
 *
 * @throws UserError when the service counts records and gives none
 */
export async function newestRecords(
	filters: Filters,
	ask: Ask,
): Promise<{ records: LogRecord[]; isWhole: boolean }> {
	const { first, readPage } = await openLog(filters, RECORDS_PER_PAGE, ask);
	const { count = 0, totalPage = 0 } = first;
	const pages = Math.max(totalPage, Math.ceil(count / (first.records.length || RECORDS_PER_PAGE)));
	// Not a list of all pages: the service may count a billion.
	const length = Math.min(pages, 2 * PAGES_OF_AN_END);
	const ends = Array.from(
		{ length },
		(_, index) => index + 1 + (index < PAGES_OF_AN_END ? 0 : pages - length),
	);
	const others = await mapInOrder(ends.slice(1), READS_AT_ONCE, readPage);
	// While messages are sent, records move between pages.
	const byId = new Map(
		[first, ...others].flatMap((page) => page.records).map((each) => [recordId(each), each]),
	);
	if (byId.size === 0 && count > 0) {
		throw new UserError(`The service counts ${numberOf(count, 'log record')} but gave none.`);
	}
	const records = [...byId.values()].sort((a, b) => createdAt(b) - createdAt(a));
	const isAll = pages > 0 && length === pages && records.length >= count;
	// Without a count there may be more pages than the service says.
	if (isAll) return { records, isWhole: first.count !== undefined };
	// One of the two ends may be the oldest one. Its records are the older half.
	return { records: records.slice(0, Math.ceil(records.length / 2)), isWhole: false };
}

/** Returns the time at which a record was created; 0 when that is unknown. */
export const createdAt = (record: LogRecord) => loggedTime(record.createdAt) ?? 0;
