import type { IDataObject, IExecuteFunctions, INodeType, IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { Execution, type Plan } from '../execution';
import { useRealClock } from '../../support/clock';
import { useHarness } from '../../support/harness';
import { database } from '../../support/n8n';
import { useEmptySandbox } from '../../support/sandbox';
import { isNight } from '../../support/share';
import { phones, sendParameters } from '../sending/sendOperations';
import { linksIn } from '../sendAndWait/questionRun';

/*
 * docs/development/n8n-internals.md: what the nodes rely on that n8n does not document. Here each of it is taken away, and then
 * all of it: nobody gets a message twice, nothing stops, and where nothing else is safe a sentence says so.
 */

// So a Retry does not wait for long whether another one was pressed at this moment.
useRealClock({ pauses: 20 });
const sandbox = useEmptySandbox();
const harness = useHarness();

type Context = IExecuteFunctions | IWebhookFunctions;
type Replace = (key: string, value: unknown, context: Context) => unknown;

/** The context in which `replace` decides what each property is. Methods keep the context that they belong to. */
const changed = (context: Context, replace: Replace): Context =>
	new Proxy(context, {
		has: (target, key) =>
			key in target && replace(String(key), Reflect.get(target, key, target), target) !== undefined,
		get(target, key) {
			const value: unknown = Reflect.get(target, key, target);
			const own = replace(String(key), value, target);
			if (own !== value) return own;
			return typeof value === 'function' ? (value.bind(target) as unknown) : value;
		},
	});

const hidden =
	(...names: string[]): Replace =>
	(key, value) =>
		names.includes(key) ? undefined : value;

/** Without it, n8n takes a node that asks to be run again for one that has output nothing. */
const RUN_AGAIN = 'running a node again';
const SOURCE = 'the data of the waiting node';

const TRICKS: Record<string, Replace> = {
	'the table of deduplication': (key, value) => {
		if (key !== 'helpers') return value;
		return { ...(value as object), checkProcessedAndRecord: undefined, removeProcessed: undefined };
	},
	"the execution's token": (key, value, context) => {
		if (key !== 'getWorkflowDataProxy') return value;
		return (item: number) => ({
			...(context as IExecuteFunctions).getWorkflowDataProxy(item),
			$execution: {},
		});
	},
	'how the execution began': hidden('getExecutionContext'),
	'the cancel signal': hidden('getExecutionCancelSignal'),
	'every sign of a Stop': hidden('getExecutionCancelSignal', 'onExecutionCancellation'),
	[SOURCE]: hidden('getExecuteData'),
	'the private addresses': hidden('additionalData'),
	'the signal of one request': (key, value, context) => {
		if (key !== 'helpers') return value;
		const { httpRequestWithAuthentication: send } = value as IExecuteFunctions['helpers'];
		return {
			...(value as object),
			httpRequestWithAuthentication: send.bind(context as IExecuteFunctions),
		};
	},
	[RUN_AGAIN]: (_, value) => value,
	'notes in the execution': hidden('customData'),
};

/** What is gone in this test. */
let gone: Replace[] = [];
let runsAgain = true;

beforeAll(() => {
	const { nodeTypes } = harness;
	const original = nodeTypes.getByNameAndVersion;
	nodeTypes.getByNameAndVersion = (type, version) => {
		const found = original(type, version) as INodeType;
		const without = (context: Context) => gone.reduce(changed, context);
		const { execute, webhook } = found;
		return Object.create(found, {
			...(execute && {
				execute: {
					async value(this: IExecuteFunctions) {
						const output = await execute.call(without(this) as IExecuteFunctions);
						return Array.isArray(output) || runsAgain ? output : [[]];
					},
				},
			}),
			...(webhook && {
				webhook: {
					value(this: IWebhookFunctions) {
						return webhook.call(without(this) as IWebhookFunctions);
					},
				},
			}),
		}) as INodeType;
	};
});

beforeEach(() => {
	database.rows.clear();
	database.error = undefined;
});

let executions = 0;
const people = phones(6);
const everybody = { messages: people.length, most: 1 };
const planOf = (options: IDataObject = {}, more: Partial<Plan> = {}): Plan => ({
	parameters: sendParameters('sendText', { batchSize: 1, ...options }),
	items: people.map((phone) => ({ phone })),
	credentials: sandbox.credentials,
	resumeToken: `token ${++executions}`,
	...more,
});

/** How many messages were accepted, and the most for one person. */
async function sent() {
	const { accepted, maxPerRecipient } = await sandbox.counts();
	return { messages: accepted.messages, most: maxPerRecipient };
}

const REFUSED = /a Retry cannot see whether an earlier attempt was cut off /;

const NAMES = Object.keys(TRICKS);
const WAYS: Array<[string, string[]]> = [
	...NAMES.map((name) => [name, [name]] as [string, string[]]),
	['all of it', NAMES],
];

describe.each(WAYS)('without %s', (_, names) => {
	/** A Retry cannot be allowed without these. */
	const needs = ['the table of deduplication', 'every sign of a Stop'];
	const mayRetry = !names.some((name) => needs.includes(name));

	beforeEach(() => {
		gone = names.map((name) => TRICKS[name]);
		runsAgain = !names.includes(RUN_AGAIN);
	});

	test('everybody gets one message', async () => {
		const { status } = await Execution.start(harness, planOf());
		expect([status, await sent()]).toEqual(['success', everybody]);
	});

	test('a failure in the middle: a Retry sends the rest, or nothing and says so', async () => {
		await sandbox.fault({
			match: { endpoint: 'sendText' },
			skip: 3,
			times: 1,
			fault: { kind: 'status', status: 400 },
		});
		const first = await Execution.start(harness, planOf());
		expect([first.status, await sent()]).toEqual(['error', { messages: 3, most: 1 }]);
		const second = await first.retry();
		expect(await sent()).toEqual(mayRetry ? everybody : { messages: 3, most: 1 });
		expect(second.status).toBe(mayRetry ? 'success' : 'error');
		if (!mayRetry) expect(second.error?.message).toMatch(REFUSED);
	});

	test('a crash: a Retry sends nothing', async () => {
		const match = { endpoint: 'sendText' } as const;
		await sandbox.fault({ match, skip: 2, times: 1, act: true, fault: { kind: 'hang' } });
		const plan = planOf();
		const crashed = Execution.start(harness, plan);
		await sandbox.acceptsMoreThan(2, 'sendText');
		const before = await sent();
		const second = await Execution.start(harness, { ...plan, mode: 'retry' });
		expect([second.status, await sent()]).toEqual(['error', before]);
		expect(second.error?.message).toMatch(/was cut off while it was sending/);
		await sandbox.reset();
		await crashed;
	});

	// By day once: only n8n's running a node again tells the two apart.
	test.each(isNight || names.includes(RUN_AGAIN) ? [false, true] : [true])(
		'Stop while it sends, Retry On Fail %s: with its Retry nobody gets two',
		async (retryOnFail) => {
			const plan = planOf(
				{ batchInterval: 400 },
				{
					node: { retryOnFail, waitBetweenTries: 1 },
					cancelWhen: async () => await sandbox.acceptsMoreThan(2, 'sendText'),
				},
			);
			const first = await Execution.start(harness, plan);
			const { parameters } = planOf();
			const second = await first.retry({ cancelWhen: undefined, parameters });
			// It runs again only when it knows where its items came from.
			const isRun = (runsAgain && !names.includes(SOURCE)) || !retryOnFail;
			// Where n8n tells a node nothing of a Stop, the first attempt goes on by itself.
			const isSilent = names.includes('every sign of a Stop');
			await (isSilent ? sandbox.acceptsMoreThan(people.length - 1, 'sendText') : sleep(100));
			const isAll = (mayRetry && isRun) || isSilent;
			expect(await sent()).toEqual(isAll ? everybody : { messages: 3, most: 1 });
			// Usually one message was in flight: then its outcome is not known.
			if (mayRetry && isRun) expect(second.error?.message ?? '').toMatch(/^$|1 may have been sent/);
			// n8n saves the execution as stopped without the node, and a Retry does not run it again.
			else if (first.isForgotten || !isRun) expect(second.items).toEqual([]);
			else expect(second.error?.message).toMatch(REFUSED);
		},
	);

	test('by hand nothing leaves without a code, also in a Retry of an execution that failed before', async () => {
		const plan = planOf({}, { mode: 'manual' });
		const { to } = plan.parameters;
		const failed = await Execution.start(harness, {
			...plan,
			parameters: { ...plan.parameters, to: '={{ $json.none }}' },
		});
		const second = await failed.retry({ parameters: { ...plan.parameters, to } });
		const why = mayRetry ? /^Nothing was sent\. .*only with a code/ : REFUSED;
		const nobody = { messages: 0, most: 0 };
		expect([second.error?.message, await sent()]).toEqual([expect.stringMatching(why), nobody]);
	});

	test('a question is asked once, and waits', async () => {
		const { parameters } = planOf();
		const asked = await Execution.start(harness, {
			...planOf(),
			items: [{ phone: people[0] }],
			parameters: {
				...parameters,
				operation: 'sendAndWait',
				options: { limitWaitTime: { values: { resumeAmount: 1, resumeUnit: 'hours' } } },
			},
		});
		expect([asked.error, asked.saved.data.waitTill !== undefined]).toEqual([undefined, true]);
		expect(await sent()).toEqual({ messages: 1, most: 1 });
		const [message] = await sandbox.accepted(people[0]);
		expect(new Set(linksIn(message)).size).toBe(1);
	});
});
