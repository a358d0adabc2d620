import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeType,
	INodeTypes,
	IWorkflowBase,
} from 'n8n-workflow';
import { inputItems } from './job.mts';
import type { Job } from './job.mts';
import type { N8n } from './n8n.mts';

const START = 'Start';
const NODE = 'Node';

const node = (name: string, rest: Job['node']): INode => ({
	id: name,
	name,
	position: [0, 0],
	...rest,
});

/** Prepares one execution, by n8n's own engine, of a workflow with a trigger and one node. */
export async function prepareExecution(
	n8n: N8n,
	{ node: job, items, input = 'rows', url, concurrency }: Job,
) {
	const { core, workflow } = n8n;
	const own = helperNodes(url, concurrency);
	const find = (type: string, version?: number) =>
		own[type] ?? (n8n.nodeTypes.getByNameAndVersion(type, version) as INodeType);
	const nodeTypes: INodeTypes = {
		getByName: find,
		getByNameAndVersion: find,
		getKnownTypes: () => ({}),
	};
	const start = node(START, {
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		parameters: {},
	});
	const flow = new workflow.Workflow({
		id: 'bench',
		name: 'Benchmark',
		active: true,
		nodes: [start, node(NODE, job)],
		connections: { [START]: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
		nodeTypes,
	});
	const data: INodeExecutionData[] = inputItems(input, items).map((json, item) => ({
		json,
		pairedItem: { item },
	}));
	const additionalData = Object.assign(await n8n.additionalData(), {
		executionId: '1',
		hooks: new core.ExecutionLifecycleHooks('trigger', '1', {} as IWorkflowBase),
	});
	const execution = new core.WorkflowExecute(
		additionalData,
		'trigger',
		workflow.createRunExecutionData({
			executionData: {
				nodeExecutionStack: [{ node: flow.getNode(START)!, data: { main: [data] }, source: null }],
			},
		}),
	);

	// For the expressions of each execution n8n takes an isolate from a pool, and creates the next one in
	// another thread. That takes 60 ms and more for any node, so it happens before the run is measured.
	await flow.expression.acquireIsolate();

	/** @throws the error of the node */
	return async () => {
		const { resultData } = (await execution.processRunExecutionData(flow)).data;
		// n8n returns an error in the form in which it saves it, which is not an Error.
		if (resultData.error) throw new Error(resultData.error.message);
		const output = resultData.runData[NODE]?.[0].data?.main[0] ?? [];
		const failed = output.find(({ json, error }) => error ?? 'error' in json);
		if (failed) throw new Error(`An item failed: ${JSON.stringify(failed.json)}`);
		return { output, runData: resultData.runData };
	};
}

const CREDENTIAL = 'messagingApi';

type Send = (request: IHttpRequestOptions) => Promise<unknown>;

/** A node that sends one message per item through one of n8n's helpers, and does not check the answers. */
const looping = (
	name: string,
	url: string,
	concurrency: number,
	options: Partial<IHttpRequestOptions>,
	sendWith: (context: IExecuteFunctions) => Send | Promise<Send>,
): INodeType => ({
	description: {
		displayName: name,
		name,
		version: 1,
		group: ['output'],
		description: '',
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: CREDENTIAL }],
		properties: [],
	},
	async execute(this: IExecuteFunctions) {
		const items = this.getInputData();
		const send = await sendWith(this);
		const output = new Array<{ json: IDataObject; pairedItem: { item: number } }>(items.length);
		let next = 0;
		const worker = async () => {
			while (next < items.length) {
				const item = next++;
				const { phone, text } = items[item].json;
				const answer = (await send({
					method: 'POST',
					url: `${url}/api/public/conversation/text`,
					body: { from: '385910000000', to: phone, message: text },
					json: true,
					...options,
				})) as { body?: { data: IDataObject }; data: IDataObject };
				output[item] = { json: (answer.body ?? answer).data, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: concurrency }, worker));
		return [output];
	},
});

/** Options with which n8n's helper does the least work. */
const LEAN: Partial<IHttpRequestOptions> = {
	timeout: 60_000,
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
};

const withKey =
	({ helpers }: IExecuteFunctions): Send =>
	async (request) =>
		await helpers.httpRequest({ ...request, headers: { apiKey: 'key' } });

/** Nodes that only call n8n's helpers in a loop, by their type in this benchmark. */
export const helperNodes = (url: string, concurrency: number): Record<string, INodeType> => ({
	'bench.helper': looping('Helper', url, concurrency, {}, withKey),
	'bench.helperLean': looping('Helper, lean', url, concurrency, LEAN, withKey),
	'bench.helperCredential': looping(
		'Helper, credential',
		url,
		concurrency,
		LEAN,
		async (context) => {
			const data = await context.getCredentials(CREDENTIAL);
			const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data };
			const { httpRequestWithAuthentication } = context.helpers;
			return async (request) =>
				await httpRequestWithAuthentication.call(context, CREDENTIAL, request, {
					credentialsDecrypted,
				});
		},
	),
});
