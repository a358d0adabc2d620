import type { INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';
import { Execution } from '../../support/execution';
import { Harness } from '../../support/harness';
import { useSandbox } from '../../support/sandbox';
import { phones, sendParameters } from '../../support/sends';
import { all, live, logTrigger, logTriggerRun, type Page } from './logTriggerRun';

jest.setTimeout(60_000);

let harness: Harness;
beforeAll(async () => {
	harness = await Harness.load();
});

/** An answer that waits until the test releases it. */
function held(page: Page | Error) {
	let release = () => {};
	const isReleased = new Promise<void>((resolve) => (release = resolve));
	const answer = async () => {
		await isReleased;
		if (page instanceof Error) throw page;
		return page;
	};
	return { answer, release };
}

const queued = [live('a', 'queued')];
const delivered = [live('a', 'delivered')];
const change = [['a', 'statusChanged', 'queued', 'delivered']];
const SKIPPED =
	'debug: Messaging Log Trigger: The previous poll is still running, so this one is skipped.';

test('a poll is skipped while the previous one is running, and each change is output once', async () => {
	const { poll, logged } = logTriggerRun(harness);
	await poll(all(queued));
	// The service reads its log now and answers later.
	const slow = held(all(queued)());
	const first = poll(slow.answer);
	const second = await poll(all(delivered));
	slow.release();
	expect({ second, first: await first, logged }).toEqual({
		second: null,
		first: null,
		logged: [SKIPPED],
	});
	expect(await poll(all(delivered))).toEqual(change);
	expect(await poll(all(delivered))).toBeNull();
});

test('the poll after a failed one is not skipped', async () => {
	const { poll, logged } = logTriggerRun(harness);
	await poll(all(queued));
	const slow = held(new Error('read ECONNRESET'));
	const first = poll(slow.answer);
	expect(await poll(all(delivered))).toBeNull();
	slow.release();
	await expect(first).rejects.toThrow();
	expect(await poll(all(delivered))).toEqual(change);
	expect(logged).toEqual([SKIPPED]);
});

test('a test run in the editor and a poll do not wait for each other', async () => {
	const { poll, logged } = logTriggerRun(harness);
	const slow = held(all(queued)());
	const first = poll(slow.answer);
	expect(await poll(all(queued), { mode: 'manual' })).toEqual([['a', 'new', null, 'queued']]);
	slow.release();
	await first;
	const sample = held(all(queued)());
	const test = poll(sample.answer, { mode: 'manual' });
	expect(await poll(all(delivered))).toEqual(change);
	sample.release();
	expect(await test).toHaveLength(1);
	expect(logged).toEqual([]);
});

describe('another process that has polled meanwhile', () => {
	test('makes the result of the slower poll outdated', async () => {
		const { poll, memory } = logTriggerRun(harness);
		await poll(all(delivered));
		const remembered = JSON.stringify(memory.log);
		const outdated = await poll(() => {
			const began = Date.now() + 1;
			memory.began = began;
			while (Date.now() < began);
			return all(queued)();
		});
		expect({ outdated, remembered: JSON.stringify(memory.log) }).toEqual({
			outdated: null,
			remembered,
		});
	});

	test('does not stop later polls, even if its clock was ahead', async () => {
		const { poll, memory } = logTriggerRun(harness);
		await poll(all(queued));
		memory.began = Date.now() + 10 * 86_400_000;
		expect(await poll(all(delivered))).toEqual(change);
	});
});

describe('Messaging Log Trigger, against the sandbox', () => {
	const sandbox = useSandbox();
	let harness: Harness;

	beforeAll(async () => {
		harness = await Harness.load();
	});

	beforeEach(async () => {
		await sandbox.reset();
	});

	function trigger(parameters: INodeParameters) {
		const { credentials } = sandbox;
		const { poll } = logTrigger(harness, parameters);
		return async (mode: WorkflowExecuteMode = 'trigger') =>
			((await poll(credentials, mode)) ?? []).flat().map(({ json }) => json);
	}

	const send = async (count: number) => {
		const { items, error } = await Execution.start(harness, {
			parameters: sendParameters('campaign send', {}),
			items: phones(count).map((phone) => ({ phone })),
			credentials: sandbox.credentials,
		});
		expect(error).toBeUndefined();
		return items[0].json.campaign_id as string;
	};

	test('the first poll remembers, the next ones output new records, over many pages', async () => {
		const watch = trigger({});
		await send(30);
		expect(await watch()).toEqual([]);
		const campaignId = await send(250);
		const changes = await watch();
		expect(changes).toHaveLength(250);
		expect(new Set(changes.map(({ campaign_id }) => campaign_id))).toEqual(new Set([campaignId]));
		expect(await watch()).toEqual([]);
	});

	test('a status change is output once, with the previous status', async () => {
		const watch = trigger({});
		await watch();
		await sandbox.reset({ campaignSeconds: 600 });
		const campaignId = await send(3);
		expect((await watch()).map(({ change, status }) => [change, status])).toEqual(
			Array(3).fill(['new', 'queued']),
		);
		await sandbox.completeCampaign(campaignId);
		expect(
			(await watch()).map(({ change, previousStatus, status }) => [change, previousStatus, status]),
		).toEqual(Array(3).fill(['statusChanged', 'queued', 'delivered']));
		expect(await watch()).toEqual([]);
	});

	test('only the chosen changes, and only of the chosen campaign', async () => {
		const other = await send(2);
		const watch = trigger({ campaignId: other, changes: ['statusChanged'] });
		expect(await watch()).toEqual([]);
		await send(2);
		expect(await watch()).toEqual([]);
		const [last] = (await sandbox.requests())
			.filter(({ endpoint }) => endpoint === 'getLogs')
			.slice(-1);
		expect((last as unknown as { query: string }).query).toContain(`campaign_id=${other}`);
	});

	test('a failed poll says why, and the next one outputs its changes', async () => {
		const watch = trigger({});
		await watch();
		await send(600);
		// The first page succeeds, a later one fails.
		await sandbox.fault({
			match: { endpoint: 'getLogs' },
			skip: 1,
			times: 0,
			fault: { kind: 'status', status: 400 },
		});
		await expect(watch()).rejects.toThrow('The service refused');
		await sandbox.clearFaults();
		expect(await watch()).toHaveLength(600);
	});

	test('a test run shows a few records and remembers nothing', async () => {
		const watch = trigger({});
		await send(30);
		expect(await watch('manual')).toHaveLength(10);
		expect(await watch('manual')).toHaveLength(10);
		expect(await watch()).toEqual([]);
	});
});
