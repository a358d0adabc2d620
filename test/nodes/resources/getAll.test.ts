import type { INodeParameters } from 'n8n-workflow';
import { Execution } from '../../support/execution';
import { useHarness } from '../../support/harness';
import { useSandbox } from '../../support/sandbox';
import { sendCampaign } from '../report/sendCampaign';

jest.setTimeout(60_000);

const sandbox = useSandbox();
const harness = useHarness();

beforeAll(async () => {
	await sandbox.reset({ channels: 70, templates: 60 });
});

const run = async (resource: string, parameters: INodeParameters = {}) => {
	const execution = await Execution.start(harness, {
		parameters: { resource, operation: 'getAll', ...parameters },
		items: [{}],
		credentials: sandbox.credentials,
	});
	expect(execution.error).toBeUndefined();
	return execution.items.map(({ json }) => json);
};

const MAIN_LINE = 'c1000000-0000-4000-8000-000000000001';
const channelId = { __rl: true, mode: 'id', value: MAIN_LINE };

describe('channels', () => {
	test.each([
		['ACTIVE', 'Bakery main line'],
		['INACTIVE', 'Old shop'],
		['PENDING', 'New shop'],
	])('of status %s', async (status, name) => {
		const channels = await run('channel', { returnAll: true, channelFilters: { status } });
		expect(channels[0].name).toBe(name);
		expect([...new Set(channels.map((channel) => channel.status))]).toEqual([status]);
	});

	test('by name', async () => {
		const channels = await run('channel', { channelFilters: { name: 'Bäckerei Berlin' } });
		expect(channels.map(({ name }) => name)).toEqual(['Bäckerei Berlin']);
	});

	test('by a name and a status that no channel has', async () => {
		const channelFilters = { name: 'Old shop', status: 'ACTIVE' };
		expect(await run('channel', { channelFilters })).toEqual([]);
	});
});

describe('all records, or up to a limit', () => {
	const LISTS: Array<{ resource: string; all: number; parameters?: INodeParameters }> = [
		{ resource: 'channel', all: 70 },
		{ resource: 'channelTemplate', all: 60, parameters: { channelId } },
		{ resource: 'otpTemplate', all: 3 },
	];

	test.each(LISTS)('$resource', async ({ resource, all, parameters }) => {
		const whole = await run(resource, { ...parameters, returnAll: true });
		expect(whole).toHaveLength(all);
		expect(await run(resource, parameters)).toEqual(whole.slice(0, 50));
		expect(await run(resource, { ...parameters, limit: 2 })).toEqual(whole.slice(0, 2));
	});
});

describe('log records', () => {
	let campaignId: string;
	beforeAll(async () => {
		campaignId = await sendCampaign(sandbox, 1230);
		await sendCampaign(sandbox, 5);
	});

	test('of a campaign, all pages, in the service’s order', async () => {
		const records = await run('log', { returnAll: true, logFilters: { campaignId } });
		expect(records.map(({ identifier }) => identifier)).toEqual(
			Array.from({ length: 1230 }, (_, index) => `order-${index}`),
		);
	});

	test('of a campaign, the first 501, from two pages', async () => {
		const { requests: before } = await sandbox.counts();
		const records = await run('log', { limit: 501, logFilters: { campaignId } });
		const { requests } = await sandbox.counts();
		expect({
			length: records.length,
			asked: requests.byEndpoint.getLogs - before.byEndpoint.getLogs,
		}).toEqual({ length: 501, asked: 2 });
	});

	test('by identifier, and by both', async () => {
		expect(await run('log', { logFilters: { identifier: 'order-3' } })).toHaveLength(2);
		const one = await run('log', { logFilters: { identifier: 'order-3', campaignId } });
		expect(one.map(({ campaign_id }) => campaign_id)).toEqual([campaignId]);
	});

	test('by the ID of the record', async () => {
		const [record] = await run('log', { limit: 1, logFilters: { campaignId } });
		expect(await run('log', { logFilters: { id: record.id as string } })).toEqual([record]);
	});
});
