import { noteCampaign } from '../../n8n/executionHints';
import { locator } from '../../fields/locator';
import { onDemand, type Operation } from '../operation';

/** Outputs a summary of each campaign, an item for each of its recipients, or both (docs/development/interface.md, "Get logs"). */
export const getReport: Operation = {
	value: 'getReport',
	name: 'Get Report',
	action: 'Get campaign report',
	description: 'Retrieve a report of what happened to the messages of a campaign',
	hint: "Put it directly behind Campaign → Send, or behind Messaging Trigger. It outputs an item for each campaign: 'text' is a sentence for people, 'recipients', 'delivered' (read ones included), 'read' and 'failed' are numbers, 'statuses' has the count of each status of the service, 'reasons' is a list of { reason, count }; 'complete' is there with Wait for Completion. A recipient has 'to', 'campaign_id', 'status' and 'reason'. A status is the service's word in its spelling, and only 'delivered' is documented; a reason is in the provider's words, which are documented nowhere: never guess those that are for good, a person chooses them from the 'reasons' of a report. Compare 'to' with the 'to' of a dry run of the list, not with its column: numbers are written in many ways. With output 'both' the summary is an item of its own, with all this below 'summary'.",
	fields: [
		locator({
			displayName: 'Campaign ID',
			name: 'campaignId',
			// After Campaign → Send this is right, and nothing needs to be filled in.
			default: { mode: 'id', value: '={{ $json.campaign_id }}' },
			required: true,
			builderHint: { propertyHint: 'Left out, it is that of the input items' },
			description:
				'After Campaign → Send: the <code>campaign_id</code> that it returned. Input items with the same ID are one campaign, which is read once. To choose another campaign from a list, click <b>Fixed</b> first.',
			list: {
				searchListMethod: 'searchCampaigns',
				placeholder: 'Choose a campaign…',
				hint: 'The most recent campaigns in the logs',
			},
			entered: {
				displayName: 'By ID',
				name: 'id',
				placeholder: 'e.g. 3f2a1c0e-0000-4000-8000-000000000001',
			},
		}),
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{
					name: 'Recipients',
					value: 'recipients',
					description: 'An item for each recipient with its status',
				},
				{
					name: 'Summary',
					value: 'summary',
					description: 'One item: how many in each status, units, times, reasons',
				},
				{
					name: 'Summary and Recipients',
					value: 'both',
					description: 'The summary first, then an item for each recipient',
				},
			],
			default: 'summary',
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				{
					displayName: 'HTML',
					name: 'html',
					type: 'boolean',
					// An option that somebody adds has effect at once.
					default: true,
					displayOptions: { hide: { '/output': ['recipients'] } },
					description:
						'Whether to add the summary as HTML for an e-mail, in the field <code>html</code>. Without this option, it is not added.',
				},
				{
					displayName: 'Join to Input Items',
					name: 'joinInputItems',
					type: 'boolean',
					default: true,
					description:
						'Whether to return recipients in the order of the input items and paired with them, by the field <code>identifier</code> that Campaign → Send returned. Recipients that are not in the logs are returned as missing. Input items without that field are not joined.',
				},
				{
					displayName: 'Wait for Completion',
					name: 'waitForCompletion',
					builderHint: {
						propertyHint:
							'{ values: { longestWait: 5, interval: 10 } }: minutes for all campaigns together, and seconds between two readings',
					},
					type: 'fixedCollection',
					default: { values: { longestWait: 5, interval: 10 } },
					description:
						'Without this option, the report shows this moment: directly behind Campaign → Send, hardly anybody has the message yet. With it, the logs are read again until no message is pending or missing, or the time is up; <code>complete</code> says which of the two. The execution keeps running meanwhile. To wait longer than a few minutes, start another workflow with Messaging Trigger, or repeat the report in a loop with a Wait node.',
					options: [
						{
							displayName: 'Wait',
							name: 'values',
							values: [
								{
									displayName: 'Longest Wait (Minutes)',
									name: 'longestWait',
									type: 'number',
									typeOptions: { minValue: 0 },
									default: 5,
									description:
										'How many minutes to wait at most, for all campaigns of this execution together',
								},
								{
									displayName: 'Interval (Seconds)',
									name: 'interval',
									type: 'number',
									typeOptions: { minValue: 1 },
									default: 10,
									description: 'How many seconds to wait before reading the logs again',
								},
							],
						},
					],
				},
			],
		},
	],
	execute: async (context) => noteCampaign(context, await (await onDemand()).reportEach(context)),
};
