import { hash, randomBytes } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { executionToken } from '../n8n/executionToken';

/** What is known of a message that an earlier attempt of this run sent. */
export type Remembered =
	| { fate: 'accepted'; from?: string; kept: IDataObject }
	| {
			fate: 'unknown';
			from?: string;
			/** By this process's clock; undefined when another process sent it, whose clock may differ. */
			sentAt?: number;
			request: number;
			identifier?: string;
			lost?: Lost;
	  };

/** Why the outcome of a request is unknown, as far as that attempt could note it. */
export type Lost = {
	message?: string;
	httpStatus?: number;
	/** The attempt crashed: it is unknown which messages left, and in which requests. */
	cutOff?: true;
};

/** Where the run memory has a message: its request's number, and its index in that request. */
export type MemoryEntry = { request: number; index: number };

/** A request that left, with its messages in order, as n8n saves it in the execution's data. */
type StoredRequest = {
	at: number;
	/** Fingerprints of the messages; '' for a message whose entry is in another request. */
	keys: string[];
	/** The messages' identifiers, while it is unknown whether they were accepted. */
	ids?: Array<string | undefined>;
	/** The sender, '' for several. Like `list` and `by`, it is stored only if it differs from that of the first request. */
	from?: string;
	list?: string;
	by?: string;
	lost?: Lost;
	/** What is kept of each message, once they were accepted. */
	kept?: IDataObject[];
	/** Some of its messages were sent again with *Resend Unknown*: a log record may belong to either request. */
	again?: true;
};

/** The memory of one run as n8n saves it in the execution's data: short names, no text, no recipient. */
type StoredRun = {
	/** The run's number among the node's runs in this execution, from 1. */
	run: number;
	seed: string;
	/** How many attempts to send have begun. */
	begun: number;
	/** This is a *Retry*, and the earlier attempt left no data: it may have crashed while it was sending. */
	mayHaveCrashed?: true;
	/** How many requests have left; this is also the number of the latest one. */
	left: number;
	requests: { [number: string]: StoredRequest };
	/** Sender of the first request. */
	from?: string;
	/** Tag of the list (see {@link RunMemory.list}) at the first request. */
	list?: string;
	/** The process that sent the first request. */
	by?: string;
	/** Fingerprints of the latest attempt's messages to numbers that have several, sent or not. */
	several?: string[];
};

/** Identifies this process until it is restarted. */
const PROCESS = randomBytes(3).toString('hex');

type Store = { messagingSent?: { [runIndex: string]: StoredRun } };
/** How many runs of the node this execution has begun. */
type Counter = { messagingRuns?: number };

/**
 * Remembers which messages of this run of the node have been sent, and which of them were accepted.
 *
 * It is part of the execution's data (`getContext('node')`), which belongs to this node and is available again when
 * n8n repeats the node (*Retry On Fail*) or a person retries the failed execution. Each run of a loop has its own.
 * Each call by an agent has its own, too (see {@link storeOfCall}).
 */
export class RunMemory {
	/** Shared by the execution and its retries, see {@link executionToken}. */
	readonly token: string | undefined;

	/** The node's data in the execution: the same object while n8n runs it; undefined without an execution. */
	readonly execution: object | undefined;

	/** Tag of this attempt's list parameters: only if they have changed does another identifier mean another message. */
	list = '';

	private readonly store: Store;

	private readonly runIndex: string;

	private readonly stored: StoredRun;

	/** The earlier entries of messages that are sent again, by the number of the new request. */
	private readonly again = new Map<
		number,
		Array<(MemoryEntry & { fingerprint: string }) | undefined>
	>();

	constructor(context: IExecuteFunctions) {
		const data = dataOf(context);
		const asTool = isTool(context);
		this.execution = data;
		this.store = asTool ? storeOfCall(context) : ((data ?? {}) as Store);
		this.token = data && executionToken(context);
		const runIndex = asTool ? 0 : (context.getWorkflowDataProxy(0).$runIndex as number);
		this.runIndex = String(runIndex);
		const runs = (this.store.messagingSent ??= {});
		// An earlier run of a loop is over: it is not retried.
		for (const earlier of Object.keys(runs)) if (Number(earlier) < runIndex) delete runs[earlier];
		this.stored = runs[this.runIndex] ??= this.begin(context, data ?? {}, asTool);
	}

	/**
	 * Starts the memory of a new run. The seed of its identifiers is derived from the execution, the node and the run: the
	 * retry of a crashed execution starts from scratch, and must generate the same identifiers. n8n's own run index is not
	 * part of the seed, because after a crash n8n may not count from 0. The arguments of a tool call are, because parallel
	 * calls have no fixed order.
	 */
	private begin(context: IExecuteFunctions, counter: Counter, asTool?: boolean): StoredRun {
		const run = (counter.messagingRuns = (counter.messagingRuns ?? 0) + 1);
		const { token } = this;
		const call = asTool ? JSON.stringify(context.getInputData()) : '';
		const seed = token && hash('sha256', [token, context.getNode().id, run, call].join(' '));
		return {
			run,
			seed: seed?.slice(0, 12) ?? randomBytes(6).toString('hex'),
			begun: 0,
			left: 0,
			requests: {},
			...(context.getMode() === 'retry' && { mayHaveCrashed: true }),
		};
	}

	/** The run's number among the node's runs in this execution, from 1; the same after a crash. */
	get run() {
		return this.stored.run;
	}

	/** Whether an attempt that left no data may have sent something; its crash mark has not been checked yet. */
	get mayHaveCrashed() {
		return this.stored.mayHaveCrashed ?? false;
	}

	/** Counts an attempt to send. @returns how many this run has begun before */
	beginAttempt(): number {
		delete this.stored.mayHaveCrashed;
		return this.stored.begun++;
	}

	/** Generates the identifier for a message's key: unique, and the same when the run is repeated. */
	identifier = (key: string) => `${this.prefix}${key}`;

	/** Whether this run generated the identifier: no other message has it. */
	isOwn = (identifier: string | undefined) => identifier?.startsWith(this.prefix) ?? false;

	/** Identifies a request in this n8n. */
	nameOf = (request: number) => `${this.prefix}${request}`;

	private get prefix() {
		return `n8n-${this.stored.seed}-`;
	}

	/** Whether no earlier attempt is known to have sent anything. */
	get isEmpty() {
		return Object.keys(this.stored.requests).length === 0;
	}

	/** Returns every message that an earlier attempt sent, with its fingerprint, and whether the list is still the same. */
	*all(): Generator<{ entry: MemoryEntry; fingerprint: string; isSameList: boolean }> {
		for (const [number, { keys, list = this.stored.list }] of Object.entries(
			this.stored.requests,
		)) {
			const request = Number(number);
			const isSameList = list === this.list;
			for (const [index, fingerprint] of keys.entries()) {
				if (fingerprint !== '') yield { entry: { request, index }, fingerprint, isSameList };
			}
		}
	}

	/** Returns the result of a message in an earlier attempt. */
	fateOf({ request, index }: MemoryEntry): Remembered {
		const { stored } = this;
		const {
			at,
			kept,
			ids,
			lost,
			from: sender = stored.from,
			by = stored.by,
		} = stored.requests[request];
		const from = sender || undefined;
		const sentAt = by === PROCESS ? at : undefined;
		return kept
			? { fate: 'accepted', from, kept: kept[index] }
			: { fate: 'unknown', from, sentAt, request, identifier: ids?.[index], lost };
	}

	/** Whether a message of this request was sent again: a record of it does not prove that the others were sent. */
	wasSentAgain = (request: number) => this.stored.requests[request].again ?? false;

	/** Fingerprints of the latest attempt's messages to numbers that have several. */
	get several(): string[] {
		return this.stored.several ?? [];
	}

	set several(fingerprints: string[]) {
		if (fingerprints.length > 0) this.stored.several = fingerprints;
		else delete this.stored.several;
	}

	/**
	 * Notes the messages of a request just before it leaves: until its answer arrives, they may have been sent.
	 *
	 * @param messages `earlier` is the entry of a message that is sent again with *Resend Unknown*
	 * @param at when it leaves, in ms
	 * @returns the request's number
	 */
	noteLeaving(
		messages: Array<{
			from?: string;
			fingerprint: string;
			identifier?: string;
			earlier?: MemoryEntry;
		}>,
		at: number,
	): number {
		const request = ++this.stored.left;
		// The earlier entry stays valid until this request is accepted.
		const leaving: StoredRequest = {
			at,
			keys: messages.map(({ fingerprint, earlier }) => (earlier ? '' : fingerprint)),
		};
		if (messages.some(({ identifier }) => identifier)) {
			leaving.ids = messages.map(({ identifier }) => identifier);
		}
		if (messages.some(({ earlier }) => earlier)) {
			const entries = messages.map(
				({ fingerprint, earlier }) => earlier && { ...earlier, fingerprint },
			);
			this.again.set(request, entries);
			for (const { earlier } of messages) {
				if (earlier) this.stored.requests[earlier.request].again = true;
			}
		}
		const { stored, list } = this;
		const [{ from: sender = '' }] = messages;
		const from = messages.every((message) => message.from === sender) ? sender : '';
		const current = { from, list, by: PROCESS };
		for (const name of ['from', 'list', 'by'] as const) {
			stored[name] ??= current[name];
			if (stored[name] !== current[name]) leaving[name] = current[name];
		}
		stored.requests[request] = leaving;
		return request;
	}

	/** @param kept by message, in the order of the request */
	noteAccepted(request: number, kept: IDataObject[]) {
		const stored = this.stored.requests[request];
		if (stored.ids) delete stored.ids;
		if (stored.lost) delete stored.lost;
		stored.kept = kept;
		for (const [index, earlier] of (this.again.get(request) ?? []).entries()) {
			if (!earlier) continue;
			this.stored.requests[earlier.request].keys[earlier.index] = '';
			stored.keys[index] = earlier.fingerprint;
		}
	}

	/** Notes why it is unknown whether a request was accepted. */
	noteUnknown(request: number, { message, httpStatus, cutOff }: Lost) {
		this.stored.requests[request].lost = {
			...(message && { message }),
			...(httpStatus && { httpStatus }),
			...(cutOff && { cutOff }),
		};
	}

	noteNotSent(request: number) {
		delete this.stored.requests[request];
	}

	/** Deletes the run: every message was accepted, and nothing is left to repeat. */
	forget() {
		const runs = this.store.messagingSent;
		if (!runs) return;
		delete runs[this.runIndex];
		if (Object.keys(runs).length === 0) delete this.store.messagingSent;
	}
}

const isTool = (context: IExecuteFunctions) => context.isToolExecution?.();

/** The node's data in the execution; undefined where there is no execution. */
function dataOf(context: IExecuteFunctions): (Store & Counter) | undefined {
	try {
		return context.getContext('node') as Store & Counter;
	} catch {
		return undefined;
	}
}

/** The memories of calls by agents; the key is the object of a call's arguments. */
const callsAsTool = new WeakMap<object, Store>();

/**
 * Returns the store for a call by an agent.
 *
 * n8n gives every attempt of a call (*Retry On Fail*) its own run index, runs calls in parallel, and calls tools
 * without an execution (its MCP server). But all attempts of one call receive the same object of arguments, and no
 * other call does.
 */
function storeOfCall(context: IExecuteFunctions): Store {
	const args: unknown = context.getInputData()[0]?.json;
	if (typeof args !== 'object' || args === null) return {};
	if (!callsAsTool.has(args)) callsAsTool.set(args, {});
	return callsAsTool.get(args)!;
}
