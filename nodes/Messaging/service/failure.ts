/**
 * What became of a request that did not succeed:
 * `rejected` the service answered that it did not act; `unknown` it may or may not have acted;
 * `notSent` nothing left this machine.
 */
export type FailedOutcome = 'rejected' | 'unknown' | 'notSent';

/** Why a request did not succeed. The retry table (retry.ts) has a row for each. */
export type FailureReason =
	/** Answered: the key is not valid, or may not do this. */
	| 'keyRefused'
	/** Answered 403, but not by the service: a proxy or a firewall let nothing through. */
	| 'refusedOnTheWay'
	/** Answered 429. */
	| 'rateLimited'
	/** Answered: no, for a reason that lies in the request. */
	| 'refused'
	/** Answered by a redirect, which is not followed: it would carry the key elsewhere. */
	| 'redirected'
	/** Answered 408 or 5xx: the service may have acted before it failed. */
	| 'serverFailed'
	/** Answered with something that cannot be understood, as if all were well or by a web page. */
	| 'unreadable'
	/** No connection was made: refused, no such host, unreachable. */
	| 'notConnected'
	/** The request was never let out: bad address, certificate, or n8n's own protection. */
	| 'blocked'
	/** The connection broke, or time ran out, after the request may have arrived. */
	| 'noAnswer'
	/** The execution was cancelled before the request left. */
	| 'cancelled'
	/** Another request's failure stopped this one from leaving. */
	| 'stopped';

/** A request that did not succeed, told in a sentence for the person at the screen. */
export type Failure = {
	ok: false;
	outcome: FailedOutcome;
	reason: FailureReason;
	/** What happened and what to do. Never holds the API key. */
	message: string;
	/** HTTP status of the answer, when there was one. */
	httpStatus?: number;
	/** How long the service asks to wait, in ms, when it says so. */
	retryAfter?: number;
};

/** A request that succeeded. */
export type Success<Payload> = { ok: true; payload: Payload };

export type Answer<Payload> = Success<Payload> | Failure;
