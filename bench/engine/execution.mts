import type { INode, INodeExecutionData, INodeType, INodeTypes, IWorkflowBase } from 'n8n-workflow';
import { bareNodes } from '../nodes/bare.mts';
import { inputItem, type Job } from './job.mts';
import type { N8n } from './n8n.mts';

/** The id of the executions' workflow, which n8n's notes belong to. */
export const WORKFLOW = 'bench';

const START = 'Start';
const NODE = 'Node';

const node = (name: string, rest: Job['node']): INode => ({
	id: name,
	name,
	position: [0, 0],
	...rest,
});

/** n8n's own nodes, ours, and those of this benchmark. */
function typesOf(n8n: N8n, bare: Record<string, INodeType>): INodeTypes {
	const find = (type: string, version?: number) =>
		bare[type] ?? (n8n.nodeTypes.getByNameAndVersion(type, version) as INodeType);
	return { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
}

/**
 * Prepares one execution, by n8n's own engine, of a workflow with a trigger and one node.
 *
 * @returns a function that runs it, and that throws when the node or an item fails
 */
export async function prepareExecution(n8n: N8n, job: Job): Promise<() => Promise<void>> {
	const { core, workflow } = n8n;
	const { items, url } = job;
	const start = node(START, {
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		parameters: {},
	});
	const flow = new workflow.Workflow({
		id: WORKFLOW,
		name: 'Benchmark',
		active: true,
		nodes: [start, node(NODE, job.node)],
		connections: { [START]: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
		nodeTypes: typesOf(n8n, bareNodes(url)),
	});
	const data = Array.from(
		{ length: items },
		(_, item): INodeExecutionData => ({ json: inputItem(item), pairedItem: { item } }),
	);
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

	return async () => {
		const { resultData } = (await execution.processRunExecutionData(flow)).data;
		// n8n returns an error in the form in which it saves it, which is not an Error.
		if (resultData.error) throw new Error(resultData.error.message);
		const output = resultData.runData[NODE]?.[0].data?.main[0] ?? [];
		const failed = output.find(({ json, error }) => error ?? 'error' in json);
		if (failed) throw new Error(`An item failed: ${JSON.stringify(failed.json)}`);
		if (output.length === 0) throw new Error('The node output nothing.');
	};
}
