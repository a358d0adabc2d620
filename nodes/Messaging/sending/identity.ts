import { hash, randomBytes } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { executionData, executionToken, isAgentsCall } from '../n8n/execution';
import { failedRun } from '../n8n/failedRun';

/** What n8n saves of a run's identity with the execution. */
type SavedIdentity = {
	/** The run's number among the node's runs in this execution, from 1. Written when the run begins first. */
	run: number;
	/** Written when the run begins first, and final. */
	beganInRetry?: boolean;
	/** Stands in for the execution's token where there is none. Written when the run begins first. */
	seed?: string;
	/**
	 * How many attempts have begun to send. Written by `countAttempt` and `uncountAttempt`; the attempt that n8n was killed in is
	 * not counted.
	 */
	attempts: number;
};

type Saved = {
	/** How many runs of the node this execution has begun. */
	messagingRuns?: number;
	messagingRun?: { [runIndex: string]: SavedIdentity };
};

/**
 * The first attempt of each execution in this process: a Retry of an execution whose data are lost begins with it. The key is the
 * node's data in the execution: the same object while n8n runs it.
 */
const firstAttempts = new WeakMap<object, string>();

/**
 * Who a run of the node is: the same in all its attempts (*Retry On Fail*, *Retry*), also after a crash, and nobody else. From this
 * follow the identifiers of its messages and its crash note.
 */
export class Identity {
	/** Shared by the execution and its retries; undefined where n8n gives none, or there is no execution. */
	readonly token: string | undefined;

	/** The node's data in the execution: the same object while n8n runs it. */
	readonly execution: object | undefined;

	/** Where the run is remembered: there, or nowhere, because n8n gives an agent's call nothing that a second attempt has, too. */
	readonly memory: object;

	/** A person's *Retry*. */
	readonly isRetry: boolean;

	/** An agent calls the node: the execution's id. */
	readonly callIn: string | undefined;

	/** The round of a loop, or the branch, as n8n counts the node's runs. An agent's call has no other rounds. */
	readonly runIndex: number;

	/** The index that n8n gave this run when it failed. */
	readonly failedIndex: number | undefined;

	private readonly saved: SavedIdentity;

	/** What the identifiers of this run have in common: nobody else has it. */
	private readonly secret: string;

	constructor(context: IExecuteFunctions) {
		const isTool = context.isToolExecution?.() ?? false;
		const execution: Saved | undefined = executionData(context);
		this.execution = execution;
		this.memory = isTool ? {} : (execution ?? {});
		this.token = execution && executionToken(context);
		this.isRetry = context.getMode() === 'retry';
		this.callIn = isAgentsCall(context) ? context.getExecutionId() : undefined;
		this.runIndex = isTool ? 0 : (context.getWorkflowDataProxy(0).$runIndex as number);
		this.failedIndex = isTool ? undefined : failedRun(context);
		const runs = ((this.memory as Saved).messagingRun ??= {});
		moveRun(runs, this.failedIndex, this.runIndex);
		const run = 1 + (execution?.messagingRuns ?? 0);
		if (execution && runs[this.runIndex] === undefined) execution.messagingRuns = run;
		const seed = this.token ? undefined : randomBytes(8).toString('hex');
		const beganInRetry = this.isRetry || undefined;
		this.saved = ofThisRun(runs, this.runIndex, { run, seed, attempts: 0, beganInRetry });
		// The nodes of a workflow share the token. Parallel calls by an agent have no fixed order, but their arguments differ.
		const call = isTool ? JSON.stringify(context.getInputData()) : '';
		const ofExecution = this.token ?? this.saved.seed;
		this.secret = [ofExecution, context.getNode().id, this.saved.run, call].join(' ');
		// Also of an attempt that sends nothing: what it refuses may be led back to the node.
		if (execution && !firstAttempts.has(execution)) firstAttempts.set(execution, this.attempt);
	}

	/** A round of a loop behind the first one. */
	get isLaterRound() {
		return this.runIndex !== 0;
	}

	/** Differs for every attempt of this execution to send with this node, and is the same again after a crash. */
	get attempt() {
		return `${this.saved.run} ${this.saved.attempts}`;
	}

	/** The attempt with which this execution began. */
	get firstAttempt() {
		return (this.execution && firstAttempts.get(this.execution)) ?? this.attempt;
	}

	/** No data are left of the attempt that a person has retried: n8n was killed in it, or it has not come to this node. */
	get beganInRetry() {
		return this.saved.beganInRetry ?? false;
	}

	countAttempt() {
		this.saved.attempts++;
	}

	uncountAttempt() {
		this.saved.attempts--;
	}

	/**
	 * Returns the generated identifiers of a request, by index. They depend on everything that decides which messages it has, so
	 * one log record proves that the service accepted exactly these messages. `recipients` is a hash of the items, too.
	 */
	identifiersOf({ from, recipients }: { from: string; recipients: string }) {
		const key = hash('sha256', [this.secret, from, recipients].join(' ')).slice(0, 16);
		return (index: number) => `n8n-${key}-${index + 1}`;
	}

	/** Deletes the run: it will not be run again. */
	forget() {
		delete (this.memory as Saved).messagingRun![this.runIndex];
	}
}

/** Gives what is saved of a run that failed the index that the run has now. */
export function moveRun(
	runs: { [runIndex: string]: unknown },
	failedIndex: number | undefined,
	runIndex: number,
) {
	if (failedIndex === undefined || failedIndex === runIndex || !(failedIndex in runs)) return;
	runs[runIndex] = runs[failedIndex];
	delete runs[failedIndex];
}

/**
 * Returns what is saved of a run; at first, `begun`. What earlier rounds of a loop have saved is dropped: they are not retried.
 */
export function ofThisRun<Kept>(
	runs: { [runIndex: string]: Kept },
	runIndex: number,
	begun: Kept,
): Kept {
	for (const earlier of Object.keys(runs)) if (Number(earlier) < runIndex) delete runs[earlier];
	return (runs[runIndex] ??= begun);
}
