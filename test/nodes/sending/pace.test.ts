import fc from 'fast-check';
import { sleep } from 'n8n-workflow';
import { atPace } from '../../../nodes/Messaging/sending/pace';
import type { SendOptions } from '../../../nodes/Messaging/sending/options';
import { Throttle } from '../../../nodes/Messaging/service/throttle';
import { batch, message } from './messages';
import { runs } from '../../support/share';
import { useExactTimers } from '../../support/clock';

declare const seed: number;

/** Requests that carry messages to these recipients: [['a'], ['a', 'b']]. */
const requestsTo = (recipients: string[][]) => {
	let position = 0;
	return recipients.map((each) =>
		batch(...each.map((to) => message(position++, { to, digits: to }))),
	);
};

const pacing = (
	batchSize: number,
	batchInterval = 0,
	throttle = new Throttle(),
	signal?: AbortSignal,
) => ({
	options: { batchSize, batchInterval } as SendOptions,
	throttle,
	signal,
	hasDuplicates: true,
});

const anyRequests = fc.array(
	fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { minLength: 1, maxLength: 4 }),
	{ maxLength: 30 },
);

test('in any order of answers: at most batchSize in flight, each request once, and each recipient’s in order', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.scheduler(),
			anyRequests,
			fc.integer({ min: 1, max: 8 }),
			async (scheduler, recipients, batchSize) => {
				const batches = requestsTo(recipients);
				const inFlight = new Set<number>();
				const started: number[] = [];
				let most = 0;

				const all = atPace(batches, pacing(batchSize), async (sent) => {
					const index = batches.indexOf(sent);
					const own = new Set(recipients[index]);
					const together = [...inFlight].filter((other) =>
						recipients[other].some((to) => own.has(to)),
					);
					expect({ index, together }).toEqual({ index, together: [] });
					inFlight.add(index);
					started.push(index);
					most = Math.max(most, inFlight.size);
					await scheduler.schedule(Promise.resolve(), `answer ${index}`);
					inFlight.delete(index);
				});
				await scheduler.waitFor(all);

				expect([...started].sort((a, b) => a - b)).toEqual(batches.map((_, index) => index));
				expect(most).toBeLessThanOrEqual(batchSize);
				for (const to of new Set(recipients.flat())) {
					const own = started.filter((index) => recipients[index].includes(to));
					expect(own).toEqual([...own].sort((a, b) => a - b));
				}
			},
		),
		{ seed, numRuns: runs(300) },
	);
});

describe('with Batch Interval', () => {
	const delay = useExactTimers();

	type Run = { batchSize: number; batchInterval: number; throttle?: Throttle; takes?: number };

	/** The times, in ms from the start, at which `count` requests are sent. Each takes `takes` ms. */
	async function startsOf(count: number, { batchSize, batchInterval, throttle, takes = 0 }: Run) {
		const began = Date.now();
		const starts: number[] = [];
		const all = atPace(
			Array.from({ length: count }, (_, position) => batch(message(position))),
			pacing(batchSize, batchInterval, throttle),
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

	test('after a request that takes longer than the interval, the next ones do not catch up', async () => {
		expect(await startsOf(3, { batchSize: 1, batchInterval: 100, takes: 400 })).toEqual([
			0, 400, 800,
		]);
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
