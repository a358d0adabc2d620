import { createHash } from 'crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { plainId } from '../logs/record';
import type { WebhookEvent } from './event';

/**
 * Completions that a trigger remembers, other events that it remembers, and for how long in ms: a service redelivers
 * within days. The two kinds are counted apart, because every SMS has a report, and a campaign one completion.
 */
const MOST = 1000;
const LONGEST = 7 * 24 * 3_600_000;

/** Characters of a hash, 6 bits each: among 2,000 events, a new one is taken for another once in 6 × 10^14 times. */
const HASH = 10;

/** Events of one trigger in this process. */
type Events = {
	/** Those that have started executions, with the times in ms since 1970. */
	started: Map<string, number>;
	/** Those that a call is handling, until that call is answered. */
	starting: Set<string>;
};

/** By trigger: n8n gives every call its own copy of the static data. At most 2,000 events for each trigger. */
const triggers = new Map<string, Events>();

/**
 * Returns the key of an event. A completion is the same when its campaign and the word that decided are: an event that was
 * mistaken for a completion must not keep out the real one. SMS reports are the same when their messages and statuses are;
 * without these, and for any other event, when the call is.
 *
 * @param raw the body of the call
 * @param query its query without the secret
 * @returns a letter for the kind, `c` or `o`, and the beginning of a hash
 */
export function keyOf(
	{ event, campaignId, name = '' }: WebhookEvent,
	raw: Buffer,
	query: IDataObject,
): string {
	const hash = createHash('sha256').update(`${event}\n`);
	if (campaignId || name) hash.update(`${plainId(campaignId)}\n${name}`);
	else hash.update(`${JSON.stringify(query)}\n`).update(raw);
	return `${campaignId ? 'c' : 'o'}${hash.digest('base64url').slice(0, HASH)}`;
}

/** Which events a trigger has started: in this process exactly, across a restart as n8n last saved them. */
export class EventMemory {
	private readonly events: Events;

	/** One text, because n8n watches every field of an object: a line of key and time for each event. */
	private readonly saved: { events?: string };

	constructor(call: IWebhookFunctions) {
		this.saved = call.getWorkflowStaticData('node');
		const trigger = `${call.getWorkflow().id}:${call.getNode().id}`;
		this.events = triggers.get(trigger) ?? { started: new Map(), starting: new Set() };
		triggers.set(trigger, this.events);
		// This process saved them before a restart, or another one has.
		for (const line of String(this.saved.events ?? '').split('\n')) {
			const [key, at] = line.split(' ');
			if (Number(at) > 0 && !this.events.started.has(key)) this.events.started.set(key, Number(at));
		}
	}

	/**
	 * Claims those of the events that have not started, so that no other call starts them.
	 *
	 * @returns undefined when another call has claimed one of them, and is not answered yet
	 */
	claim(keys: string[]): string[] | undefined {
		const { started, starting } = this.events;
		if (keys.some((key) => starting.has(key))) return undefined;
		const fresh = keys.filter((key) => !((started.get(key) ?? 0) > Date.now() - LONGEST));
		for (const key of fresh) starting.add(key);
		return fresh;
	}

	/** n8n has started the execution: remembers its events, and puts them into the static data. */
	noteStarted(keys: string[]) {
		const now = Date.now();
		for (const key of keys) this.events.started.set(key, now);
		this.events.started = newest(this.events.started, now);
		this.saved.events = [...this.events.started].map(([key, at]) => `${key} ${at}`).join('\n');
	}

	/** Ends the claim: an event that has not started starts when it is delivered again. */
	release(keys: string[]) {
		for (const key of keys) this.events.starting.delete(key);
	}
}

/** The newest events of each kind. A time in the future, written while the clock was wrong, counts as now. */
function newest(events: Map<string, number>, now: number): Map<string, number> {
	const left: Record<string, number> = {};
	return new Map(
		[...events]
			.map(([key, at]): [string, number] => [key, Math.min(at, now)])
			.reverse()
			.sort(([, a], [, b]) => b - a)
			.filter(([key, at]) => at > now - LONGEST && (left[key[0]] = (left[key[0]] ?? MOST) - 1) >= 0)
			.reverse(),
	);
}
