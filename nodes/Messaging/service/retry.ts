import { RETRY_TABLE, type Failure } from './outcomes';

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
): number | undefined {
	const row = RETRY_TABLE[failure.cause];
	if (!(method === 'GET' ? row.get : row.post) || tries > maxRetries) return undefined;
	if (failure.retryAfter !== undefined) {
		return failure.retryAfter <= LONGEST_RETRY_AFTER ? failure.retryAfter : undefined;
	}
	return Math.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (tries - 1));
}
