import fc from 'fast-check';
import { sleep } from 'n8n-workflow';
import { Limiter, mapInOrder, TimeSlice } from '../../../nodes/Messaging/utils/concurrency';
import { duration, percent } from '../../../nodes/Messaging/utils/formatting';
import { escapeMarkup, formatNumber } from '../../../nodes/Messaging/utils/text';

declare const seed: number;

describe('Limiter', () => {
	test('starts waiting tasks in their order, each when a slot is free', async () => {
		const limiter = new Limiter(2);
		const started: string[] = [];
		const finish: Record<string, () => void> = {};
		const run = async (name: string) =>
			await limiter.run(async () => {
				started.push(name);
				await new Promise<void>((resolve) => (finish[name] = resolve));
				return name;
			});
		const results = Promise.all(['a', 'b', 'c', 'd'].map(run));
		await sleep(0);
		expect(started).toEqual(['a', 'b']);
		finish.b();
		await sleep(0);
		expect(started).toEqual(['a', 'b', 'c']);
		finish.a();
		await sleep(0);
		finish.c();
		finish.d();
		expect(await results).toEqual(['a', 'b', 'c', 'd']);
	});

	test('frees the slot of a task that fails', async () => {
		const limiter = new Limiter(1);
		await expect(limiter.run(async () => await Promise.reject(new Error('no')))).rejects.toThrow(
			'no',
		);
		expect(await limiter.run(async () => await Promise.resolve('yes'))).toBe('yes');
	});
});

describe('mapInOrder', () => {
	test('returns the results in order and never exceeds the limit, however long each task takes', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.array(fc.nat(), { maxLength: 25 }),
				fc.integer({ min: 1, max: 6 }),
				async (scheduler, elements, max) => {
					let inFlight = 0;
					let most = 0;
					const results = await scheduler.waitFor(
						mapInOrder(elements, max, async (element, index) => {
							most = Math.max(most, ++inFlight);
							await scheduler.schedule(Promise.resolve());
							inFlight--;
							return [element, index];
						}),
					);
					expect(results).toEqual(elements.map((element, index) => [element, index]));
					expect(most).toBe(Math.min(max, elements.length));
				},
			),
			{ seed },
		);
	});

	test('throws the first error and starts nothing after it', async () => {
		const started: number[] = [];
		const work = mapInOrder([...Array(10).keys()], 2, async (element) => {
			started.push(element);
			await Promise.resolve();
			if (element === 3) throw new RangeError('three');
			return element;
		});
		await expect(work).rejects.toThrow('three');
		expect(Math.max(...started)).toBeLessThan(6);
	});
});

describe('TimeSlice', () => {
	afterEach(() => jest.restoreAllMocks());

	test('yields to the event loop only when the slice is over', async () => {
		let time = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => time);
		const slice = new TimeSlice(10);
		let othersRan = false;
		void sleep(0).then(() => (othersRan = true));
		time = 9;
		await slice.yieldIfOver();
		expect({ isOver: slice.isOver(), othersRan }).toEqual({ isOver: false, othersRan: false });
		time = 10;
		expect(slice.isOver()).toBe(true);
		await slice.yieldIfOver();
		expect({ isOver: slice.isOver(), othersRan }).toEqual({ isOver: false, othersRan: true });
	});
});

test('escapeMarkup escapes what has a meaning in HTML', () => {
	expect(escapeMarkup('<a href="x">\'&amp;👩')).toBe(
		'&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;👩',
	);
});

test.each([
	[0, '0'],
	[1234567, '1,234,567'],
	[12345.678, '12,345.68'],
])('formatNumber writes %d as %s', (value, text) => {
	expect(formatNumber(value)).toBe(text);
});

test.each([
	[4.5, '4.5 s'],
	[200, '3 min 20 s'],
	[7500, '2 h 5 min'],
	[360_000, '4 d 4 h'],
	[3600, '1 h'],
])('duration writes %d seconds as %s', (seconds, text) => {
	expect(duration(seconds)).toBe(text);
});

test.each([
	[0, '0 %'],
	[0.0004, '< 0.1 %'],
	[0.5, '50.0 %'],
	[0.9995, '> 99.9 %'],
	[1, '100 %'],
])('percent writes the share %d as %s', (share, text) => {
	expect(percent(share)).toBe(text);
});
