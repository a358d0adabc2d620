import type { IDataObject } from 'n8n-workflow';
import { Limiter } from '../../utils/concurrency';
import { reading } from '../../n8n/reading';
import { showHint } from '../../n8n/showHint';
import { readLogs } from '../../logs/readLogs';
import { returnAllOrLimit } from '../../fields/fields';
import { filterText } from '../../fields/filters';
import { limitOf } from '../../fields/limit';
import type { Operation } from '../operation';
import { simplified, simplify } from '../../fields/simplify';
import { MAIN_FIELDS } from './mainFields';

const AT_ONCE = 5;

/** Log records → an item each (4.7). */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many log records',
	description: 'Get log records, which say what happened to messages: status, reason and units',
	fields: [
		...returnAllOrLimit,
		simplify,
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
			],
		},
	],
	execute: async (context) => {
		// Several items that each read several pages at once would be many requests together.
		const limiter = new Limiter(AT_ONCE);
		return await reading(async ({ ask, read }) => {
			const given = read('logFilters', {}) as IDataObject;
			const filters = {
				campaignId: filterText(given, 'campaignId', 'Campaign ID'),
				identifier: filterText(given, 'identifier', 'Identifier'),
				id: filterText(given, 'id', 'Log ID'),
			};
			const say = (warning: string) => showHint(context, warning);
			const records = await readLogs(
				filters,
				limitOf(read),
				async (request) => await limiter.run(async () => await ask(request)),
				say,
				say,
			);
			return simplified(read, records, MAIN_FIELDS);
		})(context);
	},
};
