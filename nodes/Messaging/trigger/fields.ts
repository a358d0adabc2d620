import type { INodeProperties } from 'n8n-workflow';

export const triggerFields: INodeProperties[] = [
	{
		displayName:
			'To try it: 1. Copy the test URL from <b>Webhook URLs</b> above. 2. Enter it as the webhook in the settings of your messaging service account. 3. Click <b>Execute step</b>, and let a campaign complete within 2 minutes. Once the workflow is published, enter the production URL there instead. With a webhook secret in the credential, add ?secret= and the secret to both URLs.',
		name: 'registration',
		type: 'notice',
		default: '',
	},
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
				name: 'Other',
				value: 'other',
				action: 'On another event',
				description: 'Any other call to the webhook, as it was received',
			},
			{
				name: 'SMS Delivery Report',
				value: 'smsDeliveryReport',
				action: 'On SMS delivery report',
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
				description: 'The call as it was received, with the campaign ID',
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
		description: 'What the trigger outputs when a campaign is complete',
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
