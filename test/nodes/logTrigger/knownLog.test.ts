import { TimeSlice } from '../../../nodes/Messaging/utils/concurrency';
import {
	dropOldest,
	KnownRecords,
	MAX_RECORDS,
} from '../../../nodes/Messaging/logTrigger/knownLog';

test('a very long log is sorted in small batches', async () => {
	const sorted: number[] = [];
	const sort = Array.prototype.sort;
	jest.spyOn(Array.prototype, 'sort').mockImplementation(function (
		this: unknown[],
		compare?: (a: unknown, b: unknown) => number,
	) {
		sorted.push(this.length);
		return sort.call(this, compare);
	});
	const records = new KnownRecords();
	for (let index = 0; index < 60_000; index++) records.add(`h${index}`, 'sent', index, false);
	await dropOldest({ horizon: 0, records }, new TimeSlice());
	jest.restoreAllMocks();
	expect(sorted.length).toBeGreaterThan(10);
	expect(Math.max(...sorted)).toBeLessThan(MAX_RECORDS * 1.25);
});

test('which records are dropped does not depend on their order', async () => {
	const slice = new TimeSlice();
	const bounds = { horizon: 5, upTo: 'x' };
	// Many records of one second and many without a time; sorted, reversed and unsorted.
	type Entry = { hash: string; time: number; isUndated: boolean };
	const entries = Array.from({ length: 50_000 }, (_, index): Entry => {
		const hash = `h${(index * 7919) % 50_000}`;
		return index % 3
			? { hash, time: 1000 + (index % 4), isUndated: false }
			: { hash, time: index, isUndated: true };
	});
	const more = Array.from(
		{ length: 24_000 },
		(_, index): Entry => ({
			hash: `m${index}`,
			time: 10 + (index % 500),
			isUndated: false,
		}),
	);
	// Undated records come first, by hash; the others by time, then by hash.
	const rule = (a: Entry, b: Entry) =>
		Number(b.isUndated) - Number(a.isUndated) ||
		(a.isUndated ? 0 : b.time - a.time) ||
		(a.hash < b.hash ? 1 : -1);
	for (const all of [[...entries, ...more], more, entries.slice(0, MAX_RECORDS + 1)]) {
		const inOrder = all.toSorted(rule);
		const expected = inOrder.slice(MAX_RECORDS);
		const dated = expected.find(({ isUndated }) => !isUndated);
		const undated = expected.find(({ isUndated }) => isUndated);
		for (const given of [all, inOrder, inOrder.toReversed()]) {
			const records = new KnownRecords();
			for (const { hash, time, isUndated } of given) records.add(hash, 's', time, isUndated);
			const { log, dropped } = await dropOldest({ ...bounds, records }, slice);
			expect(dropped).toBe(all.length - MAX_RECORDS);
			expect(log.records.hashes).toEqual(inOrder.slice(0, MAX_RECORDS).map(({ hash }) => hash));
			expect([log.horizon, log.upTo, log.undatedUpTo]).toEqual([
				dated?.time ?? bounds.horizon,
				dated?.hash ?? bounds.upTo,
				undated?.hash,
			]);
		}
	}
});
