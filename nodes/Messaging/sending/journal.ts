import { hash, randomBytes } from 'crypto';
import { type IDataObject, type IExecuteFunctions, UserError } from 'n8n-workflow';
import { executionToken } from '../n8n/executionToken';
import { TimeSlice } from '../utils/concurrency';
import type { Message } from './message';
import type { Request } from './messageGroups';
import { recipientsHash, type Identities } from './recipientsHash';

/** A request that left. Until it is noted what became of it, its messages may have been sent. */
export type Sent = Pick<Request, 'from' | 'positions' | 'recipients'> & {
	/** The user's own identifiers. */
	ids?: Array<string | undefined>;
	/** Why it is unknown, once that is known. */
	why?: { message: string; httpStatus?: number };
	/** What the service returned once they were accepted: ids, without text. One for each message, or one for all. */
	receipts?: IDataObject[];
};

/** Returns the receipt of a message by its index in the request. */
export const receiptOf = (receipts: IDataObject[], index: number) =>
	receipts.length === 1 ? receipts[0] : receipts[index];

/** A message that an earlier attempt sent: the number of its request, and its index in it. */
export type Earlier = { number: number; index: number; sent: Sent };

/** One run of the node, as n8n saves it in the execution's data. */
type StoredRun = {
	/** The run's number among the node's runs in this execution, from 1. */
	run: number;
	/** Stands in for the execution's token where there is none. */
	seed?: string;
	/** How many attempts to send have begun. */
	attempts: number;
	/** How many requests have left; this is also the number of the latest one. */
	left: number;
	sent: { [number: string]: Sent };
	/** All entries of the list, if a number occurs in it several times. */
	list?: { count: number; recipients: string };
};

type Store = { messagingSent?: { [runIndex: string]: StoredRun } };

type ExecutionData = Store & {
	/** How many runs of the node this execution has begun. */
	messagingRuns?: number;
	/** An earlier attempt of this execution crashed while it was sending. */
	messagingCutOff?: boolean;
};

const LIST_CHANGED =
	"The recipients are not the same as in an earlier attempt, which has sent to some of them already. Nothing more was sent. Undo the change (also of 'Phone Format' and 'Default Country Code') and retry, or execute the workflow again with only those who got no message ('Log → Get Many' shows who got one).";

/**
 * The journal: what one run of the node has sent. It is part of the execution's data, which n8n returns when it runs the node
 * again (*Retry On Fail*, *Retry*) with the same input items. So a message is recognised by its position.
 */
export class Journal {
	/** Shared by the execution and its retries; undefined before n8n 2.14, and where there is no execution. */
	readonly token: string | undefined;

	/** The node's data in the execution: the same object while n8n runs it. */
	readonly execution: object | undefined;

	/** A person's *Retry*: the attempt before it may have crashed, and so have left no data. */
	readonly isRetry: boolean;

	/** The execution has no data of an earlier attempt of this run. */
	readonly isNew: boolean;

	private readonly store: Store;

	private readonly runIndex: string;

	private readonly stored: StoredRun;

	/** What the identifiers of this run have in common: nobody else has it. */
	private readonly secret: string;

	constructor(context: IExecuteFunctions) {
		const data = dataOf(context);
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
		this.stored = runs[this.runIndex] ??= begin(data ?? {}, this.token === undefined);
		const { seed, run } = this.stored;
		// The nodes of a workflow share the token. Parallel calls by an agent have no fixed order, but their arguments differ.
		const call = isTool ? JSON.stringify(context.getInputData()) : '';
		this.secret = [this.token ?? seed, context.getNode().id, run, call].join(' ');
	}

	/** The run's number among the node's runs in this execution, from 1; the same after a crash. */
	get run() {
		return this.stored.run;
	}

	/** Whether no earlier attempt is known to have sent anything. */
	get isEmpty() {
		return Object.keys(this.stored.sent).length === 0;
	}

	/** An earlier attempt of this execution crashed. It is saved: all later rounds and retries must know it, too. */
	get wasCutOff() {
		return ((this.execution ?? {}) as ExecutionData).messagingCutOff ?? false;
	}

	noteCutOff() {
		(this.execution as ExecutionData).messagingCutOff = true;
	}

	/** Counts an attempt to send. @returns how many there were before */
	beginAttempt = () => this.stored.attempts++;

	/** Generates the identifiers that the user did not give. */
	async nameMessages(request: Request) {
		const key = this.keyOf(request);
		const slice = new TimeSlice();
		for (const [index, message] of request.messages.entries()) {
			if (slice.isOver) await slice.yieldIfOver();
			if (message.identifier && !message.isGenerated) continue;
			message.identifier = identifierOf(key, index);
			message.isGenerated = true;
		}
	}

	/**
	 * Returns what the identifiers of a request begin with. They depend on everything that decides which messages it has, so
	 * one log record proves that the service accepted exactly these messages. `recipients` is a hash of the positions, too.
	 */
	private keyOf({ from, recipients }: Pick<Sent, 'from' | 'recipients'>) {
		return `n8n-${hash('sha256', [this.secret, from, recipients].join(' ')).slice(0, 16)}`;
	}

	/**
	 * Returns, by position, what an earlier attempt sent, and notes the list of this attempt.
	 *
	 * @throws UserError when the recipients have changed since
	 */
	async earlier({ identities, hasTwins }: Identities): Promise<Map<number, Earlier>> {
		const found = new Map<number, Earlier>();
		const { list, sent: requests } = this.stored;
		const same = async (positions: number[], recipients: string) => {
			if ((await recipientsHash(positions, identities)) !== recipients) {
				throw new UserError(LIST_CHANGED);
			}
		};
		// In a list with a number twice, a removed or moved entry may put one message in the place of another one.
		if (list && !this.isEmpty) await same(firstOf(list.count), list.recipients);
		const slice = new TimeSlice();
		for (const [number, sent] of Object.entries(requests)) {
			if (slice.isOver) await slice.yieldIfOver();
			const { positions, recipients, receipts } = sent;
			await same(positions, recipients);
			for (const [index, position] of positions.entries()) {
				// A message that was resent is accepted if either request was.
				if (receipts || !found.get(position)?.sent.receipts) {
					found.set(position, { number: Number(number), index, sent });
				}
			}
		}
		const count = identities.length;
		if (hasTwins) {
			this.stored.list = { count, recipients: await recipientsHash(firstOf(count), identities) };
		} else delete this.stored.list;
		return found;
	}

	sent = (number: number): Sent => this.stored.sent[number];

	/** Returns the identifiers that the messages of a request were sent with. */
	messagesOf(sent: Sent): Array<Pick<Message, 'identifier' | 'isGenerated'>> {
		const key = this.keyOf(sent);
		return sent.positions.map((_, index) => {
			const own = sent.ids?.[index];
			return own
				? { identifier: own }
				: { identifier: identifierOf(key, index), isGenerated: true };
		});
	}

	/** Counts the messages that earlier attempts sent. */
	counts(): { accepted: number; unknown: number } {
		const accepted = new Map<number, boolean>();
		for (const { positions, receipts } of Object.values(this.stored.sent)) {
			for (const at of positions) accepted.set(at, accepted.get(at) === true || !!receipts);
		}
		const count = [...accepted.values()].filter(Boolean).length;
		return { accepted: count, unknown: accepted.size - count };
	}

	/** Notes a request just before it leaves. @returns its number */
	leaving({ from, positions, recipients, messages }: Request): number {
		const number = ++this.stored.left;
		const hasOwn = messages.some(({ identifier, isGenerated }) => identifier && !isGenerated);
		const ids = hasOwn && {
			ids: messages.map(({ identifier, isGenerated }) => (isGenerated ? undefined : identifier)),
		};
		this.stored.sent[number] = { positions, recipients, from, ...ids };
		return number;
	}

	accepted(number: number, receipts: IDataObject[]) {
		const sent = this.sent(number);
		sent.receipts = receipts;
		delete sent.why;
	}

	unknown(number: number, { message, httpStatus }: { message: string; httpStatus?: number }) {
		this.stored.sent[number].why = { message, ...(httpStatus && { httpStatus }) };
	}

	notSent(number: number) {
		delete this.stored.sent[number];
	}

	/** Deletes the run: every message was accepted, and nothing is left to repeat. */
	forget() {
		const runs = this.store.messagingSent ?? {};
		delete runs[this.runIndex];
		if (Object.keys(runs).length === 0) delete this.store.messagingSent;
	}
}

function begin(data: ExecutionData, hasNoToken: boolean): StoredRun {
	const run = (data.messagingRuns = (data.messagingRuns ?? 0) + 1);
	const seed = hasNoToken && { seed: randomBytes(8).toString('hex') };
	return { run, ...seed, attempts: 0, left: 0, sent: {} };
}

const identifierOf = (key: string, index: number) => `${key}-${index + 1}`;

const firstOf = (count: number) => Array.from({ length: count }, (_, position) => position);

/** The node's data in the execution; undefined where there is no execution. */
function dataOf(context: IExecuteFunctions): ExecutionData | undefined {
	try {
		return context.getContext('node');
	} catch {
		return undefined;
	}
}

/** The key is the object of a call's arguments: all attempts of an agent's call get the same one, and no other call does. */
const calls = new WeakMap<object, Store>();

function storeOfCall(context: IExecuteFunctions): Store {
	const args: unknown = context.getInputData()[0]?.json;
	if (typeof args !== 'object' || args === null) return {};
	if (!calls.has(args)) calls.set(args, {});
	return calls.get(args)!;
}
