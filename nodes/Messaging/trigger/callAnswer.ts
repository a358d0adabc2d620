import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { sentenceOf } from '../n8n/errors';

/** What the caller is told. */
export type Reply = { status: number; message: string };

export const BUSY: Reply = {
	status: 503,
	message: 'n8n is busy, and has not saved the event yet. Please deliver it again.',
};

type End = (...args: unknown[]) => ReturnType<IWebhookFunctions['getResponseObject']>;

/** The answer to one call, which the trigger or n8n gives. */
export class CallAnswer {
	private readonly response;

	private isGiven = false;

	private passing = true;

	/** n8n's answer, where it is kept back. */
	private kept: unknown[] | undefined;

	private end: End | undefined;

	constructor(private readonly context: IWebhookFunctions) {
		this.response = context.getResponseObject();
	}

	/** Whether the trigger or n8n has sent an answer. */
	get isSent(): boolean {
		return this.isGiven || this.response.headersSent;
	}

	/** Answers once. Never throws: the caller may have left, and accepted events start the workflow all the same. */
	give({ status, message }: Reply): IWebhookResponseData {
		if (!this.isSent) {
			this.isGiven = true;
			this.passing = true;
			try {
				this.response.status(status).json({ message });
			} catch (error) {
				this.context.logger.warn(`Messaging Trigger: no answer to a call. ${sentenceOf(error)}`);
			}
			this.passing = false;
		}
		return { noWebhookResponse: true };
	}

	/**
	 * Keeps back the answer that n8n gives from now on. Returns when n8n has given it, which n8n also does when the caller
	 * has left.
	 */
	async keepBack(): Promise<void> {
		const { response } = this;
		this.passing = false;
		this.end = response.end.bind(response) as End;
		const setHeader = response.setHeader.bind(response);
		// n8n also answers a call that the trigger has answered before: nobody reads that answer.
		response.setHeader = (...args: Parameters<typeof setHeader>) =>
			this.isSent && !this.passing ? response : setHeader(...args);
		await new Promise<void>((resolve) => {
			response.end = ((...args: unknown[]) => {
				if (this.passing) return this.end!(...args);
				this.kept ??= args;
				resolve();
				return response;
			}) as typeof response.end;
		});
	}

	/** Gives n8n's answer, which was kept back. */
	passOn(): void {
		if (this.isSent || !this.kept) return;
		this.isGiven = true;
		this.end!(...this.kept);
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
}
