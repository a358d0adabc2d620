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
				description: 'A campaign is finished',
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
		hint: 'Only the chosen events start the workflow',
	},
	{
		displayName: 'Check in Logs First',
		name: 'confirm',
		type: 'boolean',
		default: true,
		description:
			"Whether to start only if the service's logs know the campaign. The URL is public: without this, anyone who knows it can start the workflow.",
	},
	{
		displayName: 'Ignore Repeated Events',
		name: 'deduplicate',
		type: 'boolean',
		default: true,
		description:
			'Whether the same event starts the workflow only once, even if the service delivers it again. While you test, every call is shown.',
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
					"Where the campaign's ID is in the output, if it is not in its usual place. The 'hint' of a test event tells you.",
			},
			{
				displayName: 'Completed When',
				name: 'completedWhen',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				placeholder: 'Add Condition',
				default: {},
				description:
					"What your service sends when a campaign is complete. All conditions must hold, and nothing else is checked then. The 'hint' of a test event tells you which to enter.",
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
								description: 'The path in the output, with dots between the names',
							},
							{
								...AS_WRITTEN,
								displayName: 'Value',
								name: 'value',
								placeholder: 'e.g. DONE, FINISHED',
								description:
									'The value, or several values separated by commas. <code>*</code> means any value. Leave it empty if the field must be missing.',
							},
						],
					},
				],
			},
		],
	},
];
