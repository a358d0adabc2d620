import { EventEmitter } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';
import { inTheNameOf, type Owner, ownerNow } from '../support/n8n/owners.mts';
import { clockNow } from './clock.mts';
import { digitsOf } from './service.mts';
import { worldNow } from './world.mts';

/*
 * The simulated network stands below n8n's own HTTP client, in place of `http.request`: the client's timeouts, its
 * cancelling and its redirects are the real ones.
 */

/** A request as it arrives at the service. */
export interface Arrival {
	/** Its number in the order of arrival, from 1. */
	number: number;
	method: string;
	path: string;
	query: URLSearchParams;
	headers: Record<string, string>;
	body: unknown;
	/** The execution that sent it. */
	owner: Owner | undefined;
}

/** An answer, and how it arrives at the client. */
export interface Answer {
	status: number;
	headers?: Record<string, string>;
	body: string;
	/** ms until its first byte. */
	after?: number;
	/** The service has failed. */
	isFault?: boolean;
	/**
	 * - `cut`: the connection breaks in the middle of the body
	 * - `drip`: a blank every half second for minutes, and then the body
	 * - `hang`: nothing ever comes
	 * - `reset`, `unreachable`: the connection breaks before the answer
	 */
	shape?: 'whole' | 'cut' | 'drip' | 'hang' | 'reset' | 'unreachable';
}

/** The fate of a request that leaves: it arrives after some ms, or the connection fails. */
export type Passage = { arrivesAfter: number } | { refusedAfter: number; code: string };

/** A request from its start to its last byte, as the client sees it. */
export interface Exchange {
	method: string;
	path: string;
	owner: Owner | undefined;
	startedAt: number;
	endedAt?: number;
	/** Who gets a message of it. */
	recipients: string[];
	/** It did not get there, or the service has failed. */
	hasTrouble?: boolean;
}

const DRIPS = 300;
const DRIP_EVERY = 500;

const failure = (code: string, syscall: string, message = `${syscall} ${code}`) =>
	Object.assign(new Error(message), { code, syscall, errno: -1 });

/** Returns the numbers in a request's body. */
function recipientsIn(text: string): string[] {
	const body = (text === '' ? {} : JSON.parse(text)) as Record<string, any>;
	return [body, ...(body.messages ?? [])].flatMap(({ to }) => (to ? [digitsOf(to)] : []));
}

class SimulatedResponse extends Readable {
	readonly statusCode: number;

	readonly statusMessage = '';

	readonly headers: Record<string, string>;

	readonly rawHeaders: string[] = [];

	readonly httpVersion = '1.1';

	complete = false;

	readonly req: SimulatedRequest;

	constructor(request: SimulatedRequest, { status, headers = {} }: Answer) {
		super();
		this.req = request;
		this.statusCode = status;
		this.headers = Object.fromEntries(
			Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
		);
	}

	override _read(): void {
		// Chunks are pushed as they arrive.
	}

	arrive(chunk: string | null): void {
		if (this.destroyed) return;
		if (chunk === null) this.complete = true;
		this.push(chunk);
	}

	/** The error with which Node reports a connection that breaks in the middle of a body. */
	breakOff(): void {
		if (this.destroyed) return;
		this.emit('aborted');
		this.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
	}
}

/** Node's ClientRequest, as far as HTTP clients use it. */
class SimulatedRequest extends EventEmitter {
	destroyed = false;

	writableEnded = false;

	readonly socket = Object.assign(new EventEmitter(), {
		setKeepAlive() {},
	});

	readonly #options: http.RequestOptions;

	readonly #owner = ownerNow();

	readonly #exchange: Exchange;

	readonly #chunks: Buffer[] = [];

	#idleLimit = 0;

	#idle: NodeJS.Timeout | undefined;

	#onIdle: (() => void) | undefined;

	#response: SimulatedResponse | undefined;

	constructor(options: http.RequestOptions, onResponse?: (response: any) => void) {
		super();
		this.#options = options;
		if (onResponse) this.once('response', onResponse);
		this.#exchange = {
			method: options.method ?? 'GET',
			path: (options.path ?? '/').split('?')[0],
			owner: this.#owner,
			startedAt: clockNow().now,
			recipients: [],
		};
		worldNow().exchanges.push(this.#exchange);
		process.nextTick(() => inTheNameOf(this.#owner, () => this.emit('socket', this.socket)));
	}

	write(chunk: string | Uint8Array): boolean {
		this.#chunks.push(Buffer.from(chunk as string));
		return true;
	}

	end(chunk?: string | Uint8Array): this {
		if (chunk) this.write(chunk);
		this.writableEnded = true;
		if (this.destroyed) return this;
		this.#exchange.recipients = recipientsIn(this.#text());
		const passage = worldNow().service.passageOf(this.#exchange);
		if ('code' in passage) {
			this.#exchange.hasTrouble = true;
			this.#plan(passage.refusedAfter, () => this.destroy(failure(passage.code, 'connect')));
		} else {
			// A request that has left arrives even if its sender is killed.
			clockNow().plan(passage.arrivesAfter, undefined, () => this.#arrive());
		}
		return this;
	}

	#text(): string {
		return Buffer.concat(this.#chunks).toString();
	}

	#arrive(): void {
		const { method = 'GET', path, headers = {} } = this.#options;
		const [pathname, query] = (path ?? '/').split('?');
		const text = this.#text();
		const answer = worldNow().service.arrive({
			method,
			path: pathname,
			query: new URLSearchParams(query),
			headers: Object.fromEntries(
				Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
			),
			body: text === '' ? undefined : JSON.parse(text),
			owner: this.#owner,
		});
		this.#exchange.hasTrouble ||= answer.isFault;
		this.#plan(answer.after ?? 0, () => this.#answer(answer));
	}

	#answer(answer: Answer): void {
		const { shape = 'whole', body } = answer;
		if (this.destroyed || shape === 'hang') return;
		if (shape === 'reset') return this.destroy(failure('ECONNRESET', 'read', 'socket hang up'));
		if (shape === 'unreachable') return this.destroy(failure('EHOSTUNREACH', 'read'));
		if (answer.status === 101 && this.listenerCount('upgrade') === 0) return this.#close();
		this.#wake();
		const response = new SimulatedResponse(this, answer);
		this.#response = response;
		response.once('close', () => this.#over());
		response.once('end', () => this.#over());
		this.emit('response', response);
		if (shape === 'drip') return this.#drip(response, body, DRIPS);
		if (shape === 'cut') {
			response.arrive(body.slice(0, body.length >> 1));
			this.#plan(20, () => response.breakOff());
			return;
		}
		if (body !== '') response.arrive(body);
		response.arrive(null);
	}

	#drip(response: SimulatedResponse, body: string, left: number): void {
		this.#plan(DRIP_EVERY, () => {
			if (this.destroyed || response.destroyed) return;
			this.#wake();
			response.arrive(left > 0 ? ' ' : body);
			if (left > 0) this.#drip(response, body, left - 1);
			else response.arrive(null);
		});
	}

	#plan(delay: number, run: () => void): void {
		clockNow().plan(delay, this.#owner, run);
	}

	/** Node's own limit counts silence, not the whole exchange. */
	setTimeout(ms: number, onIdle?: () => void): this {
		this.#idleLimit = ms;
		if (onIdle) this.#onIdle = onIdle;
		this.#wake();
		return this;
	}

	#wake(): void {
		clearTimeout(this.#idle);
		if (this.#idleLimit <= 0 || this.destroyed) return;
		this.#idle = setTimeout(() => {
			this.emit('timeout');
			this.#onIdle?.();
		}, this.#idleLimit);
	}

	destroy(error?: Error): void {
		if (this.destroyed) return;
		this.destroyed = true;
		const hangUp = this.#response ? undefined : failure('ECONNRESET', 'read', 'socket hang up');
		const told = error ?? hangUp;
		this.#response?.destroy(error);
		process.nextTick(() => {
			if (told && this.listenerCount('error') > 0) this.emit('error', told);
			this.#close();
		});
	}

	#close(): void {
		this.destroyed = true;
		this.#over();
		this.emit('close');
	}

	#over(): void {
		clearTimeout(this.#idle);
		this.#exchange.endedAt ??= clockNow().now;
	}
}

/** Sends `http.request` and `https.request` through the network of the current world. */
export function installNetwork(): void {
	for (const protocol of [http, https]) {
		const request = (options: http.RequestOptions, onResponse?: (response: any) => void) =>
			new SimulatedRequest(options, onResponse);
		Object.assign(protocol, { request });
	}
	syncBuiltinESMExports();
}
