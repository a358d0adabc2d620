import { sleep } from 'n8n-workflow';

/** Returns the current time in ms since 1970. Code that waits reads the time here and waits with {@link pause}. */
export const now = () => Date.now();

/** Waits `ms`, or until `signal` aborts. Returns normally in both cases: the caller checks the signal. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
	try {
		await sleep(ms, signal);
	} catch {
		// `sleep` rejects only when its signal aborts.
	}
}

/** Thrown when work was ended before it finished. `code` is the one that n8n's HTTP client uses for the same cause. */
export class Aborted extends Error {
	constructor(readonly code: 'ETIMEDOUT' | 'ERR_CANCELED') {
		super(code);
	}
}

/** Ms between two checks of the time limits in flight: a timer for each request would be 5 % of its processor time. */
const CHECKED_EVERY = 50;

/** Checks the time limits of several requests together. */
export class TimeLimits {
	/** When each ends, by the function that ends it. */
	private readonly inFlight = new Map<() => void, number>();

	private isChecking = false;

	/** Calls `end` when `ms` are over, unless the function that it returns is called before. */
	start(ms: number, end: () => void): () => void {
		this.inFlight.set(end, performance.now() + ms);
		if (!this.isChecking) void this.check();
		return () => this.inFlight.delete(end);
	}

	private async check() {
		this.isChecking = true;
		while (this.inFlight.size > 0) {
			await sleep(CHECKED_EVERY);
			for (const [end, until] of this.inFlight) {
				if (until <= performance.now() && this.inFlight.delete(end)) end();
			}
		}
		this.isChecking = false;
	}
}

/**
 * Runs work for at most `ms`, or until `cancelled` aborts.
 *
 * In both cases the signal that the work receives aborts. This function does not wait for the work to react to the
 * signal, because some n8n versions react too late.
 *
 * @throws Aborted when the work did not finish in time, or `cancelled` aborted
 */
export async function withTimeout<Result>(
	ms: number,
	cancelled: AbortSignal | undefined,
	work: (signal: AbortSignal) => Promise<Result>,
	limits = new TimeLimits(),
): Promise<Result> {
	if (cancelled?.aborted) throw new Aborted('ERR_CANCELED');
	const stop = new AbortController();
	let abort!: (code: Aborted['code']) => void;
	const aborted = new Promise<never>((_, reject) => {
		abort = (code) => {
			reject(new Aborted(code));
			stop.abort();
		};
	});
	const cancel = () => abort('ERR_CANCELED');
	cancelled?.addEventListener('abort', cancel);
	const finish = limits.start(ms, () => abort('ETIMEDOUT'));
	try {
		return await Promise.race([aborted, work(stop.signal)]);
	} finally {
		cancelled?.removeEventListener('abort', cancel);
		finish();
	}
}
