import type { FastifyError } from 'fastify';

/** The failure envelope of section 7. */
export interface FailureEnvelope {
	readonly data: null;
	readonly message: string;
	readonly success: false;
}

/** @returns the failure envelope of section 7 with this message */
export function failure(message: string): FailureEnvelope {
	return { data: null, message, success: false };
}

type ValidationError = NonNullable<FastifyError['validation']>[number];

/**
 * Says what is wrong with a request in the manner of section 7 (`"template" is required`), with
 * the place in front when it is not at the top: `messages[3]: "template" is required`.
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
