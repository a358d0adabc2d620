import type {
	IDataObject,
	INode,
	INodeType,
	INodeTypes,
	IRunData,
	IWorkflowExecuteAdditionalData,
	ExecuteWorkflowData,
	INodeExecutionData,
	RelatedExecution,
	Workflow,
} from 'n8n-workflow';
import { Database } from './database.mts';
import { core, workflow as w } from './engine.mts';
import type { Package } from './nodes.mts';
import {
	additionalDataOf,
	beginsAt,
	credentialsHelperOf,
	itemsOf,
} from '../support/n8n/execution.mts';
import {
	type Active,
	Installation,
	Job,
	type Process as ProcessOfN8n,
	type Running as RunningIn,
	type SavedWorkflow,
} from '../support/n8n/installation.mts';
import { ownerNow } from '../support/n8n/owners.mts';
import type { ProcessedData } from '../support/n8n/processedData.mts';
import { ADDRESS, KEY } from './service.mts';
import { type Output, standIns } from './workflow.mts';
import { worldNow, type World } from './world.mts';

/*
 * What the simulation adds to the n8n of the tests (test/support/n8n/installation.mts): processes with their own copies of
 * the package, and what the checks must know of them.
 */

export { Job, type SavedWorkflow };
export type Running = RunningIn<Process>;

let loadPackage: (() => Package) | undefined;

/** Sets the package that the processes of n8n load. */
export function usePackage(load: () => Package): void {
	loadPackage = load;
}

const FULL = new Error('The pool is full');

/** One process of n8n, with its own copy of the package: nothing in the package's memory is shared. */
export class Process implements ProcessOfN8n {
	isAlive = true;

	readonly log: string[] = [];

	readonly active = new Map<string, Active>();

	/** When it was killed. */
	diedAt = Infinity;

	readonly number: number;

	readonly nodeTypes: INodeTypes;

	readonly authenticate: InstanceType<Package['MessagingApi']>['authenticate'];

	constructor(number: number) {
		this.number = number;
		const { Messaging, MessagingTrigger, MessagingApi } = loadPackage!();
		this.authenticate = new MessagingApi().authenticate;
		const messaging = new Messaging();
		const { execute } = messaging;
		messaging.execute = async function () {
			const job = jobNow();
			job.working++;
			job.hasWorked = true;
			job.tries++;
			job.runs.push({
				node: this.getNode(),
				index: this.getWorkflowDataProxy(0).$runIndex as number,
				items: this.getInputData(),
				at: Date.now(),
			});
			return await execute!.call(this).finally(() => job.working--);
		};
		const types: Record<string, INodeType> = {
			'n8n-nodes-messaging.messaging': messaging,
			'n8n-nodes-messaging.messagingTrigger': new MessagingTrigger(),
			...standIns,
		};
		const getByNameAndVersion = (type: string) => types[type];
		this.nodeTypes = {
			getByName: getByNameAndVersion,
			getByNameAndVersion,
			getKnownTypes: () => ({}),
		};
	}

	toString(): string {
		return `process ${this.number}`;
	}

	workflow(
		{ id, nodes, connections, settings }: SavedWorkflow,
		staticData?: IDataObject,
	): Workflow {
		const workflow = new w.Workflow({
			id,
			name: id,
			active: true,
			nodes,
			connections,
			nodeTypes: this.nodeTypes,
			settings: settings as never,
			staticData,
		});
		const cannotBegin = worldNow().choices.chance(`${ownerNow()} cannot begin`, 0.02);
		// As when all isolates for expressions are taken.
		if (cannotBegin) {
			worldNow().n8n.hasFailedToBegin = true;
			workflow.expression.acquireIsolate = async () => await Promise.reject(FULL);
		}
		return workflow;
	}

	/** The data that n8n gives to each execution context (`workflow-execute-additional-data.js`). */
	additionalData(extra: Partial<IWorkflowExecuteAdditionalData>): IWorkflowExecuteAdditionalData {
		const credentialsHelper = credentialsHelperOf(this.authenticate, async () => CREDENTIAL);
		const { executionTimeoutTimestamp } = extra;
		const executeWorkflow: IWorkflowExecuteAdditionalData['executeWorkflow'] = async (
			{ id },
			_,
			{ inputData, parentExecution },
		) =>
			await worldNow().n8n.callAndWait(this, id!, executionTimeoutTimestamp, {
				items: inputData!,
				parentExecution,
			});
		return additionalDataOf({ credentialsHelper, executeWorkflow, ...extra });
	}
}

export const CREDENTIAL = { baseUrl: ADDRESS, apiKey: KEY, webhookSecret: '' };

/** How a node calls a sub-workflow. */
interface Calling {
	items: INodeExecutionData[];
	parentExecution: RelatedExecution | undefined;
}

/** What the editor's page knows of the last execution. */
export interface Editor {
	runData: IRunData;
	/** The names of the nodes that were edited since they ran. */
	edited: Set<string>;
}

/** Whether a node is the trigger of the workflow. */
const isStart = ({ type }: INode) => type === 'simulated.start';

/** An installation of n8n: processes that share a database. */
export class N8n extends Installation<Process, Database> {
	/** The saved workflows, by id. A person may change them. */
	readonly workflows = new Map<string, SavedWorkflow>();

	readonly processes: Process[] = [];

	/** The node's option *Timeout*, in ms. */
	requestLimit = 60_000;

	/** The executions of sub-workflows, by the id of the execution that called them. */
	readonly called = new Map<string, Running[]>();

	/** Whether it could not begin an execution. */
	hasFailedToBegin = false;

	/** The inputs of the nodes behind ours. */
	readonly outputs: Output[] = [];

	constructor(world: World) {
		super({ ...core, ...w }, new Database(), (...told) => world.tell(...told));
	}

	startProcess(): Process {
		const started = new Process(this.processes.length + 1);
		this.processes.push(started);
		return started;
	}

	/** Starts n8n again where a process died: it marks the executions that the crash left behind. */
	startAgain(hosts: Process[], place: number): void {
		if (hosts[place].isAlive) return;
		hosts[place] = this.startProcess();
		const { choices } = worldNow();
		this.recover((id) => choices.chance(`execution ${id} has an event log`, 0.5));
		worldNow().tell(`n8n starts again as ${hosts[place]}`);
	}

	override kill(killed: Process): void {
		if (killed.isAlive) killed.diedAt = Date.now();
		super.kill(killed);
	}

	/** Names the executions and clicks that have not ended. */
	waiting(): string[] {
		const alive = this.processes.filter(({ isAlive }) => isAlive);
		return alive.flatMap(({ active }) => [...active.keys()].map((key) => `execution ${key}`));
	}

	/** Ends the world: kills all processes. */
	end(): void {
		for (const ended of this.processes) ended.isAlive = false;
	}

	/** Starts an execution with the items of a trigger. */
	start(process: Process, workflowId: string, items: IDataObject[]): Running {
		const saved = this.workflows.get(workflowId)!;
		const data = w.createRunExecutionData(beginsAt(saved.nodes.find(isStart)!, [itemsOf(items)]));
		return this.begin(process, saved, data, 'webhook');
	}

	/** Runs a sub-workflow, and returns what its last node outputs. */
	async callAndWait(
		process: Process,
		workflowId: string,
		deadline: number | undefined,
		{ items, parentExecution }: Calling,
	): Promise<ExecuteWorkflowData> {
		const caller = jobNow().id;
		const saved = this.workflows.get(workflowId)!;
		const begins = beginsAt(saved.nodes.find(isStart)!, [items]);
		const data = w.createRunExecutionData({ ...begins, parentExecution });
		const running = this.call(process, saved, data, deadline);
		this.called.set(caller, [...(this.called.get(caller) ?? []), running]);
		// The caller is dead, too.
		if ((await running.over) === 'killed') return await new Promise(() => {});
		const { error, lastNodeExecuted, runData } = running.data.resultData;
		if (error) throw Object.assign(new Error(error.message), error);
		if (running.job.cancelledAt) throw new Error('The sub-workflow was cancelled.');
		return { executionId: running.id, data: runData[lastNodeExecuted!].at(-1)!.data!.main };
	}

	/**
	 * *Execute step* of a node, or *Execute workflow* (`manual-execution.service.js`, `runManually`).
	 *
	 * @param editor what the page shows: the outputs of the nodes, and which of them were edited since
	 */
	press(process: Process, saved: SavedWorkflow, step: string | undefined, editor: Editor): Running {
		const startNode = saved.nodes.find(isStart)!;
		const destinationNode = step ? ({ nodeName: step, mode: 'inclusive' } as const) : undefined;
		const { runData, edited } = editor;
		return this.beginByHand(process, saved, (execution, workflow) =>
			destinationNode && runData[startNode.name]
				? execution.runPartialWorkflow2(
						workflow,
						structuredClone(runData),
						{},
						[...edited],
						destinationNode,
					)
				: execution.run({
						workflow,
						startNode: workflow.getNode(startNode.name)!,
						destinationNode,
					}),
		);
	}
}

/** n8n has one deduplication; each world has a database of its own. */
const deduplicator = new Proxy({} as ProcessedData, {
	get: (_, method: keyof ProcessedData) => {
		const { processed } = worldNow().n8n.database;
		return (processed[method] as (...values: unknown[]) => unknown).bind(processed);
	},
});

await core.DataDeduplicationService.init(deduplicator);

/** Returns the execution that the calling code runs in. */
export function jobNow(): Job<Process> {
	const owner = ownerNow();
	if (!(owner instanceof Job)) throw new Error('This runs outside of any execution.');
	return owner;
}
