import type { IDataObject } from 'n8n-workflow';
import { readOperation } from '../readOperation';
import { statusFilter } from '../../logs/logFilters';
import { readLogs } from '../../logs/readLogs';
import { filterList, filterText } from '../filters';
import { limitOf, returnAllOrLimit } from '../../fields/limit';
import type { Json } from '../../service/types';
import type { Operation } from '../operation';
import { simplifier, simplify } from '../simplify';
import { OTHER_FIELDS, SIMPLIFIED_FIELDS } from './simplifiedFields';

const WHOLE_ACCOUNT = 'An empty filter was ignored: these are records of the whole account.';

/** Outputs an item for each log record (docs/development/interface.md, "Get logs"). */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many log records',
	description:
		'Retrieve log records, which say what happened to messages: status, reason and units',
	hint: "It outputs 'to', 'status', 'reason', 'delivered_time', 'from', 'units', 'campaign_id', 'identifier', 'createdAt' and 'id' of each record. A single message may have a 'campaign_id' of its own: one record does not make a campaign.",
	fields: [
		...returnAllOrLimit,
		...simplify(SIMPLIFIED_FIELDS, OTHER_FIELDS),
		{
			displayName: 'Filters',
			name: 'logFilters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			options: [
				{
					displayName: 'Campaign ID',
					name: 'campaignId',
					type: 'string',
					default: '',
					description: 'Only messages of this campaign',
				},
				{
					displayName: 'Identifier',
					name: 'identifier',
					type: 'string',
					default: '',
					description: 'Only the message that was sent with this identifier',
				},
				{
					displayName: 'Log ID',
					name: 'id',
					type: 'string',
					default: '',
					description: 'Only the log record with this ID',
				},
				{
					displayName: 'Status',
					name: 'status',
					type: 'string',
					default: '',
					placeholder: 'e.g. failed, rejected',
					description:
						'Only records with this status, or with one of several, separated by commas. The service cannot filter by status, so the node reads all records that match the other filters.',
				},
			],
		},
	],
	execute: readOperation(async ({ ask, read, raw, hint }) => {
		const values = read('logFilters', {}) as IDataObject;
		const given = { values, saved: raw('logFilters') };
		const filters = {
			campaignId: filterText(given, 'campaignId', 'Campaign ID'),
			identifier: filterText(given, 'identifier', 'Identifier'),
			id: filterText(given, 'id', 'Log ID'),
			status: statusFilter(filterList(given, 'status', 'Status'), 'Status'),
		};
		const { campaignId, identifier, id, status } = filters;
		const isOfAll = !campaignId && !identifier && !id;
		if (isOfAll && Object.keys(values).length > (status ? 1 : 0)) hint(WHOLE_ACCOUNT);
		const simplified = simplifier(read, SIMPLIFIED_FIELDS);
		const records: Json[] = [];
		// Simplified while the next pages are in flight, because there may be very many.
		const { leftOut, missing } = await readLogs(filters, limitOf(read), ask, (record) => {
			records.push(simplified(record));
		});
		if (leftOut !== undefined) hint(leftOut);
		if (missing !== undefined) hint(missing);
		return records;
	}),
};
