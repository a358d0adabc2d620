import type { INodeProperties } from 'n8n-workflow';

export const triggerFields: INodeProperties[] = [
	{
		// n8n shows only bulleted lists and links in such a box: no numbered lists, no line breaks and no bold text.
		displayName: `To try it, in this order:<ul>${[
			"Copy the test URL from 'Webhook URLs' above.",
			'Enter it as the webhook in the settings of your messaging service account. With a webhook secret in the credential, add ?secret= and the secret.',
			"Click 'Execute step', which only listens. Then, in another workflow or at the service, send a campaign to your own number only: it must complete within 2 minutes.",
			'Once the workflow is published, enter the production URL there instead.',
		]
			.map((step) => `<li>${step}</li>`)
			.join('')}</ul>`,
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
