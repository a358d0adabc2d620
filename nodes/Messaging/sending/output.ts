import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { failedItem, hasErrorOutput } from '../n8n/failedItems';
import { yieldBefore } from '../utils/concurrency';
import type { Message } from './message';
import type { Plan } from './plan';
import { isFailed, sentenceFor, type Result } from './results';

/** Returns the output items of a run, as its option `output` says. */
export async function outputItems<Payload>(
	{ context, options, operation }: Pick<Plan<Payload>, 'context' | 'options' | 'operation'>,
	results: readonly Result[],
): Promise<INodeExecutionData[]> {
	await yieldBefore(results.length);
	const items =
		options.output === 'campaign' && operation.summary
			? requestItems(context, results, operation.summary)
			: recipientItems(context, results);
	// n8n handles all items in one piece.
	await yieldBefore(items.length);
	return items;
}

/**
 * Returns one output item for each recipient, in the order of the recipients. A failed one begins with `to`, as the others
 * do, unless it leaves through the error output.
 */
export const recipientItems = (context: IExecuteFunctions, results: readonly Result[]) =>
	results.map((result): INodeExecutionData => {
		if (!isFailed(result)) return { json: result.json, pairedItem: { item: result.message.item } };
		const { outcome, why } = result;
		const { item, to: recipient, identifier } = result.message;
		// An empty identifier is none.
		const details = {
			httpStatus: why.httpStatus,
			outcome,
			recipient,
			identifier: identifier || undefined,
			test: why.test,
		};
		const to = hasErrorOutput(context) ? undefined : (recipient ?? '');
		return failedItem(sentenceFor(recipient, outcome, why.message), details, item, to);
	});

/**
 * Returns one output item for each accepted request, in the order of their first recipients. Recipients that were
 * skipped or failed still have an item each.
 */
function requestItems(
	context: IExecuteFunctions,
	results: readonly Result[],
	summary: (messages: Message[], receipt: IDataObject) => IDataObject,
): INodeExecutionData[] {
	const campaigns = new Map<unknown, Message[]>();
	for (const result of results) {
		if (result.outcome !== 'accepted') continue;
		const messages = campaigns.get(result.receipt.campaign_id);
		if (messages) messages.push(result.message);
		else campaigns.set(result.receipt.campaign_id, [result.message]);
	}
	return results.flatMap((result) => {
		if (result.outcome !== 'accepted') return recipientItems(context, [result]);
		const messages = campaigns.get(result.receipt.campaign_id)!;
		if (messages[0] !== result.message) return [];
		return { json: summary(messages, result.receipt), pairedItem: pairedItems(messages) };
	});
}

/** The input items of messages, each once. */
export const pairedItems = (messages: Message[]) =>
	[...new Set(messages.map(({ item }) => item))].map((item) => ({ item }));
