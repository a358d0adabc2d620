import { sleep } from 'n8n-workflow';
import { deliver } from '../../../nodes/Messaging/sending/deliver';
import { Throttle } from '../../../nodes/Messaging/service/throttle';
import { batch, message } from '../../support/messages';

// With fake timers, the times at which requests are sent are exact.
beforeEach(() => {
	jest.useFakeTimers();
	jest.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

const delay = async (ms: number) => {
	await jest.advanceTimersByTimeAsync(ms);
};

describe('the starts of requests', () => {
	type Run = { batchSize: number; batchInterval: number; throttle?: Throttle; takes?: number };

	/** The times, in ms from the start, at which `count` requests are sent. Each takes `takes` ms. */
	async function startsOf(count: number, { batchSize, batchInterval, throttle, takes = 0 }: Run) {
		const began = Date.now();
		const starts: number[] = [];
		const all = deliver(
			Array.from({ length: count }, (_, position) => batch(message(position))),
			{ options: { batchSize, batchInterval }, throttle: throttle ?? new Throttle() },
			async () => {
				starts.push(Date.now() - began);
				if (takes > 0) await sleep(takes);
			},
		);
		let isDone = false;
		void all.then(() => (isDone = true));
		for (let step = 0; step < 500 && !isDone; step++) await delay(50);
		await all;
		return starts;
	}

	test.each([
		[1, [0, 1000, 2000, 3000, 4000, 5000, 6000]],
		[2, [0, 0, 1000, 1000, 2000, 2000, 3000]],
		[3, [0, 0, 0, 1000, 1000, 1000, 2000]],
		[7, [0, 0, 0, 0, 0, 0, 0]],
	])('%d at a time, a second apart', async (batchSize, expected) => {
		expect(await startsOf(7, { batchSize, batchInterval: 1000 })).toEqual(expected);
	});

	test('without an interval no request waits', async () => {
		expect(await startsOf(5, { batchSize: 2, batchInterval: 0 })).toEqual([0, 0, 0, 0, 0]);
	});

	test('after a request that takes longer than the interval, the next ones do not catch up', async () => {
		expect(await startsOf(3, { batchSize: 1, batchInterval: 100, takes: 400 })).toEqual([
			0, 400, 800,
		]);
	});

	test('with a stopped throttle no request waits', async () => {
		const throttle = new Throttle();
		throttle.stop('Stopped.');
		expect(await startsOf(7, { batchSize: 3, batchInterval: 1000, throttle })).toEqual(
			Array.from({ length: 7 }, () => 0),
		);
	});

	test('a request that waits for its batch stops waiting when the throttle is stopped', async () => {
		const throttle = new Throttle();
		void sleep(500).then(() => {
			throttle.stop('Stopped.');
		});
		expect(await startsOf(3, { batchSize: 1, batchInterval: 60_000, throttle })).toEqual([
			0, 500, 500,
		]);
	});
});
