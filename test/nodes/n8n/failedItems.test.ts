import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { forErrorOutput } from '../../../nodes/Messaging/n8n/failedItems';

/*
 * n8n before 2.34 sorts an item to the error output by an `error` beside its `json`, and writes over the
 * `json` where it finds that property again. How that ends is seen in the suite of the oldest n8n.
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

test('a failed item carries an error that is seen, but not copied or saved', () => {
	const [item] = on('continueErrorOutput', [failed()]);
	expect(item.error).toEqual({ message: 'Not sent to 1: no.' });
	expect({ ...item }).toEqual(failed());
	expect(JSON.parse(JSON.stringify(item))).toEqual(failed());
});

test('an item of somebody who was sent to carries none, whatever the service answered', () => {
	expect(on('continueErrorOutput', [sent()])[0].error).toBeUndefined();
});

test.each([undefined, 'stopWorkflow', 'continueRegularOutput'])('on error %s: none', (onError) => {
	expect(on(onError, [failed()])[0].error).toBeUndefined();
});

describe('where n8n looks for the input', () => {
	/** The node before has put out so many items, as far as n8n knows after a crash. */
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

	test('n8n adds the fields of the input where it knows them', () => {
		expect(retried(2)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	test('n8n does not look for the fields of an input that a crash has taken: it would throw', () => {
		expect(retried(1)).toEqual([{ item: 0 }, 1]);
	});
});
