import type { Failure, FailureReason } from './failure';

type Row = {
	/** May a request that reads be repeated? */
	get: boolean;
	/** May a request that sends be repeated? Only when the service cannot have acted on it. */
	post: boolean;
	why: string;
};

/**
 * What is repeated after which outcome. The interface documents neither an idempotency key nor
 * status codes, so a POST is repeated only where a second one cannot double a message.
 */
export const RETRY_TABLE: Record<FailureReason, Row> = {
	rateLimited: {
		get: true,
		post: true,
		why: 'A 429 says that the request was turned away before it was acted on.',
	},
	notConnected: {
		get: true,
		post: true,
		why: 'Nothing was sent: there was no connection to send it over.',
	},
	serverFailed: {
		get: true,
		post: false,
		why: 'A 408 or 5xx can come after the service, or what stands before it, has acted.',
	},
	noAnswer: {
		get: true,
		post: false,
		why: 'n8n opens a connection for every request, so a reset is no stale connection: the request may have arrived.',
	},
	unreadable: {
		get: false,
		post: false,
		why: 'The same question would be answered the same way, and a success may be what it claims.',
	},
	keyRefused: { get: false, post: false, why: 'The key does not get better by asking again.' },
	refusedOnTheWay: { get: false, post: false, why: 'What stands in between stays there.' },
	refused: { get: false, post: false, why: 'The service said no to this request.' },
	redirected: { get: false, post: false, why: 'It would be redirected again.' },
	blocked: { get: false, post: false, why: 'The address or certificate stays what it is.' },
	cancelled: { get: false, post: false, why: 'Somebody wanted it to stop.' },
	stopped: { get: false, post: false, why: 'Another failure stopped everything.' },
};

const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
/** A service that asks for more than this is not waited for: an execution would look hung. */
export const LONGEST_RETRY_AFTER = 300_000;

/**
 * How long to wait before the next try, in ms; undefined when there must be none.
 *
 * `Retry-After` is honoured in full up to five minutes. Without it the wait is exponential with full
 * jitter (any time between nothing and 0.5 s · 2ⁿ, at most 30 s), so that many workers and many
 * workflows do not come back at the same moment.
 *
 * @param tries how often the request has been tried, from 1
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
