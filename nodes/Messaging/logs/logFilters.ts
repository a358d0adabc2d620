import { text } from '../n8n/values';
import type { LogRecord } from '../service/types';
import { formatNumber } from '../utils/text';
import { plainId } from './record';

/** The filters of the logs; an empty or missing one is not used. */
export type Filters = { id?: string; campaignId?: string; identifier?: string };

const FIELDS = [
	{ field: 'id', filter: 'id', plain: plainId },
	{ field: 'campaign_id', filter: 'campaignId', plain: plainId },
	// Identifiers are the customer's own: two may differ only in case.
	{ field: 'identifier', filter: 'identifier', plain: text },
] as const;

/**
 * Returns the test whether a record fits all filters: the service does not document how it combines them
 * (docs/interface.md, "Get logs"). A record that lacks the field of a filter fits it.
 */
export function recordFilter(filters: Filters): (record: LogRecord) => boolean {
	const used = FIELDS.map((each) => ({ ...each, wanted: each.plain(filters[each.filter]) })).filter(
		({ wanted }) => wanted !== '',
	);
	return (record) =>
		used.every(({ field, plain, wanted }) => ['', wanted].includes(plain(record[field])));
}

/** The sentence about records that do not fit the filters. */
export const othersLeftOut = (count: number) =>
	`The service also gave ${formatNumber(count)} ${count === 1 ? 'record' : 'records'} that the filters do not ask for: left out.`;
