import { readAnswer, type HttpReply } from './answer';
import type { Ask, ServiceRequest } from './endpoints';
import { RequestFailed, type Answer } from './outcomes';
import { connectionFailure } from './connectionError';
import { Throttle } from './throttle';
import { LONGEST_RETRY_AFTER, waitBeforeRetry } from './retry';

/**
 * Sends one request over HTTP with the API key. Does not follow redirects and does not retry. Resolves for
 * every HTTP status; throws when the answer is not complete after `timeout` ms, or when `signal` aborts.
 */
export type Http = (request: {
	method: 'GET' | 'POST';
	path: string;
	query?: Record<string, string | number>;
	body?: ServiceRequest<unknown>['body'];
	timeout: number;
	signal?: AbortSignal;
}) => Promise<HttpReply>;

export type CallOptions = {
	/** The longest time from the start of a request to the last byte of its answer, in ms. */
	timeout?: number;
	/** The most retries of a request that may be retried. */
	maxRetries?: number;
	/** The longest `Retry-After` to wait for, in ms. */
	longestWait?: number;
	/** Shared by all requests that are delayed and stopped together. */
	throttle?: Throttle;
	signal?: AbortSignal;
};

export const DEFAULT_TIMEOUT = 60_000;
export const DEFAULT_MAX_RETRIES = 3;
/** Shorter in the editor, because a person waits at the screen. Times in ms. */
export const EDITOR_LIMITS = { timeout: 20_000, maxRetries: 1, longestWait: 3_000 };

/** Client of the messaging service for one credential. */
export class Service {
	/** A request has used up its retries without a connection: the next ones do not retry. */
	private isUnreachable = false;

	/**
	 * @param host the service's address as messages show it
	 * @param hide takes the API key out of a text of the service
	 */
	constructor(
		private readonly http: Http,
		readonly host: string,
		private readonly hide?: (text: string) => string,
	) {}

	/** Returns a function that sends requests like {@link call}, and throws RequestFailed when one fails. */
	asking(options: CallOptions): Ask {
		return async (request) => {
			const answer = await this.call(request, options);
			if (answer.ok) return answer.payload;
			throw new RequestFailed(answer);
		};
	}

	/** Sends one request, retries it where `RETRY_TABLE` allows, and reads the answer. */
	async call<Payload>(
		request: ServiceRequest<Payload>,
		{
			timeout = DEFAULT_TIMEOUT,
			maxRetries = DEFAULT_MAX_RETRIES,
			longestWait = LONGEST_RETRY_AFTER,
			signal,
			throttle = new Throttle(signal),
		}: CallOptions = {},
	): Promise<Answer<Payload>> {
		const { method, path, query, body } = request;
		for (let tries = 1; ; tries++) {
			const stopped = await throttle.ready();
			if (stopped) return stopped;
			const answer = await this.http({ method, path, query, body, timeout, signal })
				.then((reply) => readAnswer(request, reply, this.hide))
				.catch((error: unknown) => connectionFailure(error, this.host));
			if (answer.ok) {
				this.isUnreachable = false;
				return answer;
			}
			const retries = answer.cause === 'notConnected' && this.isUnreachable ? 0 : maxRetries;
			const wait = waitBeforeRetry(method, answer, tries, retries);
			this.isUnreachable =
				answer.cause === 'notConnected' && (this.isUnreachable || wait === undefined);
			if (answer.retryAfter !== undefined && answer.retryAfter > longestWait) {
				throttle.stop(answer.message);
				return answer;
			}
			// The service's rate limit is for all requests, so a 429 delays the whole run.
			if (answer.cause === 'rateLimited') throttle.delay(wait ?? answer.retryAfter ?? 0);
			if (wait === undefined) return answer;
			if (answer.cause !== 'rateLimited') await throttle.pause(wait);
		}
	}
}
