import type { IDataObject } from 'n8n-workflow';
import { flag, jsonObject, optionalText, text, without } from '../../n8n/values';
import { sendTemplate as endpoint } from '../../service/endpoints';
import type { Json } from '../../service/types';
import { sendingOptions } from '../../sending/fields';
import type { Message } from '../../sending/message';
import { recipientDigits } from '../../sending/phone';
import { sending } from '../../sending/send';
import { templateComposer } from '../../templates/compose';
import {
	extraTemplateFields,
	templateFields,
	templateParametersOfItem,
} from '../../templates/fields';
import { from, recipientList, recipients, save, toOfItem } from '../../fields/messageFields';
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
				'How many messages to put into one request. The service does not say in which order it answers. Answers that name their recipient (to) are given to it. Otherwise, if it gives as many answers as there were messages, each recipient gets the one at the same place; otherwise every recipient gets all of them.',
		}),
	],
	execute: sending<Json[]>({
		takesList: true,
		hasIdentifier: false,
		prepare: (setup) => {
			const template = templateComposer(setup);
			return async (recipient) => {
				const { read, entry } = recipient;
				const sender = optionalText(read('from'), 'From');
				const metadata = jsonObject(entry?.metadata ?? read('metadata', '{}'), 'Metadata');
				const composed = await template(recipient, sender);
				return {
					from: sender,
					to: optionalText(entry ? entry.to : read('to'), 'To'),
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
		keep: answersOf,
		// The service may write the recipient in its own way, or name another one.
		output: ({ to }, kept) => ({ to, ...without(kept, 'to') }),
	}),
};

/** Each message's answer: by the recipient that the answers name, or else by position where the number matches. */
function answersOf(answers: Json[], messages: Message[]): IDataObject[] {
	const responses = answers as IDataObject[];
	const byRecipient = new Map<string, IDataObject[]>(messages.map(({ digits }) => [digits, []]));
	const areNamed = responses.every((answer) => {
		const own = byRecipient.get(recipientDigits(text(answer?.to)));
		own?.push(answer);
		return own !== undefined;
	});
	return messages.map(
		({ digits }, index) =>
			(areNamed
				? byRecipient.get(digits)!.shift()
				: answers.length === messages.length
					? responses[index]
					: undefined) ?? { responses },
	);
}
