import type { Failure, FailureReason } from './failure';

/**
 * Whether a request that reads (`get`) and one that sends (`post`) is retried after each failure. The service
 * documents neither an idempotency key nor status codes, so a request that sends is retried only where the
 * service cannot have acted on it.
 */
export const RETRY_TABLE: Record<FailureReason, { get: boolean; post: boolean }> = {
	/** 429 means that the request was refused before the service acted on it. */
	rateLimited: { get: true, post: true },
	/** Without a connection nothing was sent. */
	notConnected: { get: true, post: true },
	/** The service, or a gateway before it, may have acted before it answers 408 or 5xx. */
	serverFailed: { get: true, post: false },
	/** n8n opens a new connection for every request, so even after a reset the request may have arrived. */
	noAnswer: { get: true, post: false },
	/** A retry would get the same answer, and the service may have acted. */
	unreadable: { get: false, post: false },
	/** A retry would send the same key. */
	keyRefused: { get: false, post: false },
	/** The same proxy or firewall would refuse a retry. */
	refusedOnTheWay: { get: false, post: false },
	/** The service would refuse the same request again. */
	refused: { get: false, post: false },
	/** A retry would be redirected again. */
	redirected: { get: false, post: false },
	/** A retry would use the same address and certificate. */
	blocked: { get: false, post: false },
	/** The user cancelled the execution. */
	cancelled: { get: false, post: false },
	/** The failure of another request stopped the run. */
	stopped: { get: false, post: false },
};

/** The longest wait before the first retry, in ms. It doubles with every retry. */
const FIRST_WAIT = 500;
/** The longest wait before any retry without `Retry-After`, in ms. */
const LONGEST_WAIT = 30_000;
/** The longest `Retry-After` that the node waits for, in ms: after five minutes an execution looks frozen. */
export const LONGEST_RETRY_AFTER = 300_000;

/**
 * The wait before the next retry.
 *
 * With `Retry-After` it is that time. Without, it is exponential with full jitter: a random time up to
 * 0.5 s · 2ⁿ, so that several workers and workflows do not retry at the same moment.
 *
 * @param tries how often the request has been sent, from 1
 * @returns ms, or undefined when the request must not be retried
 */
export function waitBeforeRetry(
	method: 'GET' | 'POST',
	failure: Failure,
	tries: number,
	maxRetries: number,
	random: () => number = Math.random,
): number | undefined {
	const row = RETRY_TABLE[failure.reason];
	if (!(method === 'GET' ? row.get : row.post) || tries > maxRetries) return undefined;
	if (failure.retryAfter !== undefined) {
		return failure.retryAfter <= LONGEST_RETRY_AFTER ? failure.retryAfter : undefined;
	}
	return random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (tries - 1));
}
