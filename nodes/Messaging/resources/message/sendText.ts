import type { IDataObject } from 'n8n-workflow';
import { only, optionalText, requiredText } from '../../n8n/values';
import { sendText as endpoint } from '../../service/endpoints';
import type { MessageRecord } from '../../service/types';
import { sendingOptions } from '../../sending/options';
import { send } from '../../sending/send';
import type { SendOperation } from '../../sending/sendOperation';
import { from, to } from '../../fields/messageFields';
import type { Operation } from '../operation';

/** The record's ids, which a retry needs. Its text is not kept in the execution's data. */
function idsOf(record: MessageRecord): IDataObject {
	const { id, externalId, conversation_id, contentType, createdAt, updatedAt } =
		record as IDataObject;
	// Written out for speed: this runs for each message, and usually the record has all of them.
	const ids = { id, externalId, conversation_id, contentType, createdAt, updatedAt };
	return Object.values(ids).includes(undefined)
		? only(record as IDataObject, Object.keys(ids))
		: ids;
}

/** Sends a free-text message for each input item; outputs the service's message record (docs/interface.md, "Send session message"). */
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
	execute: async (context) => await send(context, textMessage),
};

const textMessage: SendOperation<MessageRecord> = {
	compose: ({ read }) => {
		const message = messageText(read('message'));
		return {
			from: optionalText(read('from'), 'From'),
			to: optionalText(read('to'), 'To'),
			body: { message },
			text: message,
		};
	},
	request: (sender, [{ to: recipient, body }]) =>
		endpoint({ from: sender, to: recipient, message: body.message as string }),
	keep: (record) => [idsOf(record)],
	output: (_, ids, record) => (record as IDataObject | undefined) ?? ids,
};

/** The text exactly as it was written, including its spaces; it must not be empty. */
function messageText(value: unknown): string {
	requiredText(value, 'Message');
	return String(value);
}
