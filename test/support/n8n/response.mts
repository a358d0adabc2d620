import { EventEmitter } from 'node:events';

/** Express's response, as far as n8n and the nodes use it. */
export class WebhookResponse extends EventEmitter {
	statusCode = 200;

	readonly headers: Record<string, string> = {};

	/** The page, or the object, that was sent. */
	body: unknown;

	/** How many times it was answered: exactly once is correct. */
	answers = 0;

	headersSent = false;

	writableEnded = false;

	writableFinished = false;

	/** The caller has closed the connection. */
	destroyed = false;

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	setHeader(name: string, value: string): this {
		if (this.headersSent) throw new Error(`Cannot set ${name} after the headers are sent`);
		this.headers[name.toLowerCase()] = value;
		return this;
	}

	send(page: string): this {
		this.body = page;
		return this.end();
	}

	json(body: unknown): this {
		this.setHeader('Content-Type', 'application/json');
		this.body = JSON.parse(JSON.stringify(body)) as unknown;
		return this.end();
	}

	end(): this {
		this.answers++;
		this.headersSent = true;
		this.writableEnded = true;
		// A response on a closed connection never finishes.
		this.writableFinished = !this.destroyed;
		if (this.writableFinished) this.emit('finish');
		return this;
	}

	/** The caller disconnects before it is answered. */
	leave(): void {
		if (this.destroyed || this.writableFinished) return;
		this.destroyed = true;
		this.emit('close');
	}
}
