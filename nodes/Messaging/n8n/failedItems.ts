import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IPairedItemData,
} from 'n8n-workflow';
import { isObject } from '../service/types';
import { isInLoop } from './execution';
import { showHint } from './executionHints';
import { asNodeError } from './nodeErrors';

/** The field `details` of a failed item. */
type FailureDetails = {
	httpStatus?: number;
	outcome?: string;
	recipient?: string;
	identifier?: string;
};

/**
 * Waits for work that concerns all input items. Its error fails the node; under Continue On Fail the error
 * becomes a failed item for every input item, because n8n would otherwise output the input as if all
 * had gone well.
 *
 * @param failedItems makes these items
 */
export async function errorAsFailedItems(
	context: IExecuteFunctions,
	work: Promise<INodeExecutionData[]>,
	failedItems: (why: string) => INodeExecutionData[] | Promise<INodeExecutionData[]> = (why) =>
		context.getInputData().map((_, item) => failedItem(why, {}, item)),
): Promise<INodeExecutionData[][]> {
	try {
		return [await work];
	} catch (error) {
		const nodeError = asNodeError(context.getNode(), error);
		if (!context.continueOnFail()) throw nodeError;
		return [await failedItems(nodeError.message)];
	}
}

/**
 * Makes the output item of an input item that failed, under Continue On Fail.
 *
 * n8n moves it to the error output only if `json` has no fields but `error` and `details`. An `error` outside `json`
 * would make n8n replace them.
 *
 * @param begin the fields that come first, for an item that does not go to the error output
 */
export const failedItem = (
	error: string,
	details: FailureDetails,
	item: number,
	begin: IDataObject = {},
): INodeExecutionData => ({ json: { ...begin, error, details }, pairedItem: { item } });

/**
 * Makes failed items ready for the error output, if there is one. They stay on it also when n8n no longer has their input: after
 * a crash from which it recovered, or when a person has pinned fewer items since. n8n searches the input item that `pairedItem`
 * names, to add its fields; it would fail there, and output the whole input as successful. With a plain number it does not search.
 */
export function forErrorOutput(
	context: IExecuteFunctions,
	outputs: INodeExecutionData[][],
): INodeExecutionData[][] {
	if (!hasErrorOutput(context)) return outputs;
	warnOfLoop(context, outputs[0]);
	if (hasInput(context)) return outputs;
	// Only a success can have a list of them.
	for (const item of outputs.flat()) {
		const index = (item.pairedItem as IPairedItemData | undefined)?.item;
		item.pairedItem = index ?? item.pairedItem;
	}
	return outputs;
}

const LOOP_MAY_END =
	'All items of this round failed. If only the success output leads back to the loop, n8n ends the loop here and leaves out the items that follow: connect the error output to it, too.';

/** Says that n8n ends a loop behind whose success output nothing comes. */
function warnOfLoop(context: IExecuteFunctions, items: readonly INodeExecutionData[]) {
	if (items.length > 0 && items.every(isFailedItem) && isInLoop(context))
		showHint(context, LOOP_MAY_END);
}

/** Whether the output of the node before is in the execution's data. */
function hasInput(context: IExecuteFunctions): boolean {
	try {
		const source = context.getInputSourceData();
		const before = context.getWorkflowDataProxy(0).$(source.previousNode);
		const items = before.all(source.previousNodeOutput ?? 0, source.previousNodeRun ?? 0);
		return items.length >= context.getInputData().length;
	} catch {
		return false;
	}
}

/** Whether n8n moves failed items to the error output. */
export const hasErrorOutput = (context: IExecuteFunctions) =>
	context.getNode().onError === 'continueErrorOutput';

/** An error output often leads back to the node, or to another one, which would send again what may have arrived. */
export const MAY_HAVE_IT =
	"The item's field 'details' says that this number may have got a message before.";

/** Returns who may have got the message of a failed item; undefined of any other item. */
export function mayHaveGotIt(item: INodeExecutionData): string | undefined {
	if (!isFailedItem(item)) return undefined;
	const { outcome, recipient } = item.json.details as FailureDetails;
	return outcome === 'unknown' && typeof recipient === 'string' ? recipient : undefined;
}

/** Whether nobody can have got the message of a failed item; of others, a person must look into the logs. */
export const isCertainlyNotSent = ({ json: { details } }: INodeExecutionData) =>
	['notSent', 'rejected'].includes(String((details as FailureDetails).outcome));

/** Whether an item is a failed message, as Continue On Fail outputs it. */
export const isFailedItem = ({ json: { error, details } }: INodeExecutionData) =>
	typeof error === 'string' && isObject(details);
