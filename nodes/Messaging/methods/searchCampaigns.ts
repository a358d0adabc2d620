import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { createdAt, newestRecords, type Newest } from '../logs/newestRecords';
import { plainId } from '../logs/record';
import { text } from '../n8n/values';
import type { LogRecord } from '../service/types';
import { Clock } from '../utils/formatting';
import { formatNumber } from '../utils/text';
import { joined, matches, pageOf, withoutBraces } from './listEntries';
import { connectEditor } from './loadOptions';

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
	const read = await newestRecords({}, await connectEditor(this));
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

function campaignsOf({ records, isWhole }: Newest): Campaign[] {
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
