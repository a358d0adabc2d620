import type { INodeProperties } from 'n8n-workflow';

export const triggerFields: INodeProperties[] = [
	{
		displayName:
			'Open <b>Webhook URLs</b> above, and enter the URL as the webhook in the settings of your messaging service account: the test URL while you build, the production URL once the workflow is published. With a webhook secret in the credential, add ?secret=… to it.',
		name: 'registration',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{
				name: 'Campaign Completed',
				value: 'campaignCompleted',
				description: 'All messages of a campaign have been handled',
			},
			{
				name: 'Other',
				value: 'other',
				description: 'Any other call to the webhook, as it comes',
			},
			{
				name: 'SMS Delivery Report',
				value: 'smsDeliveryReport',
				description: 'The service reports what happened to an SMS',
			},
		],
		default: ['campaignCompleted'],
		description: 'The calls that start the workflow. All others are answered and ignored.',
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'Event',
				value: 'event',
				description: 'The call as it came, with the campaign ID',
			},
			{
				name: 'Recipients',
				value: 'recipients',
				description: 'An item for each recipient of the campaign with its status',
			},
			{
				name: 'Report',
				value: 'report',
				description: 'One item: how many in each status, units, times, reasons',
			},
		],
		default: 'event',
		description: 'What comes out when a campaign is complete',
	},
	{
		displayName: 'Confirm',
		name: 'confirm',
		type: 'boolean',
		default: true,
		description:
			"Whether a completed campaign counts only when the service's logs, asked with the credential, know it. The URL is public: without this, anyone who knows it can start the workflow.",
	},
	{
		displayName: 'Deduplicate',
		name: 'deduplicate',
		type: 'boolean',
		default: true,
		description:
			'Whether the same event starts the workflow only once, however often it is delivered. Not while testing.',
	},
];
