import { hash, randomBytes } from 'crypto';
import { type IDataObject, type IExecuteFunctions, UserError } from 'n8n-workflow';
import { isAgentsCall, storeOfCall } from '../n8n/agentsCall';
import { executionData, executionToken } from '../n8n/execution';
import type { Message, Request } from './message';
import { recipientsHash } from './requests';

/** A request that left. Until it is noted what became of it, its messages may have been sent. */
export type Sent = Pick<Request, 'from' | 'items' | 'recipients'> & {
	/** The user's own identifiers; a generated one is empty here. */
	ids?: Array<string | undefined>;
	/** Why it is unknown, once that is known. */
	why?: { message: string; httpStatus?: number };
	/** What the service returned once they were accepted: ids, without text. One for each message, or one for all. */
	receipts?: IDataObject[];
};

/** A request that an earlier attempt sent, or may have: its messages as they left, and what is known of it. */
export type EarlierRequest = Pick<Sent, 'why' | 'receipts'> & {
	messages: Message[];
	/** Its number in the journal; undefined after a crash. */
	number?: number;
};

/** One run of the node, as n8n saves it in the execution's data. */
type StoredRun = {
	/** The run's number among the node's runs in this execution, from 1. */
	run: number;
	/** Stands in for the execution's token where there is none. */
	seed?: string;
	/** How many attempts have begun to send. */
	attempts: number;
	/** How many requests have left; this is also the number of the latest one. */
	left: number;
	sent: { [number: string]: Sent };
	/** An agent's call in a Retry of an execution that sent with such calls: n8n has not saved their journals. */
	isAfterCalls: boolean;
};

type Store = { messagingSent?: { [runIndex: string]: StoredRun } };

type ExecutionData = Store & {
	/** How many runs of the node this execution has begun. */
	messagingRuns?: number;
	/** What earlier attempts of this execution sent is not known here. */
	messagingCutOff?: boolean;
	/** The id of the execution in which an agent's call began to send; a Retry has another one. */
	messagingCalls?: string;
	/** Hashes of accepted messages, each with the index of its run (otherRuns.ts). */
	messagingContents?: { [content: string]: string };
};

const RECIPIENTS_CHANGED =
	"The recipients are not the same as in an earlier attempt, which may have sent to some of them. Undo the change (also in 'Phone Format' and 'Default Country Code') and retry, or execute the workflow again with only those who got no message ('Log → Get Many' shows who got one).";

/**
 * The journal: what one run of the node has sent. It is part of the execution's data, which n8n returns when it runs the node
 * again (*Retry On Fail*, *Retry*) with the same input items. So a message is recognised by its item.
 */
export class Journal {
	/** Shared by the execution and its retries; undefined where n8n gives none, or there is no execution. */
	readonly token: string | undefined;

	/** The node's data in the execution: the same object while n8n runs it. */
	readonly execution: ExecutionData | undefined;

	/** A person's *Retry*: the attempt before it may have crashed, and so have left no data. */
	readonly isRetry: boolean;

	/** The execution has no data of an earlier attempt of this run. */
	readonly isNew: boolean;

	/** Set if an agent calls the node: the execution's id. */
	private readonly callIn: string | undefined;

	private isLookedFor = false;

	private readonly store: Store;

	readonly runIndex: string;

	private readonly stored: StoredRun;

	/** What the identifiers of this run have in common: nobody else has it. */
	private readonly secret: string;

	constructor(context: IExecuteFunctions) {
		const data: ExecutionData | undefined = executionData(context);
		const isTool = context.isToolExecution?.() ?? false;
		this.execution = data;
		this.token = data && executionToken(context);
		this.isRetry = context.getMode() === 'retry';
		this.store = isTool ? storeOfCall(context) : (data ?? {});
		const index = isTool ? 0 : (context.getWorkflowDataProxy(0).$runIndex as number);
		this.runIndex = String(index);
		const runs = (this.store.messagingSent ??= {});
		// An earlier round of a loop is over: it is not retried.
		for (const earlier of Object.keys(runs)) if (Number(earlier) < index) delete runs[earlier];
		this.isNew = runs[this.runIndex] === undefined;
		this.callIn = isAgentsCall(context) ? context.getExecutionId() : undefined;
		const calls = this.callIn && data?.messagingCalls;
		this.stored = runs[this.runIndex] ??= {
			run: 1 + (data?.messagingRuns ?? 0),
			seed: this.token ? undefined : randomBytes(8).toString('hex'),
			attempts: 0,
			left: 0,
			sent: {},
			isAfterCalls: calls !== undefined && calls !== this.callIn,
		};
		const { seed, run } = this.stored;
		if (data && this.isNew) data.messagingRuns = run;
		// The nodes of a workflow share the token. Parallel calls by an agent have no fixed order, but their arguments differ.
		const call = isTool ? JSON.stringify(context.getInputData()) : '';
		this.secret = [this.token ?? seed, context.getNode().id, run, call].join(' ');
	}

	/** Whether anything is known to have been sent, or perhaps sent, by an earlier attempt or this one. */
	get hasSent() {
		return Object.keys(this.stored.sent).length > 0 || this.wasCutOff;
	}

	/** In a Retry, also an attempt that crashed, and left no data, may have sent something, until the crash note was looked for. */
	get mayHaveSent() {
		return this.hasSent || (this.isRetry && !this.isLookedFor);
	}

	/** Any message of this execution may have left earlier. It is saved: all later rounds and retries must know it, too. */
	get wasCutOff() {
		return this.execution?.messagingCutOff ?? false;
	}

	/** Nothing may be sent: it is not known what the agent's calls of an earlier attempt sent. */
	get isAfterCalls() {
		return this.stored.isAfterCalls;
	}

	/** A round of a loop behind the first one. */
	get isLaterRound() {
		return this.runIndex !== '0';
	}

	noteCutOff() {
		this.execution!.messagingCutOff = true;
	}

	/** Differs for every attempt of this execution to send with this node, and is the same again after a crash. */
	get attempt() {
		return `${this.stored.run} ${this.stored.attempts}`;
	}

	/** Counts an attempt that begins to send: it has looked for the note of one that crashed. */
	countAttempt() {
		this.stored.attempts++;
		this.isLookedFor = true;
	}

	/**
	 * Returns the generated identifiers of a request, by index. They depend on everything that decides which messages it has, so
	 * one log record proves that the service accepted exactly these messages. `recipients` is a hash of the items, too.
	 */
	identifiersOf({ from, recipients }: Pick<Sent, 'from' | 'recipients'>) {
		const key = hash('sha256', [this.secret, from, recipients].join(' ')).slice(0, 16);
		return (index: number) => `n8n-${key}-${index + 1}`;
	}

	/**
	 * Returns the requests that an earlier attempt sent.
	 *
	 * @throws UserError when their recipients have changed since
	 */
	async earlier(messages: readonly Message[], hasIdentifier = false): Promise<EarlierRequest[]> {
		const requests: EarlierRequest[] = [];
		for (const [number, sent] of Object.entries(this.stored.sent)) {
			const { from, items, recipients, ids, why, receipts } = sent;
			const now = items.map((item) => messages[item] ?? { item, digits: '' });
			if ((await recipientsHash(now)) !== recipients) throw new UserError(RECIPIENTS_CHANGED);
			const generated = this.identifiersOf(sent);
			const asSent = now.map((message, index): Message => {
				const identifier = ids?.[index];
				if (!hasIdentifier) return { ...message, from };
				return identifier
					? { ...message, from, identifier }
					: { ...message, from, identifier: generated(index), isGenerated: true };
			});
			requests.push({ number: Number(number), messages: asSent, why, receipts });
		}
		return requests;
	}

	/** Returns the items of the messages in the requests that `isMeant` selects. */
	items(isMeant: (sent: Sent) => boolean = () => true): Set<number> {
		const requests = Object.values(this.stored.sent).filter(isMeant);
		return new Set(requests.flatMap(({ items }) => items));
	}

	/** Counts the messages that earlier attempts sent. */
	counts(): { accepted: number; unknown: number } {
		const accepted = this.items(({ receipts }) => receipts !== undefined).size;
		return { accepted, unknown: this.items().size - accepted };
	}

	/** Notes a request just before it leaves. @returns its number */
	leaving({ from, items, recipients, messages }: Request) {
		if (this.callIn && this.execution) this.execution.messagingCalls ??= this.callIn;
		const number = ++this.stored.left;
		const sent: Sent = { items, recipients, from };
		if (messages.some(({ identifier, isGenerated }) => identifier && !isGenerated)) {
			sent.ids = messages.map((message) => (message.isGenerated ? '' : message.identifier));
		}
		this.stored.sent[number] = sent;
		return number;
	}

	accepted(number: number, receipts: IDataObject[]) {
		this.stored.sent[number].receipts = receipts;
	}

	unknown(number: number, { message, httpStatus }: { message: string; httpStatus?: number }) {
		this.stored.sent[number].why = { message, ...(httpStatus && { httpStatus }) };
	}

	notSent(number: number) {
		delete this.stored.sent[number];
	}

	/** Deletes the run: every message was accepted, and nothing is left to repeat. */
	forget() {
		delete this.store.messagingSent![this.runIndex];
	}
}
