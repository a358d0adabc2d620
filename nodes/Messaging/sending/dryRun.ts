import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { formatNumber } from '../utils/text';
import { showHint } from '../n8n/hints';
import type { Memory } from './memory';
import type { Message } from './message';
import { recipientItems } from './report';
import type { Batch, SendingOperation } from './operation';
import type { Result } from './results';
import { findEarlier } from './sameMessage';

type Checked = {
	memory: Memory;
	messages: Message[];
	batches: (messages: Message[]) => Batch[];
	results: Array<Result | undefined>;
};

/** A person may turn Dry Run on before *Retry*, to see what is left to send: the requests show all messages. */
async function hintAtEarlier(context: IExecuteFunctions, memory: Memory, messages: Message[]) {
	const earlier = [...(await findEarlier(memory, messages)).values()];
	if (earlier.length === 0) return;
	const sent = earlier.filter(
		(place) => typeof place !== 'string' && memory.fateOf(place).fate === 'accepted',
	).length;
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

/**
 * What would be sent: an item for each request with its exact body and the text that each recipient
 * would read (where that is known), then the recipients that would be
 * left out.
 *
 * @param results what is settled already, by position; the rest would be sent
 */
export async function dryRun<Payload>(
	context: IExecuteFunctions,
	operation: SendingOperation<Payload>,
	{ memory, messages, batches, results }: Checked,
): Promise<INodeExecutionData[]> {
	await hintAtEarlier(context, memory, messages);
	const requests = batches(messages).map(({ from, messages }) => {
		const { method, path, body } = operation.request(from, messages);
		return {
			json: {
				dryRun: true,
				method,
				path,
				body: body as IDataObject,
				recipients: messages.map(({ to, identifier, text }) => ({
					to,
					...(identifier && { identifier }),
					...(text !== undefined && { text }),
				})),
			},
			pairedItem: [...new Set(messages.map(({ item }) => item))].map((item) => ({ item })),
		};
	});
	const leftOut = results.filter((result) => result !== undefined);
	return [...requests, ...recipientItems(leftOut)];
}
