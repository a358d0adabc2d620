import { optionalText, text } from '../n8n/values';
import type { LogRecord } from '../service/types';
import { isSameId, statusOf } from './record';

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

const FIELDS = [
	{ field: 'id', filter: 'id', isSame: isSameId },
	{ field: 'campaign_id', filter: 'campaignId', isSame: isSameId },
	// Identifiers are the customer's own: two may differ only in case.
	{
		field: 'identifier',
		filter: 'identifier',
		isSame: (id: unknown, wanted: string) => text(id) === wanted,
	},
] as const;

/**
 * Returns a function that checks whether a record fits all filters, because the service does not document how it combines
 * them (docs/development/interface.md, "Get logs"). A record that lacks the field of a filter fits it.
 */
export function recordFilter(filters: Filters): (record: LogRecord) => boolean {
	const used = FIELDS.map((each) => ({ ...each, wanted: text(filters[each.filter]) })).filter(
		({ wanted }) => wanted !== '',
	);
	return (record) =>
		used.every(
			({ field, isSame, wanted }) => text(record[field]) === '' || isSame(record[field], wanted),
		);
}

/**
 * Reads the filter *Status*: one status or several, separated by commas or in a list. They are compared without case,
 * and `no status` stands for a record without one.
 *
 * @returns undefined when the filter is not used
 * @throws UserError naming the field when it is neither text nor a list of texts
 */
export function statusFilter(value: unknown, field: string): StatusFilter | undefined {
	const given = Array.isArray(value) ? (value as unknown[]) : [value];
	const statuses = given.flatMap((each) => optionalText(each, field).split(','));
	const wanted = new Set(statuses.map((each) => each.trim().toLowerCase()).filter(Boolean));
	if (wanted.size === 0) return undefined;
	return (record) => wanted.has(statusOf(record).toLowerCase());
}
