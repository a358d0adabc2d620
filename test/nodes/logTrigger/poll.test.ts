import type { IDataObject, INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';
import { Execution } from '../../support/execution';
import { useHarness } from '../../support/harness';
import { credentials } from '../../support/mockService';
import { useSandbox } from '../../support/sandbox';
import { phones, sendParameters } from '../../support/sendOperations';
import { all, live, logTrigger, logTriggerRun, type Page } from './logTriggerRun';

jest.setTimeout(60_000);

const harness = useHarness();
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

describe('with a status', () => {
	const watching = (status: string, more: INodeParameters = {}) => {
		const run = logTriggerRun(harness);
		Object.assign(run.parameters, { status, ...more });
		return run;
	};
	/** All records were created in the same moment. */
	const log = (a: string, ...others: string[]) => {
		const { createdAt } = live('a', a);
		const records = [live('a', a), ...others.map((status, index) => live(`o${index}`, status))];
		return all(records.map((record) => ({ ...record, createdAt })));
	};

	test('a message starts the workflow when it gets that status, in any case', async () => {
		const { poll } = watching('Failed, rejected');
		await poll(log('queued'));
		expect(await poll(log('delivered', 'queued', 'rejected'))).toEqual([
			['o1', 'new', null, 'rejected'],
		]);
		expect(await poll(log('FAILED', 'failed', 'rejected'))).toEqual([
			['a', 'statusChanged', 'delivered', 'FAILED'],
			['o0', 'statusChanged', 'queued', 'failed'],
		]);
		expect(await poll(log('FAILED', 'failed', 'rejected'))).toBeNull();
	});

	test('changing the status of the node loses no change, because every record is remembered', async () => {
		const { poll, parameters, logged } = watching('failed');
		await poll(log('queued'));
		expect(await poll(log('delivered', 'queued'))).toBeNull();
		parameters.status = 'read';
		expect(await poll(log('read', 'read'))).toEqual([
			['a', 'statusChanged', 'delivered', 'read'],
			['o0', 'statusChanged', 'queued', 'read'],
		]);
		expect(logged).toEqual([]);
	});

	test('a test run in the editor shows records with that status', async () => {
		const { poll } = watching('failed');
		const records = Array.from({ length: 30 }, (_, index) => (index < 20 ? 'read' : 'failed'));
		expect(await poll(log('read', ...records), { mode: 'manual' })).toEqual(
			Array.from({ length: 10 }, (_, index) => [`o${20 + index}`, 'new', null, 'failed']),
		);
	});

	test('an expression whose value is not text is an error before anything is remembered', async () => {
		const { poll, memory } = watching('={{ ({}) }}');
		await expect(poll(log('queued'))).rejects.toThrow("'Status' must be text, but is an object.");
		expect(memory).toEqual({});
	});
});

describe('the test event', () => {
	const hour = 3_600_000;
	/** 1,200 records, one an hour; the newest is "r1199". */
	const records = Array.from({ length: 1_200 }, (_, index) => ({
		id: `r${index}`,
		status: index === 3 ? 'failed' : 'delivered',
		createdAt: new Date(Date.UTC(2026, 0, 1) + index * hour).toISOString(),
	}));
	/** Fetches the test event from a service that returns the page asked for. @returns the records' ids */
	const fetch = async (log: IDataObject[], parameters: INodeParameters = {}) => {
		const { poll } = logTrigger(harness, parameters);
		const output = await poll({ messagingApi: credentials.messagingApi }, 'manual', (context) => {
			Object.assign(context.helpers, {
				httpRequestWithAuthentication: async (_: string, { qs }: { qs: IDataObject }) => {
					const size = Number(qs['page[size]']);
					const from = (Number(qs['page[number]']) - 1) * size;
					const data = log.slice(from, from + size);
					const totalPage = Math.ceil(log.length / size);
					return {
						statusCode: 200,
						headers: {},
						body: { success: true, message: 'OK', data, count: log.length, totalPage },
					};
				},
			});
		});
		return output?.flat().map(({ json }) => json.id);
	};
	const newest = Array.from({ length: 10 }, (_, index) => `r${1_199 - index}`);

	test.each([
		['the oldest come first', records],
		['the newest come first', [...records].reverse()],
	])('is the newest records when %s', async (_, log) => {
		expect(await fetch(log)).toEqual(newest);
	});

	test('leaves out records of another campaign, where the service ignores the filter', async () => {
		const log = records.map((record, index) => ({
			...record,
			campaign_id: index < 600 ? 'one' : 'other',
		}));
		expect((await fetch(log, { campaignId: 'one' }))?.slice(0, 2)).toEqual(['r599', 'r598']);
	});
});

describe('Messaging Log Trigger, against the sandbox', () => {
	const sandbox = useSandbox();
	const harness = useHarness();

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

	test('outputs only the chosen changes of the chosen campaign', async () => {
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
