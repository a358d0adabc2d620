import type { IDataObject } from 'n8n-workflow';
import { noteCampaign } from '../../n8n/executionHints';
import { optionalText, refuseHalfCharacters } from '../../n8n/values';
import { sendCampaign } from '../../service/endpoints';
import type { Json } from '../../service/types';
import type { Message } from '../../sending/message';
import type { SendOperation } from '../../sending/sendOperation';
import { whenReady } from '../../utils/concurrency';
import type { TemplateComposer } from '../../templates/compose';
import { templateOptionsToMany, templateToMany } from '../../templates/fields';
import { saveOption } from '../../fields/messageFields';
import { modeFields, sendingOptions } from '../../fields/sendingOptions';
import { onDemand, type Operation } from '../operation';
import { findCampaign } from './findCampaign';

/** Sends all input items as one campaign for each sender; outputs an item per recipient (docs/development/interface.md, "Send campaign"). */
export const send: Operation = {
	value: 'send',
	name: 'Send',
	action: 'Send campaign',
	description:
		'Send a template to many recipients as one campaign: all items at once, so neither a loop nor a Wait is needed',
	hint: "One call for the whole list, without a loop, a batch or a wait around it: all input items are one campaign. For a list, set options.onDuplicateRecipient to 'skip'. It outputs an item for each recipient: 'to', 'status', 'reason', 'identifier' and 'campaign_id'; one that failed also has 'error' and 'details'.",
	fields: [
		...modeFields,
		...templateToMany,
		sendingOptions(
			...templateOptionsToMany,
			{
				displayName: 'Identifier',
				name: 'identifier',
				type: 'string',
				default: '',
				placeholder: 'e.g. {{ $json.orderId }}',
				description:
					'Your own unique ID for the message, to find it in the logs. Without it, the node generates one.',
			},
			saveOption,
			{
				displayName: 'Max Recipients per Request',
				name: 'maxRecipients',
				type: 'number',
				noDataExpression: true,
				typeOptions: { minValue: 0 },
				default: 0,
				description:
					'The largest number of recipients in one request. A longer list becomes several campaigns, each with its own ID. 0 means no limit.',
			},
			{
				displayName: 'Output',
				name: 'output',
				type: 'options',
				noDataExpression: true,
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
				description: 'What the node returns when the campaign was accepted',
			},
		),
	],
	execute: async (context) => {
		const { runSend, templateComposer } = await onDemand();
		const operation = { ...campaigns, prepare: templateComposer };
		return noteCampaign(context, await runSend(context, operation));
	},
};

const campaigns: SendOperation<Json & { campaign_id: string }, TemplateComposer> = {
	hasIdentifier: true,
	compose: (input, composeTemplate) => {
		const { read } = input;
		const sender = optionalText(read('from'), 'From');
		const identifier = optionalText(read('options.identifier'), 'Identifier');
		refuseHalfCharacters(identifier, "'Identifier'");
		return whenReady(composeTemplate(input, sender), (composed) => ({
			from: sender,
			identifier,
			...composed,
		}));
	},
	perRequest: ({ perRequest }) => perRequest || Infinity,
	request: (sender, messages) =>
		sendCampaign({ from: sender, messages: messages.map(recipientPart) }),
	receipts: (data) => [data as IDataObject],
	summary: (messages, receipt) => ({
		...receipt,
		from: messages[0].from,
		recipients: messages.length,
	}),
	lookUp: findCampaign,
};

/** Field by field: with a spread, to make and to write the parts of 100,000 recipients takes twice as long. */
const recipientPart = ({ to, identifier, body: { save, template } }: Message) => ({
	to,
	save,
	template,
	identifier,
});
