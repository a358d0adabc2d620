import type {
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';

/*
 * What n8n does around its engine, written after the sources of n8n 2.41; each function names its source file below
 * `n8n/dist/`. The engine tests and the simulation use the same.
 */

/** A node; those of this package have a credential. */
export const node = (
	name: string,
	type: string,
	parameters: IDataObject = {},
	more: Partial<INode> = {},
): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters: structuredClone(parameters) as INode['parameters'],
	...(type.startsWith('n8n-nodes-messaging.') && {
		credentials: { messagingApi: { id: '1', name: 'test' } },
	}),
	...more,
});

/** A connection to a node's input. */
export const to = (name: string) => ({ node: name, type: 'main' as const, index: 0 });

/** Connections of nodes in a row. */
export const inARow = (...names: string[]): IConnections =>
	Object.fromEntries(names.slice(1).map((name, index) => [names[index], { main: [[to(name)]] }]));

/** Rows as items that come into a workflow. */
export const itemsOf = (rows: IDataObject[]): INodeExecutionData[] =>
	rows.map((json, item) => ({ json, pairedItem: { item } }));

/** How an execution begins at a node, for `createRunExecutionData`. */
export const beginsAt = (start: INode, main: Array<INodeExecutionData[] | null>) => ({
	executionData: { nodeExecutionStack: [{ node: start, data: { main }, source: null }] },
});

/** The data that n8n gives to each execution context (`workflow-execute-additional-data.js`). */
export const additionalDataOf = (
	extra: Partial<IWorkflowExecuteAdditionalData>,
	address = 'https://n8n.test',
) =>
	({
		currentNodeExecutionIndex: 0,
		variables: {},
		restApiUrl: `${address}/rest`,
		instanceBaseUrl: address,
		webhookBaseUrl: `${address}/webhook`,
		webhookTestBaseUrl: `${address}/webhook-test`,
		webhookWaitingBaseUrl: `${address}/webhook-waiting`,
		formWaitingBaseUrl: `${address}/form-waiting`,
		...extra,
	}) as IWorkflowExecuteAdditionalData;

/** A person's *Retry*: n8n drops the failed run of the saved execution (`executions/execution.service.js`, `retry`). */
export function dropFailedRun({ resultData }: IRunExecutionData): void {
	if (!resultData.lastNodeExecuted) return;
	delete resultData.error;
	const runs = resultData.runData[resultData.lastNodeExecuted];
	if (runs?.at(-1)?.error !== undefined) runs.pop();
}

/** *Retry with currently saved workflow*: the nodes that wait for their run are those of this workflow. */
export function useNodesOf(workflow: Workflow, { executionData }: IRunExecutionData): void {
	for (const entry of executionData!.nodeExecutionStack) {
		entry.node = workflow.getNode(entry.node.name) ?? entry.node;
	}
}
