import type { IDataObject } from 'n8n-workflow';
import { flag, optionalText, without } from '../../n8n/values';
import { sendCampaign } from '../../service/endpoints';
import type { Json } from '../../service/types';
import { sendingOptions } from '../../sending/fields';
import { sending } from '../../sending/send';
import { templateComposer } from '../../templates/compose';
import {
	extraTemplateFields,
	templateFields,
	templateParametersOfItem,
} from '../../templates/fields';
import { from, recipientList, recipients, save, toOfItem } from '../../fields/messageFields';
import type { Operation } from '../operation';
import { findCampaign, findMessages, trackCampaign } from './findCampaign';

/** All input items → one campaign in one request (for each sender) → an item per recipient (4.4). */
export const send: Operation = {
	value: 'send',
	name: 'Send',
	action: 'Send campaign',
	description: 'Send a template to many recipients as one campaign, in one request',
	fields: [
		from,
		recipients,
		toOfItem,
		recipientList('[{ "to": "+385911234567", "identifier": "order-12", "parameters": ["Ana"] }]'),
		...templateFields,
		templateParametersOfItem,
		{
			displayName: 'Identifier',
			name: 'identifier',
			type: 'string',
			default: '',
			placeholder: 'e.g. {{ $json.orderId }}',
			displayOptions: { show: { recipients: ['items'] } },
			description:
				'Your own unique ID for the message, to find it in the logs. Generated automatically if empty.',
		},
		save,
		extraTemplateFields,
		sendingOptions(
			{
				displayName: 'Max Recipients per Request',
				name: 'maxRecipients',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 0,
				description:
					'The largest number of recipients in one request. A longer list becomes several campaigns, each with its own ID. 0 means no limit.',
			},
			{
				displayName: 'Output',
				name: 'output',
				type: 'options',
				options: [
					{
						name: 'One Item per Campaign',
						value: 'campaign',
						description: 'The campaign ID and the number of recipients',
					},
					{
						name: 'One Item per Recipient',
						value: 'recipients',
						description: 'Each recipient with its identifier and the campaign ID',
					},
				],
				default: 'recipients',
				description: 'What comes out when the campaign was accepted',
			},
		),
	],
	execute: sending<Json & { campaign_id: string }>({
		takesList: true,
		hasIdentifier: true,
		prepare: (setup) => {
			const template = templateComposer(setup);
			return async (recipient) => {
				const { read, entry } = recipient;
				const sender = optionalText(read('from'), 'From');
				const composed = await template(recipient, sender);
				return {
					from: sender,
					to: optionalText(entry ? entry.to : read('to'), 'To'),
					identifier: optionalText(entry ? entry.identifier : read('identifier'), 'Identifier'),
					body: {
						save: flag(read('save', false), 'Save as Conversation'),
						template: composed.template,
					},
					text: composed.text,
				};
			};
		},
		perRequest: ({ perRequest }) => perRequest || Infinity,
		request: (sender, messages) =>
			sendCampaign({
				from: sender,
				messages: messages.map(({ to, identifier, body }) => ({ to, ...body, identifier })),
			}),
		keep: (data, messages) =>
			messages.map(({ identifier }) => ({ ...(data as IDataObject), identifier })),
		// Fields of the same names in the service's answer are about the campaign, not about this recipient.
		output: ({ to }, kept) => ({ to, identifier: kept.identifier, ...without(kept, 'to') }),
		summary: (messages, kept) => ({
			...without(kept, 'identifier'),
			from: messages[0].from,
			recipients: messages.length,
		}),
		track: trackCampaign,
		lookUp: findCampaign,
		lookUpEach: findMessages,
	}),
};
