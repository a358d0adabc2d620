/** Matches one `{{ … }}` of a field as it is saved. */
const EXPRESSION = /\{\{([\s\S]*?)\}\}/g;

/** Whether a field is saved with expressions. */
export const isMade = (raw: unknown): raw is string =>
	typeof raw === 'string' && raw.startsWith('=');

/** Returns what a person wrote in a field beside its expressions. */
export const ownWordsOf = (raw: string) => raw.slice(1).replace(EXPRESSION, ' ');

/** Whether a field is one expression and nothing else. */
export const isOneExpression = (raw: string) => /^=\{\{(?:(?!\}\})[\s\S])*\}\}$/.test(raw);

/** Returns the only expression of a field; undefined if it has none or several. */
function onlyExpression(raw: unknown): string | undefined {
	const all = isMade(raw) ? [...raw.matchAll(EXPRESSION)] : [];
	return all.length === 1 ? all[0][1].trim() : undefined;
}

/** Returns a field with something in place of its expression. */
const withInstead = (raw: unknown, words: string) =>
	String(raw)
		.slice(1)
		.replace(EXPRESSION, () => words);

/** A name with fields, indexes and calls behind it, to which a method can be added without brackets. */
const CHAIN = /^[\w$]+(?:\.[\w$]+|\[[^[\]]*\]|\([^()]*\))*$/;

/** Whether a word is all that the only expression of a field gave, and the expression is a name with fields and calls. */
export function isWholeValue(raw: unknown, text: string, word: string): boolean {
	const expression = onlyExpression(raw);
	return (
		expression !== undefined && CHAIN.test(expression) && withInstead(raw, word).trim() === text
	);
}

/**
 * Returns a field with a method behind its expression, to show how it is mended; of a field with several expressions, or with
 * a comment in it, only an example.
 */
export function mended(raw: unknown, method: string): string {
	const expression = onlyExpression(raw);
	if (expression === undefined || /\/\/|;$/.test(expression)) return `{{ $json.text${method} }}`;
	const inBrackets = CHAIN.test(expression) ? expression : `(${expression})`;
	return withInstead(raw, `{{ ${inBrackets}${method} }}`);
}
