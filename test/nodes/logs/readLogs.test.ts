import fc from 'fast-check';
import { readLogs } from '../../../nodes/Messaging/logs/readLogs';
import type { ServiceRequest } from '../../../nodes/Messaging/service/endpoints';
import type { Json } from '../../../nodes/Messaging/service/types';

declare const seed: number;

type Page = { data: Json[]; count?: unknown; totalPage?: unknown };

/** Reads from a logs endpoint with these answers, and returns its requests too. */
async function reading(
	answer: (page: number, size: number, nth: number) => Page,
	limit = Infinity,
	filters: Parameters<typeof readLogs>[0] = {},
) {
	const asked: Array<Record<string, unknown>> = [];
	let inFlight = 0;
	let most = 0;
	const ask = async <Payload>({ query = {}, read }: ServiceRequest<Payload>) => {
		asked.push(query);
		const nth = asked.length;
		most = Math.max(most, ++inFlight);
		await null;
		inFlight--;
		const page = answer(Number(query['page[number]']), Number(query['page[size]']), nth);
		return read({ success: true, ...page })!;
	};
	let warning: string | undefined;
	const records = await readLogs(filters, limit, ask, (sentence) => (warning = sentence));
	return { ids: records.map(({ id }) => id), records, asked, most, warning };
}

const ids = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => `l${index + from}`);
const records = (count: number) => ids(count).map((id) => ({ id }));

/** Answers with pages of these records, at most `serviceSize` long. */
const paged =
	(all: Json[], { serviceSize = Infinity, count = true, totalPage = true } = {}) =>
	(page: number, size: number): Page => {
		const real = Math.min(size, serviceSize);
		return {
			// New objects each time, as over a network.
			data: all.slice((page - 1) * real, page * real).map((each) => ({ ...each })),
			...(count && { count: all.length }),
			...(totalPage && { totalPage: Math.ceil(all.length / real) }),
		};
	};

test.each([0, 1, 499, 500, 501, 1250, 5000])(
	'%d records are all returned, in order',
	async (count) => {
		const { ids: found, asked } = await reading(paged(records(count)));
		expect(found).toEqual(ids(count));
		expect(asked).toHaveLength(Math.max(1, Math.ceil(count / 500)));
	},
);

test.each([
	['without `totalPage`', { totalPage: false }],
	['without `count`', { count: false }],
	['without either', { totalPage: false, count: false }],
	['with smaller pages than asked for', { serviceSize: 20 }],
	['with smaller pages, without either', { serviceSize: 7, totalPage: false, count: false }],
])('250 records %s', async (_, options) => {
	const { ids: found } = await reading(paged(records(250), options));
	expect(found).toEqual(ids(250));
});

test('every page is asked for with the filters', async () => {
	const { asked } = await reading(paged(records(750)), Infinity, {
		campaignId: 'c',
		identifier: 'i',
		id: 'l',
	});
	const rest = { 'page[size]': 500, campaign_id: 'c', identifier: 'i', id: 'l' };
	expect(asked).toEqual([
		{ ...rest, 'page[number]': 1 },
		{ ...rest, 'page[number]': 2 },
	]);
});

test('at most 5 pages are in flight', async () => {
	const { most } = await reading(paged(records(10_000)));
	expect(most).toBe(5);
});

describe('a limit', () => {
	test.each([
		[1, 1],
		[30, 1],
		[500, 1],
		[501, 2],
		[1700, 4],
		[2500, 5],
	])('of %d asks for no more pages than it needs (%d)', async (limit, pages) => {
		const { ids: found, asked } = await reading(paged(records(5000)), limit);
		expect(found).toEqual(ids(limit));
		expect(asked.length).toBe(pages);
		expect(asked[0]['page[size]']).toBe(Math.min(500, limit));
	});
});

describe('a service that counts wrong', () => {
	test('`totalPage` too small: the pages are read until `count` is reached', async () => {
		const { ids: found } = await reading((page, size) => ({
			...paged(records(1750))(page, size),
			totalPage: 2,
		}));
		expect(found).toEqual(ids(1750));
	});

	test('`totalPage` too large: the reading ends', async () => {
		const { ids: found } = await reading((page, size) => ({
			...paged(records(750))(page, size),
			totalPage: 9,
		}));
		expect(found).toEqual(ids(750));
	});

	test.each([[-1], [0], ['3'], [null], [1.5]])(
		'`totalPage` %p: all records are returned',
		async (totalPage) => {
			const { ids: found } = await reading((page, size) => ({
				...paged(records(1250))(page, size),
				totalPage,
			}));
			expect(found).toEqual(ids(1250));
		},
	);

	test('`count` too large: the reading ends, and all existing records are returned', async () => {
		const { ids: found, asked } = await reading((page, size) => ({
			...paged(records(750))(page, size),
			count: 2000,
		}));
		expect(found).toEqual(ids(750));
		expect(asked.length).toBeLessThan(20);
	});

	test('`count` is the count of the page: all records are returned', async () => {
		const { ids: found } = await reading((page, size) => {
			const answer = paged(records(1250))(page, size);
			return { ...answer, count: answer.data.length };
		});
		expect(found).toEqual(ids(1250));
	});

	test('every page is the same: the reading ends, each record once', async () => {
		const { ids: found, asked } = await reading(() => ({
			data: records(500),
			count: 2500,
			totalPage: 5,
		}));
		expect(found).toEqual(ids(500));
		expect(asked.length).toBeLessThan(40);
	});

	test('an empty log with a count of 0: one page is read', async () => {
		const { ids: found, asked } = await reading(() => ({ data: [], count: 0, totalPage: 0 }));
		expect({ found, times: asked.length }).toEqual({ found: [], times: 1 });
	});

	test('an empty page without count and `totalPage`: one more page is read', async () => {
		const { ids: found, asked } = await reading(() => ({ data: [] }));
		expect({ found, times: asked.length }).toEqual({ found: [], times: 2 });
	});

	test('an empty log with a count of 100: more pages are read, and the reading ends', async () => {
		const { ids: found, asked } = await reading(() => ({ data: [], count: 100, totalPage: 9 }));
		expect(found).toEqual([]);
		expect(asked.length).toBeLessThan(30);
	});
});

test('a record on two pages is returned once', async () => {
	const all = [...records(620), ...records(620).slice(490, 500)];
	const { ids: found } = await reading(paged(all));
	expect(found).toEqual(ids(620));
});

test('records that move to a page already read are found in a second pass', async () => {
	const all = records(1000);
	// During the first pass the last record of page 2 jumps to the front.
	const moved = [all[999], ...all.slice(0, 999)];
	const { ids: found } = await reading((page, size, nth) =>
		paged(nth === 1 ? all : moved)(page, size),
	);
	expect([...found].sort()).toEqual(ids(1000).sort());
});

test('a record deleted while the pages are read hides no other record', async () => {
	const all = records(1500);
	const living = all.filter((_, index) => index !== 600);
	// The record is deleted after page 2 was read: record 1,000 moves from page 3 to page 2.
	const {
		ids: found,
		warning,
		asked,
	} = await reading((page, size, nth) => paged(nth <= 2 ? all : living)(page, size));
	expect({
		missing: living.map(({ id }) => id).filter((id) => !found.includes(id)),
		twice: found.length - new Set(found).size,
		warning,
		pages: asked.map((query) => query['page[number]']),
	}).toEqual({ missing: [], twice: 0, warning: undefined, pages: [1, 2, 3, 1, 2, 3] });
});

test('records deleted in every pass are reported as missing', async () => {
	let all = records(1500);
	const { warning } = await reading((page, size, nth) => {
		if (page === 3) all = all.filter((_, index) => index !== 600 + nth);
		return paged(all)(page, size);
	});
	expect(warning).toBe(
		'The service counts 1,498 records but gave only 1,497, also when asked again: 1 is missing.',
	);
});

describe.each([[undefined], [null], ['']])('records whose id is %p', (id) => {
	const all = ['a', 'b', 'b'].map((status): Json => ({ id: id as never, status }));

	test('are returned unchanged', async () => {
		const { records: found } = await reading(paged(all));
		expect(found).toEqual(all);
	});

	test('are returned once, also after several passes', async () => {
		const { records: found, warning } = await reading((page, size) => ({
			...paged(all)(page, size),
			count: 4,
		}));
		expect({ found, warning }).toEqual({
			found: all,
			warning: 'The service counts 4 records but gave only 3, also when asked again: 1 is missing.',
		});
	});
});

test(`the first records are returned in order, each once, whatever the page size and the limit (SEED=${seed})`, async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.nat(1600),
			fc.oneof(fc.integer({ min: 1, max: 1700 }), fc.constant(Infinity)),
			fc.integer({ min: 1, max: 700 }),
			fc.boolean(),
			fc.boolean(),
			async (total, limit, serviceSize, count, totalPage) => {
				const answer = paged(records(total), { serviceSize, count, totalPage });
				const { ids: found } = await reading(answer, limit);
				expect(found).toEqual(ids(Math.min(total, limit)));
			},
		),
		{ seed },
	);
});

test('a page without ids that repeats: the reading ends, and a warning says so', async () => {
	const {
		records: found,
		asked,
		warning,
	} = await reading((_page, _size, nth) => {
		if (nth > 100) throw new Error('The reading does not end: more than 100 requests.');
		return { data: [{ to: '1' }, { to: '2' }] };
	});
	expect(found).toEqual([{ to: '1' }, { to: '2' }]);
	expect(asked.length).toBeLessThan(20);
	expect(warning).toMatch(/^The service gave 2 records on pages that overlap or have gaps/);
});

test('a number and its digits are the same id; ids that are objects are compared by their content', async () => {
	const data = [{ id: 5 }, { id: '5' }, { id: { a: 1 } }, { id: { a: 1 } }, { id: { a: 2 } }];
	const { ids: found } = await reading(paged(data, { count: false }));
	expect(found).toEqual([5, { a: 1 }, { a: 2 }]);
});
