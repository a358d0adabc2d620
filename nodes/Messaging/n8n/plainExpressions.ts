import type { NodeParameterValueType } from 'n8n-workflow';

/*
 * Plain paths: expressions that only read a field of the item, such as `={{ $json.phone }}`. The node reads these
 * itself, because n8n needs 0.2 ms for each evaluation: over many items, that would take most of a run's time.
 */

export type Value = NodeParameterValueType | object;

/**
 * Returns the reader of a parameter whose expressions are all plain paths. It resolves a collection as n8n
 * does, leaf by leaf. Undefined when the parameter holds any other expression;
 * the reader returns undefined when n8n must evaluate it for this item.
 */
export function plainReader(raw: unknown): ((json: unknown) => Value | undefined) | undefined {
	if (!holdsExpression(raw)) return () => raw as Value;
	if (typeof raw === 'string') {
		const path = plainPath(raw);
		if (!path) return undefined;
		return (json) => {
			const value = follow(json, path);
			return isSimple(value) ? value : undefined;
		};
	}
	const keys = Object.keys(raw as object);
	const readers = Object.values(raw as object).map(plainReader);
	if (readers.includes(undefined)) return undefined;
	return (json) => {
		const copy = (Array.isArray(raw) ? [] : {}) as Record<string, Value>;
		for (const [index, read] of readers.entries()) {
			const value = read!(json);
			if (value === undefined) return undefined;
			copy[keys[index]] = value;
		}
		return copy as Value;
	};
}

/** Matches `={{ $json.a.b }}` or `={{ $json['a b'] }}` and nothing else. */
const PLAIN_PATH = /^=\{\{\s*\$json((?:\.[A-Za-z_$][\w$]*|\[(?:'[^'\\]+'|"[^"\\]+")\])+)\s*\}\}$/;
const PATH_STEP = /\.([A-Za-z_$][\w$]*)|\[(?:'([^']+)'|"([^"]+)")\]/g;

/** How the names begin that n8n's expressions refuse, besides those that every object inherits: n8n evaluates these. */
const REFUSED = /^(?:_|proto|call|arguments|binding|main|dlopen|exec|load|get|set|define|prepare)/;

/** Returns the steps of a plain path; undefined for any other expression. */
function plainPath(expression: unknown): string[] | undefined {
	const match = typeof expression === 'string' ? PLAIN_PATH.exec(expression) : null;
	if (!match) return undefined;
	const path = [...match[1].matchAll(PATH_STEP)].map(([, name, a, b]) => name ?? a ?? b);
	return path.some((step) => step in Object.prototype || REFUSED.test(step)) ? undefined : path;
}

/** Returns the value at a path through own fields of objects. */
function follow(json: unknown, path: string[]): unknown {
	let value = json;
	for (const step of path) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
			return undefined;
		value = (value as Record<string, unknown>)[step];
	}
	return value;
}

/** Whether n8n's evaluation gives the value unchanged. */
const isSimple = (value: unknown): value is string | number | boolean =>
	typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/** Whether a parameter as it is saved contains an expression, at any depth. */
export const holdsExpression = (raw: unknown): boolean =>
	typeof raw === 'string'
		? raw.startsWith('=')
		: typeof raw === 'object' && raw !== null && Object.values(raw).some(holdsExpression);

/** Whether a parameter as it is saved is one expression and nothing else. */
export const isOneExpression = (raw: unknown) => /^=\{\{(?:(?!\}\})[\s\S])*\}\}$/.test(String(raw));

/** Matches each `{{ $json.name }}` or `{{ $json['name'] }}` without anything behind the name. */
const PLAIN_NAME = /\{\{\s*\$json(?:\.([A-Za-z_$][\w$]*)|\[(?:'([^'\\]+)'|"([^"\\]+)")\])\s*\}\}/g;

/** Returns the plain expressions in a saved text, each with the name of the field that it reads. */
export const plainNamesIn = (raw: unknown) =>
	typeof raw === 'string' && raw.startsWith('=')
		? [...raw.matchAll(PLAIN_NAME)].map(([expression, name, a, b]) => ({
				expression,
				name: name ?? a ?? b,
			}))
		: [];

/** An expression in a fixed text, and the path to that text inside the parameter, '' for the parameter itself. */
export type Unevaluated = { path: string; expression: string };

/** Matches the beginning of an expression in which n8n would read something: `{{ … $`. Without a `$` it may be another tool's. */
const READS_SOMETHING = /\{\{(?:(?!\{\{|\}\})[^$])*\$/;

/** Returns the first expression in a saved parameter that n8n does not evaluate, because its text is fixed; undefined for none. */
export function unevaluatedIn(raw: unknown): Unevaluated | undefined {
	if (typeof raw === 'string') {
		const found = raw.startsWith('=') ? null : READS_SOMETHING.exec(raw);
		if (!found) return undefined;
		const end = raw.indexOf('}}', found.index);
		return { path: '', expression: raw.slice(found.index, end < 0 ? undefined : end + 2) };
	}
	if (typeof raw !== 'object' || raw === null) return undefined;
	for (const [key, value] of Object.entries(raw)) {
		const found = unevaluatedIn(value);
		if (found) return { ...found, path: `.${key}${found.path}` };
	}
	return undefined;
}
