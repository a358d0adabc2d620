import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { formatNumber } from '../utils/text';
import { showHint } from '../n8n/hints';
import { makeBatches } from './batches';
import { findEarlierMessages, isAccepted } from './earlierAttempt';
import type { Message } from './message';
import { pairedItems, recipientItems, type Result } from './results';
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
	await hintAtEarlierAttempt(context, memory, messages);
	const requests = makeBatches(messages, perRequest).map(({ from, messages: together }) => {
		const { method, path, body } = operation.request(from, together);
		const recipients = together.map(({ to, identifier, text }) => ({
			to,
			...(identifier && { identifier }),
			...(text !== undefined && { text }),
		}));
		return {
			json: { dryRun: true, method, path, body: body as IDataObject, recipients },
			pairedItem: pairedItems(together),
		};
	});
	const leftOut = results.filter((result) => result !== undefined);
	return [...requests, ...recipientItems(leftOut)];
}

/** Says what *Retry* would leave out: a person may turn Dry Run on before it, and the requests show all messages. */
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
