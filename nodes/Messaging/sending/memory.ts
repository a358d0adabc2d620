import { hash, randomBytes } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** What is known of a message that an earlier try of this run sent. */
export type Remembered =
	| { fate: 'accepted'; kept: IDataObject }
	| { fate: 'unknown'; sentAt: number; request: number; identifier?: string; lost?: Lost };

/** Why it is unknown what became of a request, as far as that try lived to tell. */
export type Lost = { message: string; httpStatus?: number };

/** A request that left, with its messages in order: as it lies in the execution's data. */
type StoredRequest = {
	at: number;
	keys: string[];
	/** The messages' identifiers, while it is unknown whether they were accepted. */
	ids?: Array<string | undefined>;
	lost?: Lost;
	/** What is kept of each message, once they were accepted. */
	kept?: IDataObject[];
};

/** As it lies in the execution's data: short names, no text, no recipient. */
type Stored = {
	seed: string;
	/** How many requests have left: numbers them. */
	left: number;
	requests: { [number: string]: StoredRequest };
};

type Store = { messagingSent?: { [runIndex: string]: Stored } };

/**
 * Which messages of this run of the node were accepted already.
 *
 * It lies in the execution's own data (`getContext('node')`), which belongs to this node alone and is
 * there again when n8n tries the node once more (*Retry On Fail*) and when a person retries the failed
 * execution. A run of a loop has its own. As a tool of an agent, each call has its own (see below).
 */
export class Memory {
	private readonly store: Store;

	private readonly runIndex: string;

	private readonly stored: Stored;

	/** Where each message of an earlier try is: its request's number, and its place in it. */
	private earlier?: Map<string, { request: number; place: number }>;

	constructor(context: IExecuteFunctions) {
		this.store = storeOf(context);
		const runIndex = isTool(context) ? 0 : (context.getWorkflowDataProxy(0).$runIndex as number);
		this.runIndex = String(runIndex);
		const runs = (this.store.messagingSent ??= {});
		// An earlier run of a loop is over: nobody will try it again.
		for (const earlier of Object.keys(runs)) if (Number(earlier) < runIndex) delete runs[earlier];
		this.stored = runs[this.runIndex] ??= {
			seed: randomBytes(6).toString('hex'),
			left: 0,
			requests: {},
		};
	}

	/** An identifier for the message of this key: unique, and the same when the run is repeated. */
	identifier = (key: string) => `n8n-${this.stored.seed}-${key}`;

	/** Whether no earlier try has sent anything, as far as is known. */
	get isEmpty() {
		return Object.keys(this.stored.requests).length === 0;
	}

	/** What became of a message in an earlier try; undefined when it may be sent. */
	recall(key: string): Remembered | undefined {
		const found = (this.earlier ??= this.findAll()).get(key);
		const stored = found && this.stored.requests[found.request];
		if (!stored) return undefined;
		const { request, place } = found;
		return stored.kept
			? { fate: 'accepted', kept: stored.kept[place] }
			: {
					fate: 'unknown',
					sentAt: stored.at,
					request,
					identifier: stored.ids?.[place],
					lost: stored.lost,
				};
	}

	private findAll() {
		const places = new Map<string, { request: number; place: number }>();
		for (const [number, { keys, kept }] of Object.entries(this.stored.requests)) {
			for (const [place, key] of keys.entries()) {
				// It may have been sent again on request: then what was accepted counts.
				if (kept || !places.has(key)) places.set(key, { request: Number(number), place });
			}
		}
		return places;
	}

	/**
	 * Notes the messages of a request just before it leaves: until its answer is there, and for good when
	 * none comes, they may have been sent.
	 *
	 * @param at when it leaves, in ms
	 * @returns the request's number
	 */
	leaving(messages: Array<{ key: string; identifier?: string }>, at: number): number {
		const request = ++this.stored.left;
		const leaving: StoredRequest = { at, keys: messages.map(({ key }) => key) };
		if (messages.some(({ identifier }) => identifier)) {
			leaving.ids = messages.map(({ identifier }) => identifier);
		}
		this.stored.requests[request] = leaving;
		return request;
	}

	/** @param kept by message, in the order in which they left */
	accepted(request: number, kept: IDataObject[]) {
		const stored = this.stored.requests[request];
		if (stored.ids) delete stored.ids;
		if (stored.lost) delete stored.lost;
		stored.kept = kept;
	}

	/** It is unknown whether they were accepted, and this is why. */
	unknown(request: number, { message, httpStatus }: Lost) {
		this.stored.requests[request].lost = { message, ...(httpStatus && { httpStatus }) };
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

/** By the arguments of the call. */
const callsAsTool = new WeakMap<object, Store>();

/**
 * Where a run's memory lies.
 *
 * Of a call as a tool n8n gives every try (*Retry On Fail*) a run index of its own, calls may be under way
 * side by side, and there may be no execution at all (its MCP server). But all tries of a call are handed
 * the very same object of arguments, and no other call is.
 */
function storeOf(context: IExecuteFunctions): Store {
	if (isTool(context)) {
		const args: unknown = context.getInputData()[0]?.json;
		if (typeof args !== 'object' || args === null) return {};
		if (!callsAsTool.has(args)) callsAsTool.set(args, {});
		return callsAsTool.get(args)!;
	}
	try {
		return context.getContext('node') as Store;
	} catch {
		return {};
	}
}

/**
 * Keys for the messages of a run, in order. A key is made of the recipient's digits and of how often
 * the recipient came before, but not of the text: that may hold the time of day, and would make the
 * second try a new message.
 */
export function messageKeys(): (digits: string) => string {
	const seen = new Map<string, number>();
	return (digits) => {
		const nth = seen.get(digits) ?? 0;
		seen.set(digits, nth + 1);
		return hash('sha256', `${digits}#${nth}`).slice(0, 20);
	};
}
