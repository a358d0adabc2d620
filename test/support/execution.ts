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
} from 'n8n-workflow';
import { type Harness, START } from './harness';
import { beginsAt, dropFailedRun, inARow, itemsOf, useNodesOf } from './n8n';

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
		private readonly saved: string,
	) {}

	static async start(harness: Harness, plan: Plan): Promise<Execution> {
		const { resumeToken } = plan;
		const begin = beginsAt(START, [itemsOf(plan.items)]);
		return await this.execute(harness, plan, createRunExecutionData({ resumeToken, ...begin }));
	}

	private static async execute(harness: Harness, plan: Plan, data: IRunExecutionData) {
		const additionalData = harness.additionalData(plan.credentials);
		let save: (saved: string) => void;
		const saved = new Promise<string>((resolve) => (save = resolve));
		// n8n saves a cancelled execution at once, even if its node still runs; it reads its database before it writes.
		additionalData.hooks!.addHandler('workflowExecuteAfter', async (run) => {
			await sleep(0);
			save(JSON.stringify({ status: run.status, data: run.data }));
		});
		const run = await harness.execute(workflowOf(harness, plan), data, additionalData, plan);
		return new Execution(harness, plan, run, await saved);
	}

	/**
	 * A person's *Retry*: n8n loads the saved data, drops the failed run, and continues with the nodes as they are now.
	 *
	 * @param changes the person's changes in the node since then
	 */
	async retry(changes: Partial<Plan> = {}): Promise<Execution> {
		const { data } = this.state;
		const plan: Plan = { ...this.plan, mode: 'retry', ...changes };
		dropFailedRun(data);
		useNodesOf(workflowOf(this.harness, plan), data);
		return await Execution.execute(this.harness, plan, data);
	}

	/** What n8n has saved. */
	private get state() {
		return JSON.parse(this.saved) as { status: ExecutionStatus; data: IRunExecutionData };
	}

	get status() {
		return this.state.status;
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
		const { executionData, resultData } = this.state.data;
		const isNext = executionData!.nodeExecutionStack.some(({ node }) => node.name === NAME);
		return !isNext && !resultData.runData[NAME]?.length;
	}

	/** The data that the node has saved in the execution. */
	get memory(): IDataObject {
		const context = this.run.data.executionData?.contextData[`node:${NAME}`];
		return (context as IDataObject | undefined) ?? {};
	}
}

function workflowOf(harness: Harness, plan: Plan) {
	const { parameters, node, others = {}, connections } = plan;
	return harness.workflow(
		[
			START,
			harness.node('messaging', parameters, { id: NAME, name: NAME, ...node }),
			...Object.entries(others).map(([name, values]) =>
				harness.node('messaging', values, { id: name, name }),
			),
		],
		connections ?? inARow('Start', NAME),
	);
}
