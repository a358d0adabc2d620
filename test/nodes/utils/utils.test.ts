import { mapInOrder } from '../../../nodes/Messaging/utils/concurrency';
import { duration, formatNumber, percent } from '../../../nodes/Messaging/utils/text';

test('mapInOrder throws the first error and starts nothing after it', async () => {
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

test.each([
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
])('duration writes %d seconds as %s', (seconds, text) => {
	expect(duration(seconds)).toBe(text);
});

test.each([
	[0, '0 %'],
	[0.0004, '< 0.1 %'],
	[0.9995, '> 99.9 %'],
	[1, '100 %'],
])('percent writes the share %d as %s', (share, text) => {
	expect(percent(share)).toBe(text);
});
