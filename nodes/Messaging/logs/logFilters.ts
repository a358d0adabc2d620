import { optionalText, text } from '../n8n/values';
import { statusKey } from '../service/status';
import type { LogRecord } from '../service/types';
import { isSameId, loggedStatus } from './record';

/** The filters of the logs; an empty or missing one is not used. */
export type Filters = {
	id?: string;
	campaignId?: string;
	identifier?: string;
	/** The service has no such filter: it is never sent. */
	status?: StatusFilter;
};

/** Returns whether a record has one of the wanted statuses. */
export type StatusFilter = (record: { status?: unknown }) => boolean;

/**
 * Returns a function that checks whether a record fits all filters, because the service does not document how it combines
 * them (docs/development/interface.md, "Get logs"). A record that lacks the field of a filter fits it.
 */
export function recordFilter(filters: Filters): (record: LogRecord) => boolean {
	const [id, campaignId, identifier] = [filters.id, filters.campaignId, filters.identifier].map(
		text,
	);
	const isOf = (value: unknown, wanted: string) =>
		wanted === '' || text(value) === '' || isSameId(value, wanted);
	return (record) =>
		isOf(record.id, id) &&
		isOf(record.campaign_id, campaignId) &&
		// Identifiers are the customer's own: two may differ only in case.
		(identifier === '' || ['', identifier].includes(text(record.identifier)));
}

/**
 * Reads the filter *Status*: one status or several, separated by commas or in a list. Neither case nor separators count,
 * and `no status` stands for a record without one.
 *
 * @returns undefined when the filter is not used
 * @throws UserError naming the field when it is neither text nor a list of texts
 */
export function statusFilter(value: unknown, field: string): StatusFilter | undefined {
	const given = Array.isArray(value) ? (value as unknown[]) : [value];
	const statuses = given.flatMap((each) => optionalText(each, field).split(','));
	const wanted = new Set(statuses.filter((each) => each.trim() !== '').map(statusKey));
	if (wanted.size === 0) return undefined;
	return (record) => wanted.has(statusKey(loggedStatus(record)));
}
