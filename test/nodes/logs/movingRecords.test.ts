import { readLogs } from '../../../nodes/Messaging/logs/readLogs';
import type { ServiceRequest } from '../../../nodes/Messaging/service/endpoints';
import type { Json } from '../../../nodes/Messaging/service/types';

type Page = { ids: string[]; count?: number };

/** Reads from a service with these answers to the 1st, 2nd, … request for each page; the last answer repeats. */
async function reading(pages: Record<number, Page[]>) {
	const asked: number[] = [];
	const ask = async <Payload>({ query = {}, read }: ServiceRequest<Payload>) => {
		const number = Number(query['page[number]']);
		asked.push(number);
		await null;
		const answers = pages[number] ?? [{ ids: [] }];
		const { ids, ...rest } = answers.length > 1 ? answers.shift()! : answers[0];
		return read({ success: true, data: ids.map((id): Json => ({ id })), ...rest })!;
	};
	let warning: string | undefined;
	const records = await readLogs({}, Infinity, ask, (sentence) => (warning = sentence));
	return { ids: records.map(({ id }) => id), asked, warning };
}

const says = (count: number) => ({ count });

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
