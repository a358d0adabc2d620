import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useHarness } from '../../support/harness';
import { credentials, KEY } from '../../support/mockService';
import { all, live, logTrigger, logTriggerRun, type Page } from './logTriggerRun';

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
	'debug: Messaging Log Changes Trigger: The previous poll is still running, so this one is skipped.';

test('Log Changes Trigger: a poll is skipped while the previous one is running, and not after it has failed', async () => {
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

test('Log Changes Trigger: a test run in the editor and a poll do not wait for each other', async () => {
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

describe('Log Changes Trigger: with a status', () => {
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
});

const records = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => live(`r${index + from}`, 'sent'));
const news = (...ids: string[]) => ids.map((id) => [id, 'new', null, 'sent']);

test('Log Changes Trigger: a poll that fails on a later page remembers nothing: the next one outputs its changes', async () => {
	const { poll } = logTriggerRun(harness);
	await poll(all([]));
	let pages = 0;
	const failing = () => {
		if (++pages > 1) throw new Error('read ECONNRESET');
		return { data: records(500), count: 600 };
	};
	await expect(poll(failing)).rejects.toThrow();
	expect(await poll(all(records(500)))).toHaveLength(500);
});

test('Log Changes Trigger: only the chosen kind of change starts the workflow', async () => {
	const { poll, parameters } = logTriggerRun(harness);
	parameters.changes = ['statusChanged'];
	await poll(all([live('a', 'queued')]));
	expect(await poll(all([live('a', 'sent'), live('b', 'sent')]))).toEqual([
		['a', 'statusChanged', 'queued', 'sent'],
	]);
});

test("Log Changes Trigger: a first poll that does not get all records says so in n8n's log, and the missing ones are new later", async () => {
	const { poll, logged } = logTriggerRun(harness);
	expect(await poll(() => ({ data: records(20), count: 30 }))).toBeNull();
	expect(logged).toEqual([
		'warn: Messaging Log Changes Trigger: The service counts 30 records but gave only 20, also when asked again: 10 are missing. This was the first poll, so the missing records will seem new later.',
	]);
	// A later one that does not get all records outputs what it got.
	expect(await poll(() => ({ data: records(21), count: 30 }))).toEqual(news('r20'));
	expect(logged).toHaveLength(2);
});

test("Log Changes Trigger: records that do not match the filter start nothing, and n8n's log says so", async () => {
	const { poll, logged, parameters } = logTriggerRun(harness);
	parameters.campaignId = 'c1';
	const own = (status: string) => live('own', status, { campaign_id: 'C1' });
	const other = (status: string) => live('other', status, { campaign_id: 'c2' });
	await poll(all([own('queued'), other('queued')]));
	expect(await poll(all([own('sent'), other('sent')]))).toEqual([
		['own', 'statusChanged', 'queued', 'sent'],
	]);
	const said =
		'warn: Messaging Log Changes Trigger: The service also gave 1 record that was not asked for: it was left out.';
	expect(logged).toEqual([said, said]);
});

test.each<[unknown, number, number]>([
	[undefined, 6, 8],
	['={{ 500 }}', 89, 91],
])(
	'Log Changes Trigger: with Look Back %j, a record of %d days is watched, and one of %d is not',
	async (days, young, old) => {
		const { poll, parameters } = logTriggerRun(harness);
		Object.assign(parameters, { lookBackDays: days });
		const aged = (id: string, age: number) =>
			live(id, 'sent', { createdAt: new Date(Date.now() - age * 24 * 3_600_000).toISOString() });
		await poll(all([]));
		expect(await poll(all([aged('young', young), aged('old', old)]))).toEqual(news('young'));
	},
);

const ANOTHER =
	'info: Messaging Log Changes Trigger: The filters, Look Back or the credential have changed since the last poll. The records that are in the logs now do not start the workflow; later changes do.';

test.each<[string, INodeParameters, object]>([
	['another Look Back', { lookBackDays: 1 }, {}],
	['another identifier', { identifier: 'order-1' }, {}],
	['another Base URL', {}, { baseUrl: 'https://other.example.com' }],
	['another key', {}, { apiKey: 'example-key-of-another-account' }],
])(
	'Log Changes Trigger: %s starts over: later changes start the workflow',
	async (_, changed, account) => {
		const { poll, logged, parameters } = logTriggerRun(harness);
		await poll(all(records(3)));
		Object.assign(parameters, changed);
		const credential = { ...credentials.messagingApi, ...account };
		expect(await poll(all(records(5)), { credential })).toBeNull();
		expect(logged).toEqual([ANOTHER]);
		expect(await poll(all(records(6)), { credential })).toEqual(news('r5'));
	},
);

describe('Log Changes Trigger: the credential', () => {
	test('is the same with other spaces and slashes', async () => {
		const { poll } = logTriggerRun(harness);
		const { baseUrl, apiKey } = credentials.messagingApi;
		await poll(all(records(3)));
		const credential = { baseUrl: ` ${baseUrl}/ `, apiKey: `${apiKey} ` };
		expect(await poll(all(records(4)), { credential })).toEqual(news('r3'));
	});

	test('is not saved, and neither is the address', async () => {
		const { poll, memory, logged } = logTriggerRun(harness);
		await poll(all(records(1)));
		const everything = JSON.stringify([memory, logged]);
		expect(everything).not.toContain(KEY);
		expect(everything).not.toContain('api.messaging.test');
	});
});

test('Log Changes Trigger: an expression in Trigger On without a list loses no changes', async () => {
	const { poll, parameters } = logTriggerRun(harness);
	await poll(all([live('a', 'queued')]));
	parameters.changes = '={{ null }}';
	await expect(poll(all([live('a', 'failed')]))).rejects.toThrow("'Trigger On' must be a list");
	parameters.changes = ['new', 'statusChanged'];
	expect(await poll(all([live('a', 'failed')]))).toEqual([
		['a', 'statusChanged', 'queued', 'failed'],
	]);
});

describe('Log Changes Trigger: the test event', () => {
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
					expect(qs.campaign_id).toBe(parameters.campaignId);
					const size = Number(qs['page[size]']);
					const from = (Number(qs['page[number]']) - 1) * size;
					const data = log.slice(from, from + size);
					return {
						statusCode: 200,
						headers: {},
						body: { success: true, message: 'OK', data, count: log.length },
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
});
