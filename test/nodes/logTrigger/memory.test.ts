import { KEY, credentials } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { all, live, logTriggerRun, pagesOf } from './logTriggerRun';

const harness = useHarness();
const log = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => live(`r${index + from}`, 'sent'));
const news = (...ids: string[]) => ids.map((id) => [id, 'new', null, 'sent']);

test("a first poll that does not get all records says so in n8n's log, and the missing ones are new later", async () => {
	const { poll, logged } = logTriggerRun(harness);
	expect(await poll(() => ({ data: log(20), count: 30, totalPage: 1 }))).toBeNull();
	expect(logged).toEqual([
		'warn: Messaging Log Trigger: The service counts 30 records but gave only 20, also when asked again: 10 are missing. This was the first poll, so the missing records will seem new later.',
	]);
	expect(await poll(all(log(21)))).toEqual(news('r20'));
	expect(logged).toHaveLength(1);
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

test('another Look Back starts over', async () => {
	const { poll, logged, parameters } = logTriggerRun(harness);
	await poll(all(log(3)));
	parameters.lookBackDays = 1;
	expect(await poll(all(log(5)))).toBeNull();
	expect(logged).toEqual([ANOTHER]);
	expect(await poll(all(log(6)))).toEqual(news('r5'));
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

test("records that have no time are counted in n8n's log", async () => {
	const { poll, logged } = logTriggerRun(harness);
	await poll(all([live('a', 'sent', { createdAt: null }), live('b', 'sent')]));
	expect(logged).toEqual([
		"warn: Messaging Log Trigger: 1 log record not watched: 'createdAt' is not a time.",
	]);
});

describe('the memory', () => {
	test('consists of a few objects, because n8n wraps and copies each of them', async () => {
		const { poll, memory } = logTriggerRun(harness);
		await poll(pagesOf(log(3_000)));
		expect(objectsIn(memory)).toBeLessThan(10);
		expect(JSON.stringify(memory).length).toBeLessThan(3_000 * 25);
	});

	test('is continued after n8n saved it as JSON and loaded it', async () => {
		const before = logTriggerRun(harness);
		await before.poll(all([live('a', 'queued'), live('b', 'sent')]));
		const after = logTriggerRun(harness);
		Object.assign(after.memory, JSON.parse(JSON.stringify(before.memory)));
		expect(
			await after.poll(all([live('a', 'delivered'), live('b', 'sent'), live('d', 'sent')])),
		).toEqual([
			['a', 'statusChanged', 'queued', 'delivered'],
			['d', 'new', null, 'sent'],
		]);
	});
});
