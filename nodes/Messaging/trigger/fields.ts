import type { INodeProperties } from 'n8n-workflow';

export const triggerFields: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{
				name: 'Campaign Completed',
				value: 'campaignCompleted',
				action: 'On campaign completed',
				description: 'All messages of a campaign have been handled',
			},
			{
				name: 'SMS Delivery Report',
				value: 'smsDeliveryReport',
				action: 'On SMS delivery report',
				description: 'The service reports what happened to an SMS',
			},
			{
				name: 'Other',
				value: 'other',
				action: 'On another event',
				description: 'Any other call to the webhook, as it was received',
			},
		],
		default: ['campaignCompleted'],
		hint: 'Events that are not chosen start nothing',
	},
	{
		displayName: 'Check in Logs First',
		name: 'confirm',
		type: 'boolean',
		default: true,
		description:
			"Whether a completed campaign counts only when the service's logs, asked with the credential, know it. The URL is public: without this, anyone who knows it can start the workflow.",
	},
	{
		displayName: 'Ignore Repeated Events',
		name: 'deduplicate',
		type: 'boolean',
		default: true,
		description:
			'Whether the same event starts the workflow only once, however often it is delivered. Not while testing.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Completion Event Name',
				name: 'completionEvent',
				type: 'string',
				default: '',
				placeholder: 'e.g. campaign.completed',
				description:
					'The event name with which the service says that a campaign is complete, as a test event shows it. Leave it empty to recognise the usual names.',
			},
		],
	},
];
