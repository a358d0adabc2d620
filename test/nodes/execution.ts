import {
	type IConnections,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type IRunExecutionData,
	type RelatedExecution,
	type WorkflowExecuteMode,
	createRunExecutionData,
	ManualExecutionCancelledError,
	sleep,
	UnexpectedError,
} from 'n8n-workflow';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { type Harness, START } from '../support/harness';
import {
	beginsAt,
	continueWith,
	inARow,
	Installation,
	itemsOf,
	type Process,
	type Running,
	type SavedWorkflow,
} from '../support/n8n';

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
	/** The token that an execution shares with its retries; undefined in an n8n that gives none. */
	resumeToken?: string;
	/** How n8n started the execution, by default in production; `retry` is a person's *Retry*. */
	mode?: WorkflowExecuteMode;
	/** The execution that called this one, as a sub-workflow. */
	parentExecution?: RelatedExecution;
	/** The public address of n8n. */
	address?: string;
	/** Further nodes of the same kind, by name. */
	others?: Record<string, Partial<INode>>;
};

/** The name of the node, unless a plan gives it another. */
const NAME = 'Messaging';

/**
 * One execution of the workflow manual trigger → Messaging in n8n's engine, with the data that n8n would save.
 * Unlike {@link Harness.run}, it can be cancelled, and retried as from the list of executions.
 */
export class Execution {
	private constructor(
		private readonly harness: Harness,
		private readonly plan: Plan,
		private readonly n8n: InstanceType<typeof Installation>,
		private readonly running: Running,
	) {}

	static async start(harness: Harness, plan: Plan): Promise<Execution> {
		const { resumeToken, parentExecution, mode = 'trigger' } = plan;
		const n8n = new Installation({
			ExecutionLifecycleHooks,
			ManualExecutionCancelledError,
			WorkflowExecute,
		});
		const begin = beginsAt(START, [itemsOf(plan.items)]);
		const data = createRunExecutionData({ resumeToken, parentExecution, ...begin });
		const running = n8n.begin(hostOf(harness, plan), workflowOf(harness, plan), data, mode);
		return await new Execution(harness, plan, n8n, running).untilSaved();
	}

	/**
	 * A person's *Retry*: n8n loads the saved data, drops the failed run, and continues with the nodes as they are now.
	 *
	 * @param changes the person's changes in the node since then
	 */
	async retry(changes: Partial<Plan> = {}): Promise<Execution> {
		const { harness, n8n } = this;
		const plan: Plan = { ...this.plan, ...changes };
		const host = hostOf(harness, plan);
		const running = await n8n.retry(host, this.running.id, workflowOf(harness, plan));
		if (!running) throw new UnexpectedError('n8n offers no Retry of this execution.');
		return await new Execution(harness, plan, n8n, running).untilSaved();
	}

	/** Retries it as if n8n had been killed while it continued with this answer. */
	async retryAfterAnswer(answer: INodeExecutionData[][]): Promise<Execution> {
		const record = this.n8n.database.executions.get(this.running.id)!;
		const data = JSON.parse(record.data) as IRunExecutionData;
		continueWith(data, answer);
		Object.assign(record, { data: JSON.stringify(data), status: 'crashed' });
		return await this.retry();
	}

	/** n8n saves a cancelled execution at once, even if its node still runs. */
	private async untilSaved(): Promise<this> {
		void this.plan.cancelWhen?.().then(() => this.n8n.cancel(this.running));
		await this.running.over;
		while (this.status === 'running') await sleep(0);
		return this;
	}

	/** The workflow as it was saved. */
	get workflow() {
		return hostOf(this.harness, this.plan).workflow(workflowOf(this.harness, this.plan));
	}

	/** What n8n has saved. */
	get saved() {
		return this.n8n.shown(this.running.id);
	}

	private get name() {
		return this.plan.node?.name ?? NAME;
	}

	private get lastRun() {
		return this.running.data.resultData.runData[this.name]?.at(-1);
	}

	get status() {
		return this.saved.status;
	}

	get error() {
		return this.running.data.resultData.error as (Error & { description?: string }) | undefined;
	}

	/** The node's output items, all outputs of its last run in one list. */
	get items(): INodeExecutionData[] {
		return (this.lastRun?.data?.main ?? []).flatMap((items) => items ?? []);
	}

	/** The notices above the node's output. */
	get hints(): string[] {
		return (this.lastRun?.hints ?? []).map(({ message }) => message);
	}

	/** Whether a *Retry* would do nothing, because n8n has saved neither a run of the node nor that it must run. */
	get isForgotten() {
		const { executionData, resultData } = this.saved.data;
		const isNext = executionData!.nodeExecutionStack.some(({ node }) => node.name === this.name);
		return !isNext && !resultData.runData[this.name]?.length;
	}

	/** The data that the node has saved in the execution. */
	get memory(): IDataObject {
		const context = this.running.data.executionData?.contextData[`node:${this.name}`];
		return (context as IDataObject | undefined) ?? {};
	}
}

/** A process of n8n with this package and this credential. */
const hostOf = (harness: Harness, { credentials, address }: Plan): Process => ({
	isAlive: true,
	active: new Map(),
	log: [],
	workflow: ({ nodes, connections }, data) => harness.workflow(nodes, connections, data),
	additionalData: (extra) => harness.additionalData(credentials, extra, address),
});

function workflowOf(harness: Harness, plan: Plan): SavedWorkflow {
	const { parameters, node, others = {}, connections } = plan;
	const messaging = (id: string, more: Partial<INode>) =>
		harness.node('messaging', more.parameters ?? {}, { id, name: id, ...more });
	return {
		id: 'test',
		nodes: [
			START,
			messaging(NAME, { ...node, parameters }),
			...Object.entries(others).map(([name, more]) => messaging(name, more)),
		],
		connections: connections ?? inARow('Start', node?.name ?? NAME),
	};
}
