import type { INode, INodeExecutionData, INodeType, INodeTypes, IWorkflowBase } from 'n8n-workflow';
import { helperNodes } from './helperNodes.mts';
import { inputItems } from './items.mts';
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

/** A workflow of a trigger and one node, ready to be run once by n8n's own engine. */
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

	// For each execution n8n takes an isolate for its expressions from a pool and makes the pool another
	// one on a thread of its own, 60 ms and more whatever the node. Taken here, that is over before the run.
	await flow.expression.acquireIsolate();

	/** @throws what the node failed with */
	return async () => {
		const { resultData } = (await execution.processRunExecutionData(flow)).data;
		// n8n keeps of an error what can be saved: it is no Error any more.
		if (resultData.error) throw new Error(resultData.error.message);
		const output = resultData.runData[NODE]?.[0].data?.main[0] ?? [];
		const failed = output.find(({ json, error }) => error ?? 'error' in json);
		if (failed) throw new Error(`An item failed: ${JSON.stringify(failed.json)}`);
		return { output, runData: resultData.runData };
	};
}
