import { createHash } from 'crypto';
import type { ICredentialDataDecryptedObject, IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { plainId } from '../logs/record';
import { Limiter } from '../utils/concurrency';
import type { WebhookEvent } from './event';

/** Completions that a trigger remembers, and other events: every SMS has a report, and a campaign has one completion. */
const MOST = 1000;

/** Calls of a trigger that are handled at once: n8n's database has two or three connections, and gives up after a minute. */
const MOST_AT_ONCE = 8;

/** What a trigger keeps in this process, until n8n is restarted: n8n makes a new node for every call. */
export class TriggerMemory {
	readonly door = new Limiter(MOST_AT_ONCE);

	/** The reading of the credential that the calls of one second share. */
	credential?: Promise<ICredentialDataDecryptedObject>;

	/** Whether the log has said why a call was ignored. */
	hasWarned = false;

	/** By the first letter of their key, the oldest first. */
	private readonly started: Record<string, Set<string>> = { c: new Set(), o: new Set() };

	/** Events that a call is handling, until that call is answered. */
	private readonly starting = new Set<string>();

	/**
	 * Claims those of the events that have not started, so that no other call starts them.
	 *
	 * @returns undefined when another call has claimed one of them, and is not answered yet
	 */
	claim(keys: string[]): string[] | undefined {
		if (keys.some((key) => this.starting.has(key))) return undefined;
		const fresh = keys.filter((key) => !this.started[key[0]].has(key));
		for (const key of fresh) this.starting.add(key);
		return fresh;
	}

	/** Remembers events whose execution n8n has started, and drops the oldest of their kind. */
	noteStarted(keys: string[]) {
		for (const key of keys) {
			const ofKind = this.started[key[0]].add(key);
			const [oldest] = ofKind;
			if (ofKind.size > MOST) ofKind.delete(oldest);
		}
	}

	/** Ends the claim: an event that has not started starts when it is delivered again. */
	release(keys: string[]) {
		for (const key of keys) this.starting.delete(key);
	}
}

const triggers = new Map<string, TriggerMemory>();

/** Returns the memory of a call's trigger: while the editor listens, another one than in production. */
export function memoryOf(call: IWebhookFunctions): TriggerMemory {
	const trigger = JSON.stringify([call.getWorkflow().id, call.getNode().id, call.getMode()]);
	const memory = triggers.get(trigger) ?? new TriggerMemory();
	triggers.set(trigger, memory);
	return memory;
}

/**
 * Returns the key of an event. A completion is the same when its campaign and what decided are: an event that was mistaken for
 * a completion must not keep out the real one. SMS reports are the same when their messages and statuses are; without these,
 * and for any other event, when the call is.
 *
 * @param raw the body of the call
 * @param query its query without the secret
 * @returns a text that begins with `c` for a completion, and with `o` for anything else
 */
export function keyOf(event: WebhookEvent, raw: Buffer, query: IDataObject): string {
	const { campaignId, name = '' } = event;
	if (campaignId) return `c${plainId(campaignId)}\n${name}`;
	const hash = createHash('sha256').update(`${event.event}\n${name}`);
	if (name === '') hash.update(JSON.stringify(query)).update(raw);
	return `o${hash.digest('base64url')}`;
}
