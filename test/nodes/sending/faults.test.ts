import type { INodeParameters } from 'n8n-workflow';
import { Execution, type Plan } from '../execution';
import { useHarness } from '../../support/harness';
import {
	credentials,
	failure,
	serve,
	useMockService,
	withTemplates,
} from '../../support/mockService';
import { FAULTS, type FaultRule, isOfSandbox, useSandbox } from '../../support/sandbox';
import { rowsOf } from '../../support/share';
import { phones, reportedOutcomes, sendParameters, SENDS, type SendName } from './sendOperations';

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
		if (!isOfSandbox(fault) || fault.kind === 'delay') continue;
		const title = `${name} ${variant}`.trim();
		if (acts !== 'yes') MET.set(title, { act: false, fault });
		if (acts !== 'no') MET.set(`${title}, but accepted`, { act: true, fault });
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

	test.each<[string, unknown, string]>([
		['a web page', '<html>Denied</html>', 'a proxy or a firewall, refused the request'],
		['a gateway’s JSON', { message: 'Forbidden' }, 'a proxy or a firewall, refused the request'],
		['the service’s refusal', { success: false, message: 'No' }, 'refused the API key (No)'],
	])('HTTP 403 with %s stops the other sends, and each says why', async (_, body, why) => {
		const asked = serve({ status: 403, body });
		const { items } = await run(sendParameters('sendText', { batchSize: 1 }), {
			onError: 'continueRegularOutput',
		});
		const [first, ...others] = items.map(({ json }) => String(json.error));
		const [one, two, three] = RECIPIENTS;
		const reason = first.replace(`Not sent to ${one}: `, '');
		expect(asked).toHaveLength(1);
		expect(reason).toContain(why);
		expect(others).toEqual(
			[two, three].map(
				(to) => `Not sent to ${to}: Sending stopped when an earlier message failed. ${reason}`,
			),
		);
	});

	test('a refusal that names a message by its place in the request names its recipient', async () => {
		serve(
			withTemplates([{ name: 'opening_hours', components: [] }], () =>
				failure('messages[2]: "to" is not valid.'),
			),
		);
		const { error } = await run(sendParameters('campaign send', {}));
		expect(error!.message).toContain(
			`The service refused: item 3 (${RECIPIENTS[2]}): "to" is not valid. Correct or remove this recipient.`,
		);
	});
});
