import type { IDataObject } from 'n8n-workflow';
import { only, optionalText, requiredText } from '../../n8n/values';
import { sendText as endpoint } from '../../service/endpoints';
import type { MessageRecord } from '../../service/types';
import { sendingOptions } from '../../sending/fields';
import { sending } from '../../sending/send';
import { from, to } from '../../fields/messageFields';
import type { Operation } from '../operation';

/** The record's ids; its text stays out of the execution's memory, and so do fields that it lacks. */
function idsOf(record: MessageRecord): IDataObject {
	const { id, externalId, conversation_id, contentType, createdAt, updatedAt } =
		record as IDataObject;
	// Written out: it is done for each message, and the service's records have them all.
	const ids = { id, externalId, conversation_id, contentType, createdAt, updatedAt };
	return Object.values(ids).includes(undefined)
		? only(record as IDataObject, Object.keys(ids))
		: ids;
}

/** Input items → a free-text message each → the service's message record each (4.3). */
export const sendText: Operation = {
	value: 'sendText',
	name: 'Send Text',
	action: 'Send text message',
	description:
		'Send a free-text message to someone who wrote to you on the chat app within the last 24 hours',
	fields: [
		from,
		to,
		{
			displayName: 'Message',
			name: 'message',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			required: true,
			placeholder: 'e.g. Hello, your order has left our warehouse.',
			description:
				'The text to send. It is delivered only if the recipient has written to you within the last 24 hours.',
		},
		sendingOptions(),
	],
	execute: sending<MessageRecord>({
		takesList: false,
		hasIdentifier: false,
		prepare:
			() =>
			({ read }) => {
				const message = messageText(read('message'));
				return {
					from: optionalText(read('from'), 'From'),
					to: optionalText(read('to'), 'To'),
					body: { message },
					text: message,
				};
			},
		perRequest: () => 1,
		request: (sender, [message]) =>
			endpoint({ from: sender, to: message.to, message: message.body.message as string }),
		keep: (record) => [idsOf(record)],
		answer: (record) => record as IDataObject,
		output: (_, kept) => kept,
	}),
};

/** The text as it was written, spaces and all; only its being empty is an error. */
function messageText(value: unknown): string {
	requiredText(value, 'Message');
	return String(value);
}
