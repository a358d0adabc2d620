import type { HttpReply } from './answer';
import { readAnswer } from './answer';
import type { ServiceRequest } from './endpoints';
import type { Answer, Failure } from './failure';
import { connectionFailure } from './connectionError';
import { Gate } from './gate';
import { LONGEST_RETRY_AFTER, waitBeforeRetry } from './retry';

/**
 * Carries one request over HTTP with the API key, without following redirects and without repeating
 * anything. Resolves for every HTTP status; throws when the answer was not complete after `timeout` ms,
 * or when `signal` aborts.
 */
export type Http = (request: {
	method: 'GET' | 'POST';
	path: string;
	query?: Record<string, string | number>;
	body?: unknown;
	timeout: number;
	signal?: AbortSignal;
}) => Promise<HttpReply>;

export type CallOptions = {
	/** The longest time of one exchange in ms, from its start to the last byte of the answer. */
	timeout?: number;
	/** How often a request that may be repeated is repeated. */
	maxRetries?: number;
	/** The longest `Retry-After` that is waited out, in ms. */
	longestWait?: number;
	/** Shared by the requests that must wait and stop together. */
	gate?: Gate;
	signal?: AbortSignal;
	/** Told the headers of every reply, also of failures. */
	onReply?: (reply: HttpReply) => void;
};

export const DEFAULT_TIMEOUT = 60_000;
export const DEFAULT_MAX_RETRIES = 3;

/** The messaging service behind one credential. Knows the interface and HTTP, but no node. */
export class Service {
	/** A request has just used up its tries without a connection: the next ones need not wait as long. */
	private isAway = false;

	/**
	 * @param host the service's address as it may be shown in messages
	 */
	constructor(
		private readonly http: Http,
		readonly host: string,
	) {}

	/** Sends one request, repeats it where that is harmless (retry.ts), and reads the answer. */
	async call<Payload>(
		request: ServiceRequest<Payload>,
		{
			timeout = DEFAULT_TIMEOUT,
			maxRetries = DEFAULT_MAX_RETRIES,
			longestWait = LONGEST_RETRY_AFTER,
			signal,
			gate = new Gate(signal),
			onReply,
		}: CallOptions = {},
	): Promise<Answer<Payload>> {
		for (let tries = 1; ; tries++) {
			const closed = gate.isOpen ? undefined : await gate.pass();
			if (closed) return closed;
			const answer = await this.attempt(request, timeout, signal, onReply);
			if (answer.ok) {
				this.isAway = false;
				return answer;
			}
			const tolerance = answer.reason === 'notConnected' && this.isAway ? 0 : maxRetries;
			const wait = waitBeforeRetry(request.method, answer, tries, tolerance);
			this.isAway = answer.reason === 'notConnected' && (this.isAway || wait === undefined);
			if (answer.retryAfter !== undefined && answer.retryAfter > longestWait) {
				return closeFor(gate, answer, answer.retryAfter);
			}
			// A 429 is meant for everyone: the other requests of the run wait too.
			if (answer.reason === 'rateLimited') gate.hold(wait ?? answer.retryAfter ?? 0);
			if (wait === undefined) return answer;
			if (answer.reason !== 'rateLimited') await gate.pause(wait);
		}
	}

	private async attempt<Payload>(
		request: ServiceRequest<Payload>,
		timeout: number,
		signal?: AbortSignal,
		onReply?: (reply: HttpReply) => void,
	): Promise<Answer<Payload>> {
		const { method, path, query, body } = request;
		let reply: HttpReply;
		try {
			reply = await this.http({ method, path, query, body, timeout, signal });
		} catch (error) {
			return connectionFailure(error, this.host);
		}
		onReply?.(reply);
		return readAnswer(request, reply);
	}
}

/** Nobody waits as long as the service asks: the other requests of the run stop, too. */
function closeFor(gate: Gate, failure: Failure, retryAfter: number): Failure {
	const time =
		retryAfter < 120_000
			? `${Math.ceil(retryAfter / 1000)} seconds`
			: `${Math.ceil(retryAfter / 60_000)} minutes`;
	const message = `${failure.message} The service asks to wait ${time}: try again after that.`;
	gate.close(message);
	return { ...failure, message };
}
