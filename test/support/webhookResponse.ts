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

	json(body: unknown) {
		if (this.headersSent) throw new Error('Cannot set headers after they are sent');
		this.body = body;
		return this.end();
	}

	end() {
		this.answers++;
		this.headersSent = true;
		this.writableEnded = true;
		this.writableFinished = !this.destroyed;
		if (this.writableFinished) this.emit('finish');
		return this;
	}

	/** What n8n does when the trigger's function has returned (2.40, `webhook-helpers.js`). */
	answerAsN8n({ noWebhookResponse, webhookResponse }: IWebhookResponseData, canBegin = true) {
		if (noWebhookResponse) return;
		const answer = (webhookResponse ?? { message: 'Workflow was started' }) as IDataObject;
		if (canBegin) this.status(200).json(answer);
		else this.status(500).json({ code: 0, message: 'There was a problem executing the workflow' });
	}

	/** The caller disconnects before it is answered. */
	leave() {
		this.destroyed = true;
		this.emit('close');
	}
}
