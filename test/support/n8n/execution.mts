import type * as Core from 'n8n-core';
import type {
	IConnections,
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	IRunExecutionData,
	IWebhookData,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
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

/** Resolves credentials like n8n's own `CredentialsHelper`, without a database. */
export const credentialsHelperOf = (
	authenticate: (data: ICredentialDataDecryptedObject, request: IHttpRequestOptions) => unknown,
	getDecrypted: (type: string) => Promise<unknown>,
) =>
	({
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getCredentialsProperties: () => [],
		getDecrypted: async (_data: unknown, _node: unknown, type: string) => await getDecrypted(type),
		authenticate: async (
			data: ICredentialDataDecryptedObject,
			_type: string,
			request: IHttpRequestOptions,
		) => await authenticate(data, request),
		preAuthentication: async () => undefined,
		runPreAuthentication: async () => undefined,
		updateCredentials: async () => {},
		updateCredentialsOauthTokenData: async () => {},
		getCredentials: async () => ({}),
	}) as unknown as ICredentialsHelper;

/** The context in which n8n calls the `webhook` function of a node (`webhooks/webhook.service.js`). */
export function webhookContext(
	{ WebhookContext }: Pick<typeof Core, 'WebhookContext'>,
	workflow: Workflow,
	node: INode,
	mode: WorkflowExecuteMode,
	additionalData: IWorkflowExecuteAdditionalData,
	data: IRunExecutionData | null = null,
) {
	const { description } = workflow.nodeTypes.getByNameAndVersion(node.type);
	const webhookData = { node: node.name, webhookDescription: description.webhooks![0] };
	return new WebhookContext(
		workflow,
		node,
		additionalData,
		mode,
		webhookData as IWebhookData,
		[],
		data,
	);
}

/**
 * What n8n does when a trigger has returned that the workflow starts: it writes the execution, and then reads the answer and
 * gives it (`webhooks/webhook-helpers.js`).
 *
 * @returns the answer
 */
export async function startByWebhook(
	result: IWebhookResponseData,
	{ write }: { write: () => Promise<void> },
) {
	await write().catch((cause: unknown) => {
		throw new Error('There was a problem executing the workflow', { cause });
	});
	return (result.webhookResponse ?? { message: 'Workflow was started' }) as IDataObject;
}

/**
 * Puts the answer into a waiting execution: the node that waits passes it on (`webhooks/waiting-webhooks.js`,
 * `webhooks/webhook-helpers.js`).
 */
export function continueWith(data: IRunExecutionData, answer: INodeExecutionData[][]): void {
	const [waiting] = data.executionData!.nodeExecutionStack;
	const { lastNodeExecuted, runData } = data.resultData;
	data.waitTill = undefined;
	waiting.node.disabled = true;
	waiting.data.main = answer;
	waiting.metadata = { ...waiting.metadata, forwardAllOutputs: true };
	runData[lastNodeExecuted!].pop();
}
