import type { FastifyError } from 'fastify';
import type { App } from './app.mts';

/** A refused request; its answer is a failure as in docs/development/interface.md, "Errors". */
export class Refusal extends Error {
	readonly statusCode: number;

	/**
	 * @param statusCode the HTTP status, which the interface does not document
	 * @param message the `message` of the answer
	 */
	constructor(statusCode: number, message: string) {
		super(message);
		this.name = 'Refusal';
		this.statusCode = statusCode;
	}
}

/** docs/development/interface.md, "Errors" */
export interface FailureEnvelope {
	readonly data: null;
	readonly message: string;
	readonly success: false;
}

export function failure(message: string): FailureEnvelope {
	return { data: null, message, success: false };
}

type ValidationError = NonNullable<FastifyError['validation']>[number];

/**
 * Returns a sentence that says what is wrong with a request, as in docs/development/interface.md, "Errors". For a nested field it
 * begins with the path: `messages[3]: "template" is required`.
 */
export function validationSentence(error: ValidationError): string {
	const steps = error.instancePath.split('/').slice(1).map(unescapePointer);
	const { missingProperty, additionalProperty, allowedValues } = error.params;
	if (typeof missingProperty === 'string') return at(steps, `"${missingProperty}" is required`);
	if (typeof additionalProperty === 'string') {
		return at(steps, `"${additionalProperty}" is not known`);
	}
	const field = steps.pop();
	return at(steps, `"${field ?? 'body'}" ${complaint(error, allowedValues)}`);
}

function complaint(error: ValidationError, allowedValues: unknown): string {
	if (Array.isArray(allowedValues)) return `must be one of ${allowedValues.join(', ')}`;
	if (error.keyword === 'discriminator') return `must have a known "${String(error.params.tag)}"`;
	if (error.keyword === 'pattern') return 'is not valid';
	if (error.keyword === 'minItems' || error.keyword === 'minLength') return 'must not be empty';
	return error.message ?? 'is not valid';
}

function at(steps: readonly string[], sentence: string): string {
	if (steps.length === 0) return sentence;
	const place = steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('');
	return `${place.replace(/^\./, '')}: ${sentence}`;
}

function unescapePointer(step: string): string {
	return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Answers refusals and validation errors with their sentence, and all other errors with 500. */
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
