import type { IExecuteFunctions, INodeExecutionData, IPairedItemData } from 'n8n-workflow';

/**
 * Lets every n8n 2.x move the failed items to the error output. Before 2.34 n8n knows them only by an
 * `error` beside `json`, and replaces `json` by its message wherever it is left. So this one can be seen
 * by the one who sorts the items, and is not copied with them.
 */
export function forErrorOutput(
	context: IExecuteFunctions,
	outputs: INodeExecutionData[][],
): INodeExecutionData[][] {
	if (context.getNode().onError !== 'continueErrorOutput') return outputs;
	for (const item of outputs.flat()) {
		if (Object.keys(item.json).join() !== 'error,details') continue;
		const value = { message: item.json.error };
		Object.defineProperty(item, 'error', { value, enumerable: false });
		if (!isInputFound(context, item.pairedItem as IPairedItemData)) {
			item.pairedItem = (item.pairedItem as IPairedItemData).item;
		}
	}
	return outputs;
}

/**
 * Whether n8n finds the input item whose fields it adds to a failed one. It may have recovered of a crashed execution only
 * that a node had ended, or a person has pinned other data meanwhile. Then n8n would throw, and pass the whole input on as
 * if everything had gone well; with a plain number it does not look, and leaves the sentence alone of `json`.
 */
function isInputFound(context: IExecuteFunctions, pairedItem: IPairedItemData): boolean {
	try {
		const source = context.getInputSourceData(pairedItem.input);
		const { $getPairedItem } = context.getWorkflowDataProxy(0);
		return Boolean($getPairedItem(source.previousNode, source, pairedItem));
	} catch {
		return false;
	}
}
