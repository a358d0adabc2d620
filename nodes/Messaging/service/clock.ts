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
	return await new Promise<Result>((resolve, reject) => {
		const stop = new AbortController();
		const finish = limits.start(ms, cancelled, (code) => {
			reject(new Aborted(code));
			stop.abort();
		});
		void work(stop.signal).then(resolve, reject).then(finish);
	});
}

/** Ms between two checks of the time limits in flight: a timer for each request would cost more. */
const CHECKED_EVERY = 50;

/** When a request in flight ends at the latest, and the signal that ends it. */
type Limit = { until: number; cancelled?: AbortSignal; end: (code: Aborted['code']) => void };

/** Ends requests in flight whose time is over, or whose execution is cancelled. One listener and one timer serve all of them. */
export class TimeLimits {
	private readonly inFlight = new Set<Limit>();

	private readonly heard = new WeakSet<AbortSignal>();

	private isChecking = false;

	/** Calls `end` when `ms` are over or `cancelled` aborts, unless the function that it returns is called before. */
	start(ms: number, cancelled: AbortSignal | undefined, end: Limit['end']): () => void {
		const limit: Limit = { until: performance.now() + ms, cancelled, end };
		this.inFlight.add(limit);
		if (cancelled) this.listen(cancelled);
		if (!this.isChecking) void this.check();
		return () => this.inFlight.delete(limit);
	}

	private listen(signal: AbortSignal) {
		if (this.heard.has(signal)) return;
		this.heard.add(signal);
		signal.addEventListener('abort', () =>
			this.end('ERR_CANCELED', ({ cancelled }) => cancelled === signal),
		);
	}

	private async check() {
		this.isChecking = true;
		while (this.inFlight.size > 0) {
			await sleep(CHECKED_EVERY);
			this.end('ETIMEDOUT', ({ until }) => until <= performance.now());
		}
		this.isChecking = false;
	}

	private end(code: Aborted['code'], isOver: (limit: Limit) => boolean) {
		for (const limit of this.inFlight) {
			if (isOver(limit) && this.inFlight.delete(limit)) limit.end(code);
		}
	}
}

/** Thrown when work was ended before it finished. `code` is the one that n8n's HTTP client uses for the same cause. */
export class Aborted extends Error {
	constructor(readonly code: 'ETIMEDOUT' | 'ERR_CANCELED') {
		super(code);
	}
}
