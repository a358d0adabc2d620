import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { asNodeError, serviceError } from '../n8n/errors';
import type { Ask } from '../service/endpoints';

/** A person waits at the screen: give up earlier than a run would. */
const TIMEOUT = 20_000;
const MAX_RETRIES = 1;
const LONGEST_WAIT = 3_000;

/** Asks the service for a list. What goes wrong reaches the editor as an error, never as a choice. */
export async function askFor(context: ILoadOptionsFunctions): Promise<Ask> {
	const service = await connect(context).catch((error: unknown) => {
		throw asNodeError(context.getNode(), error);
	});
	return async (request) => {
		const answer = await service.call(request, {
			timeout: TIMEOUT,
			maxRetries: MAX_RETRIES,
			longestWait: LONGEST_WAIT,
		});
		if (!answer.ok) throw serviceError(context.getNode(), answer);
		return answer.payload;
	};
}
