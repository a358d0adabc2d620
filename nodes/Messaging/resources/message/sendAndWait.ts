import { errorAsFailedItems } from '../../n8n/failedItems';
import { sendAndWaitFields } from '../../sendAndWait/fields';
import { onDemand, type Operation } from '../operation';

/**
 * Sends the question of the input item, and outputs the answer, or that nobody answered (docs/development/interface.md, "Send session
 * message" and "Send template message").
 */
export const sendAndWait: Operation = {
	// n8n recognises the operation by this value: it signs its links, and offers it as a human-review tool.
	value: 'sendAndWait',
	name: 'Send and Wait for Response',
	action: 'Send message and wait for response',
	description: 'Send a message that asks a person on the chat app, and continue with the answer',
	hint: "It asks as soon as it runs, without a dry run or a test: set 'to' to a placeholder for the person's own number, and let the person change it to the recipient. Later than 24 hours after the person's last message it needs a template: see 'deliverAs'. It takes one input item: with several, put Loop Over Items around it. It outputs 'data.answered' and 'data.approved' (booleans) and 'data.respondedAt'; with free text 'data.text'. When nobody has answered in time, 'data.answered' is false, and 'data.approved' of an approval is false.",
	fields: sendAndWaitFields,
	execute: async (context) => {
		const { askAndWait, failedRunItems, mayHaveAsked } = await onDemand();
		return await errorAsFailedItems(context, askAndWait(context), (why) =>
			failedRunItems(context, mayHaveAsked(context) ? 'unknown' : 'notSent', why),
		);
	},
};
