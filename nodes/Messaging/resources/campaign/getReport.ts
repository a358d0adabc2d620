import { reading } from '../../host/reading';
import { requiredText } from '../../host/values';
import { readLogs } from '../../logs/readLogs';
import { summarise } from '../../logs/summary';
import type { Operation } from '../operation';

/** All log records of a campaign → one summary, an item per recipient, or both (4.7). */
export const getReport: Operation = {
	value: 'getReport',
	name: 'Get Report',
	action: 'Get the report of a campaign',
	description: 'Find out what happened to the messages of a campaign',
	fields: [
		{
			displayName: 'Campaign ID',
			name: 'campaignId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. {{ $json.campaign_id }}',
			description: 'The ID that sending the campaign gave',
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
	],
	execute: reading(async ({ ask, read }) => {
		const campaignId = requiredText(read('campaignId'), 'Campaign ID');
		const output = read('output', 'summary');
		const records = await readLogs({ campaignId }, Infinity, ask);
		return [
			...(output === 'recipients' ? [] : [summarise(campaignId, records)]),
			...(output === 'summary' ? [] : records),
		];
	}),
};
