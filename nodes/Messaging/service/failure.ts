/**
 * What a failed request did:
 * `rejected`: the answer shows that the service did not act; or it cannot be read, but the request only reads.
 * `unknown`: the service may have acted.
 * `notSent`: the request never left this machine.
 */
export type FailedOutcome = 'rejected' | 'unknown' | 'notSent';

/** Why a request failed. `RETRY_TABLE` in retry.ts has a row for each reason. */
export type FailureReason =
	/** The service refused the API key. */
	| 'keyRefused'
	/** A proxy or a firewall answered 403 before the request reached the service. */
	| 'refusedOnTheWay'
	/** HTTP 429. */
	| 'rateLimited'
	/** The service refused this request. */
	| 'refused'
	/** A redirect, which is not followed because it would send the key to another address. */
	| 'redirected'
	/** HTTP 408 or 5xx: the service may have acted before it failed. */
	| 'serverFailed'
	/** The answer is not one that docs/development/interface.md describes, for example a web page. */
	| 'unreadable'
	/** There was no connection: refused, unknown host, unreachable network. */
	| 'notConnected'
	/** The request was not allowed to leave: invalid address, certificate, or n8n's own protection. */
	| 'blocked'
	/** The connection broke, or the time ran out, after the request may have arrived. */
	| 'noAnswer'
	/** The execution was cancelled before the request left. */
	| 'cancelled'
	/** The failure of another request stopped this one before it left. */
	| 'stopped';

/** A failed request, with a sentence for the user. */
export type Failure = {
	ok: false;
	outcome: FailedOutcome;
	reason: FailureReason;
	/** What happened and what to do. Never contains the API key. */
	message: string;
	/** HTTP status of the answer, if there was one. */
	httpStatus?: number;
	/** The service's `Retry-After` in ms, if it sent one. */
	retryAfter?: number;
};

export type Success<Payload> = { ok: true; payload: Payload };

export type Answer<Payload> = Success<Payload> | Failure;

/** A failure as an error, for callers that do not handle failures themselves. */
export class RequestFailed extends Error {
	constructor(readonly failure: Failure) {
		super(failure.message);
	}
}

/** @throws RequestFailed when the request failed */
export function payloadOf<Payload>(answer: Answer<Payload>): Payload {
	if (answer.ok) return answer.payload;
	throw new RequestFailed(answer);
}
