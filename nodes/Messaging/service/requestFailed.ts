import type { Answer, Failure } from './failure';

/** The service's failure on its way from a request to whoever reports it. */
export class RequestFailed extends Error {
	constructor(readonly failure: Failure) {
		super(failure.message);
	}
}

/** The payload of an answer; throws {@link RequestFailed} when there is none. */
export function payloadOf<Payload>(answer: Answer<Payload>): Payload {
	if (answer.ok) return answer.payload;
	throw new RequestFailed(answer);
}
