import type { IDataObject } from 'n8n-workflow';
import { DataDeduplicationService } from 'n8n-core';
import { Execution, type Plan } from '../../support/execution';
import { useHarness } from '../../support/harness';
import { ProcessedData } from '../../support/processedData';
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
 * database, which keeps the crash marks. A run whose last request never ends stands in for the crashed run. It is in the
 * same process as its retry; crashMarks.test.ts and the simulation test what another process finds.
 */

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

jest.setTimeout(60_000);

/** Stands in for n8n's database, which the executions of a test share. */
const database = new ProcessedData();

const left = () => database.entries.length;

const sandbox = useSandbox();
const harness = useHarness();

beforeAll(async () => {
	await DataDeduplicationService.init(database);
});

beforeEach(async () => {
	executions++;
	database.rows.clear();
	database.error = undefined;
	await sandbox.reset();
});

const recipients = phones(10);

/** Each test has an execution of its own, because the node remembers in this process which executions have begun. */
let executions = 0;

/** The token of an execution and its retries, which n8n 2.14 and newer give them. */
const TOKENS = {
	'with a token': () => `token of execution ${executions}`,
	'without one': () => '',
};
type Kind = keyof typeof TOKENS;

const planOf = (send: SendName, options: object = {}, kind: Kind = 'with a token'): Plan => ({
	parameters: sendParameters(send, { batchSize: 1, ...options }),
	items: recipients.map((phone) => ({ phone })),
	credentials: sandbox.credentials,
	resumeToken: TOKENS[kind](),
});

const run = async (plan: Plan) => await Execution.start(harness, plan);

/** Retries a crashed execution as n8n does: from scratch, with the data of its start. */
const retryOfCrashed = async (plan: Plan) => await run({ ...plan, mode: 'retry' });

const names = Object.keys(SENDS) as SendName[];
const kinds = Object.keys(TOKENS) as Kind[];

const beforeTheFailure = (send: SendName) => (send === 'campaign send' ? 0 : 2);

/** Starts a run whose request hangs after the service accepted it, as if the process was killed then. */
async function crash(send: SendName, kind?: Kind) {
	const skip = beforeTheFailure(send);
	const { endpoint } = SENDS[send];
	await sandbox.fault({ match: { endpoint }, skip, times: 1, act: true, fault: { kind: 'hang' } });
	const running = run(planOf(send, {}, kind));
	while ((await sandbox.counts()).requests.byEndpoint[endpoint] <= skip);
	const before = await sandbox.counts();
	return {
		before,
		end: async () => {
			await sandbox.reset();
			await running;
		},
	};
}

const everyKind = names.flatMap((send) => kinds.map((kind) => [send, kind] as const));

/** Whether the retry finds sent messages: it generates the same identifiers, and the logs have them. */
const isInLogs = (send: SendName, kind: Kind) =>
	send.startsWith('campaign') && kind === 'with a token';

test.each(everyKind.filter(([send, kind]) => !isInLogs(send, kind)))(
	'%s, %s: Retry of a crashed run sends nothing again, and says so',
	async (send, kind) => {
		const { before, end } = await crash(send, kind);
		const second = await retryOfCrashed(planOf(send, {}, kind));
		expect(second.status).toBe('error');
		expect(second.error?.message).toContain('was cut off while it was sending');
		expect(second.error?.message).toContain('10 may have been sent');
		expect((await sandbox.counts()).accepted).toEqual(before.accepted);
		await end();
	},
);

describe('a campaign with generated identifiers', () => {
	/** Returns the identifiers of accepted messages, and of those that may have been sent. */
	const reported = ({ items }: Execution) => {
		const of = (isAccepted: boolean) =>
			items
				.filter(({ json }) => (json.details === undefined) === isAccepted)
				.map(({ json }) => (json.identifier ?? (json.details as IDataObject).identifier) as string);
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
			// A person changes the size of requests before pressing Retry, or does not.
			for (const send of ['campaign send, 3 per request', 'campaign send'] as const) {
				const second = await retryOfCrashed({ ...planOf(send), node: continuing });
				const { accepted, unknown } = reported(second);
				expect(accepted).toEqual(await acceptedIdentifiers());
				expect(unknown).toHaveLength(10 - expected);
			}
			expect((await sandbox.counts()).accepted.messages).toBe(expected);
			await sandbox.reset();
			await running;
		},
	);

	test('reports identifiers that a person finds in the logs', async () => {
		await sandbox.fault({
			match: { endpoint: 'getLogs' },
			times: 0,
			fault: { kind: 'status', status: 400 },
		});
		const { end } = await crash('campaign send');
		const second = await retryOfCrashed({ ...planOf('campaign send'), node: continuing });
		expect(reported(second).unknown.sort()).toEqual(await acceptedIdentifiers());
		await end();
	});

	test('that is not in the logs yet is looked up again by the next retry', async () => {
		await sandbox.fault({
			match: { endpoint: 'getLogs' },
			times: 0,
			fault: { kind: 'status', status: 400 },
		});
		const { before, end } = await crash('campaign send');
		const second = await retryOfCrashed(planOf('campaign send'));
		expect(second.error?.message).toContain('10 may have been sent');
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

	test.each(['another number', 'one of two messages to a number'])(
		'whose list has changed (%s) is reported with the right recipients',
		async (change) => {
			const listed = (people: IDataObject[]): Plan => ({
				...planOf('campaign send'),
				parameters: {
					...sendParameters('campaign send', {}),
					parameterFormat: 'json',
					templateFields: '={{ { order: $json.order } }}',
				},
				items: people,
				node: continuing,
			});
			const [ana, ben, cem] = recipients;
			const to = (phone: string, order: number) => ({ phone, order });
			await sandbox.fault({
				match: { endpoint: 'sendCampaign' },
				act: true,
				fault: { kind: 'hang' },
			});
			const first = listed([to(ana, 1), to(ana, 2), to(ben, 3)]);
			const running = run(first);
			while ((await sandbox.counts()).accepted.messages < 3);
			const second = await retryOfCrashed(
				listed(
					change === 'another number'
						? [to(ana, 1), to(ana, 2), to(cem, 3)]
						: [to(ana, 2), to(ben, 3)],
				),
			);
			// Each message that is reported as accepted was really sent to its recipient.
			const known = await acceptedIdentifiers();
			for (const identifier of reported(second).accepted) expect(known).toContain(identifier);
			expect(reported(second).unknown.length).toBeGreaterThan(0);
			await sandbox.reset();
			await running;
		},
	);
});

test.each(names.filter((send) => !isInLogs(send, 'with a token')))(
	'%s: Retry of an execution that crashed in a later node sends nothing again',
	async (send) => {
		expect((await run(planOf(send))).status).toBe('success');
		const { accepted } = await sandbox.counts();
		const second = await retryOfCrashed(planOf(send));
		expect(second.error?.message).toContain('10 may have been sent');
		expect((await sandbox.counts()).accepted).toEqual(accepted);
	},
);

test('campaign send: Retry of an execution that crashed in a later node outputs the accepted messages', async () => {
	const first = await run(planOf('campaign send'));
	const second = await retryOfCrashed(planOf('campaign send'));
	expect(second.items.map(({ json }) => json)).toEqual(first.items.map(({ json }) => json));
});

test('20 executions that start at once and crash: their retries send nothing again', async () => {
	const plans = Array.from({ length: 20 }, (_, index) => ({
		...planOf('sendText'),
		items: phones(80)
			.slice(index * 4, index * 4 + 4)
			.map((phone) => ({ phone })),
		resumeToken: `token ${index}`,
	}));
	await sandbox.fault({
		match: { endpoint: 'sendText' },
		times: 0,
		act: true,
		fault: { kind: 'hang' },
	});
	const running = plans.map(async (plan) => await run(plan));
	while ((await sandbox.counts()).accepted.messages < 20);
	const before = await sandbox.counts();
	await sandbox.clearFaults();
	const retried = await Promise.all(plans.map(async (plan) => await retryOfCrashed(plan)));
	expect(retried.map(({ status }) => status)).toEqual(plans.map(() => 'error'));
	expect((await sandbox.counts()).accepted).toEqual(before.accepted);
	await sandbox.reset();
	await Promise.all(running);
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

test('with Continue On Fail each recipient has an item that says so', async () => {
	const { end } = await crash('sendText');
	const second = await retryOfCrashed({
		...planOf('sendText'),
		node: { onError: 'continueErrorOutput' },
	});
	expect(reportedOutcomes(second, recipients).unknown).toEqual(recipients);
	await end();
});

test('a recipient whom the retry refuses may have got a message before; one without a number did not', async () => {
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
	expect({ unknown: outcomes.unknown.sort(), notSent: outcomes.notSent }).toEqual({
		unknown: recipients.filter((phone) => phone !== withoutNumber).sort(),
		notSent: [withoutNumber],
	});
	const refused = second.items.find(({ json }) => json.phone === withoutMessage);
	expect(refused?.json.error).toBe(
		`May have been sent to ${withoutMessage}: 'Message' is empty. Fill it in, or check the expression for this item. But an earlier attempt of this execution was cut off, or this execution was retried before, so the message may have been sent. Check the service's logs before sending it again.`,
	);
	await end();
});

test('a Retry that is a test reports the others as unknown, and the next Retry sends to nobody again', async () => {
	const { before, end } = await crash('sendText');
	const me = '385998000001';
	const node = { onError: 'continueErrorOutput' } as const;
	const test = await retryOfCrashed({ ...planOf('sendText', { testRecipient: me }), node });
	expect(reportedOutcomes(test, recipients).unknown.sort()).toEqual([...recipients].sort());
	expect(test.items.find(({ json }) => json.phone === recipients[9])?.json.error).toBe(
		`May have been sent to ${recipients[9]}: This attempt sent only a test. But an earlier attempt of this execution was cut off, or this execution was retried before, so the message may have been sent. Check the service's logs before sending it again.`,
	);
	const next = await test.retry({ parameters: planOf('sendText').parameters });
	expect(reportedOutcomes(next, recipients).unknown.sort()).toEqual([...recipients].sort());
	const { byRecipient } = (await sandbox.counts()).accepted;
	expect({ ...byRecipient, [me]: undefined }).toEqual({ ...before.accepted.byRecipient });
	await end();
});

test.each(kinds)(
	'Retry again does not send either; with Resend Unknown all are sent to, %s',
	async (kind) => {
		const { before, end } = await crash('sendText', kind);
		const second = await retryOfCrashed(planOf('sendText', {}, kind));
		const third = await second.retry();
		expect(third.status).toBe('error');
		expect((await sandbox.counts()).accepted).toEqual(before.accepted);

		const { parameters } = planOf('sendText', { resendUnknown: true });
		const fourth = await third.retry({ parameters });
		expect(fourth.status).toBe('success');
		expect((await sandbox.counts()).accepted.messages).toBe(before.accepted.messages + 10);
		await end();
	},
);

test.each(kinds)('another execution with the same recipients sends, %s', async (kind) => {
	const { before, end } = await crash('sendText', kind);
	const other = planOf('sendText', {}, kind);
	const resumeToken = kind === 'with a token' ? 'another-token' : '';
	expect((await run({ ...other, resumeToken })).status).toBe('success');
	expect((await sandbox.counts()).accepted.messages).toBe(before.accepted.messages + 10);
	await end();
});

test.each(everyKind)(
	'%s, %s: Retry of a run that failed without a crash sends the remaining messages',
	async (send, kind) => {
		await sandbox.fault({
			match: { endpoint: SENDS[send].endpoint },
			skip: beforeTheFailure(send),
			times: 2,
			fault: { kind: 'status', status: 400 },
		});
		const first = await run(planOf(send, {}, kind));
		const second = await first.retry();
		const third = await second.retry();
		expect([first.status, second.status, third.status]).toEqual(['error', 'error', 'success']);
		const { accepted, maxPerRecipient } = await sandbox.counts();
		expect([accepted.messages, maxPerRecipient]).toEqual([10, 1]);
	},
);

test.each(kinds)('the second attempt crashes: its Retry sends nothing again, %s', async (kind) => {
	await sandbox.fault({
		match: { endpoint: 'sendText' },
		skip: 4,
		times: 1,
		fault: { kind: 'status', status: 400 },
	});
	const first = await run(planOf('sendText', {}, kind));
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

test.each(kinds)(
	'Retry of a cancelled execution sends the remaining messages, %s',
	async (kind) => {
		await sandbox.reset({ latencyMs: 5 });
		const cancelled = await run({
			...planOf('sendText', {}, kind),
			cancelWhen: async () => {
				while ((await sandbox.counts()).accepted.messages < 3);
			},
		});
		expect(cancelled.status).toBe('canceled');
		const second = await cancelled.retry({ cancelWhen: undefined });
		const { accepted, maxPerRecipient } = await sandbox.counts();
		expect(maxPerRecipient).toBe(1);
		// Only the message in flight is not sent again but reported, whether the service accepted it or not.
		const missing = recipients.filter((phone) => !accepted.byRecipient[phone]);
		expect(missing.length).toBeLessThanOrEqual(1);
		const said = second.error?.message ?? '';
		expect(said).toContain(missing.length > 0 ? `May have been sent to ${missing[0]}` : '');
		expect(said).not.toContain('was cut off');
	},
);

test('without a token the mark is removed after sending', async () => {
	const { end } = await crash('sendText', 'without one');
	expect(left()).toBe(1);
	await end();
	expect(left()).toBe(0);
});

test('the mark is a hash, and is written before anything is sent', async () => {
	const { end } = await crash('campaign send');
	expect(database.entries).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
	await end();
});

test('a dry run and a run with nothing to send write no mark', async () => {
	const spy = jest.spyOn(database, 'checkProcessedAndRecord');
	await run(planOf('sendText', { dryRun: true }));
	await run({
		...planOf('sendText'),
		items: [{ phone: '' }],
		node: { onError: 'continueRegularOutput' },
	});
	expect(spy).not.toHaveBeenCalled();
	spy.mockRestore();
});

test('if n8n cannot write the mark, everything is still sent', async () => {
	database.error = new TypeError('The database is unavailable');
	const execution = await retryOfCrashed(planOf('sendText'));
	expect(execution.status).toBe('success');
	expect((await sandbox.counts()).accepted.messages).toBe(10);
});
