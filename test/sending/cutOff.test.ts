import type { DeduplicationItemTypes, IDataDeduplicator } from 'n8n-workflow';
import { DataDeduplicationService } from 'n8n-core';
import { Execution, type Plan } from '../helpers/execution';
import { Harness } from '../helpers/harness';
import { useSandbox } from '../helpers/sandbox';
import { phones, reportedFates, sendParameters, SENDS, type SendName } from '../helpers/sends';

/*
 * A run that is cut off (its process killed) leaves nothing in the execution's data. What n8n's database
 * still holds is stood in for by `notes`; the run that was cut off is one whose last request never ends.
 */

jest.mock('../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../helpers/fastClock'),
);

jest.setTimeout(60_000);

/** What n8n's deduplication keeps, by workflow and node. */
let notes: Map<string, Set<DeduplicationItemTypes>>;
let isBroken = false;

const database: IDataDeduplicator = {
	async checkProcessedAndRecord(items, _scope, { workflow, node }) {
		if (isBroken) throw new TypeError('The database is away');
		const place = `${workflow.id} ${node!.id}`;
		const known = notes.get(place) ?? new Set();
		notes.set(place, known);
		const processed = items.filter((item) => known.has(item));
		for (const item of items) known.add(item);
		return { new: items.filter((item) => !processed.includes(item)), processed };
	},
	async removeProcessed(items, _scope, { workflow, node }) {
		for (const item of items) notes.get(`${workflow.id} ${node!.id}`)?.delete(item);
	},
	async clearAllProcessedItems() {},
	async getProcessedDataCount() {
		return 0;
	},
};

const left = () => [...notes.values()].reduce((sum, { size }) => sum + size, 0);

const sandbox = useSandbox();
let harness: Harness;

beforeAll(async () => {
	harness = await Harness.load();
	await DataDeduplicationService.init(database);
});

beforeEach(async () => {
	notes = new Map();
	isBroken = false;
	await sandbox.reset();
});

const recipients = phones(10);

/** One execution and its retries; a new n8n gives them a token, an older one does not. */
const TOKENS = { 'with a token': 'token-of-the-execution', 'without one': '' };
type Kind = keyof typeof TOKENS;

const planOf = (send: SendName, options: object = {}, kind: Kind = 'with a token'): Plan => ({
	parameters: sendParameters(send, { batchSize: 1, ...options }),
	items: recipients.map((phone) => ({ phone })),
	credentials: sandbox.credentials,
	resumeToken: TOKENS[kind],
});

const run = async (plan: Plan) => await Execution.start(harness, plan);

/** What n8n does when a crashed execution is retried: all over, with what it knew when it began. */
const retryOfCrashed = async (plan: Plan) => await run({ ...plan, mode: 'retry' });

const names = Object.keys(SENDS) as SendName[];
const kinds = Object.keys(TOKENS) as Kind[];

const beforeTheFailure = (send: SendName) => (send === 'campaign send' ? 0 : 2);

/** Starts a run whose request hangs once the service took it, as when its process is killed there. */
async function cutOff(send: SendName, kind?: Kind) {
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

test.each(everyKind)(
	'%s, %s: Retry of a run that was cut off sends nothing again, and says so',
	async (send, kind) => {
		const { before, end } = await cutOff(send, kind);
		const second = await retryOfCrashed(planOf(send, {}, kind));
		expect(second.status).toBe('error');
		expect(second.error?.message).toContain('was cut off while it was sending');
		expect(second.error?.message).toContain('10 may have been sent');
		expect((await sandbox.counts()).accepted).toEqual(before.accepted);
		await end();
	},
);

test.each(names)(
	'%s: Retry of an execution that crashed in a later node sends nothing again',
	async (send) => {
		expect((await run(planOf(send))).status).toBe('success');
		const { accepted } = await sandbox.counts();
		const second = await retryOfCrashed(planOf(send));
		expect(second.error?.message).toContain('10 may have been sent');
		expect((await sandbox.counts()).accepted).toEqual(accepted);
	},
);

test('each recipient has an item that says so, with Continue On Fail', async () => {
	const { end } = await cutOff('sendText');
	const second = await retryOfCrashed({
		...planOf('sendText'),
		node: { onError: 'continueErrorOutput' },
	});
	expect(reportedFates(second, recipients).unknown).toEqual(recipients);
	await end();
});

test.each(kinds)(
	'Retry again does not send either; with Resend Unknown all are sent to, %s',
	async (kind) => {
		const { before, end } = await cutOff('sendText', kind);
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

test.each(kinds)('another execution sends to the same people, %s', async (kind) => {
	const { before, end } = await cutOff('sendText', kind);
	const other = planOf('sendText', {}, kind);
	const resumeToken = kind === 'with a token' ? 'another-token' : '';
	expect((await run({ ...other, resumeToken })).status).toBe('success');
	expect((await sandbox.counts()).accepted.messages).toBe(before.accepted.messages + 10);
	await end();
});

test.each(everyKind)(
	'%s, %s: Retry of a run that failed in good order sends what is missing',
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

test.each(kinds)('Retry of a cancelled execution sends the rest, %s', async (kind) => {
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
	// Only the one that was in flight is not sent again, and named, whether the service accepted it or not.
	const missing = recipients.filter((phone) => !accepted.byRecipient[phone]);
	expect(missing.length).toBeLessThanOrEqual(1);
	const said = second.error?.message ?? '';
	expect(said).toContain(missing.length > 0 ? `May have been sent to ${missing[0]}` : '');
	expect(said).not.toContain('was cut off');
});

test('without a token the note goes when sending is over', async () => {
	const { end } = await cutOff('sendText', 'without one');
	expect(left()).toBe(1);
	await end();
	expect(left()).toBe(0);
});

test('the note is there before anything leaves, and is a hash', async () => {
	const { end } = await cutOff('campaign send');
	expect([...notes.values()].flatMap((known) => [...known])).toEqual([
		expect.stringMatching(/^[0-9a-f]{64}$/),
	]);
	await end();
});

test('a dry run, and a run with nothing to send, note nothing', async () => {
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

test('where n8n cannot keep the note, everything is sent all the same', async () => {
	isBroken = true;
	const execution = await retryOfCrashed(planOf('sendText'));
	expect(execution.status).toBe('success');
	expect((await sandbox.counts()).accepted.messages).toBe(10);
});
