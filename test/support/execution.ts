import {
	type ExecutionStatus,
	type IConnections,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type IRun,
	type IRunExecutionData,
	type WorkflowExecuteMode,
	createRunExecutionData,
	sleep,
	Workflow,
} from 'n8n-workflow';
import { WorkflowExecute } from 'n8n-core';
import type { Harness } from './harness';

type Credentials = { messagingApi: { baseUrl: string; apiKey: string } };

export type Plan = {
	parameters: INodeParameters;
	items: IDataObject[];
	credentials: Credentials;
	/** Settings of the node, such as `retryOnFail` or `onError`. */
	node?: Partial<INode>;
	/** Cancels the execution when this resolves. */
	cancelWhen?: () => Promise<unknown>;
	/** By default the start node is connected to the node, whose name is `Messaging`. */
	connections?: IConnections;
	/** The token that an execution shares with its retries; undefined in n8n before 2.14. */
	resumeToken?: string;
	/** How n8n started the execution; `retry` is a person's *Retry*. */
	mode?: WorkflowExecuteMode;
	/** Further nodes of the same kind, by name, with their parameters. */
	others?: Record<string, INodeParameters>;
};

/** The part of an execution that n8n saves. */
type Saved = { status: ExecutionStatus; data: string };

const NAME = 'Messaging';

/**
 * One execution of the workflow manual trigger → Messaging in n8n's engine, with the data that n8n would save.
 * Unlike {@link Harness.run}, it can be cancelled, and retried as from the list of executions.
 */
export class Execution {
	private constructor(
		private readonly harness: Harness,
		private readonly plan: Plan,
		private readonly run: IRun,
		private readonly saved: Saved,
	) {}

	static async start(harness: Harness, plan: Plan): Promise<Execution> {
		const items: INodeExecutionData[] = plan.items.map((json, item) => ({
			json,
			pairedItem: { item },
		}));
		const workflow = workflowOf(harness, plan);
		const start = workflow.getNode('Start')!;
		const data = createRunExecutionData({
			resumeToken: plan.resumeToken,
			executionData: {
				nodeExecutionStack: [{ node: start, data: { main: [items] }, source: null }],
			},
		});
		return await this.execute(harness, plan, data);
	}

	private static async execute(harness: Harness, plan: Plan, data: IRunExecutionData) {
		const additionalData = harness.additionalData(plan.credentials);
		let save: ((saved: Saved) => void) | undefined;
		const saved = new Promise<Saved>((resolve) => (save = resolve));
		// n8n saves a cancelled execution at once, even if its node still runs; it reads its database before it
		// writes.
		additionalData.hooks!.addHandler('workflowExecuteAfter', async ({ status, data: runData }) => {
			await sleep(0);
			save!({ status, data: JSON.stringify(runData) });
		});
		const execution = new WorkflowExecute(additionalData, plan.mode ?? 'manual', data);
		const running = execution.processRunExecutionData(workflowOf(harness, plan));
		void plan.cancelWhen?.().then(() => {
			running.cancel();
		});
		const run = await running;
		return new Execution(harness, plan, run, await saved);
	}

	/**
	 * A person's *Retry*: n8n loads the saved data, drops the failed run, and continues.
	 *
	 * @param changes the person's changes in the node since then
	 */
	async retry(changes: Partial<Plan> = {}): Promise<Execution> {
		const data = JSON.parse(this.saved.data) as IRunExecutionData;
		const { resultData } = data;
		delete resultData.error;
		const runs = resultData.runData[resultData.lastNodeExecuted!];
		if (runs?.at(-1)?.error) runs.pop();
		const plan: Plan = { ...this.plan, mode: 'retry', ...changes };
		// "Retry with currently saved workflow" uses the current node.
		const node = workflowOf(this.harness, plan).getNode(NAME)!;
		for (const entry of data.executionData!.nodeExecutionStack) {
			if (entry.node.name === NAME) entry.node = node;
		}
		return await Execution.execute(this.harness, plan, data);
	}

	get status() {
		return this.saved.status;
	}

	get error() {
		return this.run.data.resultData.error as (Error & { description?: string }) | undefined;
	}

	/** The node's output items, all outputs of its last run in one list. */
	get items(): INodeExecutionData[] {
		const run = this.run.data.resultData.runData[NAME]?.at(-1);
		return (run?.data?.main ?? []).flatMap((items) => items ?? []);
	}

	/** The notices above the node's output. */
	get hints(): string[] {
		const run = this.run.data.resultData.runData[NAME]?.at(-1);
		return (run?.hints ?? []).map(({ message }) => message);
	}

	/** Whether a *Retry* would do nothing, because n8n has saved neither a run of the node nor that it must run. */
	get isForgotten() {
		const { executionData, resultData } = JSON.parse(this.saved.data) as IRunExecutionData;
		const isNext = executionData!.nodeExecutionStack.some(({ node }) => node.name === NAME);
		return !isNext && !resultData.runData[NAME]?.length;
	}

	/** The data that the node has saved in the execution. */
	get memory(): IDataObject {
		const context = this.run.data.executionData?.contextData[`node:${NAME}`];
		return (context as IDataObject | undefined) ?? {};
	}
}

function workflowOf(
	harness: Harness,
	{ parameters, node, others = {}, connections }: Plan,
): Workflow {
	const messaging = (name: string, values: INodeParameters): INode => ({
		id: name,
		name,
		type: harness.type('messaging'),
		typeVersion: 1,
		position: [200, 0],
		parameters: structuredClone(values),
		credentials: { messagingApi: { id: '1', name: 'test' } },
	});
	const start: INode = {
		id: 'start',
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	return new Workflow({
		id: 'test',
		name: 'test',
		active: false,
		nodes: [
			start,
			{ ...messaging(NAME, parameters), ...node },
			...Object.entries(others).map(([name, values]) => messaging(name, values)),
		],
		connections: connections ?? { Start: { main: [[{ node: NAME, type: 'main', index: 0 }]] } },
		nodeTypes: harness.nodeTypes,
	});
}
