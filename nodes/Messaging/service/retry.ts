import type { Failure, FailureReason } from './failure';

type Row = {
	/** Whether a request that reads is retried. */
	get: boolean;
	/** Whether a request that sends is retried: only if the service cannot have acted on it. */
	post: boolean;
	why: string;
};

/**
 * Which requests are retried after which failure. The service documents neither an idempotency key nor
 * status codes, so a POST is retried only where a second one cannot send a message twice.
 */
export const RETRY_TABLE: Record<FailureReason, Row> = {
	rateLimited: {
		get: true,
		post: true,
		why: 'With 429 the service refuses a request before it acts on it.',
	},
	notConnected: {
		get: true,
		post: true,
		why: 'Without a connection nothing was sent.',
	},
	serverFailed: {
		get: true,
		post: false,
		why: 'The service, or a gateway before it, may have acted before it answers 408 or 5xx.',
	},
	noAnswer: {
		get: true,
		post: false,
		why: 'n8n opens a new connection for every request. So a reset connection was not an old one, and the request may have arrived.',
	},
	unreadable: {
		get: false,
		post: false,
		why: 'A retry would get the same answer, and the service may have acted.',
	},
	keyRefused: { get: false, post: false, why: 'A retry would send the same key.' },
	refusedOnTheWay: {
		get: false,
		post: false,
		why: 'The same proxy or firewall would refuse a retry.',
	},
	refused: { get: false, post: false, why: 'The service would refuse the same request again.' },
	redirected: { get: false, post: false, why: 'A retry would be redirected again.' },
	blocked: { get: false, post: false, why: 'A retry would use the same address and certificate.' },
	cancelled: { get: false, post: false, why: 'The user cancelled the execution.' },
	stopped: { get: false, post: false, why: 'The failure of another request stopped the run.' },
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
