import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { forErrorOutput } from '../../nodes/Messaging/host/errorOutput';

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
	const context = { getNode: () => ({ onError }) } as unknown as IExecuteFunctions;
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
