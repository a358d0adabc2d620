import type { IDataObject, IWebhookResponseData } from 'n8n-workflow';

/** The parts of Express's response that a trigger uses. */
export class WebhookResponse {
	private readonly waiting: Record<string, Array<() => void>> = {};

	statusCode = 200;

	body: unknown;

	/** How many times it was answered: exactly once is correct. */
	answers = 0;

	headersSent = false;

	writableEnded = false;

	writableFinished = false;

	/** The caller has disconnected. */
	destroyed = false;

	once(event: 'finish' | 'close', listener: () => void) {
		(this.waiting[event] ??= []).push(listener);
		return this;
	}

	private emit(event: 'finish' | 'close') {
		for (const listener of this.waiting[event]?.splice(0) ?? []) listener();
	}

	status(code: number) {
		this.statusCode = code;
		return this;
	}

	setHeader(name: string, value: string) {
		if (this.headersSent) throw new Error(`Cannot set ${name} (${value}): headers are sent`);
		return this;
	}

	json(body: unknown) {
		this.setHeader('Content-Type', 'application/json');
		return this.end(JSON.stringify(body));
	}

	end(text = 'null') {
		this.body = JSON.parse(text) as unknown;
		this.answers++;
		this.headersSent = true;
		this.writableEnded = true;
		this.writableFinished = !this.destroyed;
		if (this.writableFinished) this.emit('finish');
		return this;
	}

	/** What n8n does when the trigger's function has returned (2.40, `webhook-helpers.js`). */
	answerAsN8n(result: IWebhookResponseData, canBegin = true) {
		if (result.noWebhookResponse) return;
		if (!canBegin) {
			this.status(500).json({ code: 0, message: 'There was a problem executing the workflow' });
			return;
		}
		// Read now: the execution is written.
		const answer = result.webhookResponse ?? { message: 'Workflow was started' };
		this.status(200).json(answer as IDataObject);
	}

	/** The caller disconnects before it is answered. */
	leave() {
		this.destroyed = true;
		this.emit('close');
	}
}
