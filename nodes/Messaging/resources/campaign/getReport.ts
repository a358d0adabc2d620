import { reports } from '../../report/reports';
import type { Operation } from '../operation';

/** Outputs a summary of each campaign, an item for each of its recipients, or both (docs/interface.md, "Get logs"). */
export const getReport: Operation = {
	value: 'getReport',
	name: 'Get Report',
	action: 'Get campaign report',
	description: 'Get a report of what happened to the messages of a campaign',
	fields: [
		{
			displayName: 'Campaign ID',
			name: 'campaignId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. {{ $json.campaign_id }}',
			description:
				'The campaign ID that Campaign Send returned. Input items with the same ID are one campaign, which is read once.',
		},
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
					displayName: 'Join to Input Items',
					name: 'joinInputItems',
					type: 'boolean',
					default: true,
					description:
						'Whether recipients are returned in the order of the input items and paired with them, by the field <code>identifier</code> that Campaign Send returned. Recipients that are not in the logs are returned as missing. Input items without that field are not joined.',
				},
				{
					displayName: 'Picture',
					name: 'picture',
					type: 'boolean',
					default: false,
					displayOptions: { hide: { '/output': ['recipients'] } },
					description:
						'Whether to add a picture of the summary, as an SVG file in the binary field <code>picture</code>',
				},
			],
		},
	],
	execute: reports,
};
