import type { IWebhookFunctions } from 'n8n-workflow';
import { pause } from '../service/clock';

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/**
 * How a call ended: with the status of its answer, or `gone` when the caller left before there was one.
 * n8n (since 2.8) answers when it has written the execution down, so this tells whether it has.
 */
export async function answered(response: Response): Promise<number | 'gone'> {
	if (response.writableFinished) return response.statusCode;
	if (response.destroyed) return 'gone';
	return await new Promise((resolve) => {
		response.once('finish', () => resolve(response.statusCode));
		response.once('close', () => resolve('gone'));
	});
}

/** So many times 100 ms n8n is given to answer a caller who is gone: its database gives up after a minute. */
const MOST_WAITS = 900;

/**
 * Waits until n8n is done with a call, also when its caller has left before it was answered: n8n goes on, saves what
 * the trigger remembers, and answers all the same.
 */
export async function isDoneWith(response: Response): Promise<void> {
	await answered(response);
	for (let waits = 0; !response.writableEnded && waits < MOST_WAITS; waits++) await pause(100);
}
