import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { listing, serve, success, type ServiceRequest } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { chosen, paired, runMessaging } from '../../support/runMessaging';
import { pageOf, record } from '../report/logService';

const harness = useHarness();
const numbered = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: `id-${index}` }) as IDataObject);

/** Serves the logs endpoint with these records. */
const logsOf = (records: IDataObject[]) => (asked: ServiceRequest) => pageOf(records, asked);

describe('returnAll and limit', () => {
	const LISTS = [
		{ resource: 'channel', answer: success(numbered(60)) },
		{ resource: 'channelTemplate', answer: listing(numbered(60)), channelId: chosen('id', 'c') },
		{ resource: 'otpTemplate', answer: listing(numbered(60)) },
		{ resource: 'log', answer: logsOf(numbered(60)) },
	];
	const MOST = [
		{ how: 'by default', more: {}, length: 50 },
		{ how: 'with limit 3', more: { limit: 3 }, length: 3 },
		{ how: 'with a limit by expression', more: { limit: '={{ $json.most }}' }, length: 2 },
		{ how: 'with returnAll, whatever the limit', more: { returnAll: true, limit: 1 }, length: 60 },
		{ how: 'with returnAll as text', more: { returnAll: '={{ "true" }}' }, length: 60 },
	];
	const cases = LISTS.flatMap((list) => MOST.map((most) => ({ ...list, ...most })));

	test.each(cases)(
		'$resource getAll gives $length $how',
		async ({ answer, length, more, how, ...rest }) => {
			serve(answer);
			const { outputs } = await runMessaging(
				harness,
				{ operation: 'getAll', ...rest, ...more },
				{ items: [{ most: 2 }] },
			);
			expect({ how, outputs }).toEqual({
				how,
				outputs: [numbered(length).map((json) => paired(json))],
			});
		},
	);
});

test('Simplify does not add a field that the record lacks', async () => {
	serve(success([{ id: 'c1', addedLater: true }]));
	const { outputs } = await runMessaging(harness, { resource: 'channel', operation: 'getAll' });
	expect(outputs).toEqual([[paired({ id: 'c1' })]]);
});

test('log get finds a record whose ID the service writes in another case', async () => {
	serve(success([{ id: 'another' }, { id: 'abc-d' }]));
	const { outputs, error } = await runMessaging(harness, {
		resource: 'log',
		operation: 'get',
		logId: 'ABC-D',
	});
	expect({ outputs, error }).toEqual({ outputs: [[paired({ id: 'abc-d' })]], error: undefined });
});

test.each([[-1], [0.5], ['={{ $json.none }}']])('a limit of %j counts as 1', async (limit) => {
	serve(success([{ id: 'a' }, { id: 'b' }]));
	const { outputs } = await runMessaging(
		harness,
		{ resource: 'channel', operation: 'getAll', limit },
		{ items: [{ none: 0 }] },
	);
	expect(outputs).toEqual([[paired({ id: 'a' })]]);
});

describe('a record that does not exist is an error in a sentence', () => {
	test.each([
		[
			'log get',
			{ resource: 'log', operation: 'get', logId: 'gone' },
			success([{ id: 'another' }]),
			'There is no log record with the ID "gone". Copy the ID from Log → Get Many.',
		],
		[
			'otpTemplate get',
			{ resource: 'otpTemplate', operation: 'get', otpTemplateId: chosen('id', 'gone') },
			listing([{ id: 'another' }]),
			'There is no OTP template with the ID "gone". Choose one from the list.',
		],
	])('%s', async (_, parameters, answer, sentence) => {
		serve(answer);
		const { error } = await runMessaging(harness, parameters);
		expect(error?.message).toBe(sentence);
	});
});

const EMPTY = '={{ $json.x }}';

test.each<[string, INodeParameters, string]>([
	['channel get', { channelId: EMPTY }, "'Channel' is empty"],
	['channelTemplate getAll', { channelId: EMPTY }, "'Channel' is empty"],
	['log get', { logId: EMPTY }, "'Log ID' is empty"],
	['smsReport get', { messageId: EMPTY }, "'Message ID' is empty"],
	['otpTemplate get', { otpTemplateId: EMPTY }, "'OTP Template' is empty"],
	[
		'campaign getReport',
		{ campaignId: EMPTY },
		"Send Text and Send Template return none: their messages are in 'Log → Get Many'.",
	],
])('%s with %j makes no request: %s', async (name, parameters, sentence) => {
	const asked = serve(success([]));
	const [resource, operation] = name.split(' ');
	const { error } = await runMessaging(harness, { resource, operation, ...parameters });
	expect({ asked, message: error?.message, itemIndex: error?.itemIndex }).toEqual({
		asked: [],
		message: expect.stringContaining(sentence),
		itemIndex: 0,
	});
});

test('an operation that does not exist is an error', async () => {
	const asked = serve(success([]));
	const { error } = await runMessaging(harness, { resource: 'channel', operation: 'explode' });
	expect({ asked, message: error?.message }).toEqual({
		asked: [],
		message: 'The operation "explode" of "channel" does not exist. Choose another one in the node.',
	});
});

describe('a filter by an expression', () => {
	const FILTERS = [
		['log', 'logFilters', 'campaignId', 'Campaign ID'],
		['log', 'logFilters', 'identifier', 'Identifier'],
		['log', 'logFilters', 'id', 'Log ID'],
		['log', 'logFilters', 'status', 'Status'],
		['channel', 'channelFilters', 'name', 'Name'],
		['channel', 'channelFilters', 'status', 'Status'],
	];

	test.each(FILTERS)(
		'%s, %s.%s: one that finds nothing, or an empty text, is an error',
		async (resource, filters, name, field) => {
			const asked = serve(logsOf(numbered(3)));
			const parameters = {
				resource,
				operation: 'getAll',
				[filters]: { [name]: '={{ $json.wanted }}' },
			};
			for (const wanted of [undefined, null, '', ' ', 'undefined', 'null', 'NaN', '\u200b']) {
				const { error } = await runMessaging(harness, parameters, { items: [{ wanted }] });
				expect(error?.message).toBe(
					`The filter '${field}' is empty for this item. Check its expression, or remove the filter to get all.`,
				);
			}
			expect(asked).toEqual([]);
		},
	);

	test('a list without a status is an error', async () => {
		const asked = serve(logsOf(numbered(3)));
		const { error } = await getMany({ status: '={{ [] }}' });
		expect(error).toMatch(/^The filter 'Status' is empty for this item\./);
		expect(asked).toEqual([]);
	});
});

const WHOLE = 'An empty filter was ignored: these are records of the whole account.';
test.each<[string, IDataObject, string[]]>([
	['no filter', {}, []],
	['a fixed empty one', { campaignId: '' }, [WHOLE]],
	['a fixed empty one beside a status', { campaignId: ' ', status: 'delivered' }, [WHOLE]],
	['a fixed empty one beside a campaign', { campaignId: 'c', identifier: '' }, []],
	['an empty status', { status: '' }, [WHOLE]],
	['a status', { status: 'delivered' }, []],
])(
	'Log Get Many: %s: the hint says when these are records of the whole account',
	async (_, filters, hints) => {
		serve((asked) => pageOf([record('c', 1)], asked));
		expect((await getMany(filters)).hints).toEqual(hints);
	},
);

/** Runs Log → Get Many, and returns the ids of its records and the hints above the output. */
const getMany = async (logFilters: IDataObject, more: IDataObject = { returnAll: true }) => {
	const parameters = { resource: 'log', operation: 'getAll', logFilters, ...more };
	const { outputs, hints, error } = await runMessaging(harness, parameters as never);
	return { ids: outputs[0]?.map(({ json }) => json.id), hints, error: error?.message };
};

const logRecord = (id: string, campaign_id: unknown, identifier: unknown) =>
	record('x', 0, { id, campaign_id, identifier } as IDataObject);

const LOG = [
	logRecord('a1', 'AAA', '1'),
	logRecord('a2', 'AAA', '2'),
	logRecord('b1', 'bbb', '1'),
	logRecord('b2', 'BBB', '2'),
	logRecord('n1', null, '1'),
	logRecord('o1', 'ccc', 'order-7'),
	logRecord('o2', 'ccc', 'Order-7'),
];
const leftOut = (count: number) =>
	`The service also gave ${count} ${count === 1 ? 'record that was not asked for: it was' : 'records that were not asked for: they were'} left out.`;

const MORE =
	"The limit was reached, and the logs may have more records. They have no particular order. Turn on 'Return All' to get all of them.";

describe('a service that ignores a filter or combines filters with "or": other records are left out', () => {
	test.each<[IDataObject, string[]]>([
		[{ campaignId: 'BBB', identifier: '1' }, ['b1', 'n1']],
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
			hints: [leftOut(5), MORE],
			error: undefined,
		});
	});
});

describe('the filter Status', () => {
	const STATUSES = ['delivered', 'Failed', 'read', 'rejected', null, 'failed', '', 'NOT_DELIVERED'];
	const LOG_OF_STATUSES = STATUSES.map((status, index) =>
		record('c', index, { id: `s${index}`, status }),
	);
	const REQUEST = { 'page[size]': '500', 'page[number]': '1' };

	test.each<[unknown, string[]]>([
		[' FAILED ', ['s1', 's5']],
		['failed, rejected', ['s1', 's3', 's5']],
		[
			['read', 'Rejected'],
			['s2', 's3'],
		],
		['no status', ['s4', 's6']],
		['not delivered', ['s7']],
		['unheard of', []],
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
		expect({ ids, hints }).toEqual({ ids: ['c-l499', 'c-l999'], hints: [MORE] });
	});
});
