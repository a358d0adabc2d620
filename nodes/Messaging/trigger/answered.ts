import type { IWebhookFunctions } from 'n8n-workflow';

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
