import { setTimeout as wait } from 'node:timers/promises';

import type { Run } from '../state/run.mts';
import { completionCall } from './payloads.mts';
import type { Call } from './payloads.mts';
import type { Registration } from './registration.mts';

const deliveriesKept = 1000;
const reorderWindowMs = 250;

/** One attempt to deliver a call. `status` is null when there was no answer, and `error` says why. */
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

/** The account's webhook: who is called on completion, and what became of the calls. */
export class Webhook {
	registration: Registration | null = null;
	readonly #deliveries: Delivery[] = [];
	readonly #ended = new AbortController();
	#held: Array<() => Promise<void>> = [];

	/** @returns the attempts so far, oldest first, at most 1,000 */
	get deliveries(): readonly Delivery[] {
		return this.#deliveries;
	}

	/** Calls the registered webhook about a completed campaign; without one, does nothing. */
	completed(run: Run): void {
		if (this.registration) {
			this.#send(this.registration, completionCall(run, this.registration.payload), run.id);
		}
	}

	/** Calls the registered webhook with anything. @returns false when there is none */
	push(call: Call): boolean {
		if (!this.registration) return false;
		this.#send(this.registration, call, null);
		return true;
	}

	/** Abandons everything still to be delivered. */
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

	// Reordered deliveries wait for company and then leave one by one, the last first.
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
