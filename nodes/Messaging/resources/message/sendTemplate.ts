import type { IDataObject } from 'n8n-workflow';
import { flag, jsonObject, text } from '../../host/values';
import { sendTemplate as endpoint } from '../../service/endpoints';
import type { Json } from '../../service/payload';
import { sendingOptions } from '../../sending/fields';
import { sending } from '../../sending/send';
import { templateComposer } from '../../templates/compose';
import {
	extraTemplateFields,
	templateFields,
	templateParametersOfItem,
} from '../../templates/fields';
import { from, recipientList, recipients, save, toOfItem } from '../fields';
import type { Operation } from '../operation';

/** Recipients → template messages, as many per request as wanted → an item each (4.6). */
export const sendTemplate: Operation = {
	value: 'sendTemplate',
	name: 'Send Template',
	action: 'Send template message',
	description: 'Send a message from an approved template, at any time',
	fields: [
		from,
		recipients,
		toOfItem,
		recipientList(
			'[{ "to": "+385911234567", "parameters": ["Ana"], "metadata": { "order": 12 } }]',
		),
		...templateFields,
		templateParametersOfItem,
		save,
		{
			displayName: 'Metadata',
			name: 'metadata',
			type: 'json',
			default: '{}',
			description: 'A JSON object of your own that the service keeps with the message',
		},
		extraTemplateFields,
		sendingOptions({
			displayName: 'Messages per Request',
			name: 'messagesPerRequest',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 1,
			description:
				'How many messages to put into one request. The service does not say in which order it answers: if it gives as many answers as there were messages, each recipient gets the one at the same place; otherwise every recipient gets all of them.',
		}),
	],
	execute: sending<Json[]>({
		takesList: true,
		hasIdentifier: false,
		prepare: (setup) => {
			const template = templateComposer(setup);
			return async (recipient) => {
				const { read, entry } = recipient;
				const sender = text(read('from'));
				const metadata = jsonObject(entry?.metadata ?? read('metadata', '{}'), 'Metadata');
				const composed = await template(recipient, sender);
				return {
					from: sender,
					to: text(entry ? entry.to : read('to')),
					body: {
						save: flag(read('save', false), 'Save as Conversation'),
						template: composed.template,
						...(Object.keys(metadata).length > 0 && { metadata }),
					},
					text: composed.text,
				};
			};
		},
		perRequest: ({ perRequest }) => Math.max(1, perRequest),
		request: (sender, messages) =>
			endpoint({ from: sender, messages: messages.map(({ to, body }) => ({ to, ...body })) }),
		keep: (answers, messages) =>
			messages.map((_, index) =>
				answers.length === messages.length
					? (answers[index] as IDataObject)
					: { responses: answers as IDataObject[] },
			),
		output: ({ to }, kept) => ({ to, ...kept }),
	}),
};
