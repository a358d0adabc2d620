import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { ServiceRequest } from '../service/endpoints';
import type { Answer, Failure } from '../service/failure';
import { Gate } from '../service/gate';
import type { Service } from '../service/service';
import { connect } from './connect';
import { asNodeError, sentenceOf, serviceError } from './errors';
import { failedItem } from './failedItem';
import { inOrder } from './inOrder';
import { Parameters } from './parameters';

/** How many requests that read are under way at once. */
const AT_ONCE = 5;

/** What an operation that reads has at hand for one input item. */
export type Reading = {
	service: Service;
	/** A parameter's value for this item. */
	read: (parameter: string, otherwise?: object | string | boolean | number) => unknown;
	/** Asks the service; a failure ends this item. */
	ask: <Payload>(request: ServiceRequest<Payload>) => Promise<Payload>;
	/** Ends this item when the answer is a failure; returns the payload otherwise. */
	expect: <Payload>(answer: Answer<Payload>) => Payload;
	signal?: AbortSignal;
};

/** The service's failure on its way from the request to the item's report. */
class Refused extends Error {
	constructor(readonly failure: Failure) {
		super(failure.message);
	}
}

function expect<Payload>(answer: Answer<Payload>): Payload {
	if (answer.ok) return answer.payload;
	throw new Refused(answer);
}

/**
 * Runs an operation that reads once for every input item, a few at once, and puts the results out in
 * the order of the items. Under Continue On Fail an item that fails becomes an error item.
 */
export const reading =
	(perItem: (reading: Reading) => Promise<object[]>) =>
	async (context: IExecuteFunctions): Promise<INodeExecutionData[][]> => {
		const items = context.getInputData();
		const parameters = new Parameters(context, items);
		const goOn = context.continueOnFail();
		const signal = context.getExecutionCancelSignal?.();
		const gate = new Gate(signal);
		let service: Service;
		try {
			service = await connect(context);
		} catch (error) {
			throw asNodeError(context.getNode(), error);
		}
		const outputs = await inOrder(items.length, AT_ONCE, async (item) => {
			try {
				const results = await perItem({
					service,
					read: (parameter, otherwise = '') => parameters.read(parameter, item, otherwise),
					ask: async (request) => expect(await service.call(request, { gate, signal })),
					expect,
					signal,
				});
				return results.map((json) => ({ json: json as IDataObject, pairedItem: { item } }));
			} catch (error) {
				const failure = error instanceof Refused ? error.failure : undefined;
				if (goOn) {
					return [failedItem(sentenceOf(error), { httpStatus: failure?.httpStatus }, item)];
				}
				throw failure
					? serviceError(context.getNode(), failure, { itemIndex: item })
					: asNodeError(context.getNode(), error, item);
			}
		});
		return [outputs.flat()];
	};
