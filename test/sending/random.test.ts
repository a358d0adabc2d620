import fc from 'fast-check';
import { sleep } from 'n8n-workflow';
import { Execution, type Plan } from '../helpers/execution';
import { Harness } from '../helpers/harness';
import { type FaultRule, useSandbox } from '../helpers/sandbox';
import { phones, reportedFates, sendParameters, SENDS, type SendName } from '../helpers/sends';

declare const seed: number;
declare const randomRuns: number;

jest.mock('../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../helpers/fastClock'),
);

jest.setTimeout(900_000);

const sandbox = useSandbox();
let harness: Harness;

beforeAll(async () => {
	harness = await Harness.load();
});

const faultOf: fc.Arbitrary<Pick<FaultRule, 'act' | 'fault'>> = fc.oneof(
	fc.record({
		act: fc.boolean(),
		fault: fc.constantFrom(
			{ kind: 'status', status: 500 },
			{ kind: 'status', status: 503 },
			{ kind: 'status', status: 408 },
			{ kind: 'reset' },
			{ kind: 'malformed', as: 'truncated' },
			{ kind: 'malformed', as: 'empty' },
			{ kind: 'delay', ms: 30 },
		),
	}),
	fc.record({
		fault: fc.constantFrom(
			{ kind: 'rateLimit', retryAfter: 1 },
			{ kind: 'rateLimit' },
			{ kind: 'status', status: 400 },
			{ kind: 'status', status: 401 },
			{ kind: 'successFalse', message: 'No' },
			{ kind: 'nullData' },
		),
	}),
	// Rare, because each costs its time-out.
	fc.record({ act: fc.boolean(), fault: fc.constant({ kind: 'hang' }) }),
);

const rulesOf = fc.array(fc.record({ skip: fc.nat(4), times: fc.nat(2), fault: faultOf }), {
	maxLength: 3,
});

/** A try of the execution: which faults it meets, and whether somebody cancels it. */
const tryOf = fc.record({
	rules: rulesOf,
	logsFail: fc.boolean(),
	cancelAfter: fc.option(fc.nat(20), { freq: 4 }),
});

const planOf = fc.record({
	send: fc.constantFrom(...(Object.keys(SENDS) as SendName[])),
	recipients: fc.integer({ min: 1, max: 9 }),
	onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	retryOnFail: fc.boolean(),
	batchSize: fc.integer({ min: 1, max: 5 }),
	maxRetries: fc.nat(2),
	tries: fc.array(tryOf, { minLength: 1, maxLength: 4 }),
});

async function settled() {
	for (;;) {
		const counts = await sandbox.counts();
		if (counts.inFlight.now === 0) return counts;
		await sleep(5);
	}
}

/** How often each end came: the property says nothing of an end that never comes. */
const ends: Record<string, number> = {};

test(`nothing twice, nothing lost, whatever happens (SEED=${seed})`, async () => {
	await fc.assert(
		fc.asyncProperty(planOf, async ({ send, recipients: count, tries, ...settings }) => {
			const recipients = phones(count);
			const { onError, retryOnFail, batchSize, maxRetries } = settings;
			const plan: Plan = {
				parameters: sendParameters(send, { batchSize, maxRetries, timeout: 80 }),
				items: recipients.map((phone) => ({ phone })),
				credentials: sandbox.credentials,
				node: { onError, retryOnFail, waitBetweenTries: 1 } as Plan['node'],
			};
			await sandbox.reset();
			let execution: Execution | undefined;
			for (const { rules, logsFail, cancelAfter } of tries) {
				await sandbox.clearFaults();
				await sandbox.fault(
					...rules.map(({ fault, ...rule }) => ({
						...rule,
						...fault,
						match: { endpoint: SENDS[send].endpoint },
					})),
					...(logsFail
						? [{ match: { endpoint: 'getLogs' }, times: 0, fault: { kind: 'status', status: 500 } }]
						: []),
				);
				const cancelWhen = cancelAfter === null ? undefined : async () => await sleep(cancelAfter);
				execution = execution
					? await execution.retry({ cancelWhen })
					: await Execution.start(harness, { ...plan, cancelWhen });
				ends[execution.status] = (ends[execution.status] ?? 0) + 1;

				const { accepted, maxPerRecipient } = await settled();
				const taken = Object.keys(accepted.byRecipient).sort();
				expect({ maxPerRecipient }).toEqual({ maxPerRecipient: taken.length > 0 ? 1 : 0 });
				if (execution.status === 'canceled') {
					// Between two tries of Retry On Fail no node runs, and n8n saves none to run again.
					if (retryOnFail && execution.isForgotten) break;
					continue;
				}
				if (execution.status === 'error') {
					const { message } = execution.error!;
					const told = (pattern: RegExp) => Number(pattern.exec(message)?.[1] ?? 0);
					const toldAccepted = told(/(\d+) of \d+ messages? (?:was|were) accepted/);
					const toldUnknown = told(/(\d+) may have been sent/);
					expect(taken.length).toBeGreaterThanOrEqual(toldAccepted);
					expect({ message, least: Math.min(taken.length, toldAccepted + toldUnknown) }).toEqual({
						message,
						least: taken.length,
					});
					continue;
				}
				const fates = reportedFates(execution, recipients);
				expect(Object.values(fates).flat().sort()).toEqual([...recipients].sort());
				expect([...fates.accepted, ...fates.unknown]).toEqual(expect.arrayContaining(taken));
				expect(taken).toEqual(expect.arrayContaining(fates.accepted));
				// n8n lets nobody retry what succeeded, as this does under Continue On Fail.
				break;
			}
		}),
		{ seed, numRuns: randomRuns },
	);
	expect(Object.keys(ends).sort()).toEqual(['canceled', 'error', 'success']);
});
