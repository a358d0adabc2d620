import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { formatNumber, numberOf } from '../utils/text';
import { hasErrorOutput } from '../n8n/failedItems';
import { showHint } from '../n8n/hints';
import { groupMessages, type MessageGroup } from './messageGroups';
import { findEarlierMessages, isAccepted } from './earlierAttempt';
import type { Message } from './message';
import { isFailed, pairedItems, recipientItems, type Result } from './results';
import type { RunMemory } from './runMemory';
import type { SendRun } from './sendOperation';

/**
 * Shows what would be sent: an item for each request with its exact body and, where it is known, the text that each
 * recipient would read; then the recipients that would be left out.
 *
 * @param results of the recipients that would be left out, by position
 */
export async function dryRun<Payload>(
	{ context, operation, memory, perRequest }: SendRun<Payload>,
	messages: Message[],
	results: Array<Result | undefined>,
): Promise<INodeExecutionData[]> {
	const groups = groupMessages(messages, perRequest);
	const leftOut = results.filter((result) => result !== undefined);
	const onlyTest = messages.some(({ isTest }) => isTest)
		? " 'Test Recipient' is set, so only that number would get a message."
		: '';
	showHint(context, `Nothing was sent: ${plan(messages, groups, leftOut)}.${onlyTest}`, 'info');
	await hintAtEarlierAttempt(context, memory, messages);
	const requests = groups.map(({ from, messages: together }) => {
		const { method, path, body } = operation.request(from, together);
		const recipients = together.map(({ to, identifier, text }) => ({
			to,
			...(text !== undefined && { text }),
			...(identifier && { identifier }),
		}));
		return {
			// The recipients first: n8n's table shows the fields in this order.
			json: { dryRun: true, recipients, method, path, body: body as IDataObject },
			pairedItem: pairedItems(together),
		};
	});
	return [...requests, ...recipientItems(leftOut, hasErrorOutput(context))];
}

/** Counts what would be sent and left out, for example "3 messages in 1 request, 1 recipient twice". */
function plan(messages: Message[], groups: MessageGroup[], leftOut: Result[]): string {
	const perRecipient = new Map<string, number>();
	for (const { digits } of messages) perRecipient.set(digits, (perRecipient.get(digits) ?? 0) + 1);
	const several = [...perRecipient.values()].filter((count) => count > 1);
	const often = several.every((count) => count === 2) ? 'twice' : 'more than once';
	const refused = leftOut.filter(isFailed).length;
	const skipped = leftOut.length - refused;
	return [
		`${numberOf(messages.length, 'message')} in ${numberOf(groups.length, 'request')}`,
		...(several.length > 0 ? [`${numberOf(several.length, 'recipient')} ${often}`] : []),
		...(skipped > 0 ? [`${formatNumber(skipped)} skipped`] : []),
		...(refused > 0 ? [`${formatNumber(refused)} cannot be sent`] : []),
	].join(', ');
}

/**
 * Shows how many of the messages *Retry* would not send again. The output's requests contain them too, if a person turns
 * on *Dry Run* before the *Retry*.
 */
async function hintAtEarlierAttempt(
	context: IExecuteFunctions,
	memory: RunMemory,
	messages: Message[],
) {
	const earlier = [...(await findEarlierMessages(memory, messages)).values()];
	if (earlier.length === 0) return;
	const sent = earlier.filter((message) => isAccepted(memory, message)).length;
	const unknown = earlier.length - sent;
	const counts = [
		...(sent > 0 ? [`has sent ${formatNumber(sent)}`] : []),
		...(unknown > 0 ? [`may have sent ${formatNumber(unknown)}`] : []),
	].join(' and ');
	const again =
		unknown > 0 ? " (unless 'Resend Unknown' is on, for those that may have been sent)" : '';
	showHint(
		context,
		`Dry run: An earlier attempt of this execution ${counts} of these messages; Retry does not send them again${again}.`,
	);
}
