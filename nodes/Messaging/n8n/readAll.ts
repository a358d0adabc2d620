import { type IExecuteFunctions, type INodeExecutionData, UserError } from 'n8n-workflow';
import type { Ask } from '../service/endpoints';
import { Throttle } from '../service/throttle';
import { RequestFailed } from '../service/outcomes';
import { Limiter, mapInOrder } from '../utils/concurrency';
import { unlessCancelled } from './cancellation';
import { connect, READS_AT_ONCE } from './connect';
import { asNodeError, sentenceOf } from './nodeErrors';
import { failedItem, errorAsFailedItems } from './failedItems';
import { ItemParameters } from './itemParameters';

/** One run of an operation that reads, over all input items. */
export type ReadRun = {
	context: IExecuteFunctions;
	parameters: ItemParameters;
	/** Asks the service. At most {@link READS_AT_ONCE} requests of the run are in flight. */
	ask: Ask;
};

/**
 * Runs an operation that reads, for all input items together. A cancelled execution ends with an error and no
 * output, because an incomplete output could be taken for a complete one.
 */
export async function readAll(
	context: IExecuteFunctions,
	work: (run: ReadRun) => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[][]> {
	const whole = async () => {
		const parameters = new ItemParameters(context, context.getInputData());
		const signal = context.getExecutionCancelSignal?.();
		const asking = (await connect(context)).asking({ throttle: new Throttle(signal), signal });
		const limiter = new Limiter(READS_AT_ONCE);
		const ask: Ask = async (request) => await limiter.run(async () => await asking(request));
		return await work({ context, parameters, ask });
	};
	const wholeOrError = async () => {
		const output = await unlessCancelled(context.getExecutionCancelSignal?.(), whole());
		if (output) return output;
		throw new UserError('The execution was cancelled before everything was read.');
	};
	return await errorAsFailedItems(context, wholeOrError());
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
