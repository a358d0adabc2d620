import type { NodeParameterValueType } from 'n8n-workflow';

/*
 * Plain paths: expressions that only read a field of the item, such as `={{ $json.phone }}`. The node reads these
 * itself, because n8n needs 0.2 ms for each evaluation: over many items, that would take most of a run's time.
 */

export type Value = NodeParameterValueType | object;

/** Returns a parameter's value for an item's JSON; undefined when n8n must evaluate the expression. */
export type PlainReader = (json: unknown) => Value | undefined;

/** Matches `={{ $json.a.b }}` or `={{ $json['a b'] }}` and nothing else. */
const PLAIN_PATH = /^=\{\{\s*\$json((?:\.[A-Za-z_$][\w$]*|\[(?:'[^'\\]+'|"[^"\\]+")\])+)\s*\}\}$/;
const PATH_STEP = /\.([A-Za-z_$][\w$]*)|\[(?:'([^']+)'|"([^"]+)")\]/g;

/** Names that n8n's expressions refuse, besides those that every object inherits. */
const BARRED = new Set([
	'prototype',
	'getPrototypeOf',
	'setPrototypeOf',
	'getOwnPropertyDescriptor',
	'getOwnPropertyDescriptors',
	'defineProperty',
	'defineProperties',
	'mainModule',
	'binding',
	'_linkedBinding',
	'_load',
	'prepareStackTrace',
	'caller',
	'callee',
	'arguments',
	'getBuiltinModule',
	'dlopen',
	'execve',
	'loadEnvFile',
]);

/** Names by which an expression reads the item that it is evaluated for. */
const ITEM_NAMES =
	/\$(?:json|binary|data|item|thisItem|node|position|parameter|rawParameter|self|fromAI)|\b(?:item|itemMatching|pairedItem)\b/;

/** A function whose parameter is called `item`, as in `$input.all().map((item) => item.json.phone)`. */
const ITEM_PARAMETER = /(?<![.$\w]\s*)(?:\(\s*item\s*(?:,\s*\w+\s*)?\)|\bitem)\s*=>/g;

/** A use of that parameter. After a dot, a quote or a bracket, `item` may be that of `$input` or of a node. */
const PARAMETER_USED = /(?<![.$\w'"`[]\s*)\bitem(?=\s*(?:\.|\?\.|\[))/g;

/**
 * Whether a parameter as it is saved is an expression that can give different values for different items. When in doubt it
 * can: n8n then evaluates the expression for several items.
 */
export function dependsOnItem(raw: unknown): boolean {
	if (typeof raw !== 'string' || !raw.startsWith('=')) return false;
	// An escaped name, such as `$js\u006fn`.
	if (/\\[ux]/.test(raw)) return true;
	const others = raw.replace(ITEM_PARAMETER, '=>');
	return ITEM_NAMES.test(others === raw ? raw : others.replace(PARAMETER_USED, ''));
}

/** Returns the steps of a plain path; undefined for any other expression. */
export function plainPath(expression: unknown): string[] | undefined {
	const match = typeof expression === 'string' ? PLAIN_PATH.exec(expression) : null;
	if (!match) return undefined;
	const path = [...match[1].matchAll(PATH_STEP)].map(([, name, a, b]) => name ?? a ?? b);
	return path.some((step) => step in Object.prototype || BARRED.has(step)) ? undefined : path;
}

/** Returns the value at a path through own fields of objects. */
export function follow(json: unknown, path: string[]): unknown {
	let value = json;
	for (const step of path) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
			return undefined;
		value = (value as Record<string, unknown>)[step];
	}
	return value;
}

const isPlain = (value: unknown): value is string | number | boolean =>
	typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/**
 * Returns the value at a path when it is a string, a finite number or a boolean, which n8n's evaluation
 * would give unchanged. Anything else (missing, null, dates, objects) is undefined: n8n must evaluate it.
 */
export function readPath(json: unknown, path: string[]): string | number | boolean | undefined {
	const value = follow(json, path);
	return isPlain(value) ? value : undefined;
}

/** Whether a value is JSON at every depth, so that n8n's evaluation would only copy it. */
export const isJson = (value: unknown): boolean => {
	if (isPlain(value) || value === null) return true;
	if (Array.isArray(value)) return value.every(isJson);
	if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false;
	return Object.keys(value).every(
		(key) => !(key in Object.prototype) && isJson((value as Record<string, unknown>)[key]),
	);
};

/**
 * Returns the reader of a parameter whose expressions are all plain paths. It resolves a collection as n8n
 * does, leaf by leaf. Undefined when the parameter holds any other expression.
 */
export function plainReader(raw: unknown): PlainReader | undefined {
	if (namesPrototype(raw)) return undefined;
	if (!holdsExpression(raw)) return () => raw as Value;
	if (typeof raw === 'string') {
		const path = plainPath(raw);
		return path && ((json) => readPath(json, path));
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

/** Whether a value has a field named `__proto__` at any depth; n8n leaves out such a field when it copies a value. */
const namesPrototype = (value: unknown): boolean =>
	typeof value === 'object' &&
	value !== null &&
	Object.entries(value).some(([key, each]) => key === '__proto__' || namesPrototype(each));

/** Whether a parameter as it is saved contains an expression at any depth. */
export const holdsExpression = (value: unknown): boolean =>
	typeof value === 'string'
		? value.startsWith('=')
		: typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
