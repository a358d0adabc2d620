import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { sentenceOf } from '../n8n/errors';
import { pause } from '../service/clock';

/** What the caller is told. */
export type Reply = { status: number; message: string };

/** How often, and in which interval in ms, to check whether n8n has answered a call whose caller has left. */
const CHECK_EVERY = 100;
/** 90 seconds in all: n8n's database gives up on its work after a minute. */
const MOST_CHECKS = 900;

/** The answer to one call, which the trigger or n8n gives. */
export class CallAnswer {
	private isGiven = false;

	constructor(private readonly context: IWebhookFunctions) {}

	/** Whether the trigger or n8n has sent an answer. */
	get isSent(): boolean {
		return this.response.headersSent;
	}

	/** Whether the caller has got the whole answer. */
	get isDelivered(): boolean {
		return this.response.writableFinished;
	}

	get status(): number {
		return this.response.statusCode;
	}

	private get response() {
		return this.context.getResponseObject();
	}

	/** Answers once. Never throws: the caller may have left, and accepted events start the workflow all the same. */
	give({ status, message }: Reply): IWebhookResponseData {
		const { response } = this;
		if (!this.isGiven && !response.headersSent) {
			this.isGiven = true;
			try {
				response.status(status).json({ message });
			} catch (error) {
				this.context.logger.warn(`Messaging Trigger: no answer to a call. ${sentenceOf(error)}`);
			}
		}
		return { noWebhookResponse: true };
	}

	/** Waits for the end of the call. @returns whether the caller got an answer; `false` when it left before */
	async hasArrived(): Promise<boolean> {
		const { response } = this;
		if (response.writableFinished) return true;
		if (response.destroyed) return false;
		return await new Promise((resolve) => {
			response.once('finish', () => resolve(true));
			response.once('close', () => resolve(false));
		});
	}

	/**
	 * Waits until n8n has finished with the call, even when the caller left before the answer: n8n goes on, saves the
	 * static data, and answers all the same.
	 */
	async untilFinished(): Promise<void> {
		const { response } = this;
		await this.hasArrived();
		for (let checks = 0; !response.writableEnded && checks < MOST_CHECKS; checks++) {
			await pause(CHECK_EVERY);
		}
	}
}
