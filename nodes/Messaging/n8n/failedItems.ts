import type { IExecuteFunctions, INodeExecutionData, IPairedItemData } from 'n8n-workflow';
import { isObject } from '../service/types';
import { asNodeError } from './errors';

/** The field `details` of a failed item. */
export type FailureDetails = {
	httpStatus?: number;
	outcome?: string;
	recipient?: string;
	identifier?: string;
};

/**
 * Makes the output item of an input item that failed, under Continue On Fail.
 *
 * n8n moves it to the error output only if `json` has no fields but `error` and `details`. An `error` outside `json`
 * would make n8n replace them.
 *
 * @param to the recipient, for an item that does not go to the error output
 */
export const failedItem = (
	error: string,
	details: FailureDetails,
	item: number,
	to?: string,
): INodeExecutionData => ({
	json: { ...(to !== undefined && { to }), error, details },
	pairedItem: { item },
});

/** Whether an item is a failed message, as Continue On Fail outputs it. */
export const isFailedItem = ({ json: { error, details } }: INodeExecutionData) =>
	typeof error === 'string' && isObject(details);

/** Whether n8n moves failed items to the error output. */
export const hasErrorOutput = (context: IExecuteFunctions) =>
	context.getNode().onError === 'continueErrorOutput';

/**
 * Runs work that concerns all input items. Its error fails the node; under Continue On Fail the error
 * becomes a failed item for every input item, because n8n would otherwise output the input as if all
 * had gone well.
 *
 * @param recipients returns the recipient of each input item, where items are sent to
 */
export async function errorAsFailedItems(
	context: IExecuteFunctions,
	details: FailureDetails,
	work: () => Promise<INodeExecutionData[]>,
	recipients: () => string[] = () => [],
): Promise<INodeExecutionData[][]> {
	try {
		return [await work()];
	} catch (error) {
		const nodeError = asNodeError(context.getNode(), error);
		if (!context.continueOnFail()) throw nodeError;
		const to = recipients();
		const failed = context.getInputData().map((_, item) => {
			const shownTo = hasErrorOutput(context) ? undefined : to[item];
			return failedItem(nodeError.message, { ...details, recipient: to[item] }, item, shownTo);
		});
		return [failed];
	}
}

/**
 * Marks the failed items so that n8n before 2.34 moves them to the error output, too. It recognises them only by an `error`
 * outside `json`, and replaces `json` by its message wherever that property was copied. So the property is not
 * enumerable: n8n sees it, but does not copy it.
 */
export function forErrorOutput(
	context: IExecuteFunctions,
	outputs: INodeExecutionData[][],
): INodeExecutionData[][] {
	if (!hasErrorOutput(context)) return outputs;
	for (const item of outputs.flat()) {
		if (Object.keys(item.json).join() !== 'error,details') continue;
		const value = { message: item.json.error };
		Object.defineProperty(item, 'error', { value, enumerable: false });
		if (!canFindInput(context, item.pairedItem as IPairedItemData)) {
			item.pairedItem = (item.pairedItem as IPairedItemData).item;
		}
	}
	return outputs;
}

/**
 * Whether n8n can find the input item whose fields it adds to a failed one. It cannot when it recovered a crashed
 * execution without the output of the previous node, or when a person has pinned other data since. Then n8n would
 * throw, and output the whole input as successful. With a plain number as `pairedItem` it does not search, and keeps
 * only the field `error` of `json`.
 */
function canFindInput(context: IExecuteFunctions, pairedItem: IPairedItemData): boolean {
	try {
		const source = context.getInputSourceData(pairedItem.input);
		const { $getPairedItem } = context.getWorkflowDataProxy(0);
		return Boolean($getPairedItem(source.previousNode, source, pairedItem));
	} catch {
		return false;
	}
}
