import { KEY, credentials } from '../../support/fakeService';
import { Harness } from '../../support/harness';
import { all, live, watching } from './watching';

let harness: Harness;
beforeAll(async () => {
	harness = await Harness.load();
});

const log = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => live(`r${index + from}`, 'sent'));
const news = (...ids: string[]) => ids.map((id) => [id, 'new', null, 'sent']);

const WARNING =
	'warn: Messaging Log Trigger: The service counts 30 records but gave only 20, also when asked again: 10 are missing.';
const INCOMPLETE =
	'warn: Messaging Log Trigger: What this first look did not get would come out as new. So nothing starts the workflow before a look has got all, or three have not.';

describe('a first look that does not get all records', () => {
	const twenty = () => ({ data: log(20), count: 30, totalPage: 1 });

	test('does not make the others new', async () => {
		const { look, told } = watching(harness);
		expect(await look(twenty)).toBeNull();
		expect(told).toEqual([WARNING, INCOMPLETE]);
		expect(await look(all(log(30)))).toBeNull();
		expect(await look(all(log(31)))).toEqual(news('r30'));
		expect(told).toHaveLength(2);
	});

	test('is made up for by what several looks got together', async () => {
		const { look } = watching(harness);
		await look(twenty);
		await look(() => ({ data: log(20, 10), count: 31, totalPage: 1 }));
		await look(all(log(20)));
		expect(await look(all(log(31)))).toEqual(news('r30'));
	});

	test('is taken as it is when three looks did not, for a service may always count too many', async () => {
		const { look, told } = watching(harness);
		for (let looks = 1; looks <= 3; looks++) expect(await look(twenty)).toBeNull();
		expect(told).toEqual([WARNING, INCOMPLETE, WARNING, INCOMPLETE, WARNING]);
		expect(await look(() => ({ data: log(21), count: 31, totalPage: 1 }))).toEqual(news('r20'));
	});

	test('of other filters counts from one again', async () => {
		const { look, parameters } = watching(harness);
		await look(twenty);
		await look(twenty);
		parameters.campaignId = 'c1';
		for (let looks = 1; looks <= 2; looks++) expect(await look(twenty)).toBeNull();
		expect(await look(all(log(30)))).toBeNull();
		expect(await look(all(log(31)))).toEqual(news('r30'));
	});
});

test('of a service that ignores the filter, other campaigns start nothing, and the log says so', async () => {
	const { look, told, parameters } = watching(harness);
	parameters.campaignId = 'c1';
	const own = (status: string) => live('own', status, { campaign_id: 'C1' });
	const other = (status: string) => live('other', status, { campaign_id: 'c2' });
	await look(all([own('queued'), other('queued')]));
	expect(await look(all([own('sent'), other('sent')]))).toEqual([
		['own', 'statusChanged', 'queued', 'sent'],
	]);
	const said =
		'warn: Messaging Log Trigger: The service also gave 1 record that the filters do not ask for: left out.';
	expect(told).toEqual([said, said]);
});

test('a later look that does not get all: what it got counts, the rest comes with the next', async () => {
	const { look } = watching(harness);
	await look(all(log(10)));
	expect(await look(() => ({ data: log(11), count: 12, totalPage: 1 }))).toEqual(news('r10'));
	expect(await look(all(log(12)))).toEqual(news('r11'));
});

const ANOTHER =
	'info: Messaging Log Trigger: The filters, Look Back or the credential are others than at the last look. What is in the logs now is remembered; what changes from now on starts the workflow.';

test('a longer Look Back watches what a shorter one had let go', async () => {
	const { look, told, parameters } = watching(harness);
	const createdAt = new Date(Date.now() - 3 * 24 * 3_600_000).toISOString();
	const old = (status: string) => live('old', status, { createdAt });
	parameters.lookBackDays = 7;
	await look(all([old('sent'), live('young', 'sent')]));
	parameters.lookBackDays = 1;
	expect(await look(all([old('delivered'), live('young', 'sent')]))).toBeNull();
	expect(told).toEqual([]);
	parameters.lookBackDays = 7;
	expect(await look(all([old('delivered'), live('young', 'sent')]))).toBeNull();
	expect(told).toEqual([ANOTHER]);
	expect(await look(all([old('read'), live('young', 'sent')]))).toEqual([
		['old', 'statusChanged', 'delivered', 'read'],
	]);
});

describe('the credential', () => {
	test.each([
		['another Base URL', { baseUrl: 'https://other.example.com' }],
		['another key', { apiKey: 'example-key-of-another-account' }],
	])('%s is another log, which begins anew', async (_, more) => {
		const { look, told } = watching(harness);
		const credential = { ...credentials.messagingApi, ...more };
		await look(all(log(3)));
		expect(await look(all(log(5, 10)), { credential })).toBeNull();
		expect(told).toEqual([ANOTHER]);
		expect(await look(all(log(6, 10)), { credential })).toEqual(news('r15'));
	});

	test('written in another way is the same', async () => {
		const { look } = watching(harness);
		const { baseUrl, apiKey } = credentials.messagingApi;
		await look(all(log(3)));
		const credential = { baseUrl: ` ${baseUrl}/ `, apiKey: `${apiKey} ` };
		expect(await look(all(log(4)), { credential })).toEqual(news('r3'));
	});

	test('is in no memory, nor is the address', async () => {
		const { look, memory, told } = watching(harness);
		await look(all(log(1)));
		const everything = JSON.stringify([memory, told]);
		expect(everything).not.toContain(KEY);
		expect(everything).not.toContain('api.messaging.test');
	});

	test('what an earlier version remembered, without the account, goes on', async () => {
		const { look, memory } = watching(harness);
		await look(all(log(3)));
		delete memory.account;
		delete memory.began;
		expect(await look(all(log(4)))).toEqual(news('r3'));
		const credential = { ...credentials.messagingApi, apiKey: 'example-key-of-another-account' };
		expect(await look(all(log(9, 10)), { credential })).toBeNull();
	});
});

test('a parameter that an expression leaves without a list costs no changes', async () => {
	const { look, parameters } = watching(harness);
	await look(all([live('a', 'queued')]));
	parameters.changes = '={{ null }}';
	await expect(look(all([live('a', 'failed')]))).rejects.toThrow("'Changes' must be a list");
	parameters.changes = ['new', 'statusChanged'];
	expect(await look(all([live('a', 'failed')]))).toEqual([
		['a', 'statusChanged', 'queued', 'failed'],
	]);
});
