import type { IDataObject } from 'n8n-workflow';
import { credentials, failure, serve, type ServiceRequest } from '../../../support/mockService';
import { useHarness } from '../../../support/harness';
import { pageOf, record } from '../../report/logService';

jest.mock('../../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../../support/fastClock'),
);

const harness = useHarness();
/** Runs Log → Get Many, and returns the ids of its records and the hints above the output. */
const getMany = async (logFilters: IDataObject, more: IDataObject = { returnAll: true }) => {
	const result = await harness.run(
		'messaging',
		{ resource: 'log', operation: 'getAll', logFilters, ...more } as never,
		{ items: [{}], credentials },
	);
	return {
		ids: result.output[0]?.map(({ json }) => json.id),
		hints: (result.task?.hints ?? []).map(({ message }) => message),
		error: result.error?.message,
	};
};

const one = (id: string, campaign_id: unknown, identifier: unknown) =>
	record('x', 0, { id, campaign_id, identifier } as IDataObject);

const LOG = [
	one('a1', 'AAA', '1'),
	one('a2', 'AAA', '2'),
	one('b1', 'bbb', '1'),
	one('b2', 'BBB', '2'),
	one('n1', null, '1'),
	one('o1', 'ccc', 'order-7'),
	one('o2', 'ccc', 'Order-7'),
];
const leftOut = (count: number) =>
	`The service also gave ${count} ${count === 1 ? 'record that does not match the filters: it was' : 'records that do not match the filters: they were'} left out.`;

describe('a service that ignores a filter or combines filters with "or": other records are left out', () => {
	test.each<[IDataObject, string[]]>([
		[{ campaignId: 'BBB', identifier: '1' }, ['b1', 'n1']],
		[{ campaignId: 'BBB' }, ['b1', 'b2', 'n1']],
		[{ identifier: '2' }, ['a2', 'b2']],
		// Customers choose their identifiers, so two identifiers may differ only in case.
		[{ identifier: 'Order-7' }, ['o2']],
		[{ id: 'A2' }, ['a2']],
		[{ id: 'none' }, []],
	])('%j', async (filters, ids) => {
		const requests = serve((asked) => pageOf(LOG, asked));
		const { campaignId: campaign_id, ...others } = filters;
		expect(await getMany(filters)).toEqual({
			ids,
			hints: [leftOut(LOG.length - ids.length)],
			error: undefined,
		});
		expect(requests[0].query).toEqual({
			'page[size]': '500',
			'page[number]': '1',
			...(campaign_id && { campaign_id }),
			...others,
		});
	});

	test('the limit counts only records that match the filters', async () => {
		serve((asked) => pageOf(LOG, asked));
		const filters = { campaignId: 'BBB', identifier: '1' };
		expect(await getMany(filters, { limit: 1 })).toEqual({
			ids: ['b1'],
			hints: [leftOut(2)],
			error: undefined,
		});
	});

	test.each([
		['large pages', 500, [500, 500, 500]],
		[
			'smaller pages when the service refuses large ones',
			100,
			[500, ...Array<number>(12).fill(100)],
		],
	])('one record among many others is searched with %s', async (_, largest, sizes) => {
		const many = Array.from({ length: 1200 }, (__, index) => one(`l${index}`, 'AAA', `${index}`));
		const asked = serve((request) =>
			Number(request.query['page[size]']) > largest
				? failure('The page is too large', 400)
				: pageOf(many, request),
		);
		const { ids, error } = await getMany({ identifier: '1100' }, { limit: 1 });
		expect({
			ids,
			error,
			sizes: asked.map(({ query }) => Number(query['page[size]'])),
		}).toEqual({ ids: ['l1100'], error: undefined, sizes });
	});

	test('a service that applies the filters: no hint', async () => {
		const matching = ({ query }: ServiceRequest) =>
			LOG.filter((each) => each.identifier === query.identifier);
		serve((asked) => pageOf(matching(asked), asked));
		expect(await getMany({ identifier: '2' })).toEqual({
			ids: ['a2', 'b2'],
			hints: [],
			error: undefined,
		});
	});
});

describe('the filter Status', () => {
	const STATUSES = ['delivered', 'Failed', 'read', 'rejected', null, 'failed', ''];
	const LOG_OF_STATUSES = STATUSES.map((status, index) =>
		record('c', index, { id: `s${index}`, status }),
	);
	const REQUEST = { 'page[size]': '500', 'page[number]': '1' };

	test.each<[unknown, string[]]>([
		['failed', ['s1', 's5']],
		[' FAILED ', ['s1', 's5']],
		['failed, rejected', ['s1', 's3', 's5']],
		[
			['read', 'Rejected'],
			['s2', 's3'],
		],
		['no status', ['s4', 's6']],
		['unheard of', []],
		['', ['s0', 's1', 's2', 's3', 's4', 's5', 's6']],
	])(
		'%j: only these records, without a notice, and the filter is not sent to the service',
		async (status, ids) => {
			const requests = serve((asked) => pageOf(LOG_OF_STATUSES, asked));
			expect(await getMany({ status } as IDataObject)).toEqual({
				ids,
				hints: [],
				error: undefined,
			});
			expect(requests.map(({ query }) => query)).toEqual([REQUEST]);
		},
	);

	test('the limit counts only records with the status, and older pages are read until it is reached', async () => {
		const log = Array.from({ length: 1200 }, (_, index) =>
			record('c', index, { status: index % 500 === 499 ? 'failed' : 'delivered' }),
		);
		serve((asked) => pageOf(log, asked));
		const { ids, hints } = await getMany({ status: 'failed' }, { limit: 2 });
		expect({ ids, hints }).toEqual({ ids: ['c-l499', 'c-l999'], hints: [] });
	});

	test('other filters are sent, and their notice does not count other statuses', async () => {
		const log = [...LOG_OF_STATUSES, record('other', 0, { status: 'failed' })];
		const requests = serve((asked) => pageOf(log, asked));
		const { ids, hints } = await getMany({ campaignId: 'c', status: 'failed' });
		expect({ ids, hints }).toEqual({ ids: ['s1', 's5'], hints: [leftOut(1)] });
		expect(requests[0].query).toEqual({ ...REQUEST, campaign_id: 'c' });
	});

	test('an empty list is an error, and nothing is read', async () => {
		const requests = serve((asked) => pageOf(LOG_OF_STATUSES, asked));
		const { error } = await getMany({ status: '={{ [] }}' });
		expect([error, requests.length]).toEqual([
			"The filter 'Status' is empty for this item. Check its expression, or remove the filter to get all.",
			0,
		]);
	});
});
