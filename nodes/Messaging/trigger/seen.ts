import { createHash } from 'crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import type { WebhookEvent } from './event';

/**
 * How many completions are remembered, and how many other events, and for how long: a service that
 * repeats does so within days. Apart, because every SMS has a report, and a campaign one completion.
 */
const MOST = 2000;
const LONGEST = 7 * 24 * 3_600_000;

/** What a delivery of an event came to. Only `accepted` starts a workflow. */
export type Verdict = 'accepted' | 'unknownCampaign' | 'notConfirmed';

type Times = Map<string, number>;
/** `begun` are those of the accepted whose execution n8n has been handed. */
type Memory = { accepted: Times; begun: Times; underWay: Map<string, Promise<Verdict>> };

/**
 * Events of this process, by trigger. n8n gives every call its own copy of what is saved and saves the
 * last one whole; what arrives within the same moments must be told apart here.
 */
const inProcess = new Map<string, Memory>();

/**
 * The event's key: a completion by its campaign, anything else by its exact body, or its query when it
 * has no body. Its first letter says which.
 */
export function keyOf({ event, campaignId, body }: WebhookEvent, query: IDataObject): string {
	const isEmpty = Object.keys(body ?? {}).length === 0 && typeof body === 'object';
	const text = campaignId ?? `${event} ${JSON.stringify(isEmpty ? query : body)}`;
	const hash = createHash('sha256').update(text).digest('hex');
	return `${campaignId ? 'c' : 'o'}${hash.slice(0, 24)}`;
}

/** The newest of each kind, oldest first; what is too old, or no time at all, is left out. */
function newest(times: Iterable<[string, unknown]>): Times {
	const oldest = Date.now() - LONGEST;
	const left: Record<string, number> = {};
	const kept = [...(new Map(times) as Times)]
		.filter(([, at]) => at >= oldest)
		.sort(([, a], [, b]) => b - a)
		.filter(([key]) => (left[key[0]] = (left[key[0]] ?? MOST) - 1) >= 0);
	return new Map(kept.reverse());
}

const timesIn = (saved: IDataObject) => (saved.accepted ?? {}) as IDataObject;

function memoryOf(trigger: string, saved: IDataObject): Memory {
	let memory = inProcess.get(trigger);
	if (!memory) {
		// Triggers come and go; what is too old to matter goes too.
		for (const [other, { accepted, underWay }] of inProcess) {
			if (underWay.size === 0 && newest(accepted).size === 0) inProcess.delete(other);
		}
		const accepted = newest(Object.entries(timesIn(saved)));
		memory = { accepted, begun: new Map(accepted), underWay: new Map() };
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
	 * Decides on an event once: whoever comes while it is decided shares the verdict.
	 *
	 * @returns `duplicate` for an event that was accepted before, or is being accepted by another call
	 */
	async once(key: string, decide: () => Promise<Verdict>): Promise<Verdict | 'duplicate'> {
		if (this.wasAccepted(key)) return 'duplicate';
		const { underWay } = this.memory;
		const other = underWay.get(key);
		if (other) {
			const verdict = await other;
			return verdict === 'accepted' ? 'duplicate' : verdict;
		}
		const deciding = decide();
		underWay.set(key, deciding);
		try {
			const verdict = await deciding;
			if (verdict === 'accepted') this.remember(key);
			return verdict;
		} finally {
			underWay.delete(key);
		}
	}

	/**
	 * Hands n8n what has begun in this process, which it saves when the call is over. To be called last:
	 * another call may have been saved meanwhile, and n8n saves over it. What was accepted but still waits
	 * for its turn is not saved: if the process ends first, it may come again.
	 *
	 * @param keys of the events that begin with this call
	 */
	save(keys: string[]) {
		const { accepted, begun } = this.memory;
		for (const key of keys) {
			const at = accepted.get(key);
			if (at !== undefined) begun.set(key, at);
		}
		this.memory.begun = newest(begun);
		const saved = timesIn(this.saved);
		const all = newest([...Object.entries(saved), ...this.memory.begun]);
		if ([...all.keys()].every((key) => Object.hasOwn(saved, key))) return;
		this.saved.accepted = Object.fromEntries(all);
	}

	private wasAccepted(key: string): boolean {
		const at = this.memory.accepted.get(key) ?? timesIn(this.saved)[key];
		return typeof at === 'number' && at >= Date.now() - LONGEST;
	}

	private remember(key: string) {
		this.memory.accepted.set(key, Date.now());
		this.memory.accepted = newest(this.memory.accepted);
	}
}
