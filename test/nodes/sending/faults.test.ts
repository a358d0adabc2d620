import { Execution } from '../../support/execution';
import { useHarness } from '../../support/harness';
import { type FaultRule, useSandbox } from '../../support/sandbox';
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

const FAULTS: Record<string, Omit<FaultRule, 'match'> | 'refused connection'> = {
	'429 with Retry-After in seconds': { fault: { kind: 'rateLimit', retryAfter: 2 } },
	'429 with Retry-After as a date': {
		fault: { kind: 'rateLimit', retryAfter: 'Fri, 31 Dec 1999 23:59:59 GMT' },
	},
	'429 without Retry-After': { fault: { kind: 'rateLimit' } },
	'429 that asks to wait an hour': { fault: { kind: 'rateLimit', retryAfter: 3600 } },
	'400': { fault: { kind: 'status', status: 400 } },
	'401': { fault: { kind: 'status', status: 401 } },
	'403': { fault: { kind: 'status', status: 403 } },
	'408 after acting': { act: true, fault: { kind: 'status', status: 408 } },
	'500': { fault: { kind: 'status', status: 500 } },
	'500 after acting': { act: true, fault: { kind: 'status', status: 500 } },
	'502 with a web page': { fault: { kind: 'status', status: 502, body: '<html>Bad</html>' } },
	'503 after acting': { act: true, fault: { kind: 'status', status: 503 } },
	'refused connection': 'refused connection',
	'reset before acting': { fault: { kind: 'reset' } },
	'reset after acting': { act: true, fault: { kind: 'reset' } },
	'time-out before acting': { fault: { kind: 'hang' } },
	'time-out after acting': { act: true, fault: { kind: 'hang' } },
	'success:false with 200': { fault: { kind: 'successFalse', message: 'No credit left' } },
	'truncated JSON': { fault: { kind: 'malformed', as: 'truncated' } },
	'web page instead of JSON': { fault: { kind: 'malformed', as: 'html' } },
	'empty answer': { fault: { kind: 'malformed', as: 'empty' } },
	'null where data is due': { fault: { kind: 'nullData' } },
	redirect: { fault: { kind: 'redirect', location: 'http://127.0.0.1:9/elsewhere' } },
};

const recipients = phones(8);
const items = recipients.map((phone) => ({ phone }));

const TABLE = (Object.keys(SENDS) as SendName[]).flatMap((send) =>
	Object.keys(FAULTS).flatMap((fault) =>
		(['once', 'always'] as const).map((times) => ({ send, fault, times })),
	),
);

/** Sets the fault. @returns the credential with which the node sends */
async function meet(send: SendName, name: string, times: 'once' | 'always') {
	await sandbox.reset();
	const fault = FAULTS[name];
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
		expect(second.memory.messagingSent).toBeUndefined();
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
	const count = (pattern: RegExp) => Number(pattern.exec(message)?.[1] ?? 0);
	const counts = {
		accepted: count(/(\d+) of 8 messages (?:was|were) accepted/),
		unknown: count(/(\d+) may have been sent/),
		notSent: count(/(\d+) (?:was|were) not sent/),
	};
	expect({ message, sum: counts.accepted + counts.unknown + counts.notSent }).toEqual({
		message,
		sum: recipients.length,
	});
	expect(accepted.length).toBeGreaterThanOrEqual(counts.accepted);
	expect(accepted.length).toBeLessThanOrEqual(counts.accepted + counts.unknown);
}
