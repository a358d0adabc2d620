import { createHash, randomBytes } from 'crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { plainId } from '../logs/plainId';
import type { WebhookEvent } from './event';
import { packed, shortKey, unpacked, type Times } from './packed';
import { TurnsOfTrigger } from './turns';

/**
 * How many completions are remembered, and how many other events, and for how long: a service that
 * repeats does so within days. Apart, because every SMS has a report, and a campaign one completion.
 */
const MOST = 2000;
const LONGEST = 7 * 24 * 3_600_000;

/** What a delivery of an event came to. Only `accepted` starts a workflow. */
export type Verdict = 'accepted' | 'unknownCampaign' | 'notConfirmed';

/** An event that a call is busy with: what it decided, and what became of it, or what its sender was told. */
type Attempt = {
	decided: Promise<Verdict>;
	over: Promise<Verdict>;
	end: (verdict: Verdict) => void;
};
type Memory = {
	begun: Times;
	underWay: Map<string, Attempt>;
	turns: TurnsOfTrigger;
	/** What was saved last has this mark; undefined when something has begun since. */
	mark: string | undefined;
};

/**
 * Events of this process, by trigger. n8n gives every call its own copy of what is saved and saves the
 * last one whole; what arrives within the same moments must be told apart here.
 */
const inProcess = new Map<string, Memory>();

/** What a key is made of, beside the event: all that came with its call, without the secret of the query. */
export type Origin = { events: WebhookEvent[]; query: IDataObject; body: unknown; raw?: Buffer };

/**
 * The event's key: a completion by its campaign and how it is named, so that what was taken for one does not keep
 * out the real one; anything else by what exactly came, and the query. Its first letter says which.
 */
export function keyOf(event: WebhookEvent, origin: Origin): string {
	let key = keys.get(event);
	if (key === undefined) {
		const { campaignId, name } = event;
		const hash = createHash('sha256');
		if (campaignId) {
			hash.update(plainId(campaignId) + (name ? `\n${name}` : ''));
		} else {
			hash.update(`${event.event} `);
			for (const part of contentOf(event, origin)) hash.update(part);
		}
		key = shortKey(campaignId ? 'c' : 'o', hash.digest());
		keys.set(event, key);
	}
	return key;
}

/** Noted: a body may be very long. */
const keys = new WeakMap<WebhookEvent, string>();

/** JSON in which parsing may have lost something: numbers of more than 15 digits, or bytes that are no UTF-8. */
const MAY_LACK = /[[:,]-?(?:[\d.]{16,}|[\d.]+e)|\ufffd/;

/** The bytes of a call; of an element in its list what was parsed, and the bytes only where these may say more. */
function* contentOf(
	event: WebhookEvent,
	{ events, query, body, raw }: Origin,
): Generator<string | Buffer> {
	if (event.body === body && raw?.length) {
		yield raw;
	} else {
		const text = JSON.stringify(event.body);
		yield text;
		if (raw?.length && MAY_LACK.test(text)) yield* [`\n${events.indexOf(event)} `, raw];
	}
	if (Object.keys(query).length > 0) yield `\n${JSON.stringify(query)}`;
}

/**
 * The newest of each kind, oldest first; what is too old, or no time at all, is left out. A time that is
 * still to come, left behind by a clock that ran ahead, counts as now: it would keep out all new ones.
 */
function newest(times: Iterable<[string, unknown]>): Times {
	const now = Date.now();
	const left: Record<string, number> = {};
	const kept = [...new Map(times)]
		.map(([key, at]): [string, number] => [key, typeof at === 'number' ? Math.min(at, now) : NaN])
		.filter(([, at]) => at >= now - LONGEST)
		// Of the same moment the last is the newest: sorting keeps their order.
		.reverse()
		.sort(([, a], [, b]) => b - a)
		.filter(([key]) => (left[key[0]] = (left[key[0]] ?? MOST) - 1) >= 0);
	return new Map(kept.reverse());
}

function newMemory(trigger: string): Memory {
	// Triggers come and go; what is too old to matter goes too.
	for (const [other, { begun, underWay }] of inProcess) {
		if (underWay.size === 0 && newest(begun).size === 0) inProcess.delete(other);
	}
	const memory = {
		begun: new Map(),
		underWay: new Map(),
		turns: new TurnsOfTrigger(),
		mark: undefined,
	};
	inProcess.set(trigger, memory);
	return memory;
}

/** Tells this process apart from others, and from itself before a restart. */
const PROCESS = randomBytes(6).toString('base64url');
let saves = 0;

/**
 * Which events this trigger has accepted: in this process, and in the workflow's static data, where
 * they outlast a restart. Bounded in number and age.
 */
export class Seen {
	private readonly memory: Memory;

	private readonly saved: IDataObject;

	private isSaved = false;

	constructor(context: IWebhookFunctions) {
		this.saved = context.getWorkflowStaticData('node');
		const trigger = `${context.getWorkflow().id}:${context.getNode().id}`;
		const memory = inProcess.get(trigger);
		this.memory = memory ?? newMemory(trigger);
		// What this process has saved it knows; what another one has, it takes over.
		if (!memory || String(this.saved.mark).split(' ')[0] !== PROCESS) {
			this.memory.begun = newest([...unpacked(this.saved), ...this.memory.begun]);
		}
	}

	/** Who may begin when, and whose answers wait. */
	get turns() {
		return this.memory.turns;
	}

	/**
	 * Decides on an event once: whoever comes while another call is busy with it shares what comes of it.
	 *
	 * @param shares how much of it: with `decision` it is not waited for whether it begins. A call of many
	 *   events must not wait for another one that may be waiting for it.
	 * @returns `duplicate` for an event that has begun, or begins with another call
	 */
	async once(
		key: string,
		decide: () => Promise<Verdict>,
		shares: 'decision' | 'outcome' = 'outcome',
	): Promise<Verdict | 'duplicate'> {
		if (this.hasBegun(key)) return 'duplicate';
		const { underWay } = this.memory;
		const other = underWay.get(key);
		if (other) {
			const verdict = await (shares === 'outcome' ? other.over : other.decided);
			return verdict === 'accepted' ? 'duplicate' : verdict;
		}
		const decided = decide();
		underWay.set(key, attemptOf(decided));
		let verdict: Verdict = 'notConfirmed';
		try {
			verdict = await decided;
			return verdict;
		} finally {
			if (verdict !== 'accepted') this.end(key, verdict);
		}
	}

	/** What becomes of an event that begins with another call: `duplicate` when it has begun. */
	async outcomeOf(key: string): Promise<Verdict | 'duplicate'> {
		const verdict = await this.memory.underWay.get(key)?.over;
		return verdict === undefined || verdict === 'accepted' ? 'duplicate' : verdict;
	}

	/**
	 * Gives n8n what it is to save when it has written the execution down: what has begun in this process,
	 * and what begins with this call. Events that another call is busy with are not saved: if the process
	 * ends first, they may come again.
	 */
	save(keys: string[]) {
		const now = Date.now();
		const begin = keys.map((key): [string, number] => [key, now]);
		this.isSaved = true;
		this.memory.mark = `${PROCESS} ${(saves++).toString(36)}`;
		delete this.saved.accepted;
		Object.assign(this.saved, packed(newest([...this.memory.begun, ...begin])));
		this.saved.mark = this.memory.mark;
	}

	/** Saves again what somebody else has saved over; not while another call may be saving more. */
	repair() {
		const { begun, underWay, mark } = this.memory;
		const isSaved = mark !== undefined && mark === this.saved.mark;
		if (underWay.size === 0 && begun.size > 0 && !isSaved) this.save([]);
	}

	/**
	 * Says to who waits for these events what to tell its sender, although they have not begun yet: reading the
	 * logs may take minutes. `accepted` when the call that brings them was answered, because its sender will not
	 * deliver them again; `notConfirmed` when that caller has left, who may.
	 */
	tell(keys: string[], verdict: Verdict) {
		for (const key of keys) this.memory.underWay.get(key)?.end(verdict);
	}

	/** Ends what was begun with `once` for accepted events: they have begun, or may come again. */
	over(keys: string[], haveBegun: boolean) {
		const { begun } = this.memory;
		if (haveBegun && !this.isSaved) this.memory.mark = undefined;
		for (const key of keys) {
			// Again at the end: the order is that of time.
			begun.delete(key);
			if (haveBegun) begun.set(key, Date.now());
			this.end(key, haveBegun ? 'accepted' : 'notConfirmed');
		}
		// Sorting all for each event would cost more than the event.
		if (begun.size > 3 * MOST) this.memory.begun = newest(begun);
	}

	private end(key: string, verdict: Verdict) {
		this.memory.underWay.get(key)?.end(verdict);
		this.memory.underWay.delete(key);
	}

	private hasBegun(key: string): boolean {
		const at = this.memory.begun.get(key);
		return typeof at === 'number' && at >= Date.now() - LONGEST;
	}
}

function attemptOf(decided: Promise<Verdict>): Attempt {
	let end: Attempt['end'];
	const over = new Promise<Verdict>((resolve) => (end = resolve));
	return { decided, over, end: end! };
}
