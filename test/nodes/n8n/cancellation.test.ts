import { sleep } from 'n8n-workflow';
import { unlessCancelled } from '../../../nodes/Messaging/n8n/cancellation';

const never = new Promise<never>(() => {});

/** Ends after 60 microtasks, as the requests of a cancelled execution do in n8n. */
const soon = async () => {
	for (let tick = 0; tick < 60; tick++) await null;
	return 'ended';
};

test('returns the result of work that ends', async () => {
	expect(await unlessCancelled(undefined, soon())).toEqual({ result: 'ended' });
	const { signal } = new AbortController();
	expect(await unlessCancelled(signal, soon())).toEqual({ result: 'ended' });
});

test('after a cancellation, work that ends at once still counts, and n8n saves before any longer work ends', async () => {
	const cancel = new AbortController();
	const order: string[] = [];
	const waits = [
		unlessCancelled(cancel.signal, soon()).then((ended) => order.push(JSON.stringify(ended))),
		unlessCancelled(cancel.signal, never).then((ended) => order.push(JSON.stringify(ended))),
	];
	// n8n reads its database first, which takes at least one iteration of the event loop.
	const saved = sleep(0).then(() => order.push('saved'));
	cancel.abort();
	await Promise.all([...waits, saved]);
	expect(order).toEqual(['{"result":"ended"}', undefined, 'saved']);
});

test('does not wait in an execution that is already cancelled', async () => {
	const cancel = new AbortController();
	cancel.abort();
	expect(await unlessCancelled(cancel.signal, never)).toBeUndefined();
});

test('throws the error of the work', async () => {
	const failing = Promise.reject(new RangeError('broken'));
	await expect(unlessCancelled(new AbortController().signal, failing)).rejects.toThrow('broken');
});

test('leaves no listener on the signal', async () => {
	const { signal } = new AbortController();
	const added = jest.spyOn(signal, 'addEventListener');
	const removed = jest.spyOn(signal, 'removeEventListener');
	await unlessCancelled(signal, soon());
	expect(removed.mock.calls).toEqual(added.mock.calls);
});
