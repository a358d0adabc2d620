import type { IDataObject } from 'n8n-workflow';
import { readOperation } from '../readOperation';
import { getChannels } from '../../service/endpoints';
import { filterText } from '../filters';
import { limitOf, returnAllOrLimit } from '../../fields/limit';
import type { Operation } from '../operation';
import { simplifier, simplify } from '../simplify';
import { OTHER_FIELDS, SIMPLIFIED_FIELDS } from './simplifiedFields';

/** Outputs an item for each chat-app channel (docs/development/interface.md, "Get channels"). */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many channels',
	description: 'Retrieve the chat-app channels of the account',
	fields: [
		...returnAllOrLimit,
		...simplify(SIMPLIFIED_FIELDS, OTHER_FIELDS),
		{
			displayName: 'Filters',
			name: 'channelFilters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			options: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					description: 'Only channels with this name',
				},
				{
					displayName: 'Status',
					name: 'status',
					type: 'options',
					options: [
						{ name: 'Active', value: 'ACTIVE' },
						{ name: 'Inactive', value: 'INACTIVE' },
						{ name: 'Pending', value: 'PENDING' },
					],
					default: 'ACTIVE',
					description:
						'Only channels with this status. Without this filter, channels with any status.',
				},
			],
		},
	],
	execute: readOperation(async ({ ask, read, raw }) => {
		const values = read('channelFilters', {}) as IDataObject;
		const filters = { values, saved: raw('channelFilters') };
		const name = filterText(filters, 'name', 'Name');
		const status = filterText(filters, 'status', 'Status');
		const limit = limitOf(read);
		const channels = await ask(getChannels({ name, status }));
		return channels.slice(0, limit).map(simplifier(read, SIMPLIFIED_FIELDS));
	}),
};
