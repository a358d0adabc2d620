import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { Execution } from '../helpers/execution';
import { Harness } from '../helpers/harness';
import { useSandbox } from '../helpers/sandbox';
import { sendCampaign } from './campaigns';
import { GET_REPORT } from './logService';

let harness: Harness;
const sandbox = useSandbox();
beforeAll(async () => {
	harness = await Harness.load();
});

const report = async (items: IDataObject[], cancelWhen?: () => Promise<unknown>) =>
	await Execution.start(harness, {
		parameters: GET_REPORT,
		items,
		credentials: sandbox.credentials,
		cancelWhen,
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
