import type { IDataObject } from 'n8n-workflow';
import type { Plan } from '../execution';
import { useHarness } from '../../support/harness';
import { database } from '../../support/n8n';
import { useEmptySandbox } from '../../support/sandbox';
import { phones, sendingTo, SENDS, type SendName } from './sendOperations';

/*
 * The guard against the same send again, in executions by hand. The simulation plays 200 executions in random order.
 */

const sandbox = useEmptySandbox();
const harness = useHarness();

const people = phones(3).map((phone) => ({ phone }));
const HALF_DAY = 12 * 60 * 60 * 1000;
const MINUTE = 60_000;
/** The beginning of a half-day. */
const MORNING = 50_000 * HALF_DAY;

let time = MORNING;

beforeEach(() => {
	database.rows.clear();
	database.error = undefined;
	time = MORNING;
	jest.spyOn(Date, 'now').mockImplementation(() => time);
});

afterEach(() => void jest.restoreAllMocks());

const sendTo = sendingTo(sandbox, harness);

type Given = Partial<Plan> & { options?: IDataObject; items?: IDataObject[]; send?: SendName };

const byHand = async ({ items = people, send = 'sendText', ...plan }: Given = {}) =>
	await sendTo(send, items, { mode: 'manual', ...plan });

const accepted = async () => (await sandbox.counts()).accepted.messages;

const REFUSED =
	"Nothing was sent. These 3 messages were accepted within the last hours, in this editor. To send them again, set 'Options → Send Again'. While you build the next nodes, pin this output.";

/** Sends once, then again with changes. @returns the error of the second execution, and the messages accepted by it */
async function twice(changes: Given = {}, first: Given = {}) {
	await byHand(first);
	const before = await accepted();
	const { error } = await byHand(changes);
	return [error?.message, (await accepted()) - before];
}

test.each(['sendText', 'sendTemplate', 'campaign send'] as const)(
	'%s: exactly the same messages are refused before anything is sent',
	async (send) => {
		const execution = await byHand({ send });
		expect(execution.hints.join()).toContain('While you build the next nodes, pin this output.');
		const { error, status } = await byHand({ send });
		expect([status, error?.message, error?.description, await accepted()]).toEqual([
			'error',
			REFUSED,
			expect.stringMatching(/^To pin the output of the earlier execution: /),
			3,
		]);
	},
);

test.each<[string, Given, number]>([
	['one more recipient', { items: phones(4).map((phone) => ({ phone })) }, 4],
	['one recipient less', { items: people.slice(1) }, 2],
	['another text', { parameters: { ...SENDS.sendText.parameters, message: 'Bye' } }, 3],
	['another node', { node: { id: 'another' } }, 3],
	['Send Again', { options: { sendAgain: true } }, 3],
	['in production', { mode: 'trigger' }, 3],
	['a test', { options: { sendMode: 'test', testRecipient: '385998000001' } }, 1],
	['a dry run', { options: { sendMode: 'dryRun' } }, 0],
])('%s is not refused', async (_, changes, count) => {
	expect(await twice(changes)).toEqual([undefined, count]);
});

test('the same messages in another order are refused', async () => {
	expect(await twice({ items: people.toReversed() })).toEqual([REFUSED, 0]);
});

test('with Send Again on, the output says that executing sends again', async () => {
	const { hints } = await byHand({ options: { sendAgain: true } });
	expect(hints.join()).toContain('Executing again sends to all again.');
});

test('one message is sent again, and so is what production has sent', async () => {
	const one = { items: people.slice(0, 1) };
	expect(await twice(one, one)).toEqual([undefined, 1]);
	expect(await twice({}, { mode: 'trigger' })).toEqual([undefined, 3]);
});

test.each([
	['at the end of this half-day', HALF_DAY - MINUTE, REFUSED],
	['at the end of the next one', 2 * HALF_DAY - MINUTE, REFUSED],
	['a day later', 2 * HALF_DAY, undefined],
])('%s', async (_, later, message) => {
	await byHand();
	time += later;
	expect((await byHand()).error?.message).toBe(message);
});

test('a refused execution does not make it longer', async () => {
	await byHand();
	time += HALF_DAY;
	expect((await byHand()).error?.message).toBe(REFUSED);
	time += HALF_DAY;
	expect((await byHand()).error).toBeUndefined();
});

describe('when messages fail', () => {
	const refuse = async (times: number, fault: object = { kind: 'status', status: 400 }) =>
		await sandbox.fault({ match: { endpoint: 'sendText' }, times, fault: fault as never });
	const node = { onError: 'continueRegularOutput' } as const;

	test('all refused: they are sent by the next execution, also after Send Again', async () => {
		for (const options of [{}, { sendAgain: true }]) {
			await refuse(3);
			await byHand({ node, options });
			await sandbox.clearFaults();
		}
		expect([(await byHand()).error, await accepted()]).toEqual([undefined, 3]);
	});

	test('some refused, or without an answer: the same run is refused', async () => {
		await refuse(1);
		expect(await twice({}, { node })).toEqual([REFUSED, 0]);
		await sandbox.reset();
		database.rows.clear();
		await refuse(3, { kind: 'reset' });
		expect(await twice({}, { node })).toEqual([REFUSED, 0]);
	});

	test('a Retry, also by Retry On Fail, sends the rest', async () => {
		await refuse(1);
		const options = { batchSize: 1 };
		const first = await byHand({ options });
		expect(first.status).toBe('error');
		expect((await first.retry()).status).toBe('success');
		expect(await accepted()).toBe(3);

		await sandbox.reset();
		database.rows.clear();
		await sandbox.fault({
			match: { endpoint: 'sendText' },
			skip: 1,
			times: 1,
			fault: { kind: 'status', status: 400 },
		});
		const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const { status } = await byHand({ options, node: retrying });
		expect([status, await accepted()]).toEqual(['success', 3]);
		expect((await byHand({ options })).error?.message).toBe(REFUSED);
	});
});

test("while n8n's database fails there is no guard", async () => {
	database.error = new Error('SQLITE_BUSY');
	// Without a token there is no crash note either, which would refuse the run.
	const untold = { resumeToken: '' };
	expect(await twice(untold, untold)).toEqual([undefined, 3]);
});

test('a run that the crash note refuses is not noted', async () => {
	database.error = new Error('SQLITE_BUSY');
	expect((await byHand()).error?.message).toContain("n8n's database failed");
	database.error = undefined;
	expect([(await byHand()).error, await accepted()]).toEqual([undefined, 3]);
});
