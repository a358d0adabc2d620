import type { Failure } from './outcomes';
import { now, pause } from './clock';

/** The failure of requests that had not left when the execution was cancelled. */
export const CANCELLED: Failure = {
	ok: false,
	cause: 'cancelled',
	outcome: 'notSent',
	message: 'The execution was cancelled before this was sent.',
};

/**
 * Delays or stops all requests of a run that have not left yet: a 429 for one request delays all of them; a refused key,
 * or a cancelled execution, stops them.
 */
export class Throttle {
	/** When the next request may leave, by `now`. Written by `delay`, and only ever later. */
	private delayedUntil = 0;

	/** Written once by `stop`, and final. */
	private stoppedBy?: Failure;

	private readonly stopping = new AbortController();

	constructor(private readonly signal?: AbortSignal) {}

	/** Waits until the next request may leave. @returns the failure of that request, if it must not leave at all */
	async ready(): Promise<Failure | undefined> {
		for (;;) {
			if (this.signal?.aborted) return CANCELLED;
			if (this.stoppedBy) return this.stoppedBy;
			const wait = this.delayedUntil - now();
			if (wait <= 0) return undefined;
			await this.pause(wait);
		}
	}

	/** Waits `ms`, or until the requests are stopped. */
	async pause(ms: number) {
		if (this.stoppedBy || this.signal?.aborted) return;
		const { signal } = this.stopping;
		await pause(ms, this.signal ? AbortSignal.any([this.signal, signal]) : signal);
	}

	/** Lets no request leave for `ms`. */
	delay(ms: number) {
		this.delayedUntil = Math.max(this.delayedUntil, now() + ms);
	}

	/** Stops all requests that have not left. They fail with the `message` of the first call. */
	stop(message: string) {
		this.stoppedBy ??= { ok: false, cause: 'stopped', outcome: 'notSent', message };
		this.stopping.abort();
	}
}
