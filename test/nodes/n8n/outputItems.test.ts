import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { forErrorOutput } from '../../../nodes/Messaging/n8n/failedItems';

/*
 * n8n before 2.34 moves an item to the error output when it has an `error` beside its `json`, and replaces the
 * `json` wherever that property was copied. `npm run test:oldest` tests the result.
 */

const failed = (item = 0): INodeExecutionData => ({
	json: { error: 'Not sent to 1: no.', details: { outcome: 'rejected' } },
	pairedItem: { item },
});
const sent = (): INodeExecutionData => ({ json: { id: 'm1', error: 'of the service' } });

/** @param known how many items of the previous node n8n has; fewer after a crash from which it recovered */
const on = (onError: string | undefined, items: INodeExecutionData[], known = items.length) => {
	const context = {
		getNode: () => ({ onError }),
		getInputSourceData: () => ({ previousNode: 'Recipients' }),
		getWorkflowDataProxy: () => ({
			$getPairedItem: (_name: string, _source: object, { item }: { item: number }) => {
				if (item >= known) throw new Error('Paired item data is unavailable.');
				return { json: {} };
			},
		}),
	} as unknown as IExecuteFunctions;
	return forErrorOutput(context, [items])[0];
};

test('a failed item has an error that n8n reads, but does not copy or save', () => {
	const [item] = on('continueErrorOutput', [failed()]);
	expect(item.error).toEqual({ message: 'Not sent to 1: no.' });
	expect({ ...item }).toEqual(failed());
	expect(JSON.parse(JSON.stringify(item))).toEqual(failed());
});

test.each([
	['continueErrorOutput', sent()],
	[undefined, failed()],
	['stopWorkflow', failed()],
	['continueRegularOutput', failed()],
])('On Error %s: %j has no error', (onError, item) => {
	expect(on(onError, [item])[0].error).toBeUndefined();
});

test('a failed item is not paired when n8n cannot find its input item, because n8n would throw', () => {
	const pairs = (known: number) =>
		on('continueErrorOutput', [failed(0), failed(1)], known).map(({ pairedItem }) => pairedItem);
	expect(pairs(2)).toEqual([{ item: 0 }, { item: 1 }]);
	expect(pairs(1)).toEqual([{ item: 0 }, 1]);
});
