import type { IExecuteFunctions, INodeExecutionData, NodeParameterValueType } from 'n8n-workflow';

type Value = NodeParameterValueType | object;

/** How a parameter gets its value for an item: found out once, used for every item. */
type Plan =
	| { kind: 'same'; value: Value }
	| { kind: 'path'; path: string[] }
	| { kind: 'evaluate' };

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

/** The steps of a plain path; undefined for anything that only n8n's evaluation understands. */
export function plainPath(expression: unknown): string[] | undefined {
	const match = typeof expression === 'string' ? PLAIN_PATH.exec(expression) : null;
	if (!match) return undefined;
	const path = [...match[1].matchAll(PATH_STEP)].map(([, name, a, b]) => name ?? a ?? b);
	return path.some((step) => step in Object.prototype || BARRED.has(step)) ? undefined : path;
}

/**
 * What a plain path leads to, if it is a string, a finite number or a boolean: there n8n's own
 * evaluation gives the same. For all else (missing, null, dates, objects) undefined, which asks n8n.
 */
export function readPath(json: unknown, path: string[]): string | number | boolean | undefined {
	let value = json;
	for (const step of path) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
			return undefined;
		value = (value as Record<string, unknown>)[step];
	}
	const plain = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
	return plain ? (value as string | number | boolean) : undefined;
}

const isLocator = (value: unknown): value is { __rl: true; value: unknown } =>
	typeof value === 'object' && value !== null && '__rl' in value;

const holdsExpression = (value: unknown): boolean =>
	typeof value === 'string'
		? value.startsWith('=')
		: typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);

/**
 * A node's parameters for many items. What is no expression is resolved once; a plain path is read
 * from the item; the rest is evaluated by n8n, for every item (0.2 ms each: it decides the speed).
 */
export class Parameters {
	private readonly plans = new Map<string, Plan>();

	/** The latest evaluation of each parameter: who asks twice for an item pays once. */
	private readonly latest = new Map<string, { item: number; value: Value }>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly items: INodeExecutionData[],
	) {}

	/** The value of a parameter for an item; of a resource locator its value. */
	read(name: string, item: number, otherwise: Value = ''): Value {
		let plan = this.plans.get(name);
		if (!plan) {
			plan = this.plan(name, item, otherwise);
			this.plans.set(name, plan);
		}
		if (plan.kind === 'same') return plan.value;
		if (plan.kind === 'path') {
			const value = readPath(this.items[item]?.json, plan.path);
			if (value !== undefined) return value;
		}
		const latest = this.latest.get(name);
		if (latest?.item === item) return latest.value;
		const value = this.evaluate(name, item, otherwise);
		this.latest.set(name, { item, value });
		return value;
	}

	private plan(name: string, item: number, otherwise: Value): Plan {
		const raw: unknown = this.context.getNodeParameter(name, item, otherwise as string, {
			rawExpressions: true,
		});
		if (!holdsExpression(raw)) {
			return { kind: 'same', value: this.evaluate(name, item, otherwise) };
		}
		const path = plainPath(isLocator(raw) ? raw.value : raw);
		return path ? { kind: 'path', path } : { kind: 'evaluate' };
	}

	private evaluate(name: string, item: number, otherwise: Value): Value {
		// We check values ourselves, and name the recipient; n8n would speak of an invalid input.
		const value: unknown = this.context.getNodeParameter(name, item, otherwise as string, {
			skipValidation: true,
		});
		return (isLocator(value) ? value.value : value) as Value;
	}
}
