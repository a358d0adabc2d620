import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { pause } from '../service/clock';

/**
 * Completions that are remembered, and other events, and for how long in ms: a service redelivers within days. The two
 * kinds are counted apart, because every SMS has a report, and a campaign one completion.
 */
const MOST = 2000;
const LONGEST = 7 * 24 * 3_600_000;

/** Pauses before the static data are marked as changed once more, in ms: the first is enough when n8n is idle. */
const MARKING_PAUSES = [0, 1, 3, 10, 30, 100, 300, 1000];

/** What was decided on an event. Only `accepted` starts the workflow. */
export type Verdict = 'accepted' | 'unknownCampaign' | 'notConfirmed';

/** When events were accepted, in ms since 1970, by their keys. */
type Times = Map<string, number>;

/** An event that a call is handling. */
type Attempt = {
	decided: Promise<Verdict>;
	/** `accepted` once n8n has begun the execution, or once the service will not deliver the event again. */
	outcome: Promise<Verdict>;
	settle: (outcome: Verdict) => void;
};

/** What all calls of one trigger share in this process. */
type Shared = {
	/** Events whose executions n8n has begun. */
	begun: Times;
	attempts: Map<string, Attempt>;
};

/**
 * By trigger. n8n gives every call its own copy of the static data and saves the last one whole: calls that come at the
 * same time are deduplicated here.
 */
const triggers = new Map<string, Shared>();

/**
 * The newest events of each kind, oldest first, without those that are too old or have no time. A time in the future,
 * written while the clock was wrong, counts as now: otherwise it would keep out all new events.
 */
function newest(times: Iterable<[string, unknown]>): Times {
	const now = Date.now();
	const left: Record<string, number> = {};
	const kept = [...new Map(times)]
		.map(([key, at]): [string, number] => [key, typeof at === 'number' ? Math.min(at, now) : NaN])
		.filter(([, at]) => at >= now - LONGEST)
		// Sorting keeps the order of equal times, and the last of them is the newest.
		.reverse()
		.sort(([, a], [, b]) => b - a)
		.filter(([key]) => (left[key[0]] = (left[key[0]] ?? MOST) - 1) >= 0);
	return new Map(kept.reverse());
}

const timesIn = (saved: IDataObject) => (saved.accepted ?? {}) as IDataObject;

function sharedOf(trigger: string, saved: IDataObject): Shared {
	let shared = triggers.get(trigger);
	if (!shared) {
		// Triggers come and go: those that remember nothing recent are dropped.
		for (const [other, { begun, attempts }] of triggers) {
			if (attempts.size === 0 && newest(begun).size === 0) triggers.delete(other);
		}
		shared = { begun: newest(Object.entries(timesIn(saved))), attempts: new Map() };
		triggers.set(trigger, shared);
	}
	return shared;
}

/**
 * Which events a trigger has accepted, as one call sees it: in this process, and in the workflow's static data, where
 * they outlast a restart. Limited in number and age.
 */
export class EventMemory {
	private readonly shared: Shared;

	private readonly saved: IDataObject;

	constructor(context: IWebhookFunctions) {
		this.saved = context.getWorkflowStaticData('node');
		this.shared = sharedOf(`${context.getWorkflow().id}:${context.getNode().id}`, this.saved);
	}

	/**
	 * Decides on an event once. A call that brings an event which another call is handling shares what comes of it.
	 *
	 * @param shares with `outcome` it waits until the execution has begun, or has not. A call with many events shares
	 *   the `decision` only: two calls must not wait for each other.
	 * @returns `duplicate` for an event that has begun, or is beginning with another call
	 */
	async once(
		key: string,
		decide: () => Promise<Verdict>,
		shares: 'decision' | 'outcome' = 'outcome',
	): Promise<Verdict | 'duplicate'> {
		if (this.hasBegun(key)) return 'duplicate';
		const { attempts } = this.shared;
		const other = attempts.get(key);
		if (other) {
			const verdict = await (shares === 'outcome' ? other.outcome : other.decided);
			return verdict === 'accepted' ? 'duplicate' : verdict;
		}
		const decided = decide();
		attempts.set(key, attemptOf(decided));
		let verdict: Verdict = 'notConfirmed';
		try {
			verdict = await decided;
			return verdict;
		} finally {
			if (verdict !== 'accepted') this.endAttempt(key, verdict);
		}
	}

	/** What comes of an event that another call is beginning: `duplicate` when it has begun. */
	async outcomeOf(key: string): Promise<Verdict | 'duplicate'> {
		const outcome = await this.shared.attempts.get(key)?.outcome;
		return outcome === undefined || outcome === 'accepted' ? 'duplicate' : outcome;
	}

	/**
	 * Puts into this call's static data, which n8n saves, all events that have begun in this process, and those that begin
	 * with this call; only one call at a time may do so. Events that other calls are handling are left out: if the process
	 * ends first, they may be delivered again.
	 *
	 * @param keys the events that begin with this call
	 */
	save(keys: string[]) {
		const now = Date.now();
		const saved = timesIn(this.saved);
		const beginning = keys.map((key): [string, number] => [key, now]);
		const all = newest([...Object.entries(saved), ...this.shared.begun, ...beginning]);
		if ([...all.keys()].every((key) => Object.hasOwn(saved, key))) return;
		this.saved.accepted = Object.fromEntries(all);
		void this.markAsChanged();
	}

	/**
	 * n8n saves static data that are marked as changed. Before it begins the execution (2.40,
	 * `establishContextForPersistence`) it makes a second workflow of the same data, which loses the mark.
	 */
	private async markAsChanged() {
		for (const wait of MARKING_PAUSES) {
			await pause(wait);
			this.saved.accepted = timesIn(this.saved);
		}
	}

	/** Saves again what another process has overwritten; not while another call may be saving more. */
	repair() {
		if (this.shared.attempts.size === 0) this.save([]);
	}

	/**
	 * Lets the calls that wait for these events answer before the events have begun, because reading the logs may take
	 * minutes.
	 *
	 * @param outcome `accepted` when the caller of the first delivery got an answer, because the service will not deliver
	 *   the events again; `notConfirmed` when it left, because the service may
	 */
	settleEarly(keys: string[], outcome: Verdict) {
		for (const key of keys) this.shared.attempts.get(key)?.settle(outcome);
	}

	/** Ends the attempts to begin accepted events: they have begun, or may be delivered again. */
	end(keys: string[], haveBegun: boolean) {
		const { begun } = this.shared;
		for (const key of keys) {
			if (haveBegun) begun.set(key, Date.now());
			this.endAttempt(key, haveBegun ? 'accepted' : 'notConfirmed');
		}
		this.shared.begun = newest(begun);
	}

	private endAttempt(key: string, outcome: Verdict) {
		this.shared.attempts.get(key)?.settle(outcome);
		this.shared.attempts.delete(key);
	}

	private hasBegun(key: string): boolean {
		const at = this.shared.begun.get(key) ?? timesIn(this.saved)[key];
		return typeof at === 'number' && at >= Date.now() - LONGEST;
	}
}

function attemptOf(decided: Promise<Verdict>): Attempt {
	let settle: Attempt['settle'];
	const outcome = new Promise<Verdict>((resolve) => (settle = resolve));
	return { decided, outcome, settle: settle! };
}
