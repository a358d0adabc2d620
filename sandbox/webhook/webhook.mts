import { setTimeout as wait } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { HeaderRecord, stringEnum } from '../interface/schemas.mts';
import type { Run } from '../state/run.mts';
import { completionCall, payloadShapes } from './payloads.mts';
import type { Call } from './payloads.mts';

/**
 * The webhook of the account. All fields but `url` have a default. `repeat` is how often each completion is
 * delivered. `attempts` is the most attempts of one delivery, which ends with a 2xx.
 */
export type Registration = Static<typeof Registration>;
export const Registration = Type.Object(
	{
		url: Type.String({ pattern: '^https?://' }),
		repeat: Type.Integer({ minimum: 1, maximum: 100, default: 1 }),
		headers: Type.Unsafe<Static<typeof HeaderRecord>>({ ...HeaderRecord, default: {} }),
		reorder: Type.Boolean({ default: false }),
		delayMs: Type.Integer({ minimum: 0, maximum: 600_000, default: 0 }),
		payload: Type.Unsafe<(typeof payloadShapes)[number]>({
			...stringEnum(payloadShapes),
			default: 'default',
		}),
		attempts: Type.Integer({ minimum: 1, maximum: 20, default: 4 }),
		retryDelayMs: Type.Integer({ minimum: 0, maximum: 600_000, default: 500 }),
		timeoutMs: Type.Integer({ minimum: 1, maximum: 600_000, default: 10_000 }),
	},
	{ additionalProperties: false },
);

const deliveriesKept = 1000;
const reorderWindowMs = 250;

/** One attempt of a delivery. Without an answer `status` is null, and `error` says why. */
export interface Delivery {
	readonly at: string;
	readonly campaign_id: string | null;
	readonly copy: number;
	readonly attempt: number;
	readonly url: string;
	readonly status: number | null;
	readonly error: string | null;
	readonly ms: number;
	readonly body: string | null;
}

/** Calls the account's webhook, and keeps the results. */
export class Webhook {
	registration: Registration | null = null;
	readonly #deliveries: Delivery[] = [];
	readonly #ended = new AbortController();
	#held: Array<() => Promise<void>> = [];

	/** @returns the attempts so far, oldest first, at most 1,000 */
	get deliveries(): readonly Delivery[] {
		return this.#deliveries;
	}

	/** Calls the webhook for a completed campaign, if one is registered. */
	completed(run: Run): void {
		if (this.registration) {
			this.#send(this.registration, completionCall(run, this.registration.payload), run.id);
		}
	}

	/** Calls the webhook with any content. @returns false when none is registered */
	push(call: Call): boolean {
		if (!this.registration) return false;
		this.#send(this.registration, call, null);
		return true;
	}

	/** Stops all deliveries. */
	end(): void {
		this.#ended.abort();
		this.#held = [];
	}

	#send(registration: Registration, call: Call, campaignId: string | null): void {
		for (let copy = 1; copy <= registration.repeat; copy++) {
			const start = async () => await this.#deliver(registration, call, campaignId, copy);
			if (registration.reorder) this.#hold(start);
			else void start();
		}
	}

	// Collects reordered deliveries for 250 ms. Then sends them one after the other, the last first.
	#hold(start: () => Promise<void>): void {
		if (this.#held.push(start) === 1) setTimeout(() => void this.#release(), reorderWindowMs);
	}

	async #release(): Promise<void> {
		const held = this.#held.reverse();
		this.#held = [];
		for (const start of held) await start();
	}

	async #deliver(
		registration: Registration,
		call: Call,
		campaignId: string | null,
		copy: number,
	): Promise<void> {
		const { delayMs, attempts, retryDelayMs } = registration;
		if (!(await this.#waited(delayMs))) return;
		for (let attempt = 1; attempt <= attempts; attempt++) {
			if (attempt > 1 && !(await this.#waited(retryDelayMs * 2 ** (attempt - 2)))) return;
			const outcome = await this.#attempt(registration, call);
			if (this.#ended.signal.aborted) return;
			this.#deliveries.push({ campaign_id: campaignId, copy, attempt, ...outcome });
			if (this.#deliveries.length > deliveriesKept) this.#deliveries.shift();
			if (outcome.status !== null && outcome.status >= 200 && outcome.status < 300) return;
		}
	}

	async #attempt(registration: Registration, call: Call) {
		const url = new URL(registration.url);
		for (const [name, value] of Object.entries(call.query)) url.searchParams.set(name, value);
		const started = Date.now();
		const base = { at: new Date(started).toISOString(), url: url.href, body: call.body };
		try {
			const response = await fetch(url, {
				method: 'POST',
				headers: {
					...(call.contentType ? { 'content-type': call.contentType } : {}),
					...registration.headers,
				},
				body: call.body,
				redirect: 'manual',
				signal: AbortSignal.any([this.#ended.signal, AbortSignal.timeout(registration.timeoutMs)]),
			});
			await response.arrayBuffer();
			return { ...base, status: response.status, error: null, ms: Date.now() - started };
		} catch (error) {
			return { ...base, status: null, error: reasonOf(error), ms: Date.now() - started };
		}
	}

	async #waited(ms: number): Promise<boolean> {
		if (ms > 0) await wait(ms, undefined, { signal: this.#ended.signal }).catch(() => undefined);
		return !this.#ended.signal.aborted;
	}
}

function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const cause = error.cause;
	if (cause instanceof Error && 'code' in cause) return String(cause.code);
	return error.name === 'TimeoutError' ? 'no answer in time' : error.message;
}
