import type { DeduplicationItemTypes, IDataDeduplicator } from 'n8n-workflow';
import { DataDeduplicationService } from 'n8n-core';
import { Execution, type Plan } from '../helpers/execution';
import { Harness } from '../helpers/harness';
import { Sandbox } from '../helpers/sandbox';
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

let sandbox: Sandbox;
let harness: Harness;

beforeAll(async () => {
	sandbox = await Sandbox.start();
	harness = await Harness.load();
	await DataDeduplicationService.init(database);
});

beforeEach(async () => {
	notes = new Map();
	isBroken = false;
	await sandbox.reset();
});

afterAll(async () => {
	await sandbox.stop();
});

const recipients = phones(10);

const planOf = (send: SendName, options: object = {}): Plan => ({
	parameters: sendParameters(send, { batchSize: 1, ...options }),
	items: recipients.map((phone) => ({ phone })),
	credentials: sandbox.credentials,
});

const run = async (plan: Plan) => await Execution.start(harness, plan);

const names = Object.keys(SENDS) as SendName[];

/** Starts a run whose request hangs once the service took it, as when its process is killed there. */
async function cutOff(send: SendName) {
	const skip = send === 'campaign send' ? 0 : 2;
	const { endpoint } = SENDS[send];
	await sandbox.fault({ match: { endpoint }, skip, times: 1, act: true, fault: { kind: 'hang' } });
	const running = run(planOf(send));
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

test.each(names)(
	'%s: Retry of a run that was cut off sends nothing again, and says so',
	async (send) => {
		const { before, end } = await cutOff(send);
		const second = await run({ ...planOf(send), mode: 'retry' });
		expect(second.status).toBe('error');
		expect(second.error?.message).toContain('was cut off while it was sending');
		expect(second.error?.message).toContain('10 may have been sent');
		expect((await sandbox.counts()).accepted).toEqual(before.accepted);
		await end();
	},
);

test('each recipient has an item that says so, with Continue On Fail', async () => {
	const { end } = await cutOff('sendText');
	const second = await run({
		...planOf('sendText'),
		mode: 'retry',
		node: { onError: 'continueErrorOutput' },
	});
	expect(reportedFates(second, recipients).unknown).toEqual(recipients);
	await end();
});

test('Retry again does not send either; with Resend Unknown all are sent to', async () => {
	const { before, end } = await cutOff('sendText');
	const second = await run({ ...planOf('sendText'), mode: 'retry' });
	const third = await second.retry();
	expect(third.status).toBe('error');
	expect((await sandbox.counts()).accepted).toEqual(before.accepted);

	const { parameters } = planOf('sendText', { resendUnknown: true });
	const fourth = await third.retry({ parameters });
	expect(fourth.status).toBe('success');
	expect((await sandbox.counts()).accepted.messages).toBe(before.accepted.messages + 10);
	await end();
});

test('who runs it anew, and does not retry, sends: equal runs at one time are nothing special', async () => {
	const { before, end } = await cutOff('sendText');
	expect((await run(planOf('sendText'))).status).toBe('success');
	expect((await sandbox.counts()).accepted.messages).toBe(before.accepted.messages + 10);
	await end();
});

test.each(names)(
	'%s: a run that ended leaves no note, and its Retry sends what is missing',
	async (send) => {
		const skip = send === 'campaign send' ? 0 : 2;
		await sandbox.fault({
			match: { endpoint: SENDS[send].endpoint },
			skip,
			times: 1,
			fault: { kind: 'status', status: 400 },
		});
		const first = await run(planOf(send));
		expect([first.status, left()]).toEqual(['error', 0]);
		const second = await first.retry();
		expect([second.status, left()]).toEqual(['success', 0]);
		const { accepted, maxPerRecipient } = await sandbox.counts();
		expect([accepted.messages, maxPerRecipient]).toEqual([10, 1]);
	},
);

test('the note is there before anything leaves, and is a hash', async () => {
	const { end } = await cutOff('campaign send');
	expect(left()).toBe(1);
	expect([...notes.values()].flatMap((known) => [...known])).toEqual([
		expect.stringMatching(/^[0-9a-f]{64}$/),
	]);
	await end();
	expect(left()).toBe(0);
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
	const execution = await run({ ...planOf('sendText'), mode: 'retry' });
	expect(execution.status).toBe('success');
	expect((await sandbox.counts()).accepted.messages).toBe(10);
});
