import type { IDataObject } from 'n8n-workflow';
import { showHint } from '../../n8n/hints';
import { jsonObject, optionalText, text } from '../../n8n/values';
import { sendTemplate as endpoint } from '../../service/endpoints';
import { numberOf } from '../../utils/text';
import type { Json } from '../../service/types';
import { recipientDigits } from '../../sending/phone';
import type { Message, SendOperation } from '../../sending/sendOperation';
import type { TemplateComposer } from '../../templates/compose';
import { templateOptions, templateToMany } from '../../templates/templateFields';
import { isSaved, saveOption } from '../../fields/messageFields';
import { modeFields, sendingOptions } from '../../fields/sendingOptions';
import { engines, type Operation } from '../operation';

/** Sends a template message to each recipient, several per request if wanted; outputs an item each (docs/development/interface.md, "Send template message"). */
export const sendTemplate: Operation = {
	value: 'sendTemplate',
	name: 'Send Template',
	action: 'Send template message',
	description: 'Send a message from an approved template, at any time',
	fields: [
		...templateToMany(
			'[{ "to": "+385911234567", "parameters": ["Ana"], "metadata": { "order": 12 } }]',
		),
		{
			displayName: 'Metadata',
			name: 'metadata',
			type: 'json',
			default: '{}',
			description:
				'A JSON object of your own that the service passes on with the message, for example <code>{"order": 12}</code>',
		},
		...modeFields,
		sendingOptions(...templateOptions, saveOption, {
			displayName: 'Messages per Request',
			name: 'messagesPerRequest',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 1,
			description:
				'How many messages to put into one request. The service does not document the order of its answers. If all answers name their recipient (to), each recipient gets its own. If not, and there is one answer for each message, they are assigned by position. In all other cases every recipient gets all answers.',
		}),
	],
	execute: async (context) => {
		const { send, templateComposer } = await engines();
		const outputs = await send(context, { ...templateMessages, prepare: templateComposer });
		// The service documents no other status, so nobody knows whether one is a failure.
		const others = outputs[0].filter(({ json }) => {
			const answers = (json.responses ?? [json]) as IDataObject[];
			return answers.some(({ status }) => status && status !== 'success');
		});
		if (others.length > 0) showHint(context, otherStatus(others.length));
		return outputs;
	},
};

const otherStatus = (count: number) =>
	`For ${numberOf(count, 'message')} the service answered another status than success: see the field status.`;

const templateMessages: SendOperation<Json[], TemplateComposer> = {
	takesList: true,
	compose: async (recipient, composeTemplate) => {
		const { read, entry } = recipient;
		const sender = optionalText(read('from'), 'From');
		const metadata = jsonObject(entry?.metadata ?? read('metadata', '{}'), 'Metadata');
		const { template, text: shown } = await composeTemplate(recipient, sender);
		return {
			from: sender,
			body: {
				save: isSaved(read),
				template,
				...(Object.keys(metadata).length > 0 && { metadata }),
			},
			text: shown,
		};
	},
	perRequest: ({ perRequest }) => Math.max(1, perRequest),
	request: (sender, messages) =>
		endpoint({ from: sender, messages: messages.map(({ to, body }) => ({ to, ...body })) }),
	receipts: answersOf,
	// Keep our `to`: the service may write the recipient differently, or name another one.
	output: ({ to }, receipt) => Object.assign({ to }, receipt, { to }),
};

/** Returns each message's answer: by recipient if all answers name one, by position if there are as many, or all answers. */
function answersOf(answers: Json[], messages: Message[]): IDataObject[] {
	const responses = answers as IDataObject[];
	const byRecipient = new Map<string, IDataObject[]>(messages.map(({ digits }) => [digits, []]));
	const areNamed = responses.every((answer) => {
		const own = byRecipient.get(recipientDigits(text(answer?.to)));
		own?.push(answer);
		return own !== undefined;
	});
	return messages.map(({ digits }, index) => {
		if (areNamed) return byRecipient.get(digits)!.shift() ?? { responses };
		return (answers.length === messages.length && responses[index]) || { responses };
	});
}
