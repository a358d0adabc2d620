import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Ask } from '../service/endpoints';
import { Throttle } from '../service/throttle';
import { payloadOf, RequestFailed } from '../service/failure';
import { forEachInSlices, Limiter, mapInOrder } from '../utils/concurrency';
import { CANCELLED_WHILE_READING, failIfCancelled } from './cancellation';
import { connect, READS_AT_ONCE } from './connect';
import { asNodeError, sentenceOf } from './errors';
import { failedItem, errorAsFailedItems } from './failedItems';
import { showHint } from './hints';
import { ItemParameters } from './itemParameters';
import { isFailedItem, withSameFields } from './sameFields';

/** One run of an operation that reads, over all input items. */
export type ReadRun = {
	context: IExecuteFunctions;
	parameters: ItemParameters;
	/** Asks the service. At most {@link READS_AT_ONCE} requests of the run are in flight. */
	ask: Ask;
};

/** Reads a parameter's value for one input item. */
export type ReadParameter = (
	parameter: string,
	fallback?: object | string | boolean | number,
) => unknown;

/** What an operation that reads can use for one input item. */
export type ItemReader = {
	read: ReadParameter;
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
			const output = await readGroups(run, groups, async ({ items: [item] }) => {
				const read: ReadParameter = (parameter, fallback = '') =>
					run.parameters.read(parameter, item, fallback);
				const items: INodeExecutionData[] = [];
				const records = await readItem({ read, ask: run.ask, hint });
				await forEachInSlices(records, (json) => {
					items.push({ json: json as IDataObject, pairedItem: { item } });
				});
				return items;
			});
			const mayHaveFailed = context.continueOnFail() && output.some(isFailedItem);
			return mayHaveFailed ? await withSameFields(context, output) : output;
		});

/**
 * Runs an operation that reads, for all input items together. A cancelled execution ends with an error and no
 * output, because an incomplete output could be taken for a complete one.
 */
export async function readAll(
	context: IExecuteFunctions,
	work: (run: ReadRun) => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[][]> {
	const whole = async () => await work(await startRun(context));
	return await errorAsFailedItems(
		context,
		{},
		async () => await failIfCancelled(context, whole, CANCELLED_WHILE_READING),
	);
}

async function startRun(context: IExecuteFunctions): Promise<ReadRun> {
	const parameters = new ItemParameters(context, context.getInputData());
	const signal = context.getExecutionCancelSignal?.();
	const throttle = new Throttle(signal);
	const service = await connect(context);
	const limiter = new Limiter(READS_AT_ONCE);
	const ask: Ask = async (request) =>
		await limiter.run(async () => payloadOf(await service.call(request, { throttle, signal })));
	return { context, parameters, ask };
}

/**
 * Reads groups of input items, a few at once, and returns their output in the order of the groups. The
 * error of a group fails the node with its first item; under Continue On Fail it becomes a failed item
 * for each input item of the group, and the other groups are read.
 */
export async function readGroups<Group extends { items: number[] }>(
	{ context }: ReadRun,
	groups: Group[],
	readGroup: (group: Group) => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	const outputs = await mapInOrder(groups, READS_AT_ONCE, async (group) => {
		try {
			return await readGroup(group);
		} catch (error) {
			if (!context.continueOnFail()) throw asNodeError(context.getNode(), error, group.items[0]);
			const httpStatus = error instanceof RequestFailed ? error.failure.httpStatus : undefined;
			return group.items.map((item) => failedItem(sentenceOf(error), { httpStatus }, item));
		}
	});
	return outputs.length === 1 ? outputs[0] : outputs.flat();
}
