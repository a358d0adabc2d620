import { sleep, UserError } from 'n8n-workflow';
import { READS_AT_ONCE } from '../n8n/connect';
import { text } from '../n8n/values';
import { getLogs, type Ask } from '../service/endpoints';
import { RequestFailed } from '../service/outcomes';
import type { LogPage, LogRecord } from '../service/types';
import { formatNumber, numberOf } from '../utils/text';
import { recordFilter, type Filters } from './logFilters';

/** Records per page. Each page costs a round trip: 500 read five times as fast as 100, and 1,000 hardly faster. */
export const RECORDS_PER_PAGE = 500;
/** The size to request when larger pages are refused: similar services usually accept it. */
const MODEST_PAGE_SIZE = 100;
/** The most passes through the log while records are missing: they move between pages when statuses change. */
const MOST_PASSES = 3;

/** Says in sentences what is wrong with a log that was read. */
type Remarks = {
	/** Records that do not fit the filters were left out. */
	leftOut?: string;
	/** There are more records than were handed over, or nobody knows. */
	missing?: string;
};

/**
 * Hands over the log records that fit the filters, up to `limit`, each once (by its `id`). Implements
 * docs/development/interface.md, "Get logs".
 *
 * A pass reads pages until one is empty or brings nothing new, or until as many records and pages have come as the service
 * counts. Statuses change meanwhile, and then records move between pages: while records are missing there is another pass.
 *
 * @param limit Infinity for all
 * @throws RequestFailed, what `ask` throws, or UserError when a record lacks its `id`
 */
export async function readLogs(
	filters: Filters,
	limit: number,
	ask: Ask,
	onRecord: (record: LogRecord) => void,
): Promise<Remarks> {
	// A service may ignore a filter: a few records among many others are found faster with large pages.
	const isFiltered = Object.values(filters).some(Boolean);
	const size = isFiltered ? RECORDS_PER_PAGE : Math.min(RECORDS_PER_PAGE, limit);
	const { first, readPage } = await openLog(filters, size, ask);
	const log = new LogReading(filters, limit, onRecord);
	await log.readPages(first, readPage);
	while (log.wantsAnotherPass) await log.readPages(await readPage(1), readPage);
	return log.remarks;
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
		const isRefused = error instanceof RequestFailed && error.failure.cause === 'refused';
		if (isRefused && size > MODEST_PAGE_SIZE) return undefined;
		throw error;
	});
	return first ? { first, readPage } : await openLog(filters, MODEST_PAGE_SIZE, ask);
}

/** What has been read of a log. It keeps only the ids of the records, so that a log of any length can be read. */
class LogReading {
	/**
	 * The last pass in which each record came, by its id. One Map: several small ones, in place of one that grows, took 10 to 50 %
	 * more processor time for 100,000 and for 1,000,000 records.
	 */
	private readonly ids = new Map<string, number>();

	private pass = 0;

	/** How the pass ended: the service showed that there are no more pages, or it only brought nothing new. */
	private end?: 'shown' | 'unclear';

	/** The most that the service has counted: some services count only on the first page. */
	private count?: number;

	private totalPage?: number;

	/** Records that fit the filters. */
	private matching = 0;

	/** Records that the service gave although they do not fit its filters. */
	private leftOut = 0;

	constructor(
		private readonly filters: Filters,
		private readonly limit: number,
		private readonly onRecord: (record: LogRecord) => void,
	) {}

	/** How many records the service counts but has not given. If some were deleted since, another pass does no harm. */
	private get missing() {
		return (this.count ?? 0) - this.ids.size;
	}

	get wantsAnotherPass() {
		return this.missing > 0 && this.matching < this.limit && this.pass < MOST_PASSES;
	}

	/** Reads all pages once, a few at the same time; their records are taken in the order of the pages. */
	async readPages(first: LogPage, readPage: ReadPage): Promise<void> {
		this.pass++;
		this.end = undefined;
		this.take(first, 1);
		const inFlight: Array<Promise<LogPage>> = [];
		for (let number = 2; ; number++) {
			while (inFlight.length < this.mostInFlight(number + inFlight.length)) {
				const page = readPage(number + inFlight.length);
				// The await below throws its error; until then Node.js must not report it as unhandled.
				page.catch(() => {});
				inFlight.push(page);
			}
			const page = await inFlight.shift();
			if (!page) return;
			// Pages that came at the same time would be handled in one piece.
			await sleep(0);
			this.take(page, number);
		}
	}

	/** Returns how many pages may be in flight with this one: beyond those that the service counts, one after the other. */
	private mostInFlight(number: number): number {
		if (this.end) return 0;
		const wanted = Math.ceil((this.limit - this.matching) / RECORDS_PER_PAGE);
		return Math.min(number <= (this.totalPage ?? 0) ? READS_AT_ONCE : 1, wanted);
	}

	/** Takes the new records of a page, and notes whether the pass ends with it. */
	private take({ records, count, totalPage }: LogPage, number: number) {
		if (count !== undefined) this.count = Math.max(this.count ?? 0, count);
		if (totalPage !== undefined) this.totalPage = Math.max(this.totalPage ?? 0, totalPage);
		const fits = recordFilter(this.filters);
		let isRepeated = true;
		for (const record of records) {
			const id = recordId(record);
			const lastPass = this.ids.get(id);
			if (lastPass === this.pass) continue;
			isRepeated = false;
			this.ids.set(id, this.pass);
			if (lastPass !== undefined) continue;
			if (fits(record)) this.handOver(record);
			else this.leftOut++;
		}
		const isCounted = this.count === this.ids.size && number >= (this.totalPage ?? Infinity);
		const isEmpty = records.length === 0;
		if (isCounted || (isEmpty && number >= (this.totalPage ?? 0))) this.end ??= 'shown';
		else if (isRepeated) this.end ??= 'unclear';
	}

	private handOver(record: LogRecord) {
		if (this.filters.status?.(record) === false) return;
		this.matching++;
		if (this.matching <= this.limit) this.onRecord(record);
	}

	get remarks(): Remarks {
		return {
			leftOut: this.leftOut > 0 ? recordsLeftOut(this.leftOut) : undefined,
			missing: this.doubt,
		};
	}

	/** Says in a sentence that records are missing, or that nobody knows; undefined when all were handed over. */
	private get doubt(): string | undefined {
		if (this.matching > this.limit) return this.more;
		if (this.matching === this.limit) return this.end === 'shown' ? undefined : this.more;
		if (this.missing > 0) return recordsMissing(this.ids.size, this.missing);
		return this.end === 'shown' || this.count === this.ids.size ? undefined : UNCLEAR_END;
	}

	/** Says how many records there are, if the service counts those that are asked for: it does not know *Status*. */
	private get more(): string {
		const { count = 0, limit } = this;
		const isKnown = count > limit && !this.filters.status && this.leftOut === 0;
		return isKnown
			? `${formatNumber(limit)} of ${numberOf(count, 'record')}, in no particular order. ${RETURN_ALL}`
			: MORE;
	}
}

/** @throws UserError when a record has no `id` */
export function recordId(record: LogRecord): string {
	const id = text(record.id);
	if (id !== '') return id;
	throw new UserError(
		"The service returned a log record without an 'id', so it may count the same record twice.",
	);
}

const RETURN_ALL = "Turn on 'Return All' to get all of them.";

const MORE = `The limit was reached, and the logs may have more records. They have no particular order. ${RETURN_ALL}`;

const UNCLEAR_END =
	'The service does not say clearly where its logs end: log records may be missing.';

const recordsMissing = (given: number, missing: number) =>
	`The service counts ${formatNumber(given + missing)} records but gave only ${formatNumber(given)}, also when asked again: ${formatNumber(missing)} ${missing === 1 ? 'is' : 'are'} missing.`;

const recordsLeftOut = (count: number) =>
	`The service also gave ${formatNumber(count)} ${count === 1 ? 'record that was not asked for: it was' : 'records that were not asked for: they were'} left out.`;
