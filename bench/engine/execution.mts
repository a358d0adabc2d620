import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
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
	// another thread. That takes at least 60 ms for any node, so it happens before the run is measured.
	await flow.expression.acquireIsolate();

	/** Runs the execution. @throws when the node or an item fails */
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

const description = (name: string): INodeTypeDescription => ({
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
});

type Send = (request: IHttpRequestOptions) => Promise<unknown>;

/** A node that sends one message per item through one of n8n's helpers, and does not check the answers. */
const looping = (
	name: string,
	url: string,
	concurrency: number,
	options: Partial<IHttpRequestOptions>,
	sendWith: (context: IExecuteFunctions) => Send | Promise<Send>,
): INodeType => ({
	description: description(name),
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

/**
 * A node that makes the request of Campaign Send without any check: it maps the recipients to the body, sends it, and
 * outputs an item per recipient.
 */
const bareCampaign = (
	name: string,
	url: string,
	recipientsIn: (items: INodeExecutionData[]) => Array<{ to: unknown; identifier: unknown }>,
): INodeType => ({
	description: description(name),
	async execute(this: IExecuteFunctions) {
		const recipients = recipientsIn(this.getInputData());
		const { data } = (await withKey(this)({
			method: 'POST',
			url: `${url}/api/public/chatapp/campaign`,
			body: {
				from: '385910000000',
				messages: recipients.map(({ to, identifier }) => ({
					to,
					save: false,
					template: { name: 'order_ready' },
					identifier,
				})),
			},
			json: true,
		})) as { data: IDataObject };
		const isRows = recipients.length === this.getInputData().length;
		return [
			recipients.map(({ to, identifier }, item) => ({
				json: { to, identifier, ...data } as IDataObject,
				pairedItem: { item: isRows ? item : 0 },
			})),
		];
	},
});

/** A node that only has n8n evaluate its parameter, and passes its items on. */
const evaluating = (name: string): INodeType => ({
	description: {
		...description(name),
		properties: [{ displayName: 'List', name: 'list', type: 'json', default: '' }],
	},
	async execute(this: IExecuteFunctions) {
		const items = this.getInputData();
		const list = this.getNodeParameter('list', 0) as unknown[];
		if (list.length !== items.length) throw new Error('The expression did not return the list.');
		return [items];
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

/** Nodes that only call n8n's helpers, by their type in this benchmark. */
export const helperNodes = (url: string, concurrency: number): Record<string, INodeType> => ({
	'bench.bareCampaign': bareCampaign('Bare campaign', url, (items) =>
		items.map(({ json }) => ({ to: json.phone, identifier: json.order })),
	),
	'bench.bareCampaignList': bareCampaign(
		'Bare campaign, list',
		url,
		([{ json }]) => json.recipients as Array<{ to: string; identifier: string }>,
	),
	'bench.evaluateList': evaluating('Evaluate list'),
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
