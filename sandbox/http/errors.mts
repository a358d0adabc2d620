import type { FastifyError } from 'fastify';

import type { App } from './app.mts';
import { failure, validationSentence } from './failures.mts';
import { Refusal } from './refusal.mts';

/**
 * Answers every error of the plugin with the failure envelope of section 7: refusals and
 * validation errors with their sentence, and anything unexpected with 500.
 */
export function answerErrors(app: App): void {
	app.setErrorHandler<FastifyError>(async (error, request, reply) => {
		const [first] = error.validation ?? [];
		const status = first ? 400 : (error.statusCode ?? 500);
		if (status >= 500 && !(error instanceof Refusal)) request.log.error(error);
		return await reply
			.code(status)
			.send(failure(first ? validationSentence(first) : error.message));
	});
}
