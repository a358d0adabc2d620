import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { failedItem, hasErrorOutput } from '../n8n/failedItems';
import { yieldBefore } from '../utils/concurrency';
import type { Message } from './message';
import type { Plan } from './plan';
import { isFailed, reasonOf, sentenceFor, statusOf, type Result } from './results';

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
 * Returns one output item for each recipient, in the order of the recipients. All of them begin with the same fields, so that
 * n8n's table shows at a glance who got the message and who did not: `to`, `status`, and `reason` when one of them has one. A
 * failed item that leaves through the error output has only what n8n lets through.
 */
export function recipientItems(
	context: IExecuteFunctions,
	results: readonly Result[],
): INodeExecutionData[] {
	const toErrorOutput = hasErrorOutput(context);
	const isShown = (result: Result) => !(toErrorOutput && isFailed(result));
	const haveReasons = results.some((each) => isShown(each) && reasonOf(each) !== '');
	const beginning = (result: Result) => ({
		to: result.message.to ?? '',
		status: statusOf(result),
		...(haveReasons && { reason: reasonOf(result) }),
	});
	return results.map((result) => {
		const begin = isShown(result) ? beginning(result) : {};
		const { item, to, identifier } = result.message;
		// The service may write the recipient differently, or name another one.
		if (!isFailed(result)) return { json: { ...begin, ...result.json, to }, pairedItem: { item } };
		const { outcome, why } = result;
		const details = {
			httpStatus: why.httpStatus,
			outcome,
			recipient: to,
			// An empty identifier is none.
			identifier: identifier || undefined,
			...(why.test && { test: true }),
		};
		return failedItem(sentenceFor(to, outcome, why.message), details, item, begin);
	});
}

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
		const json = { status: statusOf(result), ...summary(messages, result.receipt) };
		return { json, pairedItem: pairedItems(messages) };
	});
}

/** The input items of messages, each once. */
export const pairedItems = (messages: Message[]) =>
	[...new Set(messages.map(({ item }) => item))].map((item) => ({ item }));
