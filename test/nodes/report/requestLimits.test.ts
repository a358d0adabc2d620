import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { Execution } from '../../support/execution';
import { Harness } from '../../support/harness';
import { useSandbox } from '../../support/sandbox';
import { sendCampaign } from './campaigns';
import { GET_REPORT } from './logService';

let harness: Harness;
const sandbox = useSandbox();
beforeAll(async () => {
	harness = await Harness.load();
});

const report = async (
	items: IDataObject[],
	cancelWhen?: () => Promise<unknown>,
	node?: { onError: 'continueRegularOutput' },
) =>
	await Execution.start(harness, {
		parameters: GET_REPORT,
		items,
		credentials: sandbox.credentials,
		cancelWhen,
		node,
	});

test('never more than five requests are under way, however many campaigns', async () => {
	await sandbox.reset({ latencyMs: 10 });
	const items: IDataObject[] = [];
	for (let sent = 0; sent < 40; sent++) {
		items.push({ campaign_id: await sendCampaign(sandbox, 1) });
	}
	const { items: output } = await report(items);
	const { requests, inFlight } = await sandbox.counts();
	expect({
		output: output.length,
		asked: requests.byEndpoint.getLogs,
		max: inFlight.max,
	}).toEqual({
		output: 40,
		asked: 40,
		max: 5,
	});
});

test('nor for the pages of one campaign, read a few at a time', async () => {
	await sandbox.reset({ latencyMs: 10 });
	const campaign_id = await sendCampaign(sandbox, 6000);
	const { items: output } = await report([{ campaign_id }]);
	const { requests, inFlight } = await sandbox.counts();
	expect({
		recipients: output[0].json.recipients,
		asked: requests.byEndpoint.getLogs,
		max: inFlight.max,
	}).toEqual({ recipients: 6000, asked: 12, max: 5 });
});

test('a cancelled execution asks for no further page', async () => {
	await sandbox.reset({ latencyMs: 20 });
	const items = Array.from({ length: 200 }, (_, index) => ({ campaign_id: `c${index}` }));
	const execution = await report(items, async () => await sleep(100));
	expect(execution.status).toBe('canceled');
	const { requests } = await sandbox.counts();
	await sleep(100);
	const later = await sandbox.counts();
	expect(later.requests.total - requests.total).toBeLessThanOrEqual(5);
	expect(later.requests.total).toBeLessThan(150);
});

/* n8n takes what a node returns for its success, also when its time-out has ended the execution. */
describe('cancelled while the logs are read', () => {
	/** One campaign is read at once, of the other no answer comes. */
	async function halfRead(node?: { onError: 'continueRegularOutput' }) {
		await sandbox.reset();
		const items = [
			{ campaign_id: await sendCampaign(sandbox, 2) },
			{ campaign_id: await sendCampaign(sandbox, 3) },
		];
		await sandbox.fault({ match: { endpoint: 'getLogs' }, skip: 1, fault: { kind: 'hang' } });
		const asked = async () => {
			while (((await sandbox.counts()).requests.byEndpoint.getLogs ?? 0) < 2) await sleep(5);
			await sleep(50);
		};
		return await report(items, asked, node);
	}

	test('half a report is none: Retry makes it whole', async () => {
		const first = await halfRead();
		expect(first.status).toBe('canceled');
		expect(first.error?.message).toMatch(/^The execution was cancelled/);
		const second = await first.retry({ cancelWhen: undefined });
		expect(second.items.map(({ json }) => json.recipients).sort()).toEqual([2, 3]);
	});

	test('with On Error set to continue, the missing report has an item that says so', async () => {
		const { items } = await halfRead({ onError: 'continueRegularOutput' });
		const said = items.map(({ json }) => json.recipients ?? json.error);
		expect(said).toHaveLength(2);
		expect(said).toContain('The execution was cancelled before everything was read.');
	});
});
