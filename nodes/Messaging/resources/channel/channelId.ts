import { locator } from '../../fields/locator';

/** The parameter *Channel*. */
export const channelId = (description: string) =>
	locator({
		displayName: 'Channel',
		name: 'channelId',
		required: true,
		description,
		list: { searchListMethod: 'searchChannels', placeholder: 'Choose a channel…' },
		entered: {
			displayName: 'By ID',
			name: 'id',
			placeholder: 'e.g. 1f0e5c1a-0000-4000-8000-000000000001',
		},
	});
