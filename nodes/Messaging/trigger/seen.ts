import { createHash } from 'crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import type { WebhookEvent } from './event';

/** How many events are remembered, and for how long: a service that repeats does so within days. */
const MOST = 2000;
const LONGEST = 7 * 24 * 3_600_000;

/** What a delivery of an event came to. Only `accepted` starts a workflow. */
export type Verdict = 'accepted' | 'unknownCampaign' | 'notConfirmed';

type Times = Map<string, number>;

/**
 * Events of this process, by trigger. n8n gives every call its own copy of what is saved and saves the
 * last one whole; what arrives within the same moments must be told apart here.
 */
const inProcess = new Map<string, { accepted: Times; underWay: Map<string, Promise<Verdict>> }>();

/** The event's key: a completion by its campaign, anything else by its exact body. */
export const keyOf = ({ event, campaignId, body }: WebhookEvent): string =>
	createHash('sha256')
		.update(campaignId ? `campaign ${campaignId}` : `${event} ${JSON.stringify(body)}`)
		.digest('hex')
		.slice(0, 24);

/**
 * Which events this trigger has accepted: in this process, and in the workflow's static data, where
 * they outlast a restart. Bounded in number and age.
 */
export class Seen {
	private readonly process;

	private readonly saved: IDataObject;

	constructor(context: IWebhookFunctions) {
		const trigger = `${context.getWorkflow().id}:${context.getNode().id}`;
		let process = inProcess.get(trigger);
		if (!process) {
			process = { accepted: new Map(), underWay: new Map() };
			inProcess.set(trigger, process);
		}
		this.process = process;
		this.saved = context.getWorkflowStaticData('node');
	}

	/**
	 * Decides on an event once: whoever comes while it is decided shares the verdict.
	 *
	 * @returns `duplicate` for an event that was accepted before, or is being accepted by another call
	 */
	async once(key: string, decide: () => Promise<Verdict>): Promise<Verdict | 'duplicate'> {
		if (this.wasAccepted(key)) return 'duplicate';
		const { underWay } = this.process;
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

	private wasAccepted(key: string): boolean {
		const oldest = Date.now() - LONGEST;
		const at = this.process.accepted.get(key) ?? this.savedTimes()[key];
		return at !== undefined && at >= oldest;
	}

	private savedTimes(): Record<string, number> {
		return (this.saved.accepted as Record<string, number> | undefined) ?? {};
	}

	/** Saves all that this process knows: another call may have saved over it meanwhile. */
	private remember(key: string) {
		const now = Date.now();
		this.process.accepted.set(key, now);
		const all = new Map([...Object.entries(this.savedTimes()), ...this.process.accepted]);
		const kept = [...all]
			.filter(([, at]) => at >= now - LONGEST)
			.sort(([, a], [, b]) => a - b)
			.slice(-MOST);
		this.process.accepted = new Map(kept);
		this.saved.accepted = Object.fromEntries(kept);
	}
}
