import type { IDataObject } from 'n8n-workflow';
import { Execution, type Plan } from '../../support/execution';
import { useHarness } from '../../support/harness';
import { useSandbox } from '../../support/sandbox';
import { phones, sendParameters } from '../../support/sendOperations';

/*
 * A Retry recognises a message by its position, because n8n gives a retried node the same items. When somebody who was sent
 * to is another recipient now, nothing more is sent.
 */

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

jest.setTimeout(60_000);

const sandbox = useSandbox();
const harness = useHarness();

beforeEach(async () => {
	await sandbox.reset();
});

const [ANA, BEN, CEM, DEA] = phones(4);
const CHANGED = /^The recipients are not the same as in an earlier attempt/;
const COUNTED = / In an earlier attempt, 1 message was accepted\.$/;

/** Sends one message for each request, and the service refuses all but the first. */
async function first(plan: Plan): Promise<Execution> {
	await sandbox.fault({
		match: { method: 'POST' },
		skip: 1,
		fault: { kind: 'status', status: 400 },
	});
	const execution = await Execution.start(harness, plan);
	expect((await sandbox.counts()).accepted.messages).toBe(1);
	await sandbox.clearFaults();
	return execution;
}

const sentTo = async () => (await sandbox.counts()).accepted.byRecipient;

describe('input items', () => {
	const items: IDataObject[] = [ANA, BEN, CEM].map((phone) => ({ phone }));

	const plan = (to: string, options: IDataObject = {}): Plan => ({
		parameters: { ...sendParameters('sendText', { batchSize: 1, ...options }), to },
		items,
		credentials: sandbox.credentials,
	});
	const WITHOUT_CODE = '={{ "0" + $json.phone.slice(3) }}';

	test('of which one that was sent to has another number now: nothing more is sent', async () => {
		const before = await first(plan('={{ $json.phone }}'));
		const { error } = await before.retry(
			plan(`={{ $json.phone === '${ANA}' ? '${DEA}' : $json.phone }}`),
		);
		expect(error?.message).toMatch(CHANGED);
		expect(error?.message).toMatch(COUNTED);
		expect(await sentTo()).toEqual({ [ANA]: 1 });
	});

	test('under Continue On Fail each recipient has an item that says so, with an unknown outcome', async () => {
		const before = await first(plan('={{ $json.phone }}'));
		const { items: failed } = await before.retry({
			...plan(DEA),
			node: { onError: 'continueRegularOutput' },
		});
		expect(failed.map(({ json }) => json)).toEqual(
			items.map(() => ({
				to: DEA,
				error: expect.stringMatching(CHANGED),
				details: { outcome: 'unknown', recipient: DEA },
			})),
		);
	});

	test('with a leading 00 in place of + are the same', async () => {
		const before = await first(plan('={{ "+" + $json.phone }}'));
		await before.retry(plan('={{ "00" + $json.phone }}'));
		expect(Object.values(await sentTo())).toEqual([1, 1, 1]);
	});

	test('that were sent without a country code, and have one now, are others', async () => {
		const before = await first(plan(WITHOUT_CODE, { phoneFormat: 'asIs' }));
		const { error } = await before.retry(
			plan(WITHOUT_CODE, { phoneFormat: 'digits', defaultCountryCode: '385' }),
		);
		expect(error?.message).toMatch(CHANGED);
	});

	test('that were not sent to may be corrected, and so may text, sender and options', async () => {
		const before = await first(plan('={{ $json.phone }}'));
		const changed = plan(`={{ $json.phone === '${BEN}' ? '${DEA}' : $json.phone }}`, {
			timeout: 9000,
		});
		const second = await before.retry({
			...changed,
			parameters: { ...changed.parameters, message: 'Good morning' },
		});
		expect(second.status).toBe('success');
		expect(await sentTo()).toEqual({ [ANA]: 1, [DEA]: 1, [CEM]: 1 });
	});

	test('of which one was sent to and is refused now keep its result', async () => {
		const before = await first(plan('={{ $json.phone }}'));
		const changed = plan('={{ $json.phone }}');
		const message = `={{ $json.phone === '${ANA}' ? '' : 'Hello' }}`;
		const second = await before.retry({
			...changed,
			parameters: { ...changed.parameters, message },
		});
		expect(second.status).toBe('success');
		expect(await sentTo()).toEqual({ [ANA]: 1, [BEN]: 1, [CEM]: 1 });
	});
});

describe('a list', () => {
	type Entry = { to: string; order: string };

	const plan = (list: Entry[]): Plan => ({
		parameters: {
			...sendParameters('campaign send', { batchSize: 1, maxRecipients: 1 }),
			recipients: 'list',
			recipientList: JSON.stringify(list),
		},
		items: [{}],
		credentials: sandbox.credentials,
	});
	const entry = (to: string, order: string): Entry => ({ to, order });
	const [a, b, c] = [entry(ANA, '1'), entry(BEN, '2'), entry(CEM, '3')];
	const twin = entry(ANA, '4');

	test('may get entries at its end', async () => {
		const before = await first(plan([a, b]));
		expect((await before.retry(plan([a, b, c]))).status).toBe('success');
		expect(await sentTo()).toEqual({ [ANA]: 1, [BEN]: 1, [CEM]: 1 });
	});

	test('may get other fields for an entry that was sent, as long as each number occurs once', async () => {
		const before = await first(plan([a, b]));
		expect((await before.retry(plan([entry(ANA, '9'), b]))).status).toBe('success');
		expect(await sentTo()).toEqual({ [ANA]: 1, [BEN]: 1 });
	});

	test.each<[string, Entry[], Entry[]]>([
		['without an entry that was sent', [a, b, c], [b, c]],
		['in another order', [a, b, c], [b, a, c]],
		['that is shorter than what was sent', [a, b], []],
		['with a number twice, without the entry that was sent', [a, twin, b], [twin, b]],
		['with a number twice, whose two entries are swapped', [a, twin, b], [twin, a, b]],
		['with a number twice, of which an unsent entry has changed', [a, twin, b], [a, twin, c]],
		['with a number twice, without the second one', [a, twin, b], [a, b]],
		['in which a number occurs twice only now', [a, b], [entry(ANA, '9'), b, a]],
	])('%s: nothing more is sent', async (_, before, after) => {
		const execution = await first(plan(before));
		const { error } = await execution.retry(plan(after));
		expect(error?.message).toMatch(CHANGED);
		expect(await sentTo()).toEqual({ [ANA]: 1 });
	});

	test('with a number twice may get entries at its end', async () => {
		const before = await first(plan([a, twin]));
		expect((await before.retry(plan([a, twin, b]))).status).toBe('success');
		expect(await sentTo()).toEqual({ [ANA]: 2, [BEN]: 1 });
	});

	test('of which nothing was sent may be changed in any way', async () => {
		await sandbox.fault({ match: { method: 'POST' }, fault: { kind: 'status', status: 400 } });
		const before = await Execution.start(harness, plan([a, twin]));
		await sandbox.clearFaults();
		expect((await before.retry(plan([c, b]))).status).toBe('success');
		expect(await sentTo()).toEqual({ [BEN]: 1, [CEM]: 1 });
	});
});
