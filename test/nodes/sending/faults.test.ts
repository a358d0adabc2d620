import type { INodeParameters } from 'n8n-workflow';
import { Execution, type Plan } from '../../support/execution';
import { useHarness } from '../../support/harness';
import { credentials, failure, serve, useMockService } from '../../support/mockService';
import { FAULTS, type FaultRule, useSandbox } from '../../support/sandbox';
import { rowsOf } from '../../support/share';
import {
	phones,
	reportedOutcomes,
	sendParameters,
	SENDS,
	type SendName,
} from '../../support/sendOperations';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

jest.setTimeout(60_000);

const sandbox = useSandbox();
const harness = useHarness();

/** The node's time limit for a request, in ms: long enough for an answer on a busy machine, and short for the faults without one. */
const TIMEOUT = 400;

/** Those that the sandbox can do, before and after it has acted. */
const MET = new Map<string, Omit<FaultRule, 'match'> | 'refused connection'>([
	['refused connection', 'refused connection'],
]);
for (const { name, acts, failure } of FAULTS) {
	const variants = typeof failure === 'function' ? failure(Date.now()) : { '': failure };
	for (const [variant, fault] of Object.entries(variants)) {
		// A slow answer would only take long.
		if (['cut', 'drip', 'unreachable', 'upgrade', 'delay'].includes(fault.kind)) continue;
		if (acts !== 'yes') MET.set(`${name} ${variant}`, { act: false, fault });
		if (acts !== 'no') MET.set(`${name} ${variant}, but accepted`, { act: true, fault });
	}
}

const recipients = phones(8);
const items = recipients.map((phone) => ({ phone }));

const TABLE = (Object.keys(SENDS) as SendName[]).flatMap((send) =>
	[...MET.keys()].flatMap((fault) =>
		(['once', 'always'] as const).map((times) => ({ send, fault, times })),
	),
);

/** Sets the fault. @returns the credential with which the node sends */
async function meet(send: SendName, name: string, times: 'once' | 'always') {
	await sandbox.reset();
	const fault = MET.get(name)!;
	if (fault === 'refused connection') {
		// Nothing listens on port 9.
		return { messagingApi: { baseUrl: 'http://127.0.0.1:9', apiKey: 'k' } };
	}
	await sandbox.fault({
		...fault,
		match: { endpoint: SENDS[send].endpoint },
		...(times === 'once' ? { skip: 1, times: 1 } : { times: 0 }),
	});
	return sandbox.credentials;
}

async function acceptedBySandbox(): Promise<string[]> {
	const { accepted, maxPerRecipient } = await sandbox.counts();
	expect({ maxPerRecipient: Math.min(1, maxPerRecipient) }).toEqual({ maxPerRecipient });
	return Object.keys(accepted.byRecipient).sort();
}

const options = { timeout: TIMEOUT, batchSize: 2 };

test.each(rowsOf(TABLE))(
	'$send, $fault ($times), Continue On Fail',
	async ({ send, fault, times }) => {
		const credentials = await meet(send, fault, times);
		const plan = {
			parameters: sendParameters(send, options),
			items,
			credentials,
			node: { onError: 'continueRegularOutput' as const, retryOnFail: true, waitBetweenTries: 1 },
		};
		const execution = await Execution.start(harness, plan);

		expect({ status: execution.status, error: execution.error?.message }).toEqual({
			status: 'success',
			error: undefined,
		});
		const accepted = await acceptedBySandbox();
		const reported = reportedOutcomes(execution, recipients);
		expect(Object.values(reported).flat().sort()).toEqual([...recipients].sort());
		const possiblySent = [...reported.accepted, ...reported.unknown].sort();
		expect(possiblySent).toEqual(expect.arrayContaining(accepted));
		expect(accepted).toEqual(expect.arrayContaining(reported.accepted));
	},
);

test.each(rowsOf(TABLE))('$send, $fault ($times), stopping', async ({ send, fault, times }) => {
	const credentials = await meet(send, fault, times);
	const plan = { parameters: sendParameters(send, options), items, credentials };
	const first = await Execution.start(harness, plan);
	let accepted = await acceptedBySandbox();
	expectCountsInMessage(first, accepted);
	// n8n offers no retry of a successful execution.
	if (first.status === 'success') return;

	// A person removes the cause and presses Retry.
	await sandbox.clearFaults();
	const second = await first.retry({ credentials: sandbox.credentials });
	accepted = await acceptedBySandbox();
	if (second.status === 'success') {
		expect(accepted).toEqual([...recipients].sort());
		expect(reportedOutcomes(second, recipients).accepted).toEqual(recipients);
		expect(second.memory.messagingSent).toEqual({});
	} else {
		expectCountsInMessage(second, accepted);
		expect(second.error?.message).toContain('May have been sent');
	}
});

/** Checks that the headline counts every recipient, and messages that the sandbox accepted as accepted or unknown. */
function expectCountsInMessage(execution: Execution, accepted: string[]) {
	if (execution.status === 'success') {
		expect(accepted).toEqual([...recipients].sort());
		return;
	}
	const message = execution.error!.message;
	if (message.includes('obody was sent anything: ')) {
		expect({ message, accepted }).toEqual({ message, accepted: [] });
		return;
	}
	const count = (outcome: string) =>
		Number(new RegExp(`(\\d+)(?: of 8 messages)? (?:${outcome})`).exec(message)?.[1] ?? 0);
	const counts = {
		accepted: count('(?:was|were) accepted'),
		unknown: count('may have been sent'),
		notSent: count('(?:was|were) not sent'),
	};
	expect({ message, sum: counts.accepted + counts.unknown + counts.notSent }).toEqual({
		message,
		sum: recipients.length,
	});
	expect(accepted.length).toBeGreaterThanOrEqual(counts.accepted);
	expect(accepted.length).toBeLessThanOrEqual(counts.accepted + counts.unknown);
}

/* Answers that neither accept nor refuse a message. */
describe('an unclear answer', () => {
	useMockService();

	const RECIPIENTS = ['385911000001', '385911000002', '385911000003'];

	const run = async (parameters: INodeParameters, node: Plan['node'] = {}) =>
		await Execution.start(harness, {
			parameters,
			items: RECIPIENTS.map((phone) => ({ phone })),
			credentials,
			node,
		});

	describe('HTTP 403', () => {
		const stopped = async (body: unknown) => {
			const asked = serve({ status: 403, body });
			const execution = await run(sendParameters('sendText', { batchSize: 1 }), {
				onError: 'continueRegularOutput',
			});
			const errors = execution.items.map(({ json }) => String(json.error));
			return { asked: asked.length, errors, outcomes: reportedOutcomes(execution, RECIPIENTS) };
		};

		test.each([
			['a web page', '<html>Access denied</html>'],
			['a gateway’s JSON', { message: 'Forbidden' }],
		])('with %s stops the other sends, and the error does not name the key', async (_, body) => {
			const { asked, errors, outcomes } = await stopped(body);
			expect({ asked, outcomes }).toEqual({
				asked: 1,
				outcomes: {
					accepted: [],
					unknown: [],
					rejected: [RECIPIENTS[0]],
					notSent: RECIPIENTS.slice(1),
				},
			});
			expect(errors[0]).toContain('a proxy or a firewall, refused the request');
			const reason = errors[0].replace(/^Not sent to \d+: /, '');
			expect(errors.slice(1)).toEqual(
				RECIPIENTS.slice(1).map(
					(to) => `Not sent to ${to}: Sending stopped when an earlier message failed. ${reason}`,
				),
			);
			expect(errors.join()).not.toContain('API key');
		});

		test("with the service's envelope is a refused key", async () => {
			const { asked, errors } = await stopped({ success: false, message: 'No access', data: null });
			expect(asked).toBe(1);
			expect(errors[0]).toContain('The service refused the API key (No access).');
		});
	});

	test('a refusal that names a message by its place in the request names its recipient', async () => {
		serve(() => failure('messages[2]: "to" is not valid.'));
		const { error } = await run(sendParameters('campaign send', {}));
		expect(error!.message).toContain(
			`The service refused: item 3 (${RECIPIENTS[2]}): "to" is not valid. Correct or remove this recipient.`,
		);
	});
});
