import { readLogs } from '../../../nodes/Messaging/logs/readLogs';
import type { ServiceRequest } from '../../../nodes/Messaging/service/endpoints';
import type { Json } from '../../../nodes/Messaging/service/types';

type Page = { ids: string[]; count?: number; totalPage?: number };

/** Reads from a service with these answers to the 1st, 2nd, … request for each page; the last answer repeats. */
async function reading(pages: Record<number, Page[]>) {
	const asked: number[] = [];
	let inFlight = 0;
	let most = 0;
	const ask = async <Payload>({ query = {}, read }: ServiceRequest<Payload>) => {
		const number = Number(query['page[number]']);
		asked.push(number);
		most = Math.max(most, ++inFlight);
		await null;
		inFlight--;
		const answers = pages[number] ?? [{ ids: [] }];
		const { ids, ...rest } = answers.length > 1 ? answers.shift()! : answers[0];
		return read({ success: true, data: ids.map((id): Json => ({ id })), ...rest })!;
	};
	let warning: string | undefined;
	const records = await readLogs({}, Infinity, ask, (sentence) => (warning = sentence));
	return { ids: records.map(({ id }) => id), asked, most, warning };
}

const says = (count: number) => ({ count, totalPage: Math.ceil(count / 2) });

test('a record that moves to another page because a new one is added is not lost', async () => {
	// Page 3 was answered first; then "n" was added in front and page 2 was answered.
	const { ids, warning } = await reading({
		1: [
			{ ids: ['a', 'b'], ...says(5) },
			{ ids: ['n', 'a'], ...says(6) },
		],
		2: [
			{ ids: ['n', 'c'], ...says(6) },
			{ ids: ['b', 'c'], ...says(6) },
		],
		3: [
			{ ids: ['e'], ...says(5) },
			{ ids: ['d', 'e'], ...says(6) },
		],
	});
	expect({ ids, warning }).toEqual({ ids: ['a', 'b', 'n', 'c', 'e', 'd'], warning: undefined });
});

test('a second pass ends as soon as no record is missing', async () => {
	const whole = { 1: ['a', 'b'], 2: ['c', 'd'], 3: ['e', 'f'], 4: ['g', 'h'] };
	const { ids, asked } = await reading({
		1: [
			{ ids: ['a', 'b'], ...says(8) },
			{ ids: whole[1], ...says(8) },
		],
		2: [
			{ ids: ['b', 'd'], ...says(8) },
			{ ids: whole[2], ...says(8) },
		],
		3: [{ ids: whole[3], ...says(8) }],
		4: [{ ids: whole[4], ...says(8) }],
	});
	expect(ids).toEqual(['a', 'b', 'd', 'e', 'f', 'g', 'h', 'c']);
	expect(asked.slice(0, 5).sort()).toEqual([1, 1, 2, 3, 4]);
});

test('without a count, pages are read one by one', async () => {
	const page = (...ids: string[]): Page[] => [{ ids, totalPage: 3 }];
	const { ids, most, warning } = await reading({
		1: page('a', 'b'),
		2: page('c', 'd'),
		3: page('e'),
		4: page(),
	});
	expect({ ids, most, warning }).toEqual({
		ids: ['a', 'b', 'c', 'd', 'e'],
		most: 1,
		warning: undefined,
	});
});

test('without a count, pages with gaps in every pass are reported', async () => {
	const { ids, asked, warning } = await reading({
		1: [{ ids: ['a', 'b'] }],
		2: [{ ids: ['b', 'c'] }],
		3: [{ ids: [] }],
	});
	expect({ ids, warning }).toEqual({
		ids: ['a', 'b', 'c'],
		warning:
			'The service gave 3 records on pages that overlap or have gaps, also when asked again. Some may be missing.',
	});
	expect(asked.length).toBeLessThanOrEqual(12);
});

test('after a pass with pages cut short, the next pass asks for pages of that length', async () => {
	const all = Array.from({ length: 100 }, (_, index) => `r${index}`);
	const sizes: number[] = [];
	// The service returns at most 40 records, but counts pages by the size asked for: 10 of every 50 are never returned.
	const ask = async <Payload>({ query = {}, read }: ServiceRequest<Payload>) => {
		const size = Math.min(50, Number(query['page[size]']));
		sizes.push(size);
		const start = (Number(query['page[number]']) - 1) * size;
		const data = all.slice(start, start + size).slice(0, 40);
		return read({
			success: true,
			data: data.map((id): Json => ({ id })),
			count: 100,
			totalPage: Math.ceil(100 / size),
		})!;
	};
	let warning: string | undefined;
	const records = await readLogs({}, Infinity, ask, (sentence) => (warning = sentence));
	expect({ length: records.length, warning }).toEqual({ length: 100, warning: undefined });
	expect([...new Set(sizes)]).toEqual([50, 40]);
});
