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
 *
 * @param isDone tells when n8n has answered, also where its answer is held
 */
export async function isDoneWith(
	response: Response,
	isDone = () => response.writableEnded,
): Promise<void> {
	await answered(response);
	for (let waits = 0; !isDone() && waits < MOST_WAITS; waits++) await pause(100);
}

/** n8n's answer to a call, which its caller gets later. */
export interface HeldAnswer {
	/** n8n is done with the call: it has answered, or never will. */
	isGiven: Promise<void>;
	/** Lets the caller have it; or `otherwise`, a status and a message in its place. */
	release: (otherwise?: { status: number; message: string }) => void;
}

/** Holds the answer that n8n gives, as `express-session` does to save a session first. */
export function holdAnswer(response: Response): HeldAnswer {
	const end = response.end.bind(response) as (...args: unknown[]) => Response;
	let given: unknown[] | undefined;
	const ended = new Promise<void>((resolve) => {
		response.end = ((...args: unknown[]) => {
			given ??= args;
			resolve();
			return response;
		}) as Response['end'];
	});
	return {
		isGiven: Promise.race([ended, isDoneWith(response, () => given !== undefined)]),
		release: (otherwise) => {
			response.end = end as Response['end'];
			if (!given) return;
			if (!otherwise) {
				end(...given);
				return;
			}
			const text = JSON.stringify({ message: otherwise.message });
			response.status(otherwise.status).setHeader('Content-Length', Buffer.byteLength(text));
			end(text);
		},
	};
}
