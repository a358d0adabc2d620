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

/** Created once, because a new error for every request would cost a stack trace. */
const DONE = new Error('done');

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
): Promise<Result> {
	if (cancelled?.aborted) throw new Aborted('ERR_CANCELED');
	const stop = new AbortController();
	const timer = new AbortController();
	let abort!: (code: Aborted['code']) => void;
	const aborted = new Promise<never>((_, reject) => {
		abort = (code) => {
			reject(new Aborted(code));
			stop.abort();
		};
	});
	const cancel = () => abort('ERR_CANCELED');
	sleep(ms, timer.signal).then(
		() => abort('ETIMEDOUT'),
		() => {},
	);
	cancelled?.addEventListener('abort', cancel);
	try {
		return await Promise.race([aborted, work(stop.signal)]);
	} finally {
		cancelled?.removeEventListener('abort', cancel);
		timer.abort(DONE);
	}
}

/** The same for a limit that other work usually ends before: tests that skip pauses must not skip it. */
export const timeLimit = pause;

/**
 * Waits for work that goes on afterwards.
 *
 * @param ms longest wait
 * @returns the result; undefined when the work takes longer
 */
export async function waitAtMost<Result>(
	ms: number,
	work: Promise<Result>,
): Promise<Result | undefined> {
	const waiting = new AbortController();
	const limit = timeLimit(ms, waiting.signal).then(() => undefined);
	const result = await Promise.race([work, limit]);
	waiting.abort();
	return result;
}
