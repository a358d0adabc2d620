import { orFailedItems } from '../../n8n/failedItems';
import { askAndWait } from '../../sendAndWait/askAndWait';
import { sendAndWaitFields } from '../../sendAndWait/fields';
import type { Operation } from '../operation';

/** One input item → a question in the chat; the answer, or a mark that none came, → one item (4.3, 4.6). */
export const sendAndWait: Operation = {
	// n8n knows the operation by exactly this value: it signs its links, and makes a human-review tool of it.
	value: 'sendAndWait',
	name: 'Send and Wait for Response',
	action: 'Send message and wait for response',
	description: 'Send a message that asks a person on the chat app, and continue with the answer',
	fields: sendAndWaitFields,
	execute: async (context) =>
		await orFailedItems(context, { outcome: 'notSent' }, async () => await askAndWait(context)),
};
