import { hash, randomBytes } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { executionToken } from '../n8n/executionToken';

/** What is known of a message that an earlier try of this run sent. */
export type Remembered =
	| { fate: 'accepted'; from?: string; kept: IDataObject }
	| {
			fate: 'unknown';
			from?: string;
			/** By this process's clock; undefined when another process sent it: its clock may be another one. */
			sentAt?: number;
			request: number;
			identifier?: string;
			lost?: Lost;
	  };

/** Why it is unknown what became of a request, as far as that try lived to tell. */
export type Lost = {
	message?: string;
	httpStatus?: number;
	/** The try crashed: which of these messages left, and in which requests, is unknown. */
	cutOff?: true;
};

/** Where a message of an earlier try is noted: its request's number, and its place in it. */
export type Place = { request: number; place: number };

/** A request that left, with its messages in order: as it lies in the execution's data. */
type StoredRequest = {
	at: number;
	/** Marks of the messages (sameMessage.ts); empty where another request notes the message. */
	keys: string[];
	/** The messages' identifiers, while it is unknown whether they were accepted. */
	ids?: Array<string | undefined>;
	/** The sender, empty where there are several; like the rest, where it differs from the run's first request. */
	from?: string;
	list?: string;
	by?: string;
	lost?: Lost;
	/** What is kept of each message, once they were accepted. */
	kept?: IDataObject[];
	/** Messages of it were sent once more, on request: a record of one may be of either time. */
	again?: true;
};

/** As it lies in the execution's data: short names, no text, no recipient. */
type Stored = {
	/** The run's number among the node's runs in this execution, from 1. */
	run: number;
	seed: string;
	/** How many attempts to send have begun. */
	begun: number;
	/** A *Retry*, of whose earlier attempt the data knows nothing: it may have crashed while it was sending. */
	mayHaveCrashed?: true;
	/** How many requests have left: numbers them. */
	left: number;
	requests: { [number: string]: StoredRequest };
	/** Sender of the first request. */
	from?: string;
	/** Tag of the list (see {@link Memory.list}) at the first request. */
	list?: string;
	/** The process that sent the first request. */
	by?: string;
	/** Marks of messages to numbers that have several, as of the latest try, also of those not sent. */
	several?: string[];
};

/** Tells this process from others, and from itself before a restart. */
const PROCESS = randomBytes(3).toString('hex');

type Store = { messagingSent?: { [runIndex: string]: Stored } };
/** How many runs of the node this execution has begun. */
type Counter = { messagingRuns?: number };

/**
 * Which messages of this run of the node were accepted already.
 *
 * It lies in the execution's own data (`getContext('node')`), which belongs to this node alone and is
 * there again when n8n tries the node once more (*Retry On Fail*) and when a person retries the failed
 * execution. A run of a loop has its own. As a tool of an agent, each call has its own (see below).
 */
export class Memory {
	/** What the execution and its retries have in common, see {@link executionToken}. */
	readonly token: string | undefined;

	/** The node's data in the execution: one object as long as n8n runs it; undefined without an execution. */
	readonly execution: object | undefined;

	/** Tag of how this try's list is set: in another list, another identifier is another message. */
	list = '';

	private readonly store: Store;

	private readonly runIndex: string;

	private readonly stored: Stored;

	/** By request that is sent on request: where its messages are noted already. */
	private readonly again = new Map<number, Array<(Place & { key: string }) | undefined>>();

	constructor(context: IExecuteFunctions) {
		const data = dataOf(context);
		const asTool = isTool(context);
		this.execution = data;
		this.store = asTool ? storeOfCall(context) : ((data ?? {}) as Store);
		this.token = data && executionToken(context);
		const runIndex = asTool ? 0 : (context.getWorkflowDataProxy(0).$runIndex as number);
		this.runIndex = String(runIndex);
		const runs = (this.store.messagingSent ??= {});
		// An earlier run of a loop is over: nobody will try it again.
		for (const earlier of Object.keys(runs)) if (Number(earlier) < runIndex) delete runs[earlier];
		this.stored = runs[this.runIndex] ??= this.begin(context, data ?? {}, asTool);
	}

	/**
	 * The seed of identifiers follows from the execution, the node and the run: the retry of a crashed
	 * execution starts all over, and must name what the crashed one sent. The run's index cannot be part of
	 * it: n8n may count on from what it recovered. Parallel calls of a tool may change places, so their
	 * arguments tell them apart.
	 */
	private begin(context: IExecuteFunctions, counter: Counter, asTool?: boolean): Stored {
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

	/** Whether an attempt that the data knows nothing of may have sent something; its mark has not been looked for. */
	get mayHaveCrashed() {
		return this.stored.mayHaveCrashed ?? false;
	}

	/** Counts an attempt to send. @returns how many this run has begun before */
	beginAttempt(): number {
		delete this.stored.mayHaveCrashed;
		return this.stored.begun++;
	}

	/** An identifier for the message of this key: unique, and the same when the run is repeated. */
	identifier = (key: string) => `${this.prefix}${key}`;

	/** Whether an identifier was made by this run: no other message in the world has it. */
	isOwn = (identifier: string | undefined) => identifier?.startsWith(this.prefix) ?? false;

	/** Names a request among all of this n8n. */
	nameOf = (request: number) => `${this.prefix}${request}`;

	private get prefix() {
		return `n8n-${this.stored.seed}-`;
	}

	/** Whether no earlier try has sent anything, as far as is known. */
	get isEmpty() {
		return Object.keys(this.stored.requests).length === 0;
	}

	/** Every message that an earlier try sent, with its mark, and whether its list was set as it is now. */
	*all(): Generator<Place & { key: string; isSameList: boolean }> {
		for (const [number, { keys, list = this.stored.list }] of Object.entries(
			this.stored.requests,
		)) {
			const request = Number(number);
			const isSameList = list === this.list;
			for (const [place, key] of keys.entries()) {
				if (key !== '') yield { key, request, place, isSameList };
			}
		}
	}

	/** What became of a message in an earlier try. */
	fateOf({ request, place }: Place): Remembered {
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
			? { fate: 'accepted', from, kept: kept[place] }
			: { fate: 'unknown', from, sentAt, request, identifier: ids?.[place], lost };
	}

	/** Whether a message of this request was sent once more: the record of one is no proof of the others. */
	wasSentAgain = (request: number) => this.stored.requests[request].again ?? false;

	/** Marks of the latest try's messages to numbers that have several. */
	get several(): string[] {
		return this.stored.several ?? [];
	}

	set several(keys: string[]) {
		if (keys.length > 0) this.stored.several = keys;
		else delete this.stored.several;
	}

	/**
	 * Notes the messages of a request just before it leaves: until its answer is there, and for good when
	 * none comes, they may have been sent.
	 *
	 * @param messages `earlier` is where one is noted that is sent again on request
	 * @param at when it leaves, in ms
	 * @returns the request's number
	 */
	leaving(
		messages: Array<{ from?: string; mark: string; identifier?: string; earlier?: Place }>,
		at: number,
	): number {
		const request = ++this.stored.left;
		// Unless it is accepted now, the first time counts.
		const leaving: StoredRequest = {
			at,
			keys: messages.map(({ mark, earlier }) => (earlier ? '' : mark)),
		};
		if (messages.some(({ identifier }) => identifier)) {
			leaving.ids = messages.map(({ identifier }) => identifier);
		}
		if (messages.some(({ earlier }) => earlier)) {
			const places = messages.map(({ mark, earlier }) => earlier && { ...earlier, key: mark });
			this.again.set(request, places);
			for (const { earlier } of messages) {
				if (earlier) this.stored.requests[earlier.request].again = true;
			}
		}
		const { stored, list } = this;
		const [{ from: sender = '' }] = messages;
		const from = messages.every((message) => message.from === sender) ? sender : '';
		stored.from ??= from;
		stored.list ??= list;
		stored.by ??= PROCESS;
		if (stored.from !== from) leaving.from = from;
		if (stored.list !== list) leaving.list = list;
		if (stored.by !== PROCESS) leaving.by = PROCESS;
		stored.requests[request] = leaving;
		return request;
	}

	/** @param kept by message, in the order in which they left */
	accepted(request: number, kept: IDataObject[]) {
		const stored = this.stored.requests[request];
		if (stored.ids) delete stored.ids;
		if (stored.lost) delete stored.lost;
		stored.kept = kept;
		for (const [place, earlier] of (this.again.get(request) ?? []).entries()) {
			if (!earlier) continue;
			this.stored.requests[earlier.request].keys[earlier.place] = '';
			stored.keys[place] = earlier.key;
		}
	}

	/** It is unknown whether they were accepted, and this is why. */
	unknown(request: number, { message, httpStatus, cutOff }: Lost) {
		this.stored.requests[request].lost = {
			...(message && { message }),
			...(httpStatus && { httpStatus }),
			...(cutOff && { cutOff }),
		};
	}

	notSent(request: number) {
		delete this.stored.requests[request];
	}

	/** To be called when every message was accepted: nothing is left to repeat. */
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

/** By the arguments of the call. */
const callsAsTool = new WeakMap<object, Store>();

/**
 * Where the memory of a call as a tool lies.
 *
 * n8n gives every try of a call (*Retry On Fail*) a run index of its own, calls may be under way side by
 * side, and there may be no execution at all (its MCP server). But all tries of a call are handed the very
 * same object of arguments, and no other call is.
 */
function storeOfCall(context: IExecuteFunctions): Store {
	const args: unknown = context.getInputData()[0]?.json;
	if (typeof args !== 'object' || args === null) return {};
	if (!callsAsTool.has(args)) callsAsTool.set(args, {});
	return callsAsTool.get(args)!;
}
