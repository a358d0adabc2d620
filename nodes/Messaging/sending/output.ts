import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IPairedItemData,
} from 'n8n-workflow';
import { failedItem, hasErrorOutput, MAY_HAVE_IT, mayHaveGotIt } from '../n8n/failedItems';
import { forEachInSlices, yieldBefore } from '../utils/concurrency';
import type { Tally } from './tally';
import type { Message } from './message';
import type { Plan } from './plan';
import { recipientNumbers } from './readMessages';
import {
	failed,
	isFailed,
	reasonOf,
	sentenceFor,
	statusOf,
	type Failed,
	type Result,
} from './results';

/** Returns the output items of a run, as its option `output` says. */
export async function outputItems<Payload>(
	{ context, options, signal, operation: { summary } }: Plan<Payload>,
	{ results }: Tally,
): Promise<INodeExecutionData[]> {
	let items = await recipientItems(context, results);
	if (options.output === 'campaign' && summary) {
		const made = (await acceptedTogether(results, signal)).map(({ messages, receipt }) => ({
			messages,
			json: behind({ status: 'accepted' }, summary(messages, receipt)),
		}));
		items = await itemsTogether(items, made, signal);
	}
	// n8n handles all items in one piece.
	await yieldBefore(items.length, signal);
	return items;
}

/**
 * Returns the items of a run that failed as a whole: what it says is true of each recipient. When it has sent nothing, whoever may
 * have got a message before still may.
 */
export async function failedRunItems(
	context: IExecuteFunctions,
	outcome: Failed['outcome'],
	message: string,
) {
	const items = context.getInputData();
	const why = { outcome, message, isOfRun: true as const };
	const still = { ...why, outcome: 'unknown' as const, message: `${message} ${MAY_HAVE_IT}` };
	const resultOf = (to: string, item: number) => {
		const before = outcome === 'notSent' ? mayHaveGotIt(items[item]) : undefined;
		return before === undefined ? failed({ item, to }, why) : failed({ item, to: before }, still);
	};
	return await recipientItems(context, (await recipientNumbers(context)).map(resultOf));
}

/** Returns one output item for each recipient, in the order of the recipients. */
export async function recipientItems(
	context: IExecuteFunctions,
	results: readonly Result[],
): Promise<INodeExecutionData[]> {
	const toErrorOutput = hasErrorOutput(context);
	const items = new Array<INodeExecutionData>(results.length);
	const add = (result: Result, index: number) => {
		items[index] = isFailed(result) ? failureItem(result, toErrorOutput) : resultItem(result);
	};
	await forEachInSlices(results, add, context.getExecutionCancelSignal?.());
	return items;
}

/** The identifier is added here: with it, the result of each of a million recipients would have an object of its own. */
function resultItem(result: Exclude<Result, Failed>): INodeExecutionData {
	const { item, identifier } = result.message;
	const json = identifier ? { ...result.json, identifier } : (result.json ?? {});
	return { json: behind(beginningOf(result), json), pairedItem: { item } };
}

/** What leaves through the error output has only the fields that n8n lets through. */
function failureItem(result: Failed, toErrorOutput: boolean): INodeExecutionData {
	const { outcome, why, message } = result;
	const { item, to, identifier } = message;
	const details = {
		httpStatus: why.httpStatus,
		outcome,
		recipient: to,
		// An empty identifier is none.
		identifier: identifier || undefined,
		...(why.test && { test: true }),
	};
	const begin = toErrorOutput ? {} : beginningOf(result);
	return failedItem(sentenceFor(to, result), details, item, begin);
}

/** With these all items begin, in every mode, never empty: n8n's table shows at a glance who got the message and who did not. */
const beginningOf = (result: Result) => ({
	to: result.message.to || '-',
	status: statusOf(result),
	reason: reasonOf(result) || '-',
});

/** Puts fields behind the first ones of an item. The service's own word for `status` is kept as `serviceStatus`. */
function behind(begin: IDataObject, json: IDataObject): IDataObject {
	const { status: serviceStatus } = json;
	// Twice: the first place decides the order, and the last one the value.
	return { ...begin, ...json, ...begin, ...(serviceStatus !== undefined && { serviceStatus }) };
}

/** Returns the accepted messages of each campaign. */
async function acceptedTogether(results: readonly Result[], signal?: AbortSignal) {
	const campaigns = new Map<unknown, { messages: Message[]; receipt: IDataObject }>();
	const add = (result: Result) => {
		if (result.outcome !== 'accepted') return;
		const { message, receipt } = result;
		const campaign = campaigns.get(receipt.campaign_id);
		if (campaign) campaign.messages.push(message);
		else campaigns.set(receipt.campaign_id, { messages: [message], receipt });
	};
	await forEachInSlices(results, add, signal);
	return [...campaigns.values()];
}

/** What one item says of several messages: a request, or the campaign that it made. */
export type Together = { messages: readonly Message[]; json: IDataObject };

/** Puts one item in place of those of the same request. Everybody else keeps an item of their own. */
export async function itemsTogether(
	items: INodeExecutionData[],
	requests: Together[],
	signal?: AbortSignal,
) {
	const put: Array<INodeExecutionData | undefined> = items.slice();
	for (const { messages, json } of requests) {
		const pairedItem: IPairedItemData[] = [];
		const pair = ({ item }: Message) => {
			put[item] = undefined;
			pairedItem.push({ item });
		};
		await forEachInSlices(messages, pair, signal);
		put[messages[0].item] = { json, pairedItem };
	}
	return put.filter((each) => each !== undefined);
}
