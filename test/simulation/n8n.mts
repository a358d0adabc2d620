import type {
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeType,
	INodeTypes,
	IRun,
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { clockNow, inTheNameOf, ownerNow, type Owner } from './clock.mts';
import { Database, type StoredExecution } from './database.mts';
import { core, workflow as w } from './engine.mts';
import type { Package } from './nodes.mts';
import {
	additionalDataOf,
	beginsAt,
	credentialsHelperOf,
	dropFailedRun,
	itemsOf,
	useNodesOf,
} from '../support/n8n/execution.mts';
import type { ProcessedData } from '../support/n8n/processedData.mts';
import { ADDRESS, KEY } from './service.mts';
import { type Output, standIns } from './workflow.mts';
import { worldNow, type World } from './world.mts';

/*
 * The part of n8n that decides what is sent, saved and shown. Its engine (n8n-core) is the real one. Everything around the
 * engine is written after the sources of n8n 2.41; each function names its source file below `n8n/dist/`. The sources of
 * n8n 2.40 that other files of this folder name do the same in 2.41.
 */

/** A workflow as it is saved. */
export interface SavedWorkflow {
	id: string;
	nodes: INode[];
	connections: IConnections;
	settings?: { executionTimeout?: number; saveExecutionProgress?: boolean };
}

let loadPackage: (() => Package) | undefined;

/** Sets the package that the processes of n8n load. */
export function usePackage(load: () => Package): void {
	loadPackage = load;
}

/** An execution, a webhook call, a poll or a person's click in a process. It owns the work that it causes. */
export class Job implements Owner {
	readonly process: Process;

	readonly name: string;

	/** ms that each of its requests may take at most. */
	readonly requestLimit: number;

	/** When it was cancelled, by a person or by the time-out of the workflow. */
	cancelledAt: number | undefined;

	/**
	 * The error of the retried execution, if n8n keeps it: the retry then ends with this error, whatever it does. n8n keeps the
	 * error of an execution that was stopped before any node had ended.
	 */
	inheritedError: IRunExecutionData['resultData']['error'];

	/** How many of its nodes are running. */
	working = 0;

	/** How often n8n has tried the current node. */
	tries = 0;

	/** One of our nodes has run in it. */
	hasWorked = false;

	/** Another process has overwritten a note of its process: it read the row before it was there, and wrote it afterwards. */
	hasLostNotes = false;

	/** It was cancelled in the pause between two tries of a node: n8n saves it without that node. */
	hasForgottenNode = false;

	constructor(process: Process, name: string, requestLimit = 60_000) {
		this.process = process;
		this.name = name;
		this.requestLimit = requestLimit;
	}

	get isAlive(): boolean {
		return this.process.isAlive;
	}

	get skew(): number {
		return this.process.skew;
	}

	get log(): string[] {
		return this.process.log;
	}

	toString(): string {
		return this.name;
	}
}

/** An execution from its start to its end, also when its process is killed. */
export interface Running {
	id: string;
	job: Job;
	/** Resolves when the execution has ended, or its process is dead. */
	over: Promise<'ended' | 'killed'>;
}

/** An execution that n8n has stored. */
export interface Begun {
	id: string;
	workflowId: string;
	process: Process;
	/** When n8n stored it. */
	at: number;
	items: INodeExecutionData[];
	/** Nodes have begun to run; false when n8n fails before. */
	hasRun: boolean;
}

/** What the starter of an execution waits for. */
interface Beginning {
	/** Called when the execution has started: n8n then answers the webhook. */
	onStarted?: () => void;
	onFailed?: (error: Error) => void;
}

interface Active {
	cancel: () => void;
	settle: (end: 'ended' | 'killed') => void;
}

/** ms within which the node has written a crash note for the last time. */
const NOTED_AGAIN_WITHIN = 1100;

/** One process of n8n, with its own copy of the package: nothing in the package's memory is shared. */
export class Process {
	isAlive = true;

	skew = 0;

	readonly log: string[] = [];

	readonly active = new Map<string, Active>();

	/** Its notes in n8n's deduplication of items, with their row, and when they were written last. */
	readonly noted = new Map<string, { key: string; at: number }>();

	/** When it was killed. */
	diedAt = Infinity;

	readonly number: number;

	readonly nodeTypes: INodeTypes;

	readonly authenticate: InstanceType<Package['MessagingApi']>['authenticate'];

	/**
	 * Whether a note is missing that it wrote just before it was killed: it had no time to write it again, as it does after
	 * 25, 250 and 1,000 ms.
	 */
	hasLostNotes = (database: Database) =>
		[...this.noted.entries()].some(
			([item, { key, at }]) =>
				at > this.diedAt - NOTED_AGAIN_WITHIN && !database.processed.rows.get(key)?.includes(item),
		);

	constructor(number: number) {
		this.number = number;
		const { Messaging, MessagingTrigger, MessagingLogTrigger, MessagingApi } = loadPackage!();
		this.authenticate = new MessagingApi().authenticate;
		const messaging = new Messaging();
		const { execute } = messaging;
		messaging.execute = async function () {
			const job = jobNow();
			job.working++;
			job.hasWorked = true;
			job.tries++;
			return await execute!.call(this).finally(() => job.working--);
		};
		const types: Record<string, INodeType> = {
			'n8n-nodes-messaging.messaging': messaging,
			'n8n-nodes-messaging.messagingTrigger': new MessagingTrigger(),
			'n8n-nodes-messaging.messagingLogTrigger': new MessagingLogTrigger(),
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
		return new w.Workflow({
			id,
			name: id,
			active: true,
			nodes,
			connections,
			nodeTypes: this.nodeTypes,
			settings: settings as never,
			staticData,
		});
	}

	/** The data that n8n gives to each execution context (`workflow-execute-additional-data.js`). */
	additionalData(extra: Partial<IWorkflowExecuteAdditionalData>): IWorkflowExecuteAdditionalData {
		const credentialsHelper = credentialsHelperOf(this.authenticate, async () => CREDENTIAL);
		return additionalDataOf({ credentialsHelper, ...extra });
	}
}

export const CREDENTIAL = { baseUrl: ADDRESS, apiKey: KEY, webhookSecret: '' };

/** Whether a node is the trigger of the workflow. */
const isStart = ({ type }: INode) => type === 'simulated.start';

/** A node in n8n's event log, which survives a crash (`eventbus/`). */
interface LoggedNode {
	node: string;
	hasFinished: boolean;
}

/** ms by which the clock of a process may be wrong. */
const CLOCKS = [0, 0, 0, 0, 0, 0, 0, 0, 3000, -3000, 120_000, -120_000, 3_600_000, -14_400_000];

/** An installation of n8n: processes that share a database. */
export class N8n {
	readonly database = new Database();

	/** The saved workflows, by id. A person may change them. */
	readonly workflows = new Map<string, SavedWorkflow>();

	readonly processes: Process[] = [];

	/** Each process may run on a machine whose clock is wrong. */
	hasOwnClocks = false;

	/** The node's option *Timeout*, in ms. */
	requestLimit = 60_000;

	/** The inputs of the nodes behind ours. */
	readonly outputs: Output[] = [];

	/** Every execution that n8n has stored, in order. */
	readonly begun: Begun[] = [];

	readonly #world: World;

	readonly #eventLog = new Map<string, LoggedNode[]>();

	/**
	 * Executions that the wait tracker continued with outdated data: it read the data at the end of a limit, then waited for
	 * capacity, and meanwhile an answer continued the execution to its next wait.
	 */
	readonly continuedTwice = new Set<string>();

	/** How often n8n failed to save the static data of a trigger. */
	lostSaves = 0;

	/** How often a trigger has polled. */
	polls = 0;

	#executions = 0;

	constructor(world: World) {
		this.#world = world;
	}

	startProcess(): Process {
		const started = new Process(this.processes.length + 1);
		if (this.hasOwnClocks) {
			const question = `process ${started.number}/clock ahead by ms`;
			started.skew = this.#world.choices.oneOf(question, CLOCKS);
		}
		this.processes.push(started);
		return started;
	}

	/** Kills a process: none of its events happen any more. */
	kill(killed: Process): void {
		if (!killed.isAlive) return;
		killed.isAlive = false;
		killed.diedAt = clockNow().now;
		this.#world.counts.crashes++;
		for (const { settle } of killed.active.values()) settle('killed');
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
		const node = saved.nodes.find(isStart)!;
		const job = this.#job(process);
		return inTheNameOf(job, () => {
			const data = w.createRunExecutionData(beginsAt(node, [itemsOf(items)]));
			return this.#run(job, saved, data, 'webhook');
		});
	}

	/** Starts an execution with the output of a trigger node. Resolves when n8n answers the webhook. */
	async startFromTrigger(
		process: Process,
		saved: SavedWorkflow,
		data: IRunExecutionData,
		mode: WorkflowExecuteMode = 'webhook',
	): Promise<Running> {
		const job = this.#job(process);
		return await new Promise((resolve, reject) => {
			const running: Running = inTheNameOf(job, () =>
				this.#run(job, saved, data, mode, undefined, {
					onStarted: () => resolve(running),
					onFailed: reject,
				}),
			);
		});
	}

	/**
	 * Continues an execution that waits, unless another one was quicker (`active-executions.js`, `add`, with
	 * `expectedStatus: 'waiting'`; `workflow-runner.js`, `runMainProcess`).
	 *
	 * @param capacity ms that it waits for n8n's concurrency limit
	 * @param timedOutWith the data that the wait tracker read when the limit was over; undefined for an answer
	 */
	async resume(
		process: Process,
		id: string,
		data: IRunExecutionData,
		capacity: number,
		timedOutWith?: string,
	): Promise<boolean> {
		const { database } = this;
		const job = new Job(process, `execution ${id}`, this.requestLimit);
		return await inTheNameOf(job, async () => {
			if (capacity > 0) await new Promise((resolve) => setTimeout(resolve, capacity));
			const text = JSON.stringify(data);
			const isFirst = await database.access(`resume ${id}`, () => {
				const record = database.executions.get(id)!;
				if (record.status !== 'waiting') return false;
				if (timedOutWith !== undefined && timedOutWith !== record.data) this.continuedTwice.add(id);
				Object.assign(record, { status: 'running', data: text, waitTill: undefined, owner: job });
				return true;
			});
			if (!isFirst) return false;
			const { mode, workflow: workflowText } = database.executions.get(id)!;
			const saved = JSON.parse(workflowText) as SavedWorkflow;
			const hooks = new core.ExecutionLifecycleHooks(mode as never, id, saved as never);
			this.#addHooks(hooks, id, saved, process, mode as WorkflowExecuteMode);
			const additionalData = process.additionalData({ hooks, executionId: id });
			const workflow = process.workflow(saved);
			this.#world.tell(`execution ${id} continues in ${process}`);
			const execution = new core.WorkflowExecute(additionalData, mode as never, data);
			const key = `continued ${id}`;
			process.active.set(key, { cancel: () => {}, settle: () => process.active.delete(key) });
			await execution.processRunExecutionData(workflow);
			process.active.delete(key);
			return true;
		});
	}

	#job(process: Process): Job {
		return new Job(process, `execution ${++this.#executions}`, this.requestLimit);
	}

	/**
	 * A person's *Retry* (`executions/execution.service.js`, `retry`).
	 *
	 * @param edited the workflow that the person has just saved, for *Retry with currently saved workflow*
	 */
	async retry(
		process: Process,
		executionId: string,
		edited?: SavedWorkflow,
	): Promise<Running | undefined> {
		const job = this.#job(process);
		return await this.#inTime(
			process,
			async () =>
				await inTheNameOf(job, async () => {
					const { database } = this;
					const execution = await database.access(`find ${executionId}`, () => ({
						...database.executions.get(executionId)!,
					}));
					const data = JSON.parse(execution.data) as IRunExecutionData;
					if (execution.status === 'new' || !data.executionData || execution.finished)
						return undefined;
					let saved = JSON.parse(execution.workflow) as SavedWorkflow;
					dropFailedRun(data);
					if (edited) {
						saved = structuredClone(edited);
						useNodesOf(process.workflow(saved), data);
					}
					job.inheritedError = data.resultData.error;
					const { owner } = execution;
					if (owner instanceof Job) {
						owner.hasLostNotes ||= owner.process.hasLostNotes(database);
					}
					return this.#run(job, saved, data, 'retry', executionId);
				}),
		);
	}

	/** Does work for a person, until it is done or the process dies. */
	async #inTime<T>(process: Process, work: () => Promise<T>): Promise<T | undefined> {
		return await new Promise((resolve, reject) => {
			const key = `click ${Math.random()}`;
			const settle = (value?: T) => {
				process.active.delete(key);
				clockNow().plan(0, undefined, () => resolve(value));
			};
			process.active.set(key, { cancel: () => {}, settle: () => settle() });
			work().then(settle, reject);
		});
	}

	/** Runs an execution (`workflow-runner.js`, `run` and `runMainProcess`; `active-executions.js`, `add`). */
	#run(
		job: Job,
		saved: SavedWorkflow,
		data: IRunExecutionData,
		mode: WorkflowExecuteMode,
		retryOf?: string,
		beginning: Beginning = {},
	): Running {
		const { process } = job;
		const id = job.name.replace('execution ', '');
		this.#world.counts.executions++;
		let settle: Active['settle'] = () => {};
		const over = new Promise<'ended' | 'killed'>((resolve) => {
			settle = (end) => {
				process.active.delete(id);
				// Without an owner, because the process may be dead.
				clockNow().plan(0, undefined, () => resolve(end));
			};
		});
		const active: Active = { cancel: () => {}, settle };
		process.active.set(id, active);
		const begins = retryOf ? `is the retry of execution ${retryOf}` : 'starts';
		this.#world.tell(
			`${job} ${begins} in ${process}`,
			retryOf ? undefined : `executions start in ${process}`,
		);
		void this.#execute(job, id, saved, data, mode, retryOf, active, beginning).then(
			() => settle('ended'),
			(error: Error) => {
				beginning.onFailed?.(error);
				process.log.push(`error: ${error.stack}`);
				settle('ended');
			},
		);
		return { id, job, over };
	}

	async #execute(
		job: Job,
		id: string,
		saved: SavedWorkflow,
		data: IRunExecutionData,
		mode: WorkflowExecuteMode,
		retryOf: string | undefined,
		active: Active,
		{ onStarted }: Beginning,
	): Promise<void> {
		const { process } = job;
		const { database } = this;
		const record: StoredExecution = {
			id,
			status: 'new',
			finished: false,
			mode,
			data: JSON.stringify(data),
			workflow: JSON.stringify(saved),
			retryOf,
			owner: job,
		};
		const items = structuredClone(data.executionData?.nodeExecutionStack[0]?.data.main[0] ?? []);
		const begun: Begun = { id, workflowId: saved.id, process, at: 0, items, hasRun: false };
		await database.access(`create ${id}`, () => {
			database.executions.set(id, record);
			this.begun.push(Object.assign(begun, { at: clockNow().now }));
		});
		const setRunning = () => {
			record.status = 'running';
		};
		await database.access(`${id} is running`, setRunning);
		const staticData = JSON.parse(database.staticData.get(saved.id) ?? '{}') as IDataObject;
		const workflow = process.workflow(structuredClone(saved), staticData);
		const limit = saved.settings?.executionTimeout ?? 0;
		const hooks = new core.ExecutionLifecycleHooks(mode, id, saved as never, retryOf);
		const additionalData = process.additionalData({
			hooks,
			executionId: id,
			executionTimeoutTimestamp: limit > 0 ? Date.now() + limit * 1000 : undefined,
		});
		await database.access(`${id} is running`, setRunning);
		this.#addHooks(hooks, id, saved, process, mode);
		begun.hasRun = true;
		onStarted?.();

		const execution = new core.WorkflowExecute(additionalData, mode, data);
		const running = execution.processRunExecutionData(workflow);
		active.cancel = () => {
			job.cancelledAt ??= clockNow().now;
			// Between two tries, the node is neither on the stack nor in the run data, and `setupCancellation` saves both
			// (n8n-core/dist/execution-engine/workflow-execute.js, `processRunExecutionData`).
			job.hasForgottenNode = job.tries > 0 && job.working === 0;
			running.cancel();
		};
		const timer =
			limit > 0
				? setTimeout(() => {
						this.#world.tell(`${job} is cancelled: its workflow's time is over`);
						active.cancel();
					}, limit * 1000)
				: undefined;
		await running;
		clearTimeout(timer);
	}

	#addHooks(
		hooks: InstanceType<typeof core.ExecutionLifecycleHooks>,
		id: string,
		{ id: workflowId, settings }: SavedWorkflow,
		process: Process,
		mode: WorkflowExecuteMode,
	): void {
		const { database } = this;
		const logged: LoggedNode[] = [];
		this.#eventLog.set(id, logged);
		hooks.addHandler('nodeExecuteBefore', (node) => {
			logged.push({ node, hasFinished: false });
		});
		hooks.addHandler('nodeExecuteAfter', async (node, _task, data) => {
			const last = logged.findLast((entry) => entry.node === node);
			if (last) last.hasFinished = true;
			const owner = ownerNow();
			if (owner instanceof Job) owner.tries = 0;
			if (!settings?.saveExecutionProgress) return;
			// execution-lifecycle/save-execution-progress.js
			data.resultData.lastNodeExecuted = node;
			await this.#update(
				id,
				() => ({ data: JSON.stringify(data), status: 'running' }),
				(record) => !record.finished && record.status !== 'canceled',
			);
		});
		hooks.addHandler('workflowExecuteAfter', async (run: IRun, newStaticData?: IDataObject) => {
			// execution-lifecycle/execution-lifecycle-hooks.js, hookFunctionsSave
			try {
				await save(run, newStaticData);
			} catch (error) {
				process.log.push(`error: ${(error as Error).message}`);
			}
		});
		const save = async (run: IRun, newStaticData?: IDataObject) => {
			if (newStaticData && mode !== 'manual') {
				const text = JSON.stringify(newStaticData);
				await database.access(`static data of ${workflowId}`, () =>
					database.staticData.set(workflowId, text),
				);
			}
			const status = finalStatus(run);
			await this.#update(
				id,
				() => ({
					data: JSON.stringify(run.data),
					status,
					finished: run.finished ?? false,
					...(run.waitTill && { waitTill: run.waitTill.getTime() }),
				}),
				// A cancelled execution stays cancelled.
				(record) => record.status !== 'canceled',
			);
			this.#world.tell(`execution ${id} ends: ${status}`, `executions end: ${status}`);
		};
	}

	/** Reads the row, then writes it, with the data at the time of writing (`executions/execution-persistence.js`). */
	async #update(
		id: string,
		change: () => Partial<StoredExecution>,
		condition: (record: StoredExecution) => boolean = () => true,
	): Promise<void> {
		const { database } = this;
		const found = await database.access(`find ${id}`, () =>
			condition(database.executions.get(id)!),
		);
		if (!found) return;
		const changed = change();
		await database.access(`update ${id}`, () => {
			const record = database.executions.get(id)!;
			if (condition(record)) Object.assign(record, changed);
		});
	}

	/** A person's *Stop* (`executions/execution.service.js`, `stop`, `stopInRegularMode`, `stopDuringRun`). */
	async stop(running: Running): Promise<void> {
		const { process } = running.job;
		const { database } = this;
		await this.#inTime(
			process,
			async () =>
				await inTheNameOf(new Job(process, 'Stop'), async () => {
					const execution = await database.access(`find ${running.id}`, () => ({
						...database.executions.get(running.id),
					}));
					if (execution.status !== 'new' && execution.status !== 'running') return;
					this.#world.tell(`a person stops ${running.job}`);
					const active = process.active.get(running.id);
					if (active) inTheNameOf(running.job, active.cancel);
					// It writes the data that it read before, without what happened since.
					const data = JSON.parse(execution.data!) as IRunExecutionData;
					const error = new w.ManualExecutionCancelledError(running.id);
					data.resultData.error = { ...error, message: error.message } as never;
					await this.#update(running.id, () => ({
						data: JSON.stringify(data),
						status: 'canceled',
					}));
				}),
		);
	}

	/**
	 * Marks the executions that a crash left behind, as n8n does at its start
	 * (`executions/execution-recovery.service.js`, `amend` and `amendWithoutLogs`).
	 */
	recover(hasEventLog: boolean): void {
		for (const record of this.database.executions.values()) {
			const isLeft = record.status === 'running' || record.status === 'new';
			if (!isLeft || record.owner?.isAlive) continue;
			const logged = this.#eventLog.get(record.id) ?? [];
			// `amend` leaves an execution as it is when its log names no node.
			if (hasEventLog && this.#eventLog.has(record.id) && logged.length === 0) continue;
			record.status = 'crashed';
			if (!hasEventLog || logged.length === 0) continue;
			const data = JSON.parse(record.data) as IRunExecutionData;
			const { nodes } = JSON.parse(record.workflow) as SavedWorkflow;
			for (const { name } of nodes) {
				const entry = logged.find(({ node }) => node === name);
				if (!entry || data.resultData.runData[name] !== undefined) continue;
				const task = { startTime: 0, executionIndex: 0, executionTime: 0, source: [null] } as any;
				task.executionStatus = entry.hasFinished ? 'success' : 'crashed';
				if (entry.hasFinished) {
					task.data = { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] };
				} else {
					task.error = { message: 'Workflow did not finish, possible out-of-memory issue' };
					data.resultData.error = { message: 'Workflow did not finish' } as never;
				}
				data.resultData.lastNodeExecuted = name;
				data.resultData.runData[name] = [task];
			}
			record.data = JSON.stringify(data);
		}
	}

	/** Returns an execution as a person sees it in the list. */
	shown(id: string): { status: StoredExecution['status']; data: IRunExecutionData } {
		const { status, data } = this.database.executions.get(id)!;
		return { status, data: JSON.parse(data) as IRunExecutionData };
	}
}

/** Returns the status that n8n saves (`execution-lifecycle/shared/shared-hook-functions.js`, `determineFinalExecutionStatus`). */
function finalStatus(run: IRun): StoredExecution['status'] {
	if (run.waitTill) return 'waiting';
	if (run.status === 'canceled' || run.status === 'crashed') return run.status;
	return run.data.resultData.error || run.status === 'error' ? 'error' : 'success';
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
export function jobNow(): Job {
	const owner = ownerNow();
	if (!(owner instanceof Job)) throw new Error('This runs outside of any execution.');
	return owner;
}
