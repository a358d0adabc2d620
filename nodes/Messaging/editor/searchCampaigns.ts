import { createdAt, newestRecords } from '../logs/newestRecords';
import { text } from '../n8n/values';
import type { LogRecord } from '../service/types';
import { formatNumber, timesIn } from '../utils/text';
import { askService } from './editorRequests';
import { editorList } from './listEntries';

/**
 * Lists the campaigns of the newest log records, newest first, with their time and their messages so far; the value is
 * the id. Implements docs/development/interface.md, "Get logs".
 */
export const searchCampaigns = editorList(async (context) => {
	const { records, isWhole } = await askService(
		context,
		async (ask) => await newestRecords({}, ask),
	);
	const written = timesIn(context.getTimezone());
	// A campaign may have more records than those that were read.
	const orMore = isWhole ? '' : '+';
	return campaignsIn(records).map(([id, { count, time }]) => {
		const messages = count === 1 && isWhole ? 'message' : 'messages';
		const shown = [time > 0 && written(time), `${formatNumber(count)}${orMore} ${messages}`, id];
		return { shown, value: id };
	});
});

/** Returns the campaigns of records by id, in the order of the records, each with the time of its first message. */
function campaignsIn(records: LogRecord[]) {
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
