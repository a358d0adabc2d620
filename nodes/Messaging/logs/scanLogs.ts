import { getLogs, type Ask } from '../service/endpoints';
import { RequestFailed } from '../service/failure';
import type { LogPage, LogRecord } from '../service/types';
import { matching, type Filters } from './matching';
import { Counts } from './counts';
import { Found } from './found';
import { readPages } from './readPages';
import { warningOf } from './warning';

/**
 * Records per page. Bounds are not shown (section 8). A page costs its round trip: 500 a page read
 * five times as fast as 100, and 1,000 hardly faster than 500 with several pages under way.
 */
const PAGE_SIZE = 500;
/** What such services commonly allow: asked for when the larger pages are refused. */
const MODEST_PAGE_SIZE = 100;
/** Pages are not asked for smaller than this, however short the service cuts one. */
const SMALLEST_PAGE_SIZE = 20;
/** Read again at most so often when records are missing: they move between pages while statuses change. */
const MOST_PASSES = 3;

/** Is handed the records of a page that were not there before, in the service's order. */
export type Take = (records: LogRecord[]) => void | Promise<void>;

export type Scan = {
	/** Records that do not fit the filters, as far as was read: they were not handed over. */
	leftOut: number;
} & (
	| { complete: true }
	| {
			complete: false;
			/** Records that the service counts and did not give, when it counts at all. */
			missing?: number;
			/** The same as a sentence. */
			warning: string;
	  }
);

/**
 * Hands over the log records that match, up to `limit`, each once (by its `id`), page by page: nothing
 * is kept of them here but their ids.
 *
 * Defaults and order of the pages are not documented (4.7), so nothing depends on them. When what came
 * does not agree with what the service counts, everything is read again, and what is new is handed over
 * too; when it still does not agree, the result says so. Records that do not fit the filters are left
 * out: a service may not know a filter, or give what fits any of several.
 *
 * @param limit Infinity for all
 * @throws RequestFailed, or whatever `ask` throws
 */
export async function scanLogs(
	filters: Filters,
	limit: number,
	ask: Ask,
	take: Take,
): Promise<Scan> {
	const fits = matching(filters);
	const found = new Found(limit, take, fits);
	const counts = new Counts();
	let size = Math.min(PAGE_SIZE, limit);
	const fetchPage = async (number: number) => await ask(getLogs(filters, { size, number }));
	const fetchFirst = async (): Promise<LogPage> => {
		const first = await orRefusal(fetchPage(1));
		if (!(first instanceof RequestFailed)) return await largerIfMixed(first);
		if (size > MODEST_PAGE_SIZE) {
			size = MODEST_PAGE_SIZE;
			const second = await orRefusal(fetchPage(1));
			if (!(second instanceof RequestFailed)) return second;
		}
		// It was not the size: the first refusal is the one to tell.
		throw first;
	};

	/** Few records among many others would take as many requests as there are others. */
	const largerIfMixed = async (small: LogPage): Promise<LogPage> => {
		if (small.records.every(fits)) return small;
		const before = size;
		for (size of [PAGE_SIZE, MODEST_PAGE_SIZE]) {
			if (size <= before) break;
			const larger = await orRefusal(fetchPage(1));
			if (!(larger instanceof RequestFailed)) return larger;
		}
		size = before;
		return small;
	};

	for (let pass = 1; ; pass++) {
		found.begin(pass);
		const {
			complete,
			came,
			missing,
			shortest = 0,
		} = await readPages(
			pass === 1 ? fetchFirst : async () => await fetchPage(1),
			fetchPage,
			found,
			() => size,
			counts,
		);
		const { leftOut } = found;
		if (complete) return { complete, leftOut };
		if (pass === MOST_PASSES) {
			return { complete, leftOut, missing, warning: warningOf(came, missing) };
		}
		// Where the service cuts pages short there are gaps, unless all are asked for so short.
		if (shortest > 0) size = Math.min(size, Math.max(SMALLEST_PAGE_SIZE, shortest));
	}
}

/** The page, or the service's no to the question as such. */
async function orRefusal(page: Promise<LogPage>): Promise<LogPage | RequestFailed> {
	return await page.catch((error: unknown) => {
		if (error instanceof RequestFailed && error.failure.reason === 'refused') return error;
		throw error;
	});
}
