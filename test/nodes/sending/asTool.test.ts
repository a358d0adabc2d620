import {
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type IRunExecutionData,
	createRunExecutionData,
	sleep,
} from 'n8n-workflow';
import { SupplyDataContext } from 'n8n-core';
import nock from 'nock';
import {
	ADDRESS,
	credentials,
	failure,
	serve,
	success,
	type ServiceRequest,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { sending } from '../../support/runMessaging';

/*
 * n8n does not run the node as a node of the workflow when an agent or n8n's MCP server calls it as a tool. It gives every
 * attempt its own run index.
 */

type Invoke = (args: IDataObject) => Promise<string>;
declare const requireOnce: (path: string) => object;
const { makeHandleToolInvocation } = requireOnce(
	'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data.js',
) as {
	makeHandleToolInvocation: (
		contextOf: (runIndex: number) => SupplyDataContext,
		node: INode,
		type: object,
		data: IRunExecutionData,
	) => Invoke;
};

const harness = useHarness();
/** The node as a tool. */
function tool(
	parameters: INodeParameters,
	{
		hasExecution = true,
		input = [] as INodeExecutionData[],
		data = createRunExecutionData({ executionData: { nodeExecutionStack: [] } }),
		executionId = '1',
		onError = undefined as INode['onError'],
		retryOnFail = false,
	} = {},
): Invoke {
	const settings = { retryOnFail, maxTries: 3, waitBetweenTries: 1, onError };
	const node = harness.node('messagingTool', parameters, settings);
	const workflow = harness.workflow([node]);
	if (!hasExecution) delete data.executionData;
	const invoke = makeHandleToolInvocation(
		(runIndex) =>
			new SupplyDataContext(
				workflow,
				node,
				harness.additionalData(credentials, { executionId }),
				executionId === '1' ? 'manual' : 'retry',
				data,
				runIndex,
				input,
				{},
				'ai_tool',
				{ node, data: {}, source: null },
				[],
			),
		node,
		harness.nodeTypes.getByNameAndVersion(node.type),
		data,
	);
	return async (args) =>
		await workflow.expression.withIsolate(
			async () => await invoke(args).catch((error: Error) => `Failed: ${error.message}`),
		);
}

const text = sending('sendText', { to: "={{ $fromAI('To', '', 'string') }}", message: 'Hello' });
const accepting = (asked: ServiceRequest) =>
	success({ id: `id-${(asked.body as { to: string }).to}` });

describe.each([true, false])('as a tool, in an execution: %p', (hasExecution) => {
	test.each([undefined, 'continueRegularOutput'] as const)(
		'Retry On Fail is refused in a sentence, and nothing is sent; On Error: %s',
		async (onError) => {
			const asked = serve(accepting);
			const said = await tool(text, { hasExecution, onError, retryOnFail: true })({
				To: '385911000001',
			});
			expect({ asked, said }).toEqual({
				asked: [],
				said: expect.stringMatching(
					/^(Failed: |\[.*"error":")Nothing was sent\. As a tool, this node cannot be used with 'Retry On Fail'/,
				),
			});
		},
	);

	test('a message that may have been sent is not sent again, and the agent is told', async () => {
		const asked = serve(failure('Broken', 503));
		const said = await tool(text, { hasExecution })({ To: '385911000001' });
		expect(asked).toHaveLength(1);
		expect(said).toMatch(/May have been sent to 385911000001.*Do not call this tool again/);
	});

	test('Send and Wait sends no question: the agent would not wait for the answer', async () => {
		const asked = serve(accepting);
		const said = await tool(
			{ ...text, operation: 'sendAndWait' },
			{ hasExecution },
		)({
			To: '385911000001',
		});
		expect({ asked, said }).toEqual({
			asked: [],
			said: expect.stringMatching(
				/^\[\{"error":"Nothing was sent\. .*Choose Messaging under Human review/,
			),
		});
	});

	test('with On Error: Continue, a failure is told as an item: some versions of the agent tell no error', async () => {
		serve(accepting);
		const onError = 'continueRegularOutput' as const;
		const said = await tool(text, { hasExecution, onError })({ To: 'Ada' });
		expect(JSON.parse(said)).toEqual([
			{
				to: 'Ada',
				status: 'failed',
				reason: expect.stringMatching(/^This is not a phone number/),
				error: expect.stringMatching(/^Not sent to Ada: This is not a phone number/),
				details: { outcome: 'notSent', recipient: 'Ada' },
			},
		]);
	});

	test('another call with the same arguments is a new message', async () => {
		const asked = serve(accepting);
		const invoke = tool(text, { hasExecution });
		await invoke({ To: '385911000001' });
		await invoke({ To: '385911000001' });
		expect(asked).toHaveLength(2);
	});

	test('parallel calls do not disturb each other', async () => {
		const sent: string[] = [];
		let release = () => {};
		const held = new Promise<void>((resolve) => (release = resolve));
		nock(ADDRESS)
			.persist()
			.post(/.*/)
			.reply(async (_, body) => {
				const { to } = body as { to: string };
				sent.push(to);
				if (to === '385911000001') await held;
				return [200, { success: true, message: 'OK', data: { id: `id-${to}` } }];
			});
		const invoke = tool(text, { hasExecution });
		const first = invoke({ To: '385911000001' });
		while (sent.length === 0) await sleep(1);
		const second = await invoke({ To: '385911000002' });
		release();
		expect({ sent, said: [await first, second] }).toEqual({
			sent: ['385911000001', '385911000002'],
			said: ['385911000001', '385911000002'].map((to) =>
				JSON.stringify([{ to, status: 'accepted', reason: '-', id: `id-${to}` }]),
			),
		});
	});
});

test.each(['={{ $json.To }}', "={{ $json.To + '' }}"])(
	'%s is the item’s value, not one that the agent invented',
	async (to) => {
		const asked = serve(accepting);
		const message = "={{ $fromAI('To', '', 'string') }}";
		const input = [{ json: { To: '385911000001' } }];
		await tool({ ...text, to, message }, { input })({ To: '385911000009' });
		expect(asked.map(({ body }) => body)).toMatchObject([
			{ to: '385911000001', message: '385911000009' },
		]);
	},
);

describe('a Retry of an execution in which an agent called the tool', () => {
	// n8n gives each call an object of its own.
	const callTo = (To: string) => ({ To });
	const retryOf = (data: IRunExecutionData, executionId: string) =>
		tool(text, { data: structuredClone(data), executionId });
	const REFUSED =
		/^Failed: Nothing more was sent\. This is a retry, .*Do not call this tool again\. /;

	test('sends no call, because the agent calls anew; neither does its own Retry', async () => {
		const asked = serve(accepting);
		const data = createRunExecutionData({ executionData: { nodeExecutionStack: [] } });
		await tool(text, { data })(callTo('385911000001'));
		const retried = structuredClone(data);
		const retry = tool(text, { data: retried, executionId: '2' });
		for (const to of ['385911000001', '385911000002']) {
			expect(await retry(callTo(to))).toMatch(REFUSED);
		}
		expect(await retryOf(retried, '3')(callTo('385911000002'))).toMatch(REFUSED);
		expect(asked).toHaveLength(1);
	});

	test('sends the calls if nothing was sent before', async () => {
		const asked = serve(accepting);
		const data = createRunExecutionData({ executionData: { nodeExecutionStack: [] } });
		expect(await tool(text, { data })({ To: '' })).toMatch(/^Failed: Nothing was sent/);
		await retryOf(data, '2')(callTo('385911000001'));
		expect(asked).toHaveLength(1);
	});
});

test.each([undefined, 'continueRegularOutput'] as const)(
	'in an evaluation a tool sends nothing; On Error: %s',
	async (onError) => {
		const asked = serve(accepting);
		const runtimeData = { version: 1, establishedAt: 1, source: 'evaluation' } as const;
		const data = createRunExecutionData({ executionData: { nodeExecutionStack: [], runtimeData } });
		const said = await tool(text, { data, onError })({ To: '385911000001' });
		expect(said).toMatch(
			/^(Failed: |\[.*"error":")Nothing was sent\. In an evaluation, this node sends nothing\./,
		);
		expect(asked).toEqual([]);
	},
);

describe("what the agent reads, by the tool's Output", () => {
	const channel = { id: 'c1', name: 'Shop', firm_id: 'f1', description: 'Long', later: 1 };
	const read = async (more: INodeParameters) => {
		serve(success([channel]));
		const parameters = { resource: 'channel', operation: 'getAll', returnAll: true };
		return JSON.parse(await tool({ ...parameters, ...more })({})) as unknown;
	};

	test.each([
		['Simplified by default', {}, [{ id: 'c1', name: 'Shop' }]],
		['Raw', { output: 'raw' }, [channel]],
		[
			'Selected Fields',
			{ output: 'fields', fields: ['name', 'description', 'later'] },
			[{ name: 'Shop', description: 'Long', later: 1 }],
		],
	])('%s', async (_, parameters: INodeParameters, expected) => {
		expect(await read(parameters)).toEqual(expected);
	});
});
