import type * as Core from 'n8n-core';
import type * as N8nWorkflow from 'n8n-workflow';
import type {
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	IRun,
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { dropFailedRun, useNodesOf } from './execution.mts';
import { inTheNameOf, type Owner } from './owners.mts';

/*
 * What n8n does with an execution from its start to its end, and what it saves when. Its engine (n8n-core) is the real one.
 * Everything around the engine is written after the sources of n8n 2.41; each function names its source file below
 * `n8n/dist/`. The engine tests and the simulation use the same.
 */

/** A workflow as it is saved. */
export interface SavedWorkflow {
	id: string;
	nodes: INode[];
	connections: IConnections;
	settings?: { executionTimeout?: number; executionOrder?: string };
}

/** An execution as n8n's database holds it (`execution_entity` and `execution_data`). */
export interface StoredExecution {
	id: string;
	status: 'new' | 'running' | 'success' | 'error' | 'canceled' | 'crashed' | 'waiting';
	finished: boolean;
	mode: WorkflowExecuteMode;
	data: string;
	/** The workflow when the execution began. */
	workflow: string;
	retryOf: string | undefined;
	/** The work that last ran it. */
	owner: Job;
}

/** n8n's database: each access takes a moment, and nothing is locked between two of them. */
export class Database {
	readonly executions = new Map<string, StoredExecution>();

	/** Static data by workflow, saved as a whole: the last writer wins (`workflows/workflow-static-data.service.js`). */
	readonly staticData = new Map<string, string>();

	async access<T>(_what: string, work: () => T): Promise<T> {
		await new Promise((resolve) => setImmediate(resolve));
		return work();
	}
}

/** A process of n8n. */
export interface Process {
	isAlive: boolean;
	/** The lines that n8n logs. */
	readonly log: string[];
	/** What runs in it. */
	readonly active: Map<string, Active>;
	workflow: (saved: SavedWorkflow, staticData?: IDataObject) => Workflow;
	additionalData: (
		extra: Partial<IWorkflowExecuteAdditionalData>,
	) => IWorkflowExecuteAdditionalData;
}

export interface Active {
	cancel: () => void;
	settle: (end: 'ended' | 'killed') => void;
}

/** What a node of ours was given, and when. */
export interface NodeRun {
	node: INode;
	/** The round of a loop, or the branch. */
	index: number;
	items: INodeExecutionData[];
	at: number;
}

/** An execution, a webhook call, a poll or a person's click in a process. It owns the work that it causes. */
export class Job<Host extends Process = Process> implements Owner {
	readonly process: Host;

	readonly name: string;

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

	/** What n8n's event log knows of its nodes, by name: whether they have ended. */
	readonly logged = new Map<string, boolean>();

	/** The runs of our nodes in it, in order; a second try is another one. */
	readonly runs: NodeRun[] = [];

	constructor(process: Host, name: string) {
		this.process = process;
		this.name = name;
	}

	/** The id of an execution. */
	get id(): string {
		return this.name.replace('execution ', '');
	}

	get isAlive(): boolean {
		return this.process.isAlive;
	}

	get log(): string[] {
		return this.process.log;
	}

	toString(): string {
		return this.name;
	}
}

/** An execution from its start to its end, also when its process is killed. */
export interface Running<Host extends Process = Process> {
	id: string;
	job: Job<Host>;
	/** What the engine works on; n8n may have saved less of it. */
	data: IRunExecutionData;
	/** Resolves when the execution has ended, or its process is dead. */
	over: Promise<'ended' | 'killed'>;
}

/** An execution that n8n has stored. */
export interface Begun<Host extends Process = Process> {
	id: string;
	process: Host;
	/** When n8n stored it. */
	at: number;
	items: INodeExecutionData[];
	/** Nodes have begun to run; false when n8n fails before. */
	hasRun: boolean;
}

/** What n8n runs. */
interface Work<Host extends Process> {
	job: Job<Host>;
	saved: SavedWorkflow;
	data: IRunExecutionData;
	mode: WorkflowExecuteMode;
	retryOf?: string | undefined;
	press?: Press;
	/** It was stored before, and waited. */
	waited?: Begun<Host>;
	/** When its time is over, besides its workflow's own limit. */
	deadline?: number | undefined;
}

/** Starts the engine as a button of the editor does. */
type Press = (
	execution: Core.WorkflowExecute,
	workflow: Workflow,
) => ReturnType<Core.WorkflowExecute['run']>;

/** What the starter of an execution waits for. */
interface Beginning {
	/** Called when the execution has started: n8n then answers the webhook. */
	onStarted?: () => void;
	onFailed?: (error: Error) => void;
}

type Engine = Pick<typeof Core, 'ExecutionLifecycleHooks' | 'WorkflowExecute'> &
	Pick<typeof N8nWorkflow, 'ManualExecutionCancelledError'>;

type Tell = (sentence: string, plain?: string) => void;

/** Runs something after what happens now, also if the process of the calling code is dead. */
const afterwards = (run: () => void) => {
	inTheNameOf(undefined, () => setImmediate(run));
};

/** An installation of n8n: processes that share a database. */
export class Installation<Host extends Process = Process, Store extends Database = Database> {
	readonly database: Store;

	/** Every execution that n8n has stored, in order. */
	readonly begun: Array<Begun<Host>> = [];

	readonly #core: Engine;

	readonly #tell: Tell;

	#executions = 0;

	/** @param tell takes sentences for a story; those with the same `plain` are alike */
	constructor(core: Engine, database = new Database() as Store, tell: Tell = () => {}) {
		this.#core = core;
		this.database = database;
		this.#tell = tell;
	}

	#nextJob(process: Host): Job<Host> {
		return new Job(process, `execution ${++this.#executions}`);
	}

	/** Returns an execution as a person sees it in the list. */
	shown(id: string): { status: StoredExecution['status']; data: IRunExecutionData } {
		const { status, data } = this.database.executions.get(id)!;
		return { status, data: JSON.parse(data) as IRunExecutionData };
	}

	/** Starts an execution with this data. */
	begin(
		process: Host,
		saved: SavedWorkflow,
		data: IRunExecutionData,
		mode: WorkflowExecuteMode,
	): Running<Host> {
		const job = this.#nextJob(process);
		return inTheNameOf(job, () => this.#run({ job, saved, data, mode }));
	}

	/**
	 * Starts an execution from the editor (`workflows/workflow-execution.service.js`, `executeManually`). n8n stores it without
	 * the nodes that are to run, until it has ended.
	 */
	beginByHand(process: Host, saved: SavedWorkflow, press: Press): Running<Host> {
		const job = this.#nextJob(process);
		const data = { resultData: { runData: {} } } as IRunExecutionData;
		return inTheNameOf(job, () => this.#run({ job, saved, data, mode: 'manual', press }));
	}

	/** Starts an execution with the output of a trigger node. Resolves when n8n answers the webhook. */
	async startFromTrigger(
		process: Host,
		saved: SavedWorkflow,
		data: IRunExecutionData,
		mode: WorkflowExecuteMode = 'webhook',
	): Promise<Running<Host>> {
		const job = this.#nextJob(process);
		return await new Promise((resolve, reject) => {
			const running: Running<Host> = inTheNameOf(job, () =>
				this.#run(
					{ job, saved, data, mode },
					{ onStarted: () => resolve(running), onFailed: reject },
				),
			);
		});
	}

	/**
	 * Runs a sub-workflow for the execution that calls it (`workflow-execute-additional-data.js`, `executeWorkflow`).
	 *
	 * @param deadline when the time of the caller is over
	 */
	call(
		process: Host,
		saved: SavedWorkflow,
		data: IRunExecutionData,
		deadline: number | undefined,
	): Running<Host> {
		const job = this.#nextJob(process);
		return inTheNameOf(job, () => this.#run({ job, saved, data, mode: 'integrated', deadline }));
	}

	/**
	 * A person's *Retry* (`executions/execution.service.js`, `retry`).
	 *
	 * @param edited the workflow that the person has just saved, for *Retry with currently saved workflow*
	 */
	async retry(
		process: Host,
		executionId: string,
		edited?: SavedWorkflow,
	): Promise<Running<Host> | undefined> {
		const job = this.#nextJob(process);
		return await this.#click(job, async () => {
			const { database } = this;
			const execution = await database.access(`find ${executionId}`, () => ({
				...database.executions.get(executionId)!,
			}));
			const data = JSON.parse(execution.data) as IRunExecutionData;
			if (execution.status === 'new' || !data.executionData || execution.finished) return undefined;
			let saved = JSON.parse(execution.workflow) as SavedWorkflow;
			dropFailedRun(data);
			if (edited) {
				saved = structuredClone(edited);
				useNodesOf(process.workflow(saved), data);
			}
			job.inheritedError = data.resultData.error;
			return this.#run({ job, saved, data, mode: 'retry', retryOf: executionId });
		});
	}

	/**
	 * Continues a waiting execution.
	 *
	 * @param change changes its data first, as a webhook does
	 * @returns undefined if it waits no more
	 */
	async resume(
		process: Host,
		executionId: string,
		change: (data: IRunExecutionData) => void = () => {},
	): Promise<Running<Host> | undefined> {
		const job = new Job(process, `execution ${executionId}`);
		return await this.#click(job, async () => {
			const { database } = this;
			const found = await database.access(`find ${executionId}`, () => ({
				...database.executions.get(executionId)!,
			}));
			if (found.status !== 'waiting') return undefined;
			const data = JSON.parse(found.data) as IRunExecutionData;
			change(data);
			const saved = JSON.parse(found.workflow) as SavedWorkflow;
			const { mode, retryOf } = found;
			const waited = await this.#claim(job, data);
			return waited && this.#run({ job, saved, data, mode, retryOf, waited });
		});
	}

	/** Cancels an execution, as the time-out of its workflow does. */
	cancel({ id, job }: Running<Host>): void {
		const active = job.process.active.get(id);
		if (active) inTheNameOf(job, active.cancel);
	}

	/** A person's *Stop* (`executions/execution.service.js`, `stop`, `stopInRegularMode`, `stopDuringRun`). */
	async stop(running: Running<Host>): Promise<void> {
		const { database } = this;
		await this.#click(new Job(running.job.process, 'Stop'), async () => {
			const execution = await database.access(`find ${running.id}`, () => ({
				...database.executions.get(running.id),
			}));
			if (execution.status !== 'new' && execution.status !== 'running') return;
			this.#tell(`a person stops ${running.job}`);
			this.cancel(running);
			// It writes the data that it read before, without what happened since.
			const data = JSON.parse(execution.data!) as IRunExecutionData;
			const error = new this.#core.ManualExecutionCancelledError(running.id);
			data.resultData.error = { ...error, message: error.message } as never;
			await this.#update(running.id, () => ({ data: JSON.stringify(data), status: 'canceled' }));
		});
	}

	/** Kills a process: none of its events happen any more. */
	kill(killed: Host): void {
		if (!killed.isAlive) return;
		killed.isAlive = false;
		for (const { settle } of killed.active.values()) settle('killed');
	}

	/**
	 * Marks the executions that a crash left behind, as n8n does at its start (`executions/execution-recovery.service.js`).
	 *
	 * @param hasLog whether n8n has an event log of an execution (`amend`); otherwise it changes nothing else (`amendWithoutLogs`)
	 */
	recover(hasLog: (id: string) => boolean = () => false): void {
		for (const record of this.database.executions.values()) {
			const isLeft = record.status === 'running' || record.status === 'new';
			if (!isLeft || record.owner.isAlive) continue;
			record.status = 'crashed';
			if (hasLog(record.id)) addWhatIsLogged(record);
		}
	}

	/** Does work for a person, until it is done or the process dies. */
	async #click<T>(job: Job<Host>, work: () => Promise<T>): Promise<T | undefined> {
		const { active } = job.process;
		return await new Promise((resolve, reject) => {
			const key = `click ${Math.random()}`;
			const settle = (value?: T) => {
				active.delete(key);
				afterwards(() => resolve(value));
			};
			active.set(key, { cancel: () => {}, settle: () => settle() });
			inTheNameOf(job, work).then(settle, reject);
		});
	}

	/** Runs an execution (`workflow-runner.js`, `run` and `runMainProcess`; `active-executions.js`, `add`). */
	#run(work: Work<Host>, beginning: Beginning = {}): Running<Host> {
		const { job, data, retryOf } = work;
		const { process, id } = job;
		let settle: Active['settle'] = () => {};
		const over = new Promise<'ended' | 'killed'>((resolve) => {
			settle = (end) => {
				process.active.delete(id);
				afterwards(() => resolve(end));
			};
		});
		const active: Active = { cancel: () => {}, settle };
		process.active.set(id, active);
		const isNew = !retryOf && !work.waited;
		const begins = retryOf ? `is the retry of execution ${retryOf}` : 'starts';
		this.#tell(
			`${job} ${work.waited ? 'continues' : begins} in ${process}`,
			isNew ? `executions start in ${process}` : undefined,
		);
		void this.#execute(work, active, beginning).then(
			() => settle('ended'),
			(error: Error) => {
				beginning.onFailed?.(error);
				process.log.push(`error: ${error.stack}`);
				settle('ended');
			},
		);
		return { id, job, data, over };
	}

	async #execute(work: Work<Host>, active: Active, { onStarted }: Beginning): Promise<void> {
		const { job, saved, data, mode, press, waited, deadline = Infinity } = work;
		const { process, id } = job;
		const { database } = this;
		const begun = waited ?? (await this.#store(work));
		const staticData = JSON.parse(database.staticData.get(saved.id) ?? '{}') as IDataObject;
		const workflow = process.workflow(structuredClone(saved), staticData);
		const limit = saved.settings?.executionTimeout ?? 0;
		const hooks = this.#hooksOf(work);
		const additionalData = process.additionalData({
			hooks,
			executionId: id,
			executionTimeoutTimestamp: Math.min(
				limit > 0 ? Date.now() + limit * 1000 : Infinity,
				deadline,
			),
		});
		await database.access(`${id} is running`, () => {
			database.executions.get(id)!.status = 'running';
		});
		begun.hasRun = true;
		onStarted?.();

		const execution = new this.#core.WorkflowExecute(additionalData, mode, data);
		const running = press?.(execution, workflow) ?? execution.processRunExecutionData(workflow);
		active.cancel = () => {
			job.cancelledAt ??= Date.now();
			// Between two tries, the node is neither on the stack nor in the run data, and `setupCancellation` saves both
			// (n8n-core/dist/execution-engine/workflow-execute.js, `processRunExecutionData`).
			job.hasForgottenNode = job.tries > 0 && job.working === 0;
			running.cancel();
		};
		// Of a sub-workflow, n8n only looks at the time between two nodes.
		const timer =
			limit > 0 && mode !== 'integrated'
				? setTimeout(() => {
						this.#tell(`${job} is cancelled: its workflow's time is over`);
						active.cancel();
					}, limit * 1000)
				: undefined;
		await running;
		clearTimeout(timer);
	}

	/** Stores an execution that starts (`active-executions.js`, `add`). */
	async #store({ job, saved, data, mode, retryOf }: Work<Host>): Promise<Begun<Host>> {
		const { process, id } = job;
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
		const begun: Begun<Host> = { id, process, at: 0, items, hasRun: false };
		await database.access(`create ${id}`, () => {
			database.executions.set(id, record);
			this.begun.push(Object.assign(begun, { at: Date.now() }));
		});
		await database.access(`${id} is running`, () => {
			record.status = 'running';
		});
		return begun;
	}

	/** Stores that a waiting execution continues, with its data, unless somebody else has (the same function, `existingExecution`). */
	async #claim(job: Job<Host>, data: IRunExecutionData): Promise<Begun<Host> | undefined> {
		const { database, begun } = this;
		const record = database.executions.get(job.id)!;
		return await database.access(`continue ${job.id}`, () => {
			if (record.status !== 'waiting') return undefined;
			Object.assign(record, { status: 'running', data: JSON.stringify(data), owner: job });
			return begun.find(({ id }) => id === job.id);
		});
	}

	/** Saves an execution when it has ended. */
	#hooksOf({ job, saved, mode, retryOf }: Work<Host>) {
		const { database } = this;
		const { id } = job;
		const hooks = new this.#core.ExecutionLifecycleHooks(mode, id, saved as never, retryOf);
		hooks.addHandler('nodeExecuteBefore', (name) => void job.logged.set(name, false));
		hooks.addHandler('nodeExecuteAfter', (name) => {
			job.logged.set(name, true);
			job.tries = 0;
		});
		hooks.addHandler('workflowExecuteAfter', async (run: IRun, newStaticData?: IDataObject) => {
			// execution-lifecycle/execution-lifecycle-hooks.js, hookFunctionsSave
			try {
				await save(run, newStaticData);
			} catch (error) {
				job.process.log.push(`error: ${(error as Error).message}`);
			}
		});
		const save = async (run: IRun, newStaticData?: IDataObject) => {
			if (newStaticData && mode !== 'manual') {
				const text = JSON.stringify(newStaticData);
				await database.access(`static data of ${saved.id}`, () =>
					database.staticData.set(saved.id, text),
				);
			}
			const status = finalStatus(run);
			await this.#update(
				id,
				() => ({
					data: JSON.stringify(run.data),
					status,
					finished: run.finished ?? false,
				}),
				// A cancelled execution stays cancelled.
				(record) => record.status !== 'canceled',
			);
			this.#tell(`execution ${id} ends: ${status}`, `executions end: ${status}`);
		};
		return hooks;
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
}

/** Returns the status that n8n saves (`execution-lifecycle/shared/shared-hook-functions.js`, `determineFinalExecutionStatus`). */
function finalStatus(run: IRun): StoredExecution['status'] {
	if (run.waitTill) return 'waiting';
	if (run.status === 'canceled' || run.status === 'crashed') return run.status;
	return run.data.resultData.error || run.status === 'error' ? 'error' : 'success';
}

/** Adds a run for each node that n8n has not saved and its event log knows, without what it output. */
function addWhatIsLogged(record: StoredExecution): void {
	const data = JSON.parse(record.data) as IRunExecutionData;
	const { nodes } = JSON.parse(record.workflow) as SavedWorkflow;
	const { resultData } = data;
	const begins = { startTime: 0, executionIndex: 0, executionTime: 0, source: [null] };
	for (const { name } of nodes) {
		const hasEnded = record.owner.logged.get(name);
		if (hasEnded === undefined || resultData.runData[name] !== undefined) continue;
		const error = { message: 'Execution stopped at this node' } as never;
		const output = { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] };
		resultData.runData[name] = hasEnded
			? [{ ...begins, executionStatus: 'success', data: output }]
			: [{ ...begins, executionStatus: 'crashed', error }];
		if (!hasEnded) resultData.error = { message: 'Workflow did not finish' } as never;
		resultData.lastNodeExecuted = name;
	}
	record.data = JSON.stringify(data);
}
