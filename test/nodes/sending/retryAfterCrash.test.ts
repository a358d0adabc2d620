import type { IDataObject } from 'n8n-workflow';
import { Execution, type Plan } from '../../support/execution';
import { useHarness } from '../../support/harness';
import { database } from '../../support/processedData';
import { useSandbox } from '../../support/sandbox';
import {
	phones,
	reportedOutcomes,
	sendParameters,
	SENDS,
	type SendName,
} from '../../support/sendOperations';

/*
 * A run that crashes (its process is killed) saves nothing in the execution's data. Here `database` stands in for n8n's
 * database, which keeps the crash notes. A run whose last request never ends stands in for the crashed run. It is in the
 * same process as its retry; crashNote.test.ts and the simulation test what another process finds.
 */

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

jest.setTimeout(60_000);

const sandbox = useSandbox();
const harness = useHarness();

beforeEach(async () => {
	executions++;
	database.rows.clear();
	database.error = undefined;
	await sandbox.reset();
});

const recipients = phones(10);

/** Each test has an execution of its own. */
let executions = 0;

const planOf = (send: SendName, options: object = {}): Plan => ({
	parameters: sendParameters(send, { batchSize: 1, ...options }),
	items: recipients.map((phone) => ({ phone })),
	credentials: sandbox.credentials,
	// n8n 2.14 and newer give it to an execution and its retries.
	resumeToken: `token of execution ${executions}`,
});

const run = async (plan: Plan) => await Execution.start(harness, plan);

/** Retries a crashed execution as n8n does: from scratch, with the data of its start. */
const retryOfCrashed = async (plan: Plan) => await run({ ...plan, mode: 'retry' });

const names = Object.keys(SENDS) as SendName[];

const beforeTheFailure = (send: SendName) => (send === 'campaign send' ? 0 : 2);

/** Starts a run whose request hangs after the service accepted it, as if the process was killed then. */
async function crash(send: SendName, plan: Partial<Plan> = {}) {
	const skip = beforeTheFailure(send);
	const { endpoint } = SENDS[send];
	await sandbox.fault({ match: { endpoint }, skip, times: 1, act: true, fault: { kind: 'hang' } });
	const running = run({ ...planOf(send), ...plan });
	await sandbox.acceptsMoreThan(skip, send);
	const before = await sandbox.counts();
	return {
		before,
		end: async () => {
			await sandbox.reset();
			await running;
		},
	};
}

/** Whether the retry finds sent messages: it generates the same identifiers, and the logs have them. */
const isInLogs = (send: SendName) => send.startsWith('campaign');

test.each(names.filter((send) => !isInLogs(send)))(
	'%s: Retry of a crashed run sends nothing again, and says so',
	async (send) => {
		const { before, end } = await crash(send);
		const second = await retryOfCrashed(planOf(send));
		expect(second.status).toBe('error');
		expect(second.error?.message).toContain('was cut off while it was sending');
		expect(second.error?.message).toContain('10 of 10 messages may have been sent');
		expect((await sandbox.counts()).accepted).toEqual(before.accepted);
		await end();
	},
);

test('before n8n 2.14 a Retry without data is refused, because nothing shows whether it crashed', async () => {
	const { before, end } = await crash('sendText', { resumeToken: '' });
	const second = await retryOfCrashed({
		...planOf('sendText'),
		resumeToken: '',
		node: { onError: 'continueErrorOutput' },
	});
	expect(reportedOutcomes(second, recipients).unknown).toEqual(recipients);
	expect(second.items[0].json.error).toContain('This Retry needs n8n 2.14 or newer');
	expect((await sandbox.counts()).accepted).toEqual(before.accepted);
	await end();
});

describe('a campaign with generated identifiers', () => {
	/** Returns the identifiers of accepted messages, and of those that may have been sent. */
	const reported = ({ items }: Execution) => {
		const of = (isAccepted: boolean) =>
			items
				.filter(({ json }) => !json.details === isAccepted)
				.map(({ json }) => (json.identifier || (json.details as IDataObject).identifier) as string);
		return { accepted: of(true).sort(), unknown: of(false) };
	};
	const continuing = { onError: 'continueRegularOutput' } as const;
	const acceptedIdentifiers = async () =>
		Object.keys((await sandbox.counts()).accepted.byIdentifier).sort();

	test('is found in the logs, and each of its messages is accepted', async () => {
		const { before, end } = await crash('campaign send');
		const second = await retryOfCrashed(planOf('campaign send'));
		expect(second.error).toBeUndefined();
		expect(reported(second)).toEqual({ accepted: await acceptedIdentifiers(), unknown: [] });
		expect((await sandbox.counts()).accepted).toEqual(before.accepted);
		await end();
	});

	test.each([0, 1, 2, 3])(
		'in 4 requests, of which %i were answered before the crash: only messages in the logs are accepted',
		async (skip) => {
			await sandbox.fault(
				{ match: { endpoint: 'sendCampaign' }, skip, act: true, fault: { kind: 'hang' } },
				{ match: { endpoint: 'sendCampaign' }, skip: skip + 1, fault: { kind: 'hang' } },
			);
			const running = run(planOf('campaign send, 3 per request'));
			const expected = Math.min(10, (skip + 1) * 3);
			while ((await sandbox.counts()).accepted.messages < expected);
			const plan = planOf('campaign send, 3 per request');
			const second = await retryOfCrashed({ ...plan, node: continuing });
			expect(reported(second).accepted).toEqual(await acceptedIdentifiers());
			expect(reported(second).unknown).toEqual(new Array(10 - expected).fill(undefined));
			// With another size of requests, nothing shows which messages left.
			const third = await retryOfCrashed({ ...planOf('campaign send'), node: continuing });
			expect(reported(third)).toEqual({ accepted: [], unknown: new Array(10).fill(undefined) });
			expect((await sandbox.counts()).accepted.messages).toBe(expected);
			await sandbox.reset();
			await running;
		},
	);

	test('that is not in the logs yet is looked up again by the next retry', async () => {
		await sandbox.fault({
			match: { endpoint: 'getLogs' },
			times: 0,
			fault: { kind: 'status', status: 400 },
		});
		const { before, end } = await crash('campaign send');
		const second = await retryOfCrashed(planOf('campaign send'));
		expect(second.error?.message).toContain('10 of 10 messages may have been sent');
		await sandbox.clearFaults();
		const third = await second.retry();
		expect(third.error).toBeUndefined();
		expect((await sandbox.counts()).accepted).toEqual(before.accepted);
		await end();
	});

	test('with Resend Unknown is sent to recipients who are not in the logs', async () => {
		await sandbox.fault({
			match: { endpoint: 'sendCampaign' },
			times: 1,
			act: true,
			fault: { kind: 'hang' },
		});
		const running = run(planOf('campaign send, 3 per request'));
		while ((await sandbox.counts()).accepted.messages < 3);
		const second = await retryOfCrashed(
			planOf('campaign send, 3 per request', { resendUnknown: true }),
		);
		expect(second.error).toBeUndefined();
		const { accepted, maxPerRecipient } = await sandbox.counts();
		expect([accepted.messages, maxPerRecipient]).toEqual([10, 1]);
		await sandbox.reset();
		await running;
	});

	test('whose list has changed is unknown as a whole, without identifiers that may not have left', async () => {
		const { before, end } = await crash('campaign send');
		const items = recipients.map((phone, at) => ({ phone: at === 9 ? '385917999999' : phone }));
		const second = await retryOfCrashed({ ...planOf('campaign send'), items, node: continuing });
		expect(reported(second)).toEqual({ accepted: [], unknown: new Array(10).fill(undefined) });
		expect((await sandbox.counts()).accepted).toEqual(before.accepted);
		await end();
	});
});

test('campaign send: Retry of an execution that crashed in a later node outputs the accepted messages', async () => {
	const first = await run(planOf('campaign send'));
	const second = await retryOfCrashed(planOf('campaign send'));
	expect(second.items.map(({ json }) => json)).toEqual(first.items.map(({ json }) => json));
});

test.each(names)('%s: two retries at the same moment send no message twice', async (send) => {
	await sandbox.fault({
		match: { endpoint: SENDS[send].endpoint },
		skip: beforeTheFailure(send),
		fault: { kind: 'status', status: 400 },
	});
	const first = await run(planOf(send));
	await Promise.all([first.retry(), first.retry()]);
	const { accepted, maxPerRecipient } = await sandbox.counts();
	expect([accepted.messages, maxPerRecipient]).toEqual([10, 1]);
});

test('a recipient whom the retry refuses may have got a message before', async () => {
	const { end } = await crash('sendText');
	const plan = planOf('sendText');
	const [, , , withoutMessage, withoutNumber] = recipients;
	// A person edits the node between the crash and Retry.
	const second = await retryOfCrashed({
		...plan,
		parameters: {
			...plan.parameters,
			to: `={{ $json.phone === '${withoutNumber}' ? '' : $json.phone }}`,
			message: `={{ $json.phone === '${withoutMessage}' ? '' : 'Hello' }}`,
		},
		node: { onError: 'continueErrorOutput' },
	});
	const outcomes = reportedOutcomes(second, recipients);
	expect(outcomes.unknown.sort()).toEqual([...recipients].sort());
	const refused = second.items.find(({ json }) => json.phone === withoutMessage);
	expect(refused?.json.error).toBe(
		`May have been sent to ${withoutMessage}: 'Message' is empty. Fill it in, or check the expression for this item. But an earlier attempt may have sent it. Check the service's logs before sending it again.`,
	);
	await end();
});

test('Retry again does not send either; with Resend Unknown all are sent to', async () => {
	const { before, end } = await crash('sendText');
	const second = await retryOfCrashed(planOf('sendText'));
	const third = await second.retry();
	expect(third.status).toBe('error');
	expect((await sandbox.counts()).accepted).toEqual(before.accepted);

	const { parameters } = planOf('sendText', { resendUnknown: true });
	const fourth = await third.retry({ parameters });
	expect(fourth.status).toBe('success');
	expect((await sandbox.counts()).accepted.messages).toBe(before.accepted.messages + 10);
	await end();
});

test('a Retry as a test is refused, and the next Retry still sends nothing again', async () => {
	const { before, end } = await crash('sendText');
	const test = sendParameters('sendText', { mode: 'test', testRecipient: '385955550100' });
	const second = await retryOfCrashed({ ...planOf('sendText'), parameters: test });
	expect(second.error?.message).toContain('does not work in a Retry');
	const third = await second.retry({ parameters: planOf('sendText').parameters });
	expect(third.error?.message).toContain('was cut off while it was sending');
	expect((await sandbox.counts()).accepted).toEqual(before.accepted);
	await end();
});

test.each(names)(
	'%s, before n8n 2.14: Retry of a run that failed without a crash sends the remaining messages',
	async (send) => {
		await sandbox.fault({
			match: { endpoint: SENDS[send].endpoint },
			skip: beforeTheFailure(send),
			times: 2,
			fault: { kind: 'status', status: 400 },
		});
		const first = await run({ ...planOf(send), resumeToken: '' });
		const second = await first.retry();
		const third = await second.retry();
		expect([first.status, second.status, third.status]).toEqual(['error', 'error', 'success']);
		const { accepted, maxPerRecipient } = await sandbox.counts();
		expect([accepted.messages, maxPerRecipient]).toEqual([10, 1]);
	},
);

test('the second attempt crashes: its Retry sends nothing again', async () => {
	await sandbox.fault({
		match: { endpoint: 'sendText' },
		skip: 4,
		times: 1,
		fault: { kind: 'status', status: 400 },
	});
	const first = await run(planOf('sendText'));
	await sandbox.fault({
		match: { endpoint: 'sendText' },
		skip: 2,
		act: true,
		fault: { kind: 'hang' },
	});
	const running = first.retry();
	while ((await sandbox.counts()).accepted.messages < 7);
	const again = await first.retry();
	expect(again.error?.message).toContain('was cut off while it was sending');
	const { accepted, maxPerRecipient } = await sandbox.counts();
	expect([accepted.messages, maxPerRecipient]).toEqual([7, 1]);
	await sandbox.reset();
	await running;
});

test('the note is a hash, and is written before anything is sent', async () => {
	const { end } = await crash('campaign send');
	expect(database.entries).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
	await end();
});

test('a dry run and a run with nothing to send write no note', async () => {
	const spy = jest.spyOn(database, 'checkProcessedAndRecord');
	await run(planOf('sendText', { mode: 'dryRun' }));
	await run({
		...planOf('sendText'),
		items: [{ phone: '' }],
		node: { onError: 'continueRegularOutput' },
	});
	expect(spy).not.toHaveBeenCalled();
	spy.mockRestore();
});

describe("while n8n's database fails", () => {
	const node = { onError: 'continueErrorOutput' } as const;

	test.each([
		['trigger', 'notSent'],
		['retry', 'unknown'],
	] as const)('an execution in the mode %s is refused, and all are %s', async (mode, outcome) => {
		database.error = new Error('SQLITE_BUSY: database is locked');
		const execution = await run({ ...planOf('sendText'), mode, node });
		expect(reportedOutcomes(execution, recipients)[outcome]).toEqual(recipients);
		expect(execution.items[0].json.error).toContain(
			"n8n's database failed (SQLITE_BUSY: database is locked), so nothing was sent",
		);
		expect((await sandbox.counts()).accepted.messages).toBe(0);
	});

	test('a Retry is refused, and the error counts what was accepted before', async () => {
		await sandbox.fault({
			match: { endpoint: 'sendText' },
			skip: 3,
			fault: { kind: 'status', status: 400 },
		});
		const first = await run(planOf('sendText'));
		database.error = new Error('SQLITE_BUSY: database is locked');
		const second = await first.retry({ node });
		expect(reportedOutcomes(second, recipients).unknown).toEqual(recipients);
		expect(second.items[0].json.error).toContain('3 messages were accepted');
	});
});
