import { holdsExpression } from '../n8n/plainExpressions';

/** Matches one `{{ … }}` of a field as it is saved. */
const EXPRESSION = /\{\{([\s\S]*?)\}\}/g;

/** A name with fields, indexes and calls behind it: it gives one value. An argument with a `$` puts another one into it. */
const ONE_VALUE = /^[\w$]+(?:\.[\w$]+|\[[^[\]]*\]|\([^()$]*\))*$/;

/** Returns the code in each `{{ … }}` of a field. */
const expressionsIn = (raw: unknown) =>
	holdsExpression(raw) ? [...String(raw).matchAll(EXPRESSION)].map(([, code]) => code.trim()) : [];

/** Whether an expression of a field puts a text together, as `+` does: only then code can write `undefined` or `null`. */
export const isPutTogether = (raw: unknown) =>
	expressionsIn(raw).some((code) => !ONE_VALUE.test(code));

/**
 * Returns a field with a method behind its expression, to show how it is mended; of a field with several expressions, or with
 * a comment in it, only an example.
 */
export function mended(raw: unknown, method: string): string {
	const codes = expressionsIn(raw);
	if (codes.length !== 1 || /\/\/|;$/.test(codes[0])) return `{{ $json.text${method} }}`;
	const inBrackets = ONE_VALUE.test(codes[0]) ? codes[0] : `(${codes[0]})`;
	return String(raw)
		.slice(1)
		.replace(EXPRESSION, () => `{{ ${inBrackets}${method} }}`);
}

/** Returns how a field writes its date for people. @param isDay it is a day, whatever the time zone */
export const asDate = (raw: unknown, isDay: boolean) =>
	mended(raw, `.toDateTime()${isDay ? ".setZone('UTC')" : ''}.toFormat('d MMM yyyy')`);
