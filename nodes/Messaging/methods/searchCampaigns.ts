import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { createdAt, newestRecords } from '../logs/newestRecords';
import { text } from '../n8n/values';
import type { LogRecord } from '../service/types';
import { timesIn } from '../utils/formatting';
import { formatNumber } from '../utils/text';
import { joined, matches, pageOf, withoutBraces } from './listEntries';
import { connectEditor } from './editorRequests';

/**
 * Lists the campaigns of the newest log records, newest first, with their time and their messages so far; the value is
 * the id. Implements docs/development/interface.md, "Get logs".
 */
export async function searchCampaigns(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const { records, isWhole } = await newestRecords({}, await connectEditor(this));
	const written = timesIn(this.getTimezone());
	// A campaign may have more records than those that were read.
	const orMore = isWhole ? '' : '+';
	const entries = campaignsOf(records)
		.map(([id, { count, time }]) => ({
			name: withoutBraces(
				joined([
					time > 0 && written(time),
					`${formatNumber(count)}${orMore} ${count === 1 && isWhole ? 'message' : 'messages'}`,
					id,
				]),
			),
			value: id,
		}))
		.filter(({ name }) => matches(name, filter));
	return pageOf(entries, paginationToken);
}

/** Returns the campaigns of records by id, in the order of the records, each with the time of its first message. */
function campaignsOf(records: LogRecord[]) {
	const campaigns = new Map<string, { count: number; time: number }>();
	for (const record of records) {
		const id = text(record.campaign_id);
		if (id === '') continue;
		// The records are newest first, so the last one of a campaign is its first message.
		const count = (campaigns.get(id)?.count ?? 0) + 1;
		campaigns.set(id, { count, time: createdAt(record) });
	}
	return [...campaigns];
}
