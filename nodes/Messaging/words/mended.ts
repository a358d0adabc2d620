/** Matches one `{{ … }}` of a field as it is saved. */
const EXPRESSION = /\{\{([\s\S]*?)\}\}/g;

/** Whether a field is saved with expressions. */
export const isMade = (raw: unknown): raw is string =>
	typeof raw === 'string' && raw.startsWith('=');

/** Returns what a person wrote in a field beside its expressions. */
export const ownWordsOf = (raw: string) => raw.slice(1).replace(EXPRESSION, ' ');

/** Whether a field is one expression and nothing else. */
export const isOneExpression = (raw: string) => /^=\{\{(?:(?!\}\})[\s\S])*\}\}$/.test(raw);

/** A name with fields, indexes and calls behind it, to which a method can be added without brackets. */
const CHAIN = /^[\w$]+(?:\.[\w$]+|\[[^[\]]*\]|\([^()]*\))*$/;

/**
 * Returns a field with a method behind its expression, to show how it is mended; of a field with several expressions
 * only an example.
 */
export function mended(raw: unknown, method: string): string {
	const expressions = isMade(raw) ? [...raw.matchAll(EXPRESSION)] : [];
	if (!isMade(raw) || expressions.length !== 1) return `{{ $json.text${method} }}`;
	return raw.slice(1).replace(EXPRESSION, (_, written: string) => {
		const expression = written.trim();
		return `{{ ${CHAIN.test(expression) ? expression : `(${expression})`}${method} }}`;
	});
}
