import type { IExecuteFunctions, INodeExecutionData, NodeParameterValueType } from 'n8n-workflow';

type Value = NodeParameterValueType | object;

/** How a parameter gets its value for an item: found out once, used for every item. */
type Plan =
	| { kind: 'same'; value: Value }
	| { kind: 'plain'; read: PlainReader; path?: string[] }
	| { kind: 'evaluate' };

/** Makes a value from an item's JSON; undefined where only n8n's own evaluation will do. */
type PlainReader = (json: unknown) => Value | undefined;

/** `={{ $json.a.b }}` or `={{ $json['a b'] }}` and nothing else. */
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

/** Names by which an expression reaches the item that it is evaluated for. */
const OF_AN_ITEM =
	/\$(?:json|binary|data|item|node|position|parameter|rawParameter|self|fromAI)|\b(?:item|itemMatching|pairedItem)\b/;

/** The steps of a plain path; undefined for anything that only n8n's evaluation understands. */
export function plainPath(expression: unknown): string[] | undefined {
	const match = typeof expression === 'string' ? PLAIN_PATH.exec(expression) : null;
	if (!match) return undefined;
	const path = [...match[1].matchAll(PATH_STEP)].map(([, name, a, b]) => name ?? a ?? b);
	return path.some((step) => step in Object.prototype || BARRED.has(step)) ? undefined : path;
}

/** Whatever a plain path leads to through own fields of objects. */
function follow(json: unknown, path: string[]): unknown {
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
 * What a plain path leads to, if it is a string, a finite number or a boolean: there n8n's own
 * evaluation gives the same. For all else (missing, null, dates, objects) undefined, which asks n8n.
 */
export function readPath(json: unknown, path: string[]): string | number | boolean | undefined {
	const value = follow(json, path);
	return isPlain(value) ? value : undefined;
}

/** Whether a value is as JSON has them, all the way down: n8n's evaluation would only copy it. */
const isJson = (value: unknown): boolean => {
	if (isPlain(value) || value === null) return true;
	if (Array.isArray(value)) return value.every(isJson);
	if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false;
	return Object.keys(value).every(
		(key) => !(key in Object.prototype) && isJson((value as Record<string, unknown>)[key]),
	);
};

/**
 * How to make a value from an item, when all its expressions are plain paths: a collection is resolved
 * as n8n does it, leaf by leaf. Undefined when there is any other expression in it.
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

/** n8n leaves a field of this name out when it copies a value. */
const namesPrototype = (value: unknown): boolean =>
	typeof value === 'object' &&
	value !== null &&
	Object.entries(value).some(([key, each]) => key === '__proto__' || namesPrototype(each));

const isLocator = (value: unknown): value is { __rl: true; value: unknown } =>
	typeof value === 'object' && value !== null && '__rl' in value;

const holdsExpression = (value: unknown): boolean =>
	typeof value === 'string'
		? value.startsWith('=')
		: typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);

/**
 * A node's parameters for many items. What is no expression is resolved once; plain paths are read
 * from the item; the rest is evaluated by n8n, for every item (0.2 ms each: it decides the speed).
 */
export class Parameters {
	private readonly plans = new Map<string, Plan>();

	/** The latest evaluation of each parameter: who asks twice for an item pays once. */
	private readonly latest = new Map<string, { item: number; value: Value }>();

	private readonly items: INodeExecutionData[];

	constructor(
		private readonly context: IExecuteFunctions,
		items: INodeExecutionData[],
	) {
		// Of a call as a tool they are its arguments, while `$json` is what the agent was given.
		this.items = context.isToolExecution?.() ? [] : items;
	}

	/** The value of a parameter for an item; of a resource locator its value. */
	read(name: string, item: number, otherwise: Value = ''): Value {
		const plan = this.planFor(name, item, otherwise);
		if (plan.kind === 'same') return plan.value;
		if (plan.kind === 'plain') {
			const value = plan.read(this.items[item]?.json);
			if (value !== undefined) return value;
		}
		const latest = this.latest.get(name);
		if (latest?.item === item) return latest.value;
		const value = this.evaluate(name, item, otherwise);
		this.latest.set(name, { item, value });
		return value;
	}

	/**
	 * The same for a parameter that may be very large, such as a list of all recipients: what a plain path
	 * leads to is taken as it is, where n8n would copy it in and out of its sandbox, if it fits in there.
	 */
	readLarge(name: string, item: number, otherwise: Value = ''): Value {
		const plan = this.planFor(name, item, otherwise);
		if (plan.kind === 'plain' && plan.path) {
			const value = follow(this.items[item]?.json, plan.path);
			if (isJson(value)) return value as Value;
		}
		return this.read(name, item, otherwise);
	}

	/** Whether a parameter that is a plain path leads to another value in another item. */
	varies(name: string): boolean {
		const plan = this.planFor(name, 0, '');
		if (plan.kind !== 'plain' || !plan.path) return false;
		const { path } = plan;
		const [first, ...others] = this.items.map(({ json }) => follow(json, path));
		let text: string | undefined;
		// They may be very long: one and the same list is not written out.
		return others.some(
			(other) =>
				(other ?? first) !== first && JSON.stringify(other) !== (text ??= JSON.stringify(first)),
		);
	}

	/** Whether a parameter is one value for all items, or a plain path: {@link varies} tells whether it is the same. */
	isPlain(name: string): boolean {
		const plan = this.planFor(name, 0, '');
		return plan.kind === 'same' || (plan.kind === 'plain' && plan.path !== undefined);
	}

	/** Whether a parameter has an expression that can have another value for another item. */
	canDiffer(name: string): boolean {
		const raw: unknown = this.context.getNodeParameter(name, 0, '', { rawExpressions: true });
		return typeof raw === 'string' && raw.startsWith('=') && OF_AN_ITEM.test(raw);
	}

	private planFor(name: string, item: number, otherwise: Value): Plan {
		let plan = this.plans.get(name);
		if (!plan) {
			plan = this.plan(name, item, otherwise);
			this.plans.set(name, plan);
		}
		return plan;
	}

	private plan(name: string, item: number, otherwise: Value): Plan {
		const raw: unknown = this.context.getNodeParameter(name, item, otherwise as string, {
			rawExpressions: true,
		});
		if (!holdsExpression(raw)) {
			return { kind: 'same', value: this.evaluate(name, item, otherwise) };
		}
		const wanted: unknown = isLocator(raw) ? raw.value : raw;
		const read = plainReader(wanted);
		return read ? { kind: 'plain', read, path: plainPath(wanted) } : { kind: 'evaluate' };
	}

	private evaluate(name: string, item: number, otherwise: Value): Value {
		// We check values ourselves, and name the recipient; n8n would speak of an invalid input.
		const value: unknown = this.context.getNodeParameter(name, item, otherwise as string, {
			skipValidation: true,
		});
		return (isLocator(value) ? value.value : value) as Value;
	}
}
