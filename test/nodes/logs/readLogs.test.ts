import { newestRecords } from '../../../nodes/Messaging/logs/newestRecords';
import type { Filters } from '../../../nodes/Messaging/logs/logFilters';
import { readLogs } from '../../../nodes/Messaging/logs/readLogs';
import type { ServiceRequest } from '../../../nodes/Messaging/service/endpoints';
import { RequestFailed, type Failure } from '../../../nodes/Messaging/service/outcomes';
import type { Json, LogRecord } from '../../../nodes/Messaging/service/types';

type Page = { data: Json[] | null; count?: unknown; totalPage?: unknown };

/** Reads from a logs endpoint with these answers, and returns its requests too. */
async function reading(
	answer: (page: number, size: number, nth: number) => Page,
	limit = Infinity,
	filters: Filters = {},
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
	const records: LogRecord[] = [];
	const { missing: warning } = await readLogs(filters, limit, ask, (record) => {
		records.push(record);
	});
	return { ids: records.map(({ id }) => id), records, asked, most, warning };
}

const ids = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => `l${index + from}`);
const records = (count: number) => ids(count).map((id) => ({ id }));

/** Answers with pages of these records, at most `serviceSize` long. */
const paged =
	(all: Json[], serviceSize = Infinity) =>
	(page: number, size: number): Page => {
		const real = Math.min(size, serviceSize);
		return {
			// New objects each time, as over a network.
			data: all.slice((page - 1) * real, page * real).map((each) => ({ ...each })),
			count: all.length,
			totalPage: Math.ceil(all.length / real),
		};
	};

test.each([0, 500, 501, 5000])(
	'Reading logs: %d records are all returned, in order',
	async (count) => {
		const { ids: found, asked } = await reading(paged(records(count)));
		expect(found).toEqual(ids(count));
		expect(asked).toHaveLength(Math.max(1, Math.ceil(count / 500)));
	},
);

test.each([
	[Infinity, 250, 13],
	[45, 45, 3],
])(
	'Reading logs: shorter pages than asked for, with the limit %p: %d records',
	async (limit, count, pages) => {
		const { ids: found, asked } = await reading(paged(records(250), 20), limit);
		expect(found).toEqual(ids(count));
		expect(asked).toHaveLength(pages);
	},
);

const failure = (cause: Failure['cause']) =>
	new RequestFailed({ ok: false, cause, outcome: 'rejected', message: 'No.' });

test('Reading logs: when the service refuses large pages, it is asked for modest ones', async () => {
	const answer = paged(records(120));
	const { ids: found, asked } = await reading((page, size) => {
		if (size > 100) throw failure('refused');
		return answer(page, size);
	});
	expect(found).toEqual(ids(120));
	expect(asked.map((query) => query['page[size]'])).toEqual([500, 100, 100]);
});

test.each([
	['keyRefused', [500]],
	['refused', [500, 100]],
] as const)(
	'Reading logs: after the failure %s, no other page is asked for',
	async (cause, sizes) => {
		const asked: number[] = [];
		const read = reading((_, size) => {
			asked.push(size);
			throw failure(cause);
		});
		await expect(read).rejects.toThrow('No.');
		expect(asked).toEqual(sizes);
	},
);

test('Reading logs: every page is asked for with the filters', async () => {
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

test('Reading logs: at most 8 pages are in flight', async () => {
	const { most } = await reading(paged(records(10_000)));
	expect(most).toBe(8);
});

test.each([
	[1, 1],
	[500, 1],
	[501, 2],
	[2500, 5],
])(
	'Reading logs: a limit of %d asks for no more pages than it needs (%d)',
	async (limit, pages) => {
		const { ids: found, asked } = await reading(paged(records(5000)), limit);
		expect(found).toEqual(ids(limit));
		expect(asked.length).toBe(pages);
		expect(asked[0]['page[size]']).toBe(Math.min(500, limit));
	},
);

test.each<[string, Filters, number, string]>([
	['of the account', {}, 5000, '50 of 5,000 records, in no particular order. Turn on'],
	['of a campaign', { campaignId: 'c' }, 51, '50 of 51 records, in no particular order. Turn on'],
	[
		'a status, which is applied after reading',
		{ status: () => true },
		5000,
		'The limit was reached',
	],
])(
	'Reading logs: with a limit it is said how many there are, %s',
	async (_, filters, count, said) => {
		const { ids: found, warning } = await reading(paged(records(count)), 50, filters);
		expect(found).toEqual(ids(50));
		expect(warning).toMatch(new RegExp(`^${said}`));
	},
);

test.each([
	['a service that ignores the filter', { campaignId: 'c' }, 120],
	['a service that counts only a page', {}, 50],
])('Reading logs: with a limit no wrong count is said: %s', async (_, filters, count) => {
	const all = records(120).map((each, index) => ({ ...each, campaign_id: index % 2 ? 'c' : 'x' }));
	const { warning } = await reading(
		(page, size) => ({ ...paged(all)(page, size), count, totalPage: 3 }),
		50,
		filters,
	);
	expect(warning).toMatch(/^The limit was reached/);
});

test('Reading logs: a filtered log is read with large pages, because the service may ignore the filter', async () => {
	const { asked } = await reading(paged(records(30)), 5, { campaignId: 'c' });
	expect(asked.map((query) => query['page[size]'])).toEqual([500]);
});

describe('Reading logs: a service whose count and records do not agree', () => {
	const MISSING = (count: string, found: number, missing: number) =>
		`The service counts ${count} records but gave only ${found}, also when asked again: ${missing} are missing.`;

	test('the pages are read three times, then a warning says how many records are missing', async () => {
		const {
			ids: found,
			asked,
			warning,
		} = await reading((page, size) => ({ ...paged(records(750))(page, size), count: 1000 }));
		expect(found).toEqual(ids(750));
		expect(asked.map((query) => query['page[number]'])).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3]);
		expect(warning).toBe(MISSING('1,000', 750, 250));
	});

	test('an empty page: the others are read, and the missing records in the next pass', async () => {
		const { ids: found, warning } = await reading((page, size, nth) =>
			nth === 2 ? { data: [], count: 1500 } : paged(records(1500))(page, size),
		);
		expect([...found].sort()).toEqual(ids(1500).sort());
		expect(warning).toBeUndefined();
	});
});

test.each([[undefined], [null], ['']])(
	'Reading logs: a record whose id is %p is an error',
	async (id) => {
		await expect(reading(() => ({ data: [{ id }], count: 1 }))).rejects.toThrow(
			"The service returned a log record without an 'id', so it may count the same record twice.",
		);
	},
);

describe('Reading logs: totals as services write them', () => {
	const UNCLEAR =
		'The service does not say clearly where its logs end: log records may be missing.';
	const MORE = expect.stringMatching(/^The limit was reached/) as string;
	/** Pages of 100 of 250 records. */
	const page = (number: number) => ids(250).slice((number - 1) * 100, number * 100);

	test.each<[string, (page: number) => Partial<Page>, number, string?, number?]>([
		['`count` is text', () => ({ count: '250' }), 250],
		['all totals are text', () => ({ count: ' 250 ', totalPage: '3' }), 250],
		[
			'`count` is that of the page, and no number of pages',
			(nth) => ({ count: page(nth).length }),
			250,
		],
		['`count` is 0, and no number of pages', () => ({ count: 0 }), 250],
		['no `count`', () => ({ totalPage: 3 }), 250],
		['no totals', () => ({}), 250],
		['too many pages', () => ({ count: 250, totalPage: 1_000_000 }), 250],
		[
			'an empty page in the middle',
			(nth) => ({ count: 100, totalPage: 3, ...(nth === 2 && { data: [] }) }),
			150,
			UNCLEAR,
		],
		[
			'the same page again and again, no `count`',
			() => ({ data: records(100), totalPage: 1 }),
			100,
			UNCLEAR,
		],
		[
			'a limit that is reached exactly',
			() => ({ count: '250', totalPage: '3' }),
			250,
			undefined,
			250,
		],
		[
			'the whole log on every page',
			() => ({ data: records(1200), count: 1200, totalPage: 3 }),
			1200,
		],
		['an empty log of several pages', () => ({ data: [], totalPage: 3 }), 0, UNCLEAR],
		['`null` for an empty list', () => ({ data: null, count: 0 }), 0],
		[
			'a limit that is reached exactly, before the last page that is counted',
			() => ({ count: 250, totalPage: 4 }),
			250,
			MORE,
			250,
		],
	])('%s', async (...[, totals, found, said, limit]) => {
		const { records, warning, asked } = await reading(
			(number) => ({ data: page(number).map((id) => ({ id })), ...totals(number) }),
			limit,
		);
		expect([records.length, warning]).toEqual([found, said]);
		expect(asked.length).toBeLessThan(20);
	});
});

test('Reading logs: a record deleted while the pages are read hides no other record', async () => {
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
	}).toEqual({ missing: [], twice: 0, warning: undefined, pages: [1, 2, 3, 4, 1, 2, 3] });
});

test('Newest records: of a billion pages, only those at both ends are read', async () => {
	const asked: unknown[] = [];
	const ask = async <Payload>({ query = {}, read }: ServiceRequest<Payload>) => {
		asked.push(query['page[number]']);
		return read({ success: true, data: records(1), count: 1, totalPage: 1e9 })!;
	};
	expect(await newestRecords({}, ask)).toEqual({ records: records(1), isWhole: false });
	expect(asked).toEqual([1, 2, 3, 4, 5, ...[4, 3, 2, 1, 0].map((before) => 1e9 - before)]);
});
