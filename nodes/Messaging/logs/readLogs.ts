import { getLogs, type ServiceRequest } from '../service/endpoints';
import type { LogPage, LogRecord } from '../service/types';

/** Bounds of `page[size]` are not shown (section 8); this is what such services commonly allow. */
const PAGE_SIZE = 100;
const PAGES_AT_ONCE = 5;
/** Read again at most so often when records are missing: they move between pages while statuses change. */
const MOST_PASSES = 3;

type Filters = { id?: string; campaignId?: string; identifier?: string };
type Ask = <Payload>(request: ServiceRequest<Payload>) => Promise<Payload>;

/**
 * Log records that match, up to `limit`, in the service's order, each once (by its `id`).
 *
 * The first page tells how many there are; the others follow, a few at a time. Neither the order nor
 * the page size that the service really uses is documented (4.7), so nothing depends on either: when
 * fewer records came than `count` promises, what lies behind the last page, and then everything, is
 * read again.
 *
 * @param limit Infinity for all
 */
export async function readLogs(filters: Filters, limit: number, ask: Ask): Promise<LogRecord[]> {
	const size = Math.min(PAGE_SIZE, limit);
	const found = new Map<unknown, LogRecord>();
	let expected = Infinity;

	const fetchPage = async (number: number) => await ask(getLogs(filters, { size, number }));
	const take = ({ records, count }: LogPage) => {
		if (count !== undefined) expected = count;
		for (const record of records) {
			// A record without an id cannot be told from another one: it is kept as it is.
			const key = record.id ?? record;
			if (!found.has(key)) found.set(key, record);
		}
	};
	const isComplete = () => found.size >= Math.min(limit, expected);

	for (let pass = 1; pass <= MOST_PASSES; pass++) {
		const first = await fetchPage(1);
		take(first);
		if (first.records.length === 0 || isComplete()) break;
		let page = 2;
		for (const last = first.totalPage ?? 1; page <= last && found.size < limit; ) {
			const pages = Math.min(PAGES_AT_ONCE, last - page + 1);
			const numbers = Array.from({ length: pages }, (_, index) => page + index);
			for (const result of await Promise.all(numbers.map(fetchPage))) take(result);
			page += pages;
		}
		// No page count, or a wrong one: go on until a page brings nothing.
		while (!isComplete()) {
			const before = found.size;
			take(await fetchPage(page++));
			if (found.size === before) break;
		}
		if (isComplete() || expected === Infinity) break;
	}
	return [...found.values()].slice(0, limit);
}
