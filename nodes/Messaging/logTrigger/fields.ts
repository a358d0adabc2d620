import type { INodeProperties } from 'n8n-workflow';

export const logTriggerFields: INodeProperties[] = [
	{
		displayName: 'Changes',
		name: 'changes',
		type: 'multiOptions',
		required: true,
		options: [
			{
				name: 'New Record',
				value: 'new',
				description: 'A message was logged for the first time',
			},
			{
				name: 'Status Changed',
				value: 'statusChanged',
				description: 'The status of a message has changed since the last poll',
			},
		],
		default: ['new', 'statusChanged'],
		description: 'What starts the workflow. Each change is output once.',
	},
	{
		displayName: 'Campaign ID',
		name: 'campaignId',
		type: 'string',
		default: '',
		description:
			'Only messages of this campaign. Without a campaign or an identifier, every poll reads all logs of the account.',
	},
	{
		displayName: 'Identifier',
		name: 'identifier',
		type: 'string',
		default: '',
		description: 'Only the message that was sent with this identifier',
	},
	{
		displayName: 'Look Back (Days)',
		name: 'lookBackDays',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 90 },
		default: 7,
		description: 'Messages older than this are no longer watched',
	},
];
