import { randomBytes } from 'crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { waitAtMost } from '../service/clock';
import { packed, unpacked, type Times } from './packedTimes';
import { Saves } from './saves';

/**
 * Completions that are remembered, and other events, and for how long in ms: a service redelivers within days. The two
 * kinds are counted apart, because every SMS has a report, and a campaign one completion.
 */
const MOST = 2000;
const LONGEST = 7 * 24 * 3_600_000;

/** How much longer n8n counts as busy when it began an execution of the trigger at `begunAt`, in ms: ten seconds in all. */
export const busyFor = (begunAt: number) => begunAt + 10_000 - Date.now();

/** What was decided on an event. Only `accepted` starts the workflow. */
export type Verdict = 'accepted' | 'unknownCampaign' | 'notConfirmed';

/** What comes of an event. `notBegun`: n8n could not begin its execution, or has not begun it yet. */
type Outcome = Verdict | 'notBegun';

/** An event that a call is handling. Its outcome is `accepted` once n8n has begun the execution. */
type Attempt = {
	decided: Promise<Verdict>;
	outcome: Promise<Outcome>;
	settle: (outcome: Outcome) => void;
};

/** What all calls of one trigger share in this process. */
type Shared = {
	/** Events whose executions n8n has begun. */
	begun: Times;
	/** The numbers that {@link Saves} gave to these events. */
	numbers: Map<string, number>;
	attempts: Map<string, Attempt>;
	saves: Saves;
	/** When n8n last began an execution, in ms since 1970. */
	begunAt: number;
	/** The mark in the static data that n8n was given last. */
	mark: string | undefined;
};

/**
 * By trigger. n8n gives every call its own copy of the static data and saves the last one whole: calls that come at the
 * same time are deduplicated here.
 */
const triggers = new Map<string, Shared>();

/** Tells this process apart from others, and from itself before a restart. */
const PROCESS = randomBytes(6).toString('base64url');
let marks = 0;

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

function newTrigger(name: string): Shared {
	// Triggers come and go: those that remember nothing recent are dropped.
	for (const [other, { begun, attempts }] of triggers) {
		if (attempts.size === 0 && newest(begun).size === 0) triggers.delete(other);
	}
	const shared: Shared = {
		begun: new Map(),
		numbers: new Map(),
		attempts: new Map(),
		saves: new Saves(),
		begunAt: 0,
		mark: undefined,
	};
	triggers.set(name, shared);
	return shared;
}

/**
 * Which events a trigger has accepted, as one call sees it: in this process, and in the workflow's static data, where
 * they outlast a restart.
 */
export class EventMemory {
	private readonly shared: Shared;

	private readonly saved: IDataObject;

	/** Saves that had been given to n8n when this call came. */
	private readonly savesBefore: number;

	constructor(context: IWebhookFunctions) {
		this.saved = context.getWorkflowStaticData('node');
		const name = `${context.getWorkflow().id}:${context.getNode().id}`;
		const shared = triggers.get(name);
		this.shared = shared ?? newTrigger(name);
		this.savesBefore = this.shared.saves.issued;
		// This process knows what it has saved itself; it takes over what another one has.
		if (!shared || !String(this.saved.mark).startsWith(`${PROCESS} `)) {
			this.shared.begun = newest([...unpacked(this.saved), ...this.shared.begun]);
		}
	}

	/**
	 * Decides on an event once. A call that brings an event which another call is handling shares what comes of it.
	 *
	 * @param shares with `outcome` it waits until the execution has begun, or has not. A call with many events shares
	 *   the `decision` only: two calls must not wait for each other.
	 * @param until when to stop waiting for the outcome, in ms since 1970
	 * @returns `duplicate` for an event that has begun, or is beginning with another call
	 */
	async once(
		key: string,
		decide: () => Promise<Verdict>,
		shares: 'decision' | 'outcome',
		until: number,
	): Promise<Outcome | 'duplicate'> {
		if (this.hasBegun(key)) return 'duplicate';
		const { attempts } = this.shared;
		const other = attempts.get(key);
		if (other && shares === 'outcome') return await this.outcomeOf(key, until);
		if (other) {
			const verdict = await other.decided;
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

	/**
	 * What comes of an event that another call is beginning.
	 *
	 * @param until when to stop waiting, in ms since 1970; later while n8n begins other executions of this trigger
	 * @returns `duplicate` when it has begun
	 */
	async outcomeOf(key: string, until: number): Promise<Outcome | 'duplicate'> {
		const { attempts } = this.shared;
		const attempt = attempts.get(key);
		if (!attempt) return 'duplicate';
		let outcome: Outcome | undefined;
		for (
			let left = Math.max(1, until - Date.now());
			!outcome && left > 0;
			left = busyFor(this.shared.begunAt)
		) {
			outcome = await waitAtMost(left, attempt.outcome);
		}
		return outcome === 'accepted' ? 'duplicate' : (outcome ?? 'notBegun');
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

	/** Remembers events whose execution n8n has begun. */
	remember(keys: string[]) {
		const { shared } = this;
		shared.begunAt = Date.now();
		const number = shared.saves.number();
		for (const key of keys) {
			// Deleted first, so that the order is that of time.
			shared.begun.delete(key);
			shared.begun.set(key, Date.now());
			shared.numbers.set(key, number);
			this.endAttempt(key, 'accepted');
		}
		// Not with each event: sorting all of them costs more than handling one.
		if (shared.begun.size > 3 * MOST) {
			shared.begun = newest(shared.begun);
			for (const key of shared.numbers.keys()) {
				if (!shared.begun.has(key)) shared.numbers.delete(key);
			}
		}
	}

	/** Ends the attempt to begin events that n8n could not begin: they may be delivered again. */
	forget(keys: string[]) {
		for (const key of keys) this.endAttempt(key, 'notBegun');
	}

	/** Calls whose events have begun, and are not saved for certain: after a crash they could start again. */
	get unsaved(): number {
		return this.shared.saves.pending;
	}

	/** Whether the static data in n8n's database hold these events for certain. */
	areSaved(keys: string[]): boolean {
		return this.shared.saves.isDone(this.numberOf(keys));
	}

	/** Waits until the static data in n8n's database hold these events for certain. */
	async untilSaved(keys: string[]): Promise<void> {
		await this.shared.saves.untilDone(this.numberOf(keys));
	}

	/** Whether somebody else has saved over what this process saved. */
	get isOverwritten(): boolean {
		const { begun, mark, saves } = this.shared;
		const isCurrent = saves.issued === this.savesBefore && !saves.isInFlight;
		return isCurrent && begun.size > 0 && this.saved.mark !== mark;
	}

	/**
	 * Puts all that has begun into this call's static data, for n8n to save. Not while another call's save is in flight:
	 * the later one could be overwritten by the earlier one. The next call saves these events, too.
	 *
	 * @returns to be called when n8n has saved them; undefined when this call saves nothing
	 */
	save(): (() => void) | undefined {
		const { shared, saved } = this;
		if (shared.saves.isInFlight) return undefined;
		const mark = `${PROCESS} ${(marks++).toString(36)}`;
		shared.mark = mark;
		delete saved.accepted;
		saved.events = packed(newest(shared.begun));
		saved.mark = mark;
		return shared.saves.issue();
	}

	private numberOf(keys: string[]): number {
		return Math.max(0, ...keys.map((key) => this.shared.numbers.get(key) ?? 0));
	}

	private endAttempt(key: string, outcome: Outcome) {
		this.shared.attempts.get(key)?.settle(outcome);
		this.shared.attempts.delete(key);
	}

	private hasBegun(key: string): boolean {
		const at = this.shared.begun.get(key);
		return typeof at === 'number' && at >= Date.now() - LONGEST;
	}
}

function attemptOf(decided: Promise<Verdict>): Attempt {
	let settle: Attempt['settle'];
	const outcome = new Promise<Outcome>((resolve) => (settle = resolve));
	return { decided, outcome, settle: settle! };
}
