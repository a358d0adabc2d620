import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { showHint } from '../../n8n/executionHints';
import { jsonField } from '../../n8n/jsonField';
import { optionalText, text } from '../../n8n/values';
import { sendTemplate as endpoint } from '../../service/endpoints';
import { numberOf } from '../../utils/text';
import type { Json } from '../../service/types';
import type { SendOperation } from '../../sending/sendOperation';
import type { TemplateComposer } from '../../templates/compose';
import { templateOptionsToMany, templateToMany } from '../../templates/fields';
import { saveOption } from '../../fields/messageFields';
import { modeFields, sendingOptions } from '../../fields/sendingOptions';
import { onDemand, type Operation } from '../operation';

const metadataField: INodeProperties = {
	displayName: 'Metadata',
	name: 'metadata',
	type: 'json',
	default: '{}',
	description:
		'A JSON object of your own that the service passes on with the message, for example <code>{"order": 12}</code>, or one expression that is all of it',
};

/** Sends a template message to each recipient; outputs an item each (docs/development/interface.md, "Send template message"). */
export const sendTemplate: Operation = {
	value: 'sendTemplate',
	name: 'Send Template',
	action: 'Send template message',
	description: 'Send a message from an approved template, at any time',
	hint: "To a list, use Campaign → Send: it is one request, and only a campaign has a report. A login code reaches people who have not written within 24 hours only by a template with category AUTHENTICATION of the channel, with the code in templateParameters, which refuse an empty one, and its button in options.templateFields; n8n's Crypto node makes the digits ('generate', 'hex'), its Code node has no crypto. It cannot send an OTP template: 'body' of one, filled in, is free text for Send Text, for people who wrote within the last 24 hours. It outputs an item for each message: 'to', 'status', 'reason' and 'serviceStatus', the service's own word; one that failed also has 'error' and 'details'.",
	fields: [
		...modeFields,
		...templateToMany,
		sendingOptions(...templateOptionsToMany, metadataField, saveOption),
	],
	execute: async (context) => {
		const { runSend, templateComposer } = await onDemand();
		const others: string[] = [];
		const outputs = await runSend(context, {
			...templateMessages,
			prepare: templateComposer,
			output: (_, receipt) => {
				const answers = (receipt.responses ?? [receipt]) as IDataObject[];
				const words = answers.map(({ status }) => text(status));
				// The service documents no other status, so nobody knows whether one is a failure.
				others.push(...words.filter((word) => word !== '' && word !== 'success').slice(0, 1));
				return receipt;
			},
		});
		if (others.length > 0) showHint(context, otherStatus(others));
		return outputs;
	},
};

const otherStatus = (words: string[]) =>
	`For ${numberOf(words.length, 'message')} the service answered another status than success: ${[...new Set(words)].slice(0, 3).join(', ')}.`;

const templateMessages: SendOperation<Json[], TemplateComposer> = {
	compose: async (input, composeTemplate) => {
		const { read, raw } = input;
		const sender = optionalText(read('from'), 'From');
		const place = 'options.metadata';
		const metadata = jsonField(read(place, '{}'), raw(place), 'Metadata');
		const { body, ...more } = await composeTemplate(input, sender);
		const hasMetadata = Object.keys(metadata).length > 0;
		return { from: sender, body: hasMetadata ? { ...body, metadata } : body, ...more };
	},
	request: (sender, [{ to, body }]) => endpoint({ from: sender, messages: [{ to, ...body }] }),
	receipts: (answers) => {
		const responses = answers as IDataObject[];
		// Not one answer to one message: which is its own is not documented, so it gets all.
		return [responses.length === 1 ? responses[0] : { responses }];
	},
};
