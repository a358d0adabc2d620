import { createHash } from 'crypto';
import { KEY, credentials } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { all, live, logTriggerRun, pagesOf } from './logTriggerRun';

const harness = useHarness();
const log = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => live(`r${index + from}`, 'sent'));
const news = (...ids: string[]) => ids.map((id) => [id, 'new', null, 'sent']);

const WARNING =
	'warn: Messaging Log Trigger: The service counts 30 records but gave only 20, also when asked again: 10 are missing.';
const INCOMPLETE =
	'warn: Messaging Log Trigger: This poll did not get all records, and the missing ones would seem new later. So nothing starts the workflow until a poll gets all records, or until three polls in a row did not.';

describe('a first poll that does not get all records', () => {
	const twenty = () => ({ data: log(20), count: 30, totalPage: 1 });

	test('does not make the missing records new', async () => {
		const { poll, logged } = logTriggerRun(harness);
		expect(await poll(twenty)).toBeNull();
		expect(logged).toEqual([WARNING, INCOMPLETE]);
		expect(await poll(all(log(30)))).toBeNull();
		expect(await poll(all(log(31)))).toEqual(news('r30'));
		expect(logged).toHaveLength(2);
	});

	test('is complete when several polls together got all records', async () => {
		const { poll } = logTriggerRun(harness);
		await poll(twenty);
		await poll(() => ({ data: log(20, 10), count: 31, totalPage: 1 }));
		await poll(all(log(20)));
		expect(await poll(all(log(31)))).toEqual(news('r30'));
	});

	test('is accepted after three polls, because the service may count records that it never returns', async () => {
		const { poll, logged } = logTriggerRun(harness);
		for (let polls = 1; polls <= 3; polls++) expect(await poll(twenty)).toBeNull();
		expect(logged).toEqual([WARNING, INCOMPLETE, WARNING, INCOMPLETE, WARNING]);
		expect(await poll(() => ({ data: log(21), count: 31, totalPage: 1 }))).toEqual(news('r20'));
	});

	test('is counted anew with other filters', async () => {
		const { poll, parameters } = logTriggerRun(harness);
		await poll(twenty);
		await poll(twenty);
		parameters.campaignId = 'c1';
		for (let polls = 1; polls <= 2; polls++) expect(await poll(twenty)).toBeNull();
		expect(await poll(all(log(30)))).toBeNull();
		expect(await poll(all(log(31)))).toEqual(news('r30'));
	});
});

test("records that do not match the filter start nothing, and n8n's log says so", async () => {
	const { poll, logged, parameters } = logTriggerRun(harness);
	parameters.campaignId = 'c1';
	const own = (status: string) => live('own', status, { campaign_id: 'C1' });
	const other = (status: string) => live('other', status, { campaign_id: 'c2' });
	await poll(all([own('queued'), other('queued')]));
	expect(await poll(all([own('sent'), other('sent')]))).toEqual([
		['own', 'statusChanged', 'queued', 'sent'],
	]);
	const said =
		'warn: Messaging Log Trigger: The service also gave 1 record that does not match the filters: it was left out.';
	expect(logged).toEqual([said, said]);
});

test('a later poll that does not get all records outputs those it got, and the next poll outputs the others', async () => {
	const { poll } = logTriggerRun(harness);
	await poll(all(log(10)));
	expect(await poll(() => ({ data: log(11), count: 12, totalPage: 1 }))).toEqual(news('r10'));
	expect(await poll(all(log(12)))).toEqual(news('r11'));
});

const ANOTHER =
	'info: Messaging Log Trigger: The filters, Look Back or the credential have changed since the last poll. The records that are in the logs now do not start the workflow; later changes do.';

test('a longer Look Back watches records that a shorter one had dropped', async () => {
	const { poll, logged, parameters } = logTriggerRun(harness);
	const createdAt = new Date(Date.now() - 3 * 24 * 3_600_000).toISOString();
	const old = (status: string) => live('old', status, { createdAt });
	parameters.lookBackDays = 7;
	await poll(all([old('sent'), live('young', 'sent')]));
	parameters.lookBackDays = 1;
	expect(await poll(all([old('delivered'), live('young', 'sent')]))).toBeNull();
	expect(logged).toEqual([]);
	parameters.lookBackDays = 7;
	expect(await poll(all([old('delivered'), live('young', 'sent')]))).toBeNull();
	expect(logged).toEqual([ANOTHER]);
	expect(await poll(all([old('read'), live('young', 'sent')]))).toEqual([
		['old', 'statusChanged', 'delivered', 'read'],
	]);
});

describe('the credential', () => {
	test.each([
		['another Base URL', { baseUrl: 'https://other.example.com' }],
		['another key', { apiKey: 'example-key-of-another-account' }],
	])('%s starts over with another log', async (_, more) => {
		const { poll, logged } = logTriggerRun(harness);
		const credential = { ...credentials.messagingApi, ...more };
		await poll(all(log(3)));
		expect(await poll(all(log(5, 10)), { credential })).toBeNull();
		expect(logged).toEqual([ANOTHER]);
		expect(await poll(all(log(6, 10)), { credential })).toEqual(news('r15'));
	});

	test('is the same with other spaces and slashes', async () => {
		const { poll } = logTriggerRun(harness);
		const { baseUrl, apiKey } = credentials.messagingApi;
		await poll(all(log(3)));
		const credential = { baseUrl: ` ${baseUrl}/ `, apiKey: `${apiKey} ` };
		expect(await poll(all(log(4)), { credential })).toEqual(news('r3'));
	});

	test('is not saved, and neither is the address', async () => {
		const { poll, memory, logged } = logTriggerRun(harness);
		await poll(all(log(1)));
		const everything = JSON.stringify([memory, logged]);
		expect(everything).not.toContain(KEY);
		expect(everything).not.toContain('api.messaging.test');
	});

	test('may be missing in the memory of an earlier version of this package', async () => {
		const { poll, memory } = logTriggerRun(harness);
		await poll(all(log(3)));
		delete memory.account;
		delete memory.began;
		expect(await poll(all(log(4)))).toEqual(news('r3'));
		const credential = { ...credentials.messagingApi, apiKey: 'example-key-of-another-account' };
		expect(await poll(all(log(9, 10)), { credential })).toBeNull();
	});
});

test('an expression in Trigger On without a list loses no changes', async () => {
	const { poll, parameters } = logTriggerRun(harness);
	await poll(all([live('a', 'queued')]));
	parameters.changes = '={{ null }}';
	await expect(poll(all([live('a', 'failed')]))).rejects.toThrow("'Trigger On' must be a list");
	parameters.changes = ['new', 'statusChanged'];
	expect(await poll(all([live('a', 'failed')]))).toEqual([
		['a', 'statusChanged', 'queued', 'failed'],
	]);
});

/** Counts the objects in a value, itself included. */
function objectsIn(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	return Object.values(value).reduce<number>((sum, each) => sum + objectsIn(each), 1);
}

describe('the memory', () => {
	test('consists of a few objects, because n8n wraps and copies each of them', async () => {
		const { poll, memory } = logTriggerRun(harness);
		await poll(pagesOf(log(3_000)));
		expect(objectsIn(memory)).toBeLessThan(10);
		expect(JSON.stringify(memory).length).toBeLessThan(3_000 * 25);
	});

	test('is continued after n8n saved it as JSON and loaded it', async () => {
		const before = logTriggerRun(harness);
		await before.poll(
			all([live('a', 'queued'), live('b', 'sent'), live('c', 'sent', { createdAt: null })]),
		);
		const after = logTriggerRun(harness);
		Object.assign(after.memory, JSON.parse(JSON.stringify(before.memory)));
		expect(
			await after.poll(
				all([
					live('a', 'delivered'),
					live('b', 'sent'),
					live('c', 'read', { createdAt: null }),
					live('d', 'sent'),
				]),
			),
		).toEqual([
			['a', 'statusChanged', 'queued', 'delivered'],
			['c', 'statusChanged', 'sent', 'read'],
			['d', 'new', null, 'sent'],
		]);
	});

	test('of version 0.2 is used, and saved in the new format', async () => {
		const { poll, memory } = logTriggerRun(harness);
		await poll(all([live('a', 'queued')]));
		const { filters, account, began } = memory as { [name: string]: string };
		for (const name of Object.keys(memory)) delete memory[name];
		const now = Math.floor(Date.now() / 1000);
		const hash = (id: string) => createHash('sha256').update(id).digest('base64url').slice(0, 12);
		const records = { [hash('a')]: [1, now - 60], [hash('c')]: [0, now - 9_000, 1] };
		const logs = { statuses: ['sent', 'queued'], records, horizon: now - 86_400 };
		Object.assign(memory, { filters, account, began, logs });
		const log = [
			live('a', 'sent'),
			live('b', 'sent'),
			live('c', 'sent', { createdAt: null }),
			live('old', 'sent', { createdAt: (now - 90_000) * 1000 }),
		];
		expect(await poll(all(log))).toEqual([
			['a', 'statusChanged', 'queued', 'sent'],
			['b', 'new', null, 'sent'],
		]);
		expect(await poll(all(log))).toBeNull();
		expect(memory.logs).toBeUndefined();
	});
});
