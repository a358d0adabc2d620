import { sleep } from 'n8n-workflow';
import { unlessCancelled } from '../../../nodes/Messaging/n8n/cancellation';

const never = new Promise<never>(() => {});

/** Requests of a cancelled execution end within so many microtasks in n8n. */
const soon = async () => {
	for (let tick = 0; tick < 60; tick++) await null;
	return 'ended';
};

test('work that ends gives its result', async () => {
	expect(await unlessCancelled(undefined, soon())).toEqual({ result: 'ended' });
	const { signal } = new AbortController();
	expect(await unlessCancelled(signal, soon())).toEqual({ result: 'ended' });
});

test('after a cancellation what ends at once still counts; the rest is not waited for, and n8n saves after it', async () => {
	const cancel = new AbortController();
	const order: string[] = [];
	const waits = [
		unlessCancelled(cancel.signal, soon()).then((ended) => order.push(JSON.stringify(ended))),
		unlessCancelled(cancel.signal, never).then((ended) => order.push(JSON.stringify(ended))),
	];
	// n8n reads its database first, which takes a turn of the event loop at least.
	const saved = sleep(0).then(() => order.push('saved'));
	cancel.abort();
	await Promise.all([...waits, saved]);
	expect(order).toEqual(['{"result":"ended"}', undefined, 'saved']);
});

test('in an execution that is cancelled already nothing long is waited for', async () => {
	const cancel = new AbortController();
	cancel.abort();
	expect(await unlessCancelled(cancel.signal, never)).toBeUndefined();
});

test('what fails fails', async () => {
	const failing = Promise.reject(new RangeError('broken'));
	await expect(unlessCancelled(new AbortController().signal, failing)).rejects.toThrow('broken');
});

test('it leaves nothing behind at the signal', async () => {
	const { signal } = new AbortController();
	const added = jest.spyOn(signal, 'addEventListener');
	const removed = jest.spyOn(signal, 'removeEventListener');
	await unlessCancelled(signal, soon());
	expect(removed.mock.calls).toEqual(added.mock.calls);
});
