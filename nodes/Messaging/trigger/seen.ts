import { createHash } from 'crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { plainId } from '../logs/record';
import { pause } from '../service/clock';
import type { WebhookEvent } from './event';

/**
 * How many completions are remembered, and how many other events, and for how long: a service that
 * repeats does so within days. Apart, because every SMS has a report, and a campaign one completion.
 */
const MOST = 2000;
const LONGEST = 7 * 24 * 3_600_000;

/** When n8n is told again that there is something to save, in ms: the first is enough when it is idle. */
const REMINDERS = [0, 1, 3, 10, 30, 100, 300, 1000];

/** What a delivery of an event came to. Only `accepted` starts a workflow. */
export type Verdict = 'accepted' | 'unknownCampaign' | 'notConfirmed';

type Times = Map<string, number>;
/** An event that a call is busy with: what it decided, and what became of it, or what its sender was told. */
type Attempt = {
	decided: Promise<Verdict>;
	over: Promise<Verdict>;
	end: (verdict: Verdict) => void;
};
type Memory = { begun: Times; underWay: Map<string, Attempt> };

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
		key = `${campaignId ? 'c' : 'o'}${hash.digest('hex').slice(0, 24)}`;
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

const timesIn = (saved: IDataObject) => (saved.accepted ?? {}) as IDataObject;

function memoryOf(trigger: string, saved: IDataObject): Memory {
	let memory = inProcess.get(trigger);
	if (!memory) {
		// Triggers come and go; what is too old to matter goes too.
		for (const [other, { begun, underWay }] of inProcess) {
			if (underWay.size === 0 && newest(begun).size === 0) inProcess.delete(other);
		}
		memory = { begun: newest(Object.entries(timesIn(saved))), underWay: new Map() };
		inProcess.set(trigger, memory);
	}
	return memory;
}

/**
 * Which events this trigger has accepted: in this process, and in the workflow's static data, where
 * they outlast a restart. Bounded in number and age.
 */
export class Seen {
	private readonly memory: Memory;

	private readonly saved: IDataObject;

	constructor(context: IWebhookFunctions) {
		this.saved = context.getWorkflowStaticData('node');
		this.memory = memoryOf(`${context.getWorkflow().id}:${context.getNode().id}`, this.saved);
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
	 * and what begins with this call, of which there must be one at a time. Events that another call is
	 * busy with are not saved: if the process ends first, they may come again.
	 */
	save(keys: string[]) {
		const now = Date.now();
		const saved = timesIn(this.saved);
		const begin = keys.map((key): [string, number] => [key, now]);
		const all = newest([...Object.entries(saved), ...this.memory.begun, ...begin]);
		if ([...all.keys()].every((key) => Object.hasOwn(saved, key))) return;
		this.saved.accepted = Object.fromEntries(all);
		void this.remind();
	}

	/**
	 * n8n saves what was changed. On its way to the execution (2.40, `establishContextForPersistence`) it
	 * makes a second workflow of the same data, which forgets that something was.
	 */
	private async remind() {
		for (const wait of REMINDERS) {
			await pause(wait);
			this.saved.accepted = timesIn(this.saved);
		}
	}

	/** Saves again what somebody else has saved over; not while another call may be saving more. */
	repair() {
		if (this.memory.underWay.size === 0) this.save([]);
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
		for (const key of keys) {
			if (haveBegun) begun.set(key, Date.now());
			this.end(key, haveBegun ? 'accepted' : 'notConfirmed');
		}
		this.memory.begun = newest(begun);
	}

	private end(key: string, verdict: Verdict) {
		this.memory.underWay.get(key)?.end(verdict);
		this.memory.underWay.delete(key);
	}

	private hasBegun(key: string): boolean {
		const at = this.memory.begun.get(key) ?? timesIn(this.saved)[key];
		return typeof at === 'number' && at >= Date.now() - LONGEST;
	}
}

function attemptOf(decided: Promise<Verdict>): Attempt {
	let end: Attempt['end'];
	const over = new Promise<Verdict>((resolve) => (end = resolve));
	return { decided, over, end: end! };
}
