import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { asNodeError } from './errors';
import { failedItem, type FailureDetails } from './failedItem';

/**
 * Runs what concerns all items at once. What it throws fails the node; under Continue On Fail it
 * becomes an error item for every input item: n8n would pass the input on as if all had gone well.
 */
export async function orFailedItems(
	context: IExecuteFunctions,
	details: FailureDetails,
	work: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[][]> {
	try {
		return [await work()];
	} catch (error) {
		const nodeError = asNodeError(context.getNode(), error);
		if (!context.continueOnFail()) throw nodeError;
		const items = context.getInputData();
		return [items.map((_, item) => failedItem(nodeError.message, details, item))];
	}
}
