import type { IDataObject } from 'n8n-workflow';
import { optionalText } from '../../n8n/values';
import { pick, simplify, wantedFields } from '../simplify';
import { sendText as endpoint } from '../../service/endpoints';
import type { MessageRecord } from '../../service/types';
import type { SendOperation } from '../../sending/sendOperation';
import { from, to } from '../../fields/messageFields';
import { modeFields, sendingOptions } from '../../fields/sendingOptions';
import { onDemand, type Operation } from '../operation';

/** What a retry needs of a record. Its text is not kept in the execution's data. */
const IDS = ['id', 'externalId', 'conversation_id', 'contentType', 'createdAt', 'updatedAt'];

/**
 * The fields of a message record that *Simplify* keeps (docs/development/interface.md, "Message record"): only two, so that under
 * *On Error: Continue* the editor's table shows the reason of a failure without scrolling. A retry can output them, too.
 */
const SIMPLIFIED_FIELDS = ['id', 'externalId'];

const OTHER_FIELDS = [
	'content',
	'contentType',
	'sender',
	'conversation_id',
	'createdAt',
	'updatedAt',
	'subject',
	'imageUrl',
	'videoUrl',
	'documentUrl',
	'audioUrl',
	'quoted_message_id',
];

const [simplifyField, ...ofTools] = simplify(SIMPLIFIED_FIELDS, OTHER_FIELDS);

/** Sends a free-text message for each input item; outputs the recipient and the service's message record (docs/development/interface.md, "Send session message"). */
export const sendText: Operation = {
	value: 'sendText',
	name: 'Send Text',
	action: 'Send text message',
	description:
		'Send a free-text message to someone who wrote to you on the chat app within the last 24 hours',
	hint: "It reaches only people who wrote within the last 24 hours. To others, also with a login code, use Send Template; to many people, Campaign → Send. To send a template to those whom the service refuses, set onError to 'continueRegularOutput' and take the items whose 'details.outcome' is 'rejected'. As an agent's tool, set 'to' from what started the workflow: with fromAi the model chooses who gets it, and a person must review each call. It outputs an item for each message: 'to', 'status', 'reason', 'id' and 'externalId'; one that failed also has 'error' and 'details'.",
	fields: [
		...modeFields,
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
		...ofTools,
		// Whoever adds the option wants the raw data.
		sendingOptions({ ...simplifyField, default: false }),
	],
	execute: async (context) => {
		const { runSend, ...words } = await onDemand();
		return await runSend(context, textMessages(words));
	},
};

/** What reads a text as people will read it. */
type Words = Pick<Awaited<ReturnType<typeof onDemand>>, 'messageText' | 'missingDoubt'>;

function textMessages({
	messageText,
	missingDoubt,
}: Words): SendOperation<MessageRecord, { mayBeUnusual: boolean; timeZone: string }> {
	/** By input item, the fields of its output; undefined for all of them. */
	const fields: Array<string[] | undefined> = [];
	return {
		prepare: ({ context, options }) => ({
			mayBeUnusual: options.sendUnusual,
			timeZone: context.getTimezone(),
		}),
		compose: ({ item, read, raw, missing }, check) => {
			fields[item] = wantedFields(read, SIMPLIFIED_FIELDS);
			const lacking = missing(raw('message'));
			const message = messageText(read('message'), raw('message'), check, lacking);
			return {
				from: optionalText(read('from'), 'From'),
				body: { message },
				text: message,
				doubt: missingDoubt("'Message'", lacking, check.mayBeUnusual),
			};
		},
		request: (sender, [{ to: recipient, body }]) =>
			endpoint({ from: sender, to: recipient, message: body.message as string }),
		ifRefused: 'To people who have not written to you within the last 24 hours, use Send Template.',
		receipts: (record) => [pick(record as IDataObject, IDS)],
		output: ({ item }, ids, answer) => {
			const record = (answer as IDataObject | undefined) ?? ids;
			const wanted = fields[item];
			return wanted ? pick(record, wanted) : record;
		},
	};
}
