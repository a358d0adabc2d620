/**
 * What a failed request did:
 * `rejected`: the answer shows that the service did not act; or it cannot be read, but the request only reads.
 * `unknown`: the service may have acted.
 * `notSent`: the request never left this machine.
 */
type FailedOutcome = 'rejected' | 'unknown' | 'notSent';

/**
 * The causes of a failed request, and whether one that reads (`get`) or one that sends (`post`) is retried then. The service
 * documents neither an idempotency key nor status codes, so a request that sends is retried only where the service
 * cannot have acted on it.
 */
export const RETRY_TABLE = {
	/** HTTP 429: the request was refused before the service acted on it. */
	rateLimited: { get: true, post: true },
	/** There was no connection (refused, unknown host, closed before it was ready): nothing was sent. */
	notConnected: { get: true, post: true },
	/** HTTP 5xx, or a 4xx that is no clear refusal: the service, or a gateway before it, may have acted before it failed. */
	serverFailed: { get: true, post: false },
	/** The connection broke, or the time ran out. n8n opens one for every request: also after a reset it may have arrived. */
	noAnswer: { get: true, post: false },
	/** The answer is not one that docs/development/interface.md describes, for example a web page. A retry would get the same. */
	unreadable: { get: false, post: false },
	/** The service refused the API key, and a retry would send the same. */
	keyRefused: { get: false, post: false },
	/** A proxy asked for a login (407, 511), or a 401 or 403 came that does not say by whom. */
	refusedOnTheWay: { get: false, post: false },
	/** The service itself refused this request. */
	refused: { get: false, post: false },
	/** A redirect, which is not followed because it would send the key to another address. */
	redirected: { get: false, post: false },
	/** The request was not allowed to leave: invalid address, certificate, or n8n's own protection. */
	blocked: { get: false, post: false },
	/** The execution was cancelled before the request left. */
	cancelled: { get: false, post: false },
	/** The failure of another request stopped this one before it left. */
	stopped: { get: false, post: false },
};

export type Cause = keyof typeof RETRY_TABLE;

/** A failed request, with a sentence for the user. */
export type Failure = {
	ok: false;
	outcome: FailedOutcome;
	cause: Cause;
	/** What happened and what to do. Never contains the API key. */
	message: string;
	/** The service's own words in it; undefined if it gave no reason. */
	said?: string;
	/** HTTP status of the answer, if there was one. */
	httpStatus?: number;
	/** The service's `Retry-After` in ms, if it sent one. */
	retryAfter?: number;
};

/** Whether a failure would meet every other request, too: the service, or something before it, lets this key or machine do nothing. */
export const meetsAll = ({ cause, httpStatus }: Pick<Partial<Failure>, 'cause' | 'httpStatus'>) =>
	cause === 'keyRefused' || cause === 'refusedOnTheWay' || httpStatus === 403;

/** An answer that accepts, with its payload and what it says beside it. */
type Success<Payload> = {
	ok: true;
	payload: Payload;
	/** Fields that count or list messages which were not accepted: a person must read them. */
	remark?: string;
	/** The service's `message`, if it is more than a word. */
	said?: string;
};

export type Answer<Payload> = Success<Payload> | Failure;

/** A failure as an error, for callers that do not handle failures themselves. */
export class RequestFailed extends Error {
	constructor(readonly failure: Failure) {
		super(failure.message);
	}
}
