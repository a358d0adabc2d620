import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { ServiceRequest } from '../service/endpoints';
import { Throttle } from '../service/throttle';
import { payloadOf, RequestFailed } from '../service/failure';
import { CANCELLED_WHILE_READING, readAllOrNothing } from './cancelled';
import { connect } from './connect';
import { asNodeError, sentenceOf } from './errors';
import { failedItem } from './failedItem';
import { mapInOrder } from '../utils/concurrency';
import { orFailedItems } from './orFailedItems';
import { Parameters } from './parameters';

/** How many requests that read are under way at once. */
const AT_ONCE = 5;

/** What an operation that reads has at hand for one input item. */
export type Reading = {
	/** A parameter's value for this item. */
	read: (parameter: string, otherwise?: object | string | boolean | number) => unknown;
	/** Asks the service; a failure ends this item. */
	ask: <Payload>(request: ServiceRequest<Payload>) => Promise<Payload>;
};

/**
 * Runs an operation that reads once for every input item, a few at once, and puts the results out in
 * the order of the items. Under Continue On Fail an item that fails becomes an error item.
 */
export const reading =
	(perItem: (reading: Reading) => Promise<object[]>) =>
	async (context: IExecuteFunctions): Promise<INodeExecutionData[][]> =>
		await orFailedItems(
			context,
			{},
			async () => await readAllOrNothing(context, async () => await readAll(context, perItem)),
		);

async function readAll(
	context: IExecuteFunctions,
	perItem: (reading: Reading) => Promise<object[]>,
): Promise<INodeExecutionData[]> {
	const items = context.getInputData();
	const parameters = new Parameters(context, items);
	const goOn = context.continueOnFail();
	const signal = context.getExecutionCancelSignal?.();
	const throttle = new Throttle(signal);
	const service = await connect(context);
	const outputs = await mapInOrder(items, AT_ONCE, async (_, item) => {
		try {
			const results = await perItem({
				read: (parameter, otherwise = '') => parameters.read(parameter, item, otherwise),
				ask: async (request) => payloadOf(await service.call(request, { throttle, signal })),
			});
			return results.map((json) => ({ json: json as IDataObject, pairedItem: { item } }));
		} catch (error) {
			if (!goOn) throw asNodeError(context.getNode(), error, item);
			const httpStatus = error instanceof RequestFailed ? error.failure.httpStatus : undefined;
			const sentence = signal?.aborted ? CANCELLED_WHILE_READING : sentenceOf(error);
			return [failedItem(sentence, { httpStatus }, item)];
		}
	});
	return outputs.flat();
}
