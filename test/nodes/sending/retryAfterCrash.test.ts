import type { IDataObject } from 'n8n-workflow';
import { ExecuteContext } from 'n8n-core';
import { Execution, type Plan } from '../execution';
import { useHarness } from '../../support/harness';
import { database } from '../../support/n8n';
import { useEmptySandbox } from '../../support/sandbox';
import { phones, reportedOutcomes, sendParameters, SENDS, type SendName } from './sendOperations';

/*
 * A run that crashes (its process is killed) saves nothing in the execution's data. Here `database` stands in for n8n's
 * database, which keeps the crash notes. A run whose last request never ends stands in for the crashed run. It is in the
 * same process as its retry. The simulation and test/real-n8n/nodes/killed.test.mts test what another process finds: that nobody
 * gets two messages, and that a campaign is found in the logs.
 */

const sandbox = useEmptySandbox();
const harness = useHarness();

const recipients = phones(10);

/** Each test has an execution of its own. */
let executions = 0;
/** The runs that have crashed, and what the service had accepted then. */
const crashed: Array<Promise<unknown>> = [];
let before: object;

beforeEach(() => {
	executions++;
	database.rows.clear();
	database.error = undefined;
});

afterEach(async () => {
	await sandbox.reset();
	await Promise.all(crashed.splice(0));
});

const planOf = (send: SendName, options: object = {}): Plan => ({
	parameters: sendParameters(send, { batchSize: 1, ...options }),
	items: recipients.map((phone) => ({ phone })),
	credentials: sandbox.credentials,
	// n8n gives it to an execution and its retries.
	resumeToken: `token of execution ${executions}`,
});

const run = async (plan: Plan) => await Execution.start(harness, plan);

/** Retries a crashed execution as n8n does: from scratch, with the data of its start. */
const retryOfCrashed = async (plan: Plan) => await run({ ...plan, mode: 'retry' });

const accepted = async () => (await sandbox.counts()).accepted;

/** Lets a request hang after the service accepted it, as if the process was killed then. */
async function crash(send: SendName, skip = 2) {
	const match = { endpoint: SENDS[send].endpoint };
	const { messages: already } = await accepted();
	await sandbox.fault({ match, skip, times: 1, act: true, fault: { kind: 'hang' } });
	crashed.push(run(planOf(send)));
	await sandbox.acceptsMoreThan(already + skip, send);
	before = await accepted();
}

/** Nothing was sent since the crash. */
const expectNothingMore = async () => {
	expect(await accepted()).toEqual(before);
};

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
	const acceptedIdentifiers = async () => Object.keys((await accepted()).byIdentifier).sort();
	/** Those of messages that may not have left: none is shown. */
	const unnamed = (count: number) => new Array<undefined>(count).fill(undefined);
	const ALL_UNKNOWN = { accepted: [], unknown: unnamed(10) };

	test.each([0, 1, 2, 3])(
		'in 4 requests, of which %i were answered before the crash: only messages in the logs are accepted',
		async (answered) => {
			const plan = planOf('campaign send, 3 per request');
			const match = { endpoint: 'sendCampaign' } as const;
			// The process is gone: the next request does not reach the service.
			await sandbox.fault({ match, skip: answered + 1, fault: { kind: 'hang' } });
			await crash('campaign send, 3 per request', answered);
			const sent = Math.min(10, (answered + 1) * 3);
			const second = await retryOfCrashed({ ...plan, node: continuing });
			expect(reported(second).accepted).toEqual(await acceptedIdentifiers());
			expect(reported(second).unknown).toEqual(unnamed(10 - sent));
			// With another size of requests, nothing shows which messages left.
			const third = await retryOfCrashed({ ...planOf('campaign send'), node: continuing });
			expect(reported(third)).toEqual(ALL_UNKNOWN);
			expect((await accepted()).messages).toBe(sent);
		},
	);
});

test('campaign send: Retry of an execution that crashed in a later node outputs the accepted messages', async () => {
	const first = await run(planOf('campaign send'));
	const second = await retryOfCrashed(planOf('campaign send'));
	expect(second.items.map(({ json }) => json)).toEqual(first.items.map(({ json }) => json));
});

test('a recipient whom the retry refuses may have got a message before', async () => {
	await crash('sendText');
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
	expect(refused?.json.error).toMatch(
		new RegExp(
			`^May have been sent to ${withoutMessage}: 'Message' is empty\\..* But an earlier attempt may have sent it\\.`,
		),
	);
});

test.each([
	['finds the note', {}],
	['fails before it looks for the note', { defaultCountryCode: 'none' }],
])('a Retry %s: no node behind it says that nothing was sent', async (_, options) => {
	await crash('sendText');
	const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
	const { error } = await retryOfCrashed({
		...planOf('sendText', options),
		node: { onError: 'continueRegularOutput' },
		others: { Other: { parameters: sendParameters('sendText', {}) } },
		connections: { Start: { main: [to('Messaging')] }, Messaging: { main: [to('Other')] } },
	});
	expect(error?.message).toMatch(/^Nothing more was sent\./);
});

test('a Retry as a test is refused, and the next Retry still sends nothing again', async () => {
	await crash('sendText');
	const test = sendParameters('sendText', { sendMode: 'test', testRecipient: '385955550100' });
	const second = await retryOfCrashed({ ...planOf('sendText'), parameters: test });
	expect(second.error?.message).toContain('A retry only sends the rest');
	const third = await second.retry({ parameters: planOf('sendText').parameters });
	expect(third.error?.message).toContain('was cut off while it was sending');
	await expectNothingMore();
});

test('Retries that are refused for bad rows, one that sends, and then the first execution again: nobody gets it twice', async () => {
	const good = planOf('sendText');
	const first = await run({ ...good, parameters: { ...good.parameters, message: "={{ '' }}" } });
	const refused = await (await first.retry()).retry();
	expect((await accepted()).messages).toBe(0);
	const sent = await refused.retry({ parameters: good.parameters });
	expect([sent.status, (await accepted()).messages]).toEqual(['success', recipients.length]);
	const again = await first.retry({ parameters: good.parameters });
	expect(again.error?.message).toContain('was cut off while it was sending, or was retried before');
	expect((await accepted()).messages).toBe(recipients.length);
});

test('a dry run, and a run that hands on nothing, write no note', async () => {
	const spy = jest.spyOn(database, 'checkProcessedAndRecord');
	await run(planOf('sendText', { sendMode: 'dryRun' }));
	await run({ ...planOf('sendText'), items: [{ phone: '' }] });
	expect(spy).not.toHaveBeenCalled();
	spy.mockRestore();
});

test.each([
	['whose rows cannot be sent', { items: [{ phone: '' }] }],
	[
		'that fails as a whole',
		{ parameters: sendParameters('sendText', { defaultCountryCode: 'none' }) },
	],
])(
	'a run %s hands them on: another node may have sent them when n8n was killed',
	async (_, refused) => {
		const node = { onError: 'continueErrorOutput' } as const;
		const first = await run({ ...planOf('sendText'), ...refused, node });
		expect(first.items.map(({ json }) => (json.details as IDataObject).outcome)).not.toContain(
			'unknown',
		);
		// As if n8n had been killed in a node behind it; meanwhile what was refused has been corrected.
		const again = await retryOfCrashed({ ...planOf('sendText'), node });
		expect(reportedOutcomes(again, recipients).unknown).toEqual(recipients);
		expect((await accepted()).messages).toBe(0);
	},
);

describe("while n8n's database fails", () => {
	const node = { onError: 'continueErrorOutput' } as const;
	const FAILS = new Error('SQLITE_BUSY: database is locked');

	test.each([
		['trigger', 'notSent'],
		['retry', 'unknown'],
	] as const)('an execution in the mode %s is refused, and all are %s', async (mode, outcome) => {
		database.error = FAILS;
		const execution = await run({ ...planOf('sendText'), mode, node });
		expect(reportedOutcomes(execution, recipients)[outcome]).toEqual(recipients);
		expect(execution.items[0].json.error).toContain(
			"n8n's database failed (SQLITE_BUSY: database is locked): if n8n were killed now",
		);
		expect((await accepted()).messages).toBe(0);
	});

	test('a Retry after a crash is refused, and its own Retry sends nothing either', async () => {
		await crash('sendText');
		database.error = FAILS;
		const refused = await retryOfCrashed(planOf('sendText'));
		database.error = undefined;
		const { error } = await refused.retry();
		expect(error?.message).toContain('was cut off while it was sending');
		await expectNothingMore();
	});
});

test('by hand, too, nothing is noted: another Retry at the same moment would take the notes for an execution that sends', async () => {
	await crash('campaign send', 0);
	const noted = database.entries.length;
	// Then every Retry counts as one by hand.
	const says = jest
		.spyOn(ExecuteContext.prototype, 'getExecutionContext')
		.mockReturnValue(undefined);
	const { error } = await retryOfCrashed(planOf('campaign send'));
	says.mockRestore();
	expect(error).toBeUndefined();
	expect(database.entries.length - noted).toBeLessThan(recipients.length);
	await expectNothingMore();
});

test('an n8n that gives no token: a Retry with Retry On Fail sends nothing in its second attempt either', async () => {
	const plan = {
		...planOf('sendText'),
		resumeToken: '',
		node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	};
	await run(plan);
	const { error } = await retryOfCrashed(plan);
	const { messages } = await accepted();
	expect([error?.message, messages]).toEqual([
		expect.stringContaining('In this n8n, a Retry cannot see whether'),
		recipients.length,
	]);
});
