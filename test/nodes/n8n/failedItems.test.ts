import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { forErrorOutput } from '../../../nodes/Messaging/n8n/failedItems';

/*
 * n8n before 2.34 moves an item to the error output when it has an `error` beside its `json`, and replaces the
 * `json` wherever that property was copied. test/real-n8n/oldest tests the result.
 */

const failed = (): INodeExecutionData => ({
	json: { error: 'Not sent to 1: no.', details: { outcome: 'rejected' } },
	pairedItem: { item: 0 },
});
const sent = (): INodeExecutionData => ({ json: { id: 'm1', error: 'of the service' } });

const on = (onError: string | undefined, items: INodeExecutionData[]) => {
	const context = {
		getNode: () => ({ onError }),
		getInputSourceData: () => ({ previousNode: 'Recipients' }),
		getWorkflowDataProxy: () => ({ $getPairedItem: () => ({ json: {} }) }),
	} as unknown as IExecuteFunctions;
	return forErrorOutput(context, [items])[0];
};

test('a failed item has an error that n8n reads, but does not copy or save', () => {
	const [item] = on('continueErrorOutput', [failed()]);
	expect(item.error).toEqual({ message: 'Not sent to 1: no.' });
	expect({ ...item }).toEqual(failed());
	expect(JSON.parse(JSON.stringify(item))).toEqual(failed());
});

test('an item that did not fail has no error, whatever the service answered', () => {
	expect(on('continueErrorOutput', [sent()])[0].error).toBeUndefined();
});

test.each([undefined, 'stopWorkflow', 'continueRegularOutput'])(
	'On Error %s: no error',
	(onError) => {
		expect(on(onError, [failed()])[0].error).toBeUndefined();
	},
);

describe('the input item of a failed one', () => {
	/** Runs after a crash from which n8n recovered `known` items of the previous node. */
	const retried = (known: number) => {
		const source = { previousNode: 'Recipients' };
		const context = {
			getNode: () => ({ onError: 'continueErrorOutput' }),
			getInputSourceData: () => source,
			getWorkflowDataProxy: () => ({
				$getPairedItem: (_name: string, _source: object, { item }: { item: number }) => {
					if (item >= known) throw new Error('Paired item data is unavailable.');
					return { json: {} };
				},
			}),
		} as unknown as IExecuteFunctions;
		const items = [0, 1].map((item) => ({ ...failed(), pairedItem: { item } }));
		return forErrorOutput(context, [items])[0].map(({ pairedItem }) => pairedItem);
	};

	test('is paired when n8n can find it', () => {
		expect(retried(2)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	test('is not paired when n8n cannot find it, because n8n would throw', () => {
		expect(retried(1)).toEqual([{ item: 0 }, 1]);
	});
});
