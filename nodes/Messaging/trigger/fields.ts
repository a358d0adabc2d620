import type { INodeProperties } from 'n8n-workflow';

export const triggerFields: INodeProperties[] = [
	{
		displayName:
			"Enter this node's webhook URL in the settings of your messaging service account: the test URL while you build, the production URL once the workflow is published. With a webhook secret in the credential, add <code>?secret=…</code> to it.",
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
];
