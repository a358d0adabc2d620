import { type IDataObject, type INodeParameters, sleep } from 'n8n-workflow';
import { Execution } from '../execution';
import { useRealClock } from '../../support/clock';
import { useHarness } from '../../support/harness';
import { useSandbox } from '../../support/sandbox';
import { GET_REPORT, sendCampaign } from './logService';

const harness = useHarness();
useRealClock();
const sandbox = useSandbox();
const report = async (
	items: IDataObject[],
	cancelWhen?: () => Promise<unknown>,
	node?: { onError: 'continueRegularOutput' },
	options: INodeParameters = {},
) =>
	await Execution.start(harness, {
		parameters: { ...GET_REPORT, options },
		items,
		credentials: sandbox.credentials,
		cancelWhen,
		node,
	});

/** Waits until the logs were asked for so often, and a little longer. */
const asked = async (times: number) => {
	while (((await sandbox.counts()).requests.byEndpoint.getLogs ?? 0) < times) await sleep(5);
	await sleep(50);
};

test('Get Report: at most eight requests are in flight, however many campaigns and pages', async () => {
	await sandbox.reset({ latencyMs: 10 });
	// Four pages each, and one page each: 32 pages.
	const sizes = [...Array<number>(3).fill(1_600), ...Array<number>(20).fill(1)];
	const items: IDataObject[] = [];
	for (const size of sizes) items.push({ campaign_id: await sendCampaign(sandbox, size) });
	const { items: output } = await report(items);
	const { requests, inFlight } = await sandbox.counts();
	expect(output.map(({ json }) => json.recipients)).toEqual(sizes);
	expect(requests.byEndpoint.getLogs).toBe(32);
	expect(inFlight.max).toBeLessThanOrEqual(8);

	// When none is answered, eight are asked, and the ninth waits.
	await sandbox.fault({ match: { endpoint: 'getLogs' }, times: 0, fault: { kind: 'hang' } });
	await report(items, async () => await asked(32 + 8));
	expect((await sandbox.counts()).requests.byEndpoint.getLogs).toBe(32 + 8);
});

test('Get Report: a cancelled wait for completion ends at once, and reads nothing more', async () => {
	await sandbox.reset();
	const waitForCompletion = { values: { longestWait: 5, interval: 1 } };
	const execution = await report(
		[{ campaign_id: 'unknown' }],
		async () => await asked(1),
		undefined,
		{ waitForCompletion },
	);
	expect([execution.status, execution.error?.message]).toEqual([
		'canceled',
		'The execution was cancelled before everything was read.',
	]);
	await sleep(1100);
	expect((await sandbox.counts()).requests.byEndpoint.getLogs).toBe(1);
});

/* n8n takes any output of a node for a success, even after its time-out has ended the execution. So there must be none. */
describe('Get Report: cancelled while the logs are read', () => {
	/** Cancels the report of two campaigns: the service answers the request for one of them, and never that for the other. */
	async function halfRead(node?: { onError: 'continueRegularOutput' }) {
		await sandbox.reset();
		const items = [
			{ campaign_id: await sendCampaign(sandbox, 2) },
			{ campaign_id: await sendCampaign(sandbox, 3) },
		];
		await sandbox.fault({ match: { endpoint: 'getLogs' }, skip: 1, fault: { kind: 'hang' } });
		return await report(items, async () => await asked(2), node);
	}

	test('an incomplete report is an error, and Retry completes it', async () => {
		const first = await halfRead();
		expect(first.status).toBe('canceled');
		expect(first.error?.message).toMatch(/^The execution was cancelled/);
		const second = await first.retry({ cancelWhen: undefined });
		expect(second.items.map(({ json }) => json.recipients).sort()).toEqual([2, 3]);
	});

	test('with On Error set to Continue, the missing report is a failed item', async () => {
		const { items } = await halfRead({ onError: 'continueRegularOutput' });
		const said = items.map(({ json }) => json.recipients ?? json.error);
		expect(said).toHaveLength(2);
		expect(said).toContain('The execution was cancelled before everything was read.');
	});
});
