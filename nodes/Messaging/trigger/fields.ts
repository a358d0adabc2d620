import type { INodeProperties } from 'n8n-workflow';

/** A path or a word is told as it is written, because an expression would cost every call an evaluation. */
const AS_WRITTEN = { type: 'string' as const, noDataExpression: true, default: '' };

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
				...AS_WRITTEN,
				displayName: 'Campaign ID Field',
				name: 'campaignIdField',
				placeholder: 'e.g. body.data.broadcast.uuid',
				description:
					"Where the campaign's ID is in the output, when it is not in its usual place. The 'hint' of a test event names it.",
			},
			{
				displayName: 'Completed When',
				name: 'completedWhen',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				placeholder: 'Add Condition',
				default: {},
				description:
					"What your service sends when a campaign is complete. All conditions must hold, and nothing else counts then. The 'hint' of a test event names them.",
				options: [
					{
						displayName: 'Condition',
						name: 'conditions',
						values: [
							{
								...AS_WRITTEN,
								displayName: 'Field',
								name: 'field',
								placeholder: 'e.g. body.data.status',
								description: 'Where it is in the output, with points between the names',
							},
							{
								...AS_WRITTEN,
								displayName: 'Value',
								name: 'value',
								placeholder: 'e.g. DONE, FINISHED',
								description:
									'One of these words. <code>*</code> is any value. Leave it empty if the field must be missing.',
							},
						],
					},
				],
			},
		],
	},
];
