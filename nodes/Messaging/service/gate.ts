import type { Failure } from './failure';
import { now, pause } from './clock';

/**
 * What every request of a run passes before it leaves. One request's 429 makes all of them wait; one
 * request's refused key, or a cancelled execution, lets none out any more.
 */
export class Gate {
	private openAt = 0;

	private closedBy?: Failure;

	private readonly closing = new AbortController();

	constructor(private readonly signal?: AbortSignal) {}

	/** Resolves when the next request may leave; with a failure when none may leave any more. */
	async pass(): Promise<Failure | undefined> {
		for (;;) {
			if (this.signal?.aborted) return CANCELLED;
			if (this.closedBy) return this.closedBy;
			const wait = this.openAt - now();
			if (wait <= 0) return undefined;
			await this.pause(wait);
		}
	}

	/** Waits `ms`, or until nothing may leave any more. */
	async pause(ms: number) {
		if (this.isClosed) return;
		const { signal } = this.closing;
		await pause(ms, this.signal ? AbortSignal.any([this.signal, signal]) : signal);
	}

	/** Whether a request may leave at once. */
	get isOpen() {
		return this.openAt === 0 && !this.isClosed;
	}

	/** Nothing leaves for the next `ms`. */
	hold(ms: number) {
		this.openAt = Math.max(this.openAt, now() + ms);
	}

	/** Nothing leaves any more; `message` says why, to everyone who still waits. */
	close(message: string) {
		this.closedBy ??= { ok: false, reason: 'stopped', outcome: 'notSent', message };
		this.closing.abort();
	}

	get isClosed() {
		return this.closedBy !== undefined || this.signal?.aborted === true;
	}
}

/** Of what had not left when the execution was cancelled. */
export const CANCELLED: Failure = {
	ok: false,
	reason: 'cancelled',
	outcome: 'notSent',
	message: 'The execution was cancelled before this was sent.',
};
