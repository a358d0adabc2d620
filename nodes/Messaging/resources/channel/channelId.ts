import type { INodeProperties } from 'n8n-workflow';
import type { ReadParameter } from '../../n8n/readOperation';
import { requiredText } from '../../n8n/values';

/** The parameter *Channel*; {@link channelIdOf} reads it. */
export const channelId = (description: string): INodeProperties => ({
	displayName: 'Channel',
	name: 'channelId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose a channel…',
			typeOptions: { searchListMethod: 'searchChannels', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 1f0e5c1a-0000-4000-8000-000000000001',
		},
	],
});

/** @throws UserError when no channel is chosen */
export const channelIdOf = (read: ReadParameter): string =>
	requiredText(read('channelId'), 'Channel');
