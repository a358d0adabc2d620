import { createHash } from 'crypto';
import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { comparableId } from '../logs/record';
import { CREDENTIAL, type MessagingCredential } from '../n8n/connect';
import { pause, TimeLimits, withTimeout } from '../service/clock';
import { Limiter } from '../utils/concurrency';
import type { WebhookEvent } from './event';

/*
 * What this relies on, read in n8n 2.41.1 (`webhooks/webhook-helpers.js`): n8n writes the execution, and then answers the caller
 * with `end`, also one that has left. So an event has started when its call is answered 200. Without `end`, a call keeps its
 * place at the door for a minute, and its event is answered 503.
 */

/** Completions that a trigger remembers, and other events: every SMS has a report, and a campaign has one completion. */
const MOST_EVENTS = 1000;

/** Calls of a trigger that are handled at once: n8n's database has two or three connections, and gives up after a minute. */
const MOST_CALLS = 8;

/** After this, in ms, a call gives its place to the next one, whatever n8n does with it: the trigger must never stop. */
const LONGEST_CALL = 60_000;

/** How long other calls use a credential that was read, in ms: a new secret takes effect after this. */
const CREDENTIAL_SHARED = 1000;

const triggers = new Map<string, TriggerMemory>();

/** Returns the memory of a call's trigger: while the editor listens, another one than in production. */
export function memoryOf(call: IWebhookFunctions): TriggerMemory {
	const trigger = JSON.stringify([call.getWorkflow().id, call.getNode().id, call.getMode()]);
	const memory = triggers.get(trigger) ?? new TriggerMemory();
	triggers.set(trigger, memory);
	return memory;
}

const limits = new TimeLimits();

/** What a trigger keeps in this process, until n8n is restarted: n8n makes a new node for every call. */
export class TriggerMemory {
	/** What n8n's log has said about calls, written by `warnOnce` of receive.ts: each is said once. */
	readonly warned = new Set<string>();

	/** Written by the first call of a second, and dropped after it, or at once when it cannot be read. */
	private credential?: Promise<MessagingCredential>;

	private readonly door = new Limiter(MOST_CALLS);

	/** Events that started an execution, by the first letter of their key. Written by `release`, which drops the oldest. */
	private readonly started: Record<string, Set<string>> = { c: new Set(), o: new Set() };

	/** Events that a call is handling: from `claim` until that call is answered, and `release`. */
	private readonly starting = new Set<string>();

	/**
	 * Returns the trigger's credential, which the calls of one second share: reading it costs n8n as much as the rest of a
	 * call, and a thousand reads at once would keep n8n's database from everything else until n8n gives up.
	 */
	async credentialOf(call: IWebhookFunctions): Promise<MessagingCredential> {
		if (!this.credential) {
			this.credential = call.getCredentials<MessagingCredential>(CREDENTIAL);
			const forget = () => (this.credential = undefined);
			void this.credential.then(async () => await pause(CREDENTIAL_SHARED).then(forget), forget);
		}
		return await this.credential;
	}

	/** Handles a call when fewer than eight are handled. Each counts until the trigger, or n8n, has answered it. */
	async atTheDoor(
		call: IWebhookFunctions,
		handle: () => Promise<IWebhookResponseData>,
	): Promise<IWebhookResponseData> {
		return await new Promise((resolve, reject) => {
			const untilAnswered = async () => {
				const answered = new Promise((isOver) => onAnswer(call, isOver));
				resolve(await handle());
				await answered;
			};
			const atMost = async () => await withTimeout(LONGEST_CALL, undefined, untilAnswered, limits);
			void this.door.run(atMost).catch(reject);
		});
	}

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

	/** Ends a claim, and remembers the events that have started. Any other event starts when it is delivered again. */
	release(claimed: string[], started: string[]) {
		for (const key of claimed) this.starting.delete(key);
		for (const key of started) {
			const ofKind = this.started[key[0]].add(key);
			const [oldest] = ofKind;
			if (ofKind.size > MOST_EVENTS) ofKind.delete(oldest);
		}
	}
}

/** Calls the listener when the call is answered, by the trigger or by n8n. */
export function onAnswer(call: IWebhookFunctions, listener: (status: number) => void) {
	const response = call.getResponseObject();
	const end = response.end.bind(response) as (...args: unknown[]) => typeof response;
	response.end = (...args: unknown[]) => {
		listener(response.statusCode);
		return end(...args);
	};
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
export function eventKey(event: WebhookEvent, raw: Buffer, query: IDataObject): string {
	const { campaignId, name = '' } = event;
	if (campaignId) return `c${comparableId(campaignId)}\n${name}`;
	const hash = createHash('sha256').update(`${event.event}\n${name}`);
	if (name === '') hash.update(JSON.stringify(query)).update(raw);
	return `o${hash.digest('base64url')}`;
}
