import { formatNumber } from '../utils/text';
import { text } from '../n8n/values';
import type { LogRecord } from '../service/types';
import { plainId } from './plainId';

export type Filters = { id?: string; campaignId?: string; identifier?: string };

/**
 * Whether a record fits all filters: how the service combines them is not documented (4.7). A record
 * without the field says nothing against a filter.
 */
export function matching(filters: Filters): (record: LogRecord) => boolean {
	const wanted = (['id', 'campaign_id', 'identifier'] as const)
		.map((field) => ({ field, value: plain(field, filters[FILTER[field]]) }))
		.filter(({ value }) => value !== '');
	return (record) =>
		wanted.every(({ field, value }) => ['', value].includes(plain(field, record[field])));
}

/** The customer's own identifiers may differ in case alone. */
const plain = (field: keyof typeof FILTER, value: unknown) =>
	field === 'identifier' ? text(value) : plainId(value);

const FILTER = { id: 'id', campaign_id: 'campaignId', identifier: 'identifier' } as const;

/** What a person is told of the records that do not fit. */
export const othersLeftOut = (count: number) =>
	`The service also gave ${formatNumber(count)} ${count === 1 ? 'record' : 'records'} that the filters do not ask for: left out.`;
