import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { showHint } from '../n8n/executionHints';
import type { ReadParameter } from '../n8n/itemParameters';
import { readAll, readGroups } from '../n8n/readAll';
import type { Ask } from '../service/endpoints';
import { forEachInSlices } from '../utils/concurrency';

/** What an operation that reads can use for one input item. */
type ItemReader = {
	read: ReadParameter;
	/** Returns a collection as it is saved, with its expressions. */
	raw: (parameter: string) => IDataObject;
	/** Asks the service; a failure ends this item. */
	ask: Ask;
	/** Shows a sentence above the node's output. */
	hint: (sentence: string) => void;
};

/**
 * Makes the `execute` of an operation that reads: `readItem` runs once for every input item, and each
 * record that it returns becomes an output item paired with the input item.
 */
export const readOperation =
	(readItem: (reader: ItemReader) => Promise<object[]>) =>
	async (context: IExecuteFunctions): Promise<INodeExecutionData[][]> =>
		await readAll(context, async (run) => {
			const hint = (sentence: string) => showHint(context, sentence);
			const groups = context.getInputData().map((_, item) => ({ items: [item] }));
			return await readGroups(run, groups, async ({ items: [item] }) => {
				const read: ReadParameter = (parameter, fallback = '') =>
					run.parameters.read(parameter, item, fallback);
				const items: INodeExecutionData[] = [];
				const raw = (parameter: string) => run.parameters.raw(parameter, {}) as IDataObject;
				const records = await readItem({ read, raw, ask: run.ask, hint });
				await forEachInSlices(records, (json) => {
					items.push({ json: json as IDataObject, pairedItem: { item } });
				});
				return items;
			});
		});
