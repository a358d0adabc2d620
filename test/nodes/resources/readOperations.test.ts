import type { IDataObject } from 'n8n-workflow';
import {
	failure,
	get,
	listing,
	serve,
	success,
	type ServiceRequest,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { chosen, paired, runMessaging } from '../../support/runMessaging';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

const harness = useHarness();
const numbered = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: `id-${index}` }) as IDataObject);

/** Serves the logs endpoint with these records (docs/development/interface.md, "Get logs"). */
const logsOf = (records: IDataObject[]) => (asked: ServiceRequest) => {
	const size = Number(asked.query['page[size]'] ?? 20);
	const page = Number(asked.query['page[number]'] ?? 1);
	return success(records.slice((page - 1) * size, page * size), {
		count: records.length,
		currentPage: page,
		totalPage: Math.ceil(records.length / size),
	});
};

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
		{ how: 'with returnAll', more: { returnAll: true }, length: 60 },
		{ how: 'with returnAll as text', more: { returnAll: '={{ "true" }}' }, length: 60 },
		{ how: 'with returnAll, whatever the limit', more: { returnAll: true, limit: 1 }, length: 60 },
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

describe('simplify', () => {
	test('does not add a field that the record lacks', async () => {
		serve(success([{ id: 'c1', addedLater: true }]));
		const { outputs } = await runMessaging(harness, {
			resource: 'channel',
			operation: 'getAll',
			simplify: true,
		});
		expect(outputs).toEqual([[paired({ id: 'c1' })]]);
	});
});

test.each([
	['channel', { channelFilters: {} }, get('/api/public/channels/chatapp')],
	[
		'channel',
		{ channelFilters: { name: 'A & B?' } },
		get('/api/public/channels/chatapp', { name: 'A & B?' }),
	],
	[
		'channel',
		{ channelFilters: { status: 'INACTIVE' } },
		get('/api/public/channels/chatapp', { status: 'INACTIVE' }),
	],
	['channel', { channelFilters: { name: '  ' } }, get('/api/public/channels/chatapp')],
	['log', { logFilters: {} }, get('/api/public/logs', { 'page[size]': '50', 'page[number]': '1' })],
	[
		'log',
		{ logFilters: { campaignId: 'c 1' }, limit: 5 },
		get('/api/public/logs', { 'page[size]': '500', 'page[number]': '1', campaign_id: 'c 1' }),
	],
	[
		'log',
		{ logFilters: { identifier: 'žřß#1' }, returnAll: true },
		get('/api/public/logs', { 'page[size]': '500', 'page[number]': '1', identifier: 'žřß#1' }),
	],
])('%s getAll with %j makes exactly one request', async (resource, more, expected) => {
	const asked = serve(success([], { count: 0, totalPage: 0, currentPage: 1 }));
	const { outputs, error } = await runMessaging(harness, {
		resource,
		operation: 'getAll',
		...more,
	});
	expect({ error, asked, outputs }).toEqual({ error: undefined, asked: [expected], outputs: [[]] });
});

test('log getAll reads all pages', async () => {
	const asked = serve(logsOf(numbered(1505)));
	const { outputs } = await runMessaging(harness, {
		resource: 'log',
		operation: 'getAll',
		returnAll: true,
	});
	expect(outputs).toEqual([numbered(1505).map((json) => paired(json))]);
	expect(asked.map(({ query }) => query['page[number]']).sort()).toEqual(['1', '2', '3', '4']);
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

test.each([[0], ['0'], [-1], [0.5], ['={{ $json.none }}']])(
	'a limit of %j counts as 1',
	async (limit) => {
		serve(success([{ id: 'a' }, { id: 'b' }]));
		const { outputs } = await runMessaging(
			harness,
			{ resource: 'channel', operation: 'getAll', limit },
			{ items: [{ none: 0 }] },
		);
		expect(outputs).toEqual([[paired({ id: 'a' })]]);
	},
);

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
		[
			'channel get',
			{ resource: 'channel', operation: 'get', channelId: chosen('id', 'gone') },
			failure('Channel not found', 404),
			'The service refused: Channel not found.',
		],
		[
			'smsReport get',
			{ resource: 'smsReport', operation: 'get', messageId: 'gone' },
			failure('Message not found', 404),
			'The service refused: Message not found.',
		],
	])('%s', async (_, parameters, answer, sentence) => {
		serve(answer);
		const { error } = await runMessaging(harness, parameters);
		expect(error?.message).toBe(sentence);
	});
});

test.each([
	[
		{ resource: 'channel', operation: 'get', channelId: chosen('id', '={{ $json.x }}') },
		"'Channel' is empty. Fill it in, or check the expression for this item.",
	],
	[
		{ resource: 'channelTemplate', operation: 'getAll', channelId: chosen('id', '={{ $json.x }}') },
		"'Channel' is empty. Fill it in, or check the expression for this item.",
	],
	[
		{ resource: 'log', operation: 'get', logId: '={{ $json.x }}' },
		"'Log ID' is empty. Fill it in, or check the expression for this item.",
	],
	[
		{ resource: 'smsReport', operation: 'get', messageId: '={{ " " }}' },
		"'Message ID' is empty. Fill it in, or check the expression for this item.",
	],
	[
		{ resource: 'otpTemplate', operation: 'get', otpTemplateId: chosen('id', '={{ $json.x }}') },
		"'OTP Template' is empty. Fill it in, or check the expression for this item.",
	],
	[
		{ resource: 'campaign', operation: 'getReport', campaignId: '={{ $json.x }}' },
		"'Campaign ID' is empty. Fill it in, or check the expression for this item.",
	],
])('an id whose expression is empty makes no request: %j', async (parameters, sentence) => {
	const asked = serve(success([]));
	const { error } = await runMessaging(harness, parameters);
	expect({ asked, message: error?.message, itemIndex: error?.itemIndex }).toEqual({
		asked: [],
		message: sentence,
		itemIndex: 0,
	});
});

test('with several items, the error says which one failed', async () => {
	serve((asked) => (asked.path.endsWith('/b') ? failure('Not found', 404) : success({ id: 'x' })));
	const { error } = await runMessaging(
		harness,
		{ resource: 'channel', operation: 'get', channelId: chosen('id', '={{ $json.id }}') },
		{ items: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] },
	);
	expect(error).toEqual(
		expect.objectContaining({ message: 'The service refused: Not found.', itemIndex: 1 }),
	);
});

test('the output keeps the order of the input items', async () => {
	serve(({ path }) => success({ id: path.split('/').at(-1) }));
	const ids = Array.from({ length: 23 }, (_, index) => `channel-${index}`);
	const { outputs } = await runMessaging(
		harness,
		{ resource: 'channel', operation: 'get', channelId: chosen('id', '={{ $json.id }}') },
		{ items: ids.map((id) => ({ id })) },
	);
	expect(outputs).toEqual([ids.map((id, item) => paired({ id }, item))]);
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
	const run = async (resource: string, filters: string, name: string, item: IDataObject) =>
		await runMessaging(
			harness,
			{ resource, operation: 'getAll', [filters]: { [name]: '={{ $json.wanted }}' } },
			{ items: [item] },
		);

	test.each(FILTERS)(
		'%s, %s.%s: an expression that finds nothing is an error, and nothing is read',
		async (resource, filters, name, field) => {
			const asked = serve(logsOf(numbered(3)));
			for (const item of [{}, { wanted: null }]) {
				const { error } = await run(resource, filters, name, item);
				expect(error?.message).toBe(
					`The filter '${field}' is empty for this item. Check its expression, or remove the filter to get all.`,
				);
			}
			expect(asked).toEqual([]);
		},
	);

	test.each(FILTERS)('%s, %s.%s: an empty text is no filter', async (resource, filters, name) => {
		serve(logsOf(numbered(3)));
		const { outputs } = await run(resource, filters, name, { wanted: '' });
		expect(outputs[0]).toHaveLength(3);
	});
});
