import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { useHarness } from '../../support/harness';
import { paired, runMessaging } from '../../support/runMessaging';
import { GET_REPORT, record, records, sent, serveLogs } from './logService';

const harness = useHarness();
const run = async (items: IDataObject[], more: IDataObject = {}) => {
	const { outputs, error } = await runMessaging(
		harness,
		{ ...GET_REPORT, output: 'recipients', ...more } as never,
		{ items },
	);
	expect(error).toBeUndefined();
	return outputs[0];
};

const missing = (campaign: string, index: number) => ({ ...sent(campaign, index), missing: true });

/** The summary beside recipients; undefined in an item of a recipient. */
const summaryOf = ({ summary }: IDataObject) => summary as IDataObject | undefined;

const together = (...items: number[]): INodeExecutionData['pairedItem'] =>
	items.map((item) => ({ item }));

const all = records('c1', 4);
const text = record('c1', 0, { identifier: '12' });
const twice = [record('c1', 0), record('c1', 0, { id: 'again' })];

test.each<[string, IDataObject[], IDataObject[], object[]]>([
	[
		'recipients are output in the order of the input, each paired with its own item',
		all,
		[2, 0, 3, 1].map((index) => sent('c1', index)),
		[2, 0, 3, 1].map((index, item) => paired(all[index], item)),
	],
	[
		'an input item that the logs do not have is output as missing',
		[all[0], all[2]],
		[0, 1, 2].map((index) => sent('c1', index)),
		[paired(record('c1', 0), 0), paired(missing('c1', 1), 1), paired(record('c1', 2), 2)],
	],
	[
		'records that no input item names follow, paired with nobody',
		all,
		[sent('c1', 3), sent('c1', 1)],
		[
			paired(all[3], 0),
			paired(all[1], 1),
			{ json: all[0], pairedItem: [] },
			{ json: all[2], pairedItem: [] },
		],
	],
	[
		'one item is left of all, as by Limit or Execute Once: the others do not get its name',
		all.slice(0, 2),
		[sent('c1', 0)],
		[paired(all[0]), { json: all[1], pairedItem: [] }],
	],
	[
		'records that no input item names are paired with an item that names the campaign only',
		all.slice(0, 2),
		[sent('c1', 0), { campaign_id: 'c1' }],
		[paired(all[0]), paired(all[1], 1)],
	],
	[
		'an identifier as a number in the input is the same as its text in the logs',
		[text],
		[{ campaign_id: 'c1', identifier: 12 }],
		[paired(text)],
	],
	[
		'two records of one identifier are both paired with its item',
		twice,
		[sent('c1', 0)],
		twice.map((json) => paired(json)),
	],
])('Get Report: %s', async (_, logged, items, expected) => {
	serveLogs({ c1: logged });
	expect(await run(items)).toEqual(expected);
});

describe('Get Report: several campaigns in the input', () => {
	const input = [sent('c1', 0), sent('c2', 0), sent('c1', 1), sent('c2', 7)];
	const logs = { c1: records('c1', 2), c2: records('c2', 1) };

	test('each is read once, and its recipients are output together', async () => {
		const asked = serveLogs(logs);
		expect(await run(input)).toEqual([
			paired(record('c1', 0), 0),
			paired(record('c1', 1), 2),
			paired(record('c2', 0), 1),
			paired(missing('c2', 7), 3),
		]);
		expect(asked.map(({ query }) => query.campaign_id).sort()).toEqual(['c1', 'c2']);
	});

	test('the recipients of each follow its summary, which counts the missing ones', async () => {
		serveLogs(logs);
		const output = await run(input, { output: 'both' });
		expect(
			output.map(({ json, pairedItem }) => [
				summaryOf(json)?.recipients ?? json.identifier,
				json.campaign_id,
				pairedItem,
			]),
		).toEqual([
			[2, 'c1', together(0, 2)],
			['order-0', 'c1', { item: 0 }],
			['order-1', 'c1', { item: 2 }],
			[2, 'c2', together(1, 3)],
			['order-0', 'c2', { item: 1 }],
			['order-7', 'c2', { item: 3 }],
		]);
		const summaries = output.map(({ json }) => summaryOf(json)).filter(Boolean);
		expect(summaries.map((summary) => summary?.missing)).toEqual([0, 1]);
	});
});

test('Get Report: a campaign id in upper and in lower case is one campaign, read once', async () => {
	const asked = serveLogs({ 'C-A': records('c-a', 2) });
	const input = [sent('C-A', 0), sent('c-a', 1)];
	expect(await run(input, { output: 'both' })).toEqual([
		{
			json: expect.objectContaining({
				campaign_id: 'C-A',
				summary: expect.objectContaining({ campaign_id: 'C-A', recipients: 2, missing: 0 }),
			}),
			pairedItem: together(0, 1),
		},
		paired(record('c-a', 0), 0),
		paired(record('c-a', 1), 1),
	]);
	expect(asked).toHaveLength(1);
});

describe('Get Report: an identifier that several items share', () => {
	const promo = (to: unknown) => ({ campaign_id: 'c1', identifier: 'promo', to }) as IDataObject;
	const logged = (index: number, to: unknown) =>
		record('c1', index, { identifier: 'promo', to } as IDataObject);
	const lost = (to: string, item: number) =>
		paired({ campaign_id: 'c1', identifier: 'promo', to, missing: true }, item);
	const people = [promo('385911001'), sent('c1', 9), promo('+385 911 002'), promo('385911003')];

	test('is nobody’s when the logs write the number otherwise: no person gets the status of another', async () => {
		const other = logged(1, 'c:911001');
		serveLogs({ c1: [other] });
		const two = [people[0], people[2]];
		expect(await run(two)).toEqual([
			lost('385911001', 0),
			lost('+385 911 002', 1),
			{ json: other, pairedItem: [] },
		]);
	});

	test('is joined by the recipient, and recipients who are not in the logs are named', async () => {
		serveLogs({ c1: [logged(2, '385911002'), logged(1, '385911001'), record('c1', 9)] });
		expect(await run(people)).toEqual([
			paired(logged(1, '385911001'), 0),
			paired(record('c1', 9), 1),
			paired(logged(2, '385911002'), 2),
			lost('385911003', 3),
		]);
		const [summary] = await run(people, { output: 'summary' });
		expect(summary.json).toMatchObject({ recipients: 4, missing: 1 });
	});
});

test('Get Report: a recipient begins with what a person looks for, and keeps every field of the service', async () => {
	serveLogs({ c1: [record('c1', 0, { other: 1 })] });
	const output = await run([sent('c1', 0), sent('c1', 1)]);
	expect(output.map(({ json }) => Object.keys(json))).toEqual([
		[
			'to',
			'status',
			'reason',
			'delivered_time',
			...['id', 'externalId', 'from', 'units', 'createdAt', 'campaign_id', 'identifier', 'other'],
		],
		['to', 'missing', 'campaign_id', 'identifier'],
	]);
});

describe('Get Report: nothing is joined', () => {
	test('without identifiers in the input: every record is output once, paired with all items of the campaign', async () => {
		const asked = serveLogs({ c1: records('c1', 3) });
		const output = await run([{ campaign_id: 'c1' }, { campaign_id: 'c1' }], { output: 'both' });
		expect(asked).toHaveLength(1);
		const [summary, ...rest] = output;
		expect(summaryOf(summary.json)).not.toHaveProperty('missing');
		expect(rest).toEqual(records('c1', 3).map((json) => ({ json, pairedItem: together(0, 1) })));
	});

	test('when the option is off', async () => {
		serveLogs({ c1: records('c1', 3) });
		const items = [sent('c1', 2), sent('c1', 9)];
		expect(await run(items, { options: { joinInputItems: false } })).toEqual(
			records('c1', 3).map((json) => ({ json, pairedItem: together(0, 1) })),
		);
	});

	test('for items of another campaign', async () => {
		serveLogs({ C1: records('c1', 1) });
		const items = [sent('c1', 0), sent('c2', 1), sent('c2', 0)];
		const output = await run(items, { campaignId: 'C1' });
		expect(output).toEqual([paired(record('c1', 0), 0)]);
	});
});
