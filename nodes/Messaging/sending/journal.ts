import { type IDataObject, type IExecuteFunctions, UserError } from 'n8n-workflow';
import { Identity, moveRun, ofThisRun } from './identity';
import type { Message, Request } from './message';
import { recipientsHash } from './requests';

/*
 * What is known of earlier attempts of a run:
 *
 * | flag           | set by                                                | true until                                   |
 * | -------------- | ----------------------------------------------------- | -------------------------------------------- |
 * | `isRetry`      | n8n: a person has pressed *Retry* (identity.ts)       | this attempt ends                            |
 * | `beganInRetry` | the first attempt with data is a Retry (identity.ts)  | ever, in all attempts of this run            |
 * | `isLookedFor`  | `beginAttempt`: the crash note was looked for         | this attempt ends                            |
 * | `wasCutOff`    | `noteCutOff`: the crash note was found                | ever, in all later rounds and retries        |
 * | `isAfterCalls` | the first attempt of an agent's call, in a Retry      | ever, in all attempts of this call           |
 * | `hasSent`      | `leaving`, or `wasCutOff`                             | `notSent` or `forget`, if it is not cut off  |
 * | `mayHaveSent`  | `hasSent`, or a Retry before `isLookedFor`            | the crash note is not found, nothing was sent |
 */

/** A request that left. Until it is noted what became of it, its messages may have been sent. */
type SentRequest = Pick<Request, 'from' | 'items' | 'recipients'> & {
	/** The user's own identifiers; a generated one is empty here. Written by `leaving`. */
	ids?: Array<string | undefined>;
	/** Why it is unknown. Written by `unknown`; stale once there are `receipts`. */
	why?: { message: string; httpStatus?: number };
	/**
	 * What the service returned once they were accepted: ids, without text. One for each message, or one for all. Written by
	 * `accepted`, and final.
	 */
	receipts?: IDataObject[];
};

/** A request that an earlier attempt sent, or may have: its messages as they left, and what is known of it. */
export type EarlierRequest = Pick<SentRequest, 'why' | 'receipts'> & {
	messages: Message[];
	/** Its number in the journal; undefined after a crash. */
	nth?: number;
};

/** What one run has sent, as n8n saves it in the execution's data. */
type SavedRun = {
	/** How many requests have left; this is also the number of the latest one. Written by `leaving`. */
	left: number;
	/** By number. `leaving` adds a request, `notSent` deletes it, and `forget` deletes the run. */
	sent: { [nth: string]: SentRequest };
	/** Written when the run begins first. */
	isAfterCalls: boolean;
};

type Saved = { messagingSent?: { [runIndex: string]: SavedRun } };

type SavedForAllRuns = {
	/** What earlier attempts of this execution sent is not known here. Written by `noteCutOff`, and final. */
	messagingCutOff?: boolean;
	/** The id of the execution in which an agent's call began to send; a Retry has another one. Written by `leaving`, and final. */
	messagingCalls?: string;
};

const RECIPIENTS_CHANGED =
	"The recipients are not the same as in an earlier attempt, which may have sent to some of them. Undo the change (also in 'Phone Format' and 'Default Country Code') and retry, or execute the workflow again with only those who got no message ('Log → Get Many' shows who got one).";

/**
 * The journal: what one run of the node has sent. It is part of the execution's data, which n8n returns when it runs the node
 * again (*Retry On Fail*, *Retry*) with the same input items. So a message is recognised by its item.
 */
export class Journal {
	readonly identity: Identity;

	private readonly saved: SavedRun;

	private readonly savedForAllRuns: SavedForAllRuns;

	private isLookedFor = false;

	constructor(context: IExecuteFunctions) {
		const { execution, memory, callIn, runIndex } = (this.identity = new Identity(context));
		this.savedForAllRuns = execution ?? {};
		const calls = callIn && this.savedForAllRuns.messagingCalls;
		const isAfterCalls = calls !== undefined && calls !== callIn;
		const runs = ((memory as Saved).messagingSent ??= {});
		moveRun(runs, this.identity.failedIndex, runIndex);
		this.saved = ofThisRun(runs, runIndex, { left: 0, sent: {}, isAfterCalls });
	}

	/** In a Retry, also an attempt that crashed, and left no data, may have sent something, until the crash note was looked for. */
	get mayHaveSent() {
		return this.hasSent || (this.identity.isRetry && !this.isLookedFor);
	}

	/** Whether anything is known to have been sent, or perhaps sent, by an earlier attempt or this one. */
	get hasSent() {
		return Object.keys(this.saved.sent).length > 0 || this.wasCutOff;
	}

	/** Any message of this execution may have left earlier. */
	get wasCutOff() {
		return this.savedForAllRuns.messagingCutOff ?? false;
	}

	/** Nothing may be sent: n8n has not saved what the agent's calls of an earlier attempt sent. */
	get isAfterCalls() {
		return this.saved.isAfterCalls;
	}

	noteCutOff() {
		this.savedForAllRuns.messagingCutOff = true;
	}

	/** Counts an attempt that begins to send: it has looked for the note of one that crashed. */
	beginAttempt() {
		this.identity.countAttempt();
		this.isLookedFor = true;
	}

	/** Counts an attempt no more: it has sent nothing, and its crash note goes. */
	forgetAttempt() {
		this.identity.uncountAttempt();
	}

	/**
	 * Returns the requests that an earlier attempt sent.
	 *
	 * @throws UserError when their recipients have changed since
	 */
	async earlier(messages: readonly Message[], hasIdentifier = false): Promise<EarlierRequest[]> {
		const requests: EarlierRequest[] = [];
		for (const [nth, sent] of Object.entries(this.saved.sent)) {
			const { from, items, recipients, ids, why, receipts } = sent;
			const now = items.map((item) => messages[item] ?? { item, digits: '' });
			if ((await recipientsHash(now)) !== recipients) throw new UserError(RECIPIENTS_CHANGED);
			const generated = this.identity.identifiersOf(sent);
			const asSent = now.map((message, index): Message => {
				const identifier = ids?.[index];
				if (!hasIdentifier) return { ...message, from };
				return identifier
					? { ...message, from, identifier }
					: { ...message, from, identifier: generated(index), isGenerated: true };
			});
			requests.push({ nth: Number(nth), messages: asSent, why, receipts });
		}
		return requests;
	}

	/** Returns the items of the messages in the requests that `isMeant` selects. */
	items(isMeant: (sent: SentRequest) => boolean = () => true): Set<number> {
		const requests = Object.values(this.saved.sent).filter(isMeant);
		return new Set(requests.flatMap(({ items }) => items));
	}

	/** Counts the messages that earlier attempts sent. */
	counts(): { accepted: number; unknown: number } {
		const accepted = this.items(({ receipts }) => receipts !== undefined).size;
		return { accepted, unknown: this.items().size - accepted };
	}

	/** Notes a request just before it leaves. @returns its number */
	leaving({ from, items, recipients, messages }: Request) {
		const { callIn } = this.identity;
		if (callIn) this.savedForAllRuns.messagingCalls ??= callIn;
		const nth = ++this.saved.left;
		const sent: SentRequest = { items, recipients, from };
		if (messages.some(({ identifier, isGenerated }) => identifier && !isGenerated)) {
			sent.ids = messages.map((message) => (message.isGenerated ? '' : message.identifier));
		}
		this.saved.sent[nth] = sent;
		return nth;
	}

	accepted(nth: number, receipts: IDataObject[]) {
		this.saved.sent[nth].receipts = receipts;
	}

	unknown(nth: number, { message, httpStatus }: { message: string; httpStatus?: number }) {
		this.saved.sent[nth].why = { message, ...(httpStatus && { httpStatus }) };
	}

	notSent(nth: number) {
		delete this.saved.sent[nth];
	}

	/** Deletes the run: every message was accepted, and nothing is left to repeat. */
	forget() {
		const { memory, runIndex } = this.identity;
		this.identity.forget();
		delete (memory as Saved).messagingSent![runIndex];
	}
}
