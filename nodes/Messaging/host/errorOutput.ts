import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

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
	}
	return outputs;
}
