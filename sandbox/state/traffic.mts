import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import { endpointNames } from '../interface/endpoints.mts';
import type { EndpointName } from '../interface/endpoints.mts';

const historyLimit = 500;
const messagesKeptPerBody = 200;

/** A request as `GET /_sandbox/requests` shows it. `unknown` means a path that is not one of the endpoints. */
export interface RecordedRequest {
	readonly at: string;
	readonly endpoint: EndpointName | 'unknown';
	readonly method: string;
	readonly path: string;
	readonly query: string;
	readonly headers: IncomingHttpHeaders;
	body: unknown;
}

/** A request in flight. `end` may be called more than once. */
export interface Call {
	readonly recorded: RecordedRequest;
	end(): void;
}

/** Counts the requests to the endpoints, and keeps the last ones. */
export class Traffic {
	readonly #history: RecordedRequest[] = [];
	readonly #byEndpoint = new Map<EndpointName, number>(endpointNames.map((name) => [name, 0]));
	readonly #sockets = new Set<Socket>();
	readonly #busy = new Map<Call, Socket>();
	#unknown = 0;
	#maxBusy = 0;
	#maxSockets = 0;

	/** Counts and records a request to an endpoint. */
	begin(endpoint: EndpointName, request: IncomingMessage, apiKey: string): Call {
		this.#byEndpoint.set(endpoint, (this.#byEndpoint.get(endpoint) ?? 0) + 1);
		this.#countSocket(request.socket);
		const call: Call = {
			recorded: this.#record(endpoint, request, apiKey),
			end: () => this.#busy.delete(call),
		};
		this.#busy.set(call, request.socket);
		this.#maxBusy = Math.max(this.#maxBusy, this.#busy.size);
		return call;
	}

	/** Counts and records a request to any other path, for example with an id that is encoded wrongly. */
	recordUnknown(request: IncomingMessage, apiKey: string): void {
		this.#unknown++;
		this.#record('unknown', request, apiKey);
	}

	counts() {
		const byEndpoint = Object.fromEntries(this.#byEndpoint) as Record<EndpointName, number>;
		const total = Object.values(byEndpoint).reduce((sum, count) => sum + count, 0);
		return {
			requests: { total, byEndpoint, unknown: this.#unknown },
			inFlight: { now: this.#busy.size, max: this.#maxBusy },
			sockets: { now: this.#sockets.size, max: this.#maxSockets },
		};
	}

	/** @returns the last requests, oldest first, at most 500 */
	last(count: number): readonly RecordedRequest[] {
		return this.#history.slice(-count);
	}

	/** Closes the connections of all requests in flight. */
	end(): void {
		for (const socket of this.#busy.values()) socket.destroy();
	}

	// Sockets of the control API do not count, because a test that reads the count opens one.
	#countSocket(socket: Socket): void {
		if (this.#sockets.has(socket)) return;
		this.#sockets.add(socket);
		this.#maxSockets = Math.max(this.#maxSockets, this.#sockets.size);
		socket.once('close', () => this.#sockets.delete(socket));
	}

	#record(endpoint: RecordedRequest['endpoint'], request: IncomingMessage, apiKey: string) {
		const [path = '', ...query] = (request.url ?? '').split('?');
		const recorded: RecordedRequest = {
			at: new Date().toISOString(),
			endpoint,
			method: request.method ?? '',
			path,
			query: query.join('?'),
			headers: withoutKey(request.headers, apiKey),
			body: null,
		};
		this.#history.push(recorded);
		if (this.#history.length > historyLimit) this.#history.shift();
		return recorded;
	}
}

/** @returns the body, with only the first messages when it has many */
export function bodyForHistory(body: unknown): unknown {
	if (typeof body !== 'object' || body === null || !('messages' in body)) return body ?? null;
	const { messages } = body;
	if (!Array.isArray(messages) || messages.length <= messagesKeptPerBody) return body;
	return {
		...body,
		messages: messages.slice(0, messagesKeptPerBody),
		_omittedMessages: messages.length - messagesKeptPerBody,
	};
}

function withoutKey(headers: IncomingHttpHeaders, apiKey: string): IncomingHttpHeaders {
	if (headers.apikey === undefined) return { ...headers };
	return { ...headers, apikey: headers.apikey === apiKey ? '*** (valid)' : '*** (wrong)' };
}
