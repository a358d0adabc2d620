import { sleep } from 'n8n-workflow';
import { unlessCancelled } from '../../../nodes/Messaging/n8n/cancellation';

const never = new Promise<never>(() => {});

const soon = async () => {
	await sleep(0);
	return 'ended';
};

test('returns the result of work that ends', async () => {
	expect(await unlessCancelled(undefined, soon())).toEqual({ result: 'ended' });
	const { signal } = new AbortController();
	expect(await unlessCancelled(signal, soon())).toEqual({ result: 'ended' });
});

test('a cancellation ends the wait before n8n saves the execution', async () => {
	const cancel = new AbortController();
	const order: string[] = [];
	const wait = unlessCancelled(cancel.signal, never).then((done) => order.push(String(done)));
	// n8n reads its database first, which takes at least one iteration of the event loop.
	const saved = sleep(0).then(() => order.push('saved'));
	cancel.abort();
	await Promise.all([wait, saved]);
	expect(order).toEqual(['undefined', 'saved']);
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
