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

/** Whether a word is all that the only expression of a field gave, and the expression is a name with fields and calls. */
export const isWholeValue = (raw: unknown, text: string, word: string) =>
	isMade(raw) &&
	(raw.match(EXPRESSION) ?? []).length === 1 &&
	CHAIN.test(raw.replace(/^[^]*?\{\{|\}\}[^]*$/g, '').trim()) &&
	raw
		.slice(1)
		.replace(EXPRESSION, () => word)
		.trim() === text;

/**
 * Returns a field with a method behind its expression, to show how it is mended; of a field with several expressions, or with
 * a comment in it, only an example.
 */
export function mended(raw: unknown, method: string): string {
	const expressions = isMade(raw) ? [...raw.matchAll(EXPRESSION)] : [];
	const isPlain = expressions.length === 1 && !/\/\/|;\s*$/.test(expressions[0][1]);
	if (!isMade(raw) || !isPlain) return `{{ $json.text${method} }}`;
	return raw.slice(1).replace(EXPRESSION, (_, written: string) => {
		const expression = written.trim();
		return `{{ ${CHAIN.test(expression) ? expression : `(${expression})`}${method} }}`;
	});
}
