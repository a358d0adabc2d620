import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { recipientItems } from './report';
import type { Batch, SendingOperation } from './operation';
import type { Result } from './results';

/**
 * What would be sent: an item for each request with its exact body and the text that each recipient
 * would read (where that is known), then the recipients that would be
 * left out.
 *
 * @param results what is settled already, by position; the rest would be sent
 */
export function dryRun<Payload>(
	operation: SendingOperation<Payload>,
	batches: Batch[],
	results: Array<Result | undefined>,
): INodeExecutionData[] {
	const requests = batches.map(({ from, messages }) => {
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
