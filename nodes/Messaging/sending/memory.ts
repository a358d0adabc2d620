import { createHash, randomBytes } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** What is known of a message that an earlier try of this run sent. */
export type Remembered =
	| { fate: 'accepted'; kept: IDataObject }
	| { fate: 'unknown'; sentAt: number; request: number; identifier?: string };

/** As it lies in the execution's data: short names, no text, no recipient. */
type Stored = {
	seed: string;
	/** How many requests have left: numbers them. */
	requests: number;
	accepted: { [key: string]: IDataObject };
	unknown: { [key: string]: { at: number; request: number; id?: string } };
};

type Store = { messagingSent?: { [runIndex: string]: Stored } };

/**
 * Which messages of this run of the node were accepted already.
 *
 * It lies in the execution's own data (`getContext('node')`), which belongs to this node alone and is
 * there again when n8n tries the node once more (*Retry On Fail*) and when a person retries the failed
 * execution. A run of a loop has its own.
 */
export class Memory {
	private readonly store: Store;

	private readonly runIndex: string;

	private readonly stored: Stored;

	constructor(context: IExecuteFunctions) {
		this.store = storeOf(context);
		const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
		this.runIndex = String(runIndex);
		const runs = (this.store.messagingSent ??= {});
		// An earlier run of a loop is over: nobody will try it again.
		for (const earlier of Object.keys(runs)) if (Number(earlier) < runIndex) delete runs[earlier];
		this.stored = runs[this.runIndex] ??= {
			seed: randomBytes(6).toString('hex'),
			requests: 0,
			accepted: {},
			unknown: {},
		};
	}

	/** An identifier for the message of this key: unique, and the same when the run is repeated. */
	identifier = (key: string) => `n8n-${this.stored.seed}-${key}`;

	recall(key: string): Remembered | undefined {
		if (Object.hasOwn(this.stored.accepted, key)) {
			return { fate: 'accepted', kept: this.stored.accepted[key] };
		}
		if (!Object.hasOwn(this.stored.unknown, key)) return undefined;
		const { at, request, id } = this.stored.unknown[key];
		return { fate: 'unknown', sentAt: at, request, identifier: id };
	}

	accepted(key: string, kept: IDataObject) {
		this.stored.accepted[key] = kept;
		delete this.stored.unknown[key];
	}

	/**
	 * Notes the messages of a request just before it leaves: until its answer is there, and for good when
	 * none comes, they may have been sent.
	 *
	 * @param at when it leaves, in ms
	 */
	leaving(messages: Array<{ key: string; identifier?: string }>, at: number) {
		const request = ++this.stored.requests;
		for (const { key, identifier } of messages) {
			this.stored.unknown[key] = { at, request, ...(identifier && { id: identifier }) };
		}
	}

	notSent(key: string) {
		delete this.stored.unknown[key];
	}

	/** To be called when every message was accepted: nothing is left to repeat. */
	forget() {
		const runs = this.store.messagingSent!;
		delete runs[this.runIndex];
		if (Object.keys(runs).length === 0) delete this.store.messagingSent;
	}
}

/** Where there is no execution to keep it in (a tool called without one), it lasts for the call. */
function storeOf(context: IExecuteFunctions): Store {
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
		return createHash('sha256').update(`${digits}#${nth}`).digest('hex').slice(0, 20);
	};
}
