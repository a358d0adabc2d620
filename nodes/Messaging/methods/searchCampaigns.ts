import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { hasId, idText, plainId, timeOf } from '../logs/record';
import { text } from '../n8n/values';
import { getLogs, type Ask } from '../service/endpoints';
import type { LogRecord } from '../service/types';
import { mapInOrder } from '../utils/concurrency';
import { Clock } from '../utils/formatting';
import { formatNumber } from '../utils/text';
import { joined, matches, pageOf, withoutBraces } from './listEntries';
import { connectEditor } from './loadOptions';

/** Records per page: with more, a page would take too long for a person who waits. */
const PAGE_SIZE = 500;
/** The size to request when larger pages are refused: similar services usually accept it. */
const MODEST_PAGE_SIZE = 100;
/** HTTP statuses with which a service may refuse the size of a page. */
const REFUSED = /^4(?!01|03|29)/;
/** The most pages to read: the service has no list of campaigns, so the list is made from the log records of all messages. */
const MOST_PAGES = 10;
const PAGES_AT_ONCE = 5;

/** Records of the log, in the service's order. */
type Read = {
	records: LogRecord[];
	/** These are all records of the log. */
	isWhole: boolean;
};

type Campaign = { id: string; count: number; time: number; isCut: boolean };

/**
 * Lists the campaigns of the newest log records, newest first, with their time and their recipients so far; the value is
 * the id. Implements docs/interface.md, "Get logs".
 */
export async function searchCampaigns(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const read = await newestRecords(await connectEditor(this));
	const clock = new Clock(this.getTimezone());
	const entries = campaignsOf(read)
		.map(({ id, count, time, isCut }) => ({
			name: withoutBraces(
				joined([
					time < Infinity && `${clock.date(time)}, ${clock.minute(time)}`,
					`${formatNumber(count)}${isCut ? '+' : ''} ${count === 1 && !isCut ? 'recipient' : 'recipients'}`,
					id,
				]),
			),
			value: id,
		}))
		.filter(({ name }) => matches(name, filter));
	return pageOf(entries, paginationToken);
}

/**
 * Reads the newest records. The service does not document the order of records: if the oldest come first, the newest are on
 * the last pages.
 */
async function newestRecords(ask: Ask): Promise<Read> {
	let size = PAGE_SIZE;
	const fetchPage = async (number: number) => await ask(getLogs({}, { size, number }));
	const first = await fetchPage(1).catch(async (error: { httpCode?: string | null }) => {
		if (!REFUSED.test(error.httpCode ?? '')) throw error;
		size = MODEST_PAGE_SIZE;
		return await fetchPage(1);
	});
	const { count, totalPage, records } = first;
	const pages = totalPage ?? Math.ceil((count ?? records.length) / (records.length || 1));
	const isOldestFirst = createdAt(records[0]) < createdAt(records.at(-1));
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

const createdAt = (record: LogRecord | undefined) => timeOf(record?.createdAt) ?? Infinity;

function campaignsOf({ records, isWhole }: Read): Campaign[] {
	const campaigns = new Map<string, Campaign>();
	for (const record of records) {
		const id = text(record.campaign_id);
		if (id === '') continue;
		const key = plainId(id);
		const campaign = campaigns.get(key) ?? { id, count: 0, time: Infinity, isCut: false };
		campaigns.set(key, campaign);
		campaign.count++;
		campaign.time = Math.min(campaign.time, createdAt(record));
	}
	const all = [...campaigns.values()].sort((a, b) => b.time - a.time || 0);
	if (isWhole) return all;
	// A campaign's records are created together. If the records are sorted by time, only the oldest campaign can have more
	// records that were not read.
	const oldest = all.at(-1)?.time;
	const isSorted = isInOrder(records);
	return all.map((each) => ({ ...each, isCut: !isSorted || each.time === oldest }));
}

/** Whether the records are sorted by time, in either direction. */
function isInOrder(records: LogRecord[]): boolean {
	const times = records.map(createdAt);
	const steps = times.slice(1).map((time, index) => Math.sign(time - times[index]));
	return !(steps.includes(1) && steps.includes(-1));
}
