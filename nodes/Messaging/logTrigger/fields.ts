import type { INodeProperties } from 'n8n-workflow';

export const logTriggerFields: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'changes',
		type: 'multiOptions',
		required: true,
		options: [
			{
				name: 'New Record',
				value: 'new',
				action: 'On new log record',
				description: 'A message was logged for the first time',
			},
			{
				name: 'Status Changed',
				value: 'statusChanged',
				action: 'On status changed',
				description: 'The status of a message has changed since the last poll',
			},
		],
		default: ['new', 'statusChanged'],
		hint: 'Each change is output once',
	},
	{
		displayName: 'Status',
		name: 'status',
		type: 'string',
		default: '',
		placeholder: 'e.g. failed, rejected',
		description:
			'Only messages that now have this status, or one of several, separated by commas. Without it, any status starts the workflow.',
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
		description: 'How many days to watch a message',
	},
];
