import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import {
	dependsOnItem,
	follow,
	holdsExpression,
	isJson,
	plainPath,
	plainReader,
	type PlainReader,
	type Value,
} from './plainExpressions';

/** How a parameter gets its value for an item: decided once, and the same for every item. */
type Plan =
	| { kind: 'same'; value: Value }
	| { kind: 'plain'; read: PlainReader; path?: string[] }
	| { kind: 'evaluate' };

const isLocator = (value: unknown): value is { __rl: true; value: unknown } =>
	typeof value === 'object' && value !== null && '__rl' in value;

/**
 * Reads a node's parameters for many items. A parameter without an expression is resolved once, a plain
 * path is read from the item, and n8n evaluates everything else for each item.
 */
export class ItemParameters {
	private readonly plans = new Map<string, Plan>();

	/** The latest evaluation of each parameter, so that reading it twice for one item evaluates it only once. */
	private readonly latest = new Map<string, { item: number; value: Value }>();

	private readonly items: INodeExecutionData[];

	constructor(
		private readonly context: IExecuteFunctions,
		items: INodeExecutionData[],
	) {
		// In a tool call the items are the call's arguments, but `$json` is the agent's input: n8n must evaluate that.
		this.items = context.isToolExecution?.() ? [] : items;
	}

	/** Returns the value of a parameter for an item; for a resource locator, the value in it. */
	read(name: string, item: number, fallback: Value = ''): Value {
		const plan = this.planFor(name, item, fallback);
		if (plan.kind === 'same') return plan.value;
		if (plan.kind === 'plain') {
			const value = plan.read(this.items[item]?.json);
			if (value !== undefined) return value;
		}
		const latest = this.latest.get(name);
		if (latest?.item === item) return latest.value;
		const value = this.evaluate(name, item, fallback);
		this.latest.set(name, { item, value });
		return value;
	}

	/**
	 * Reads a parameter that may be very large, such as a list of all recipients. JSON at a plain path is returned
	 * as it is; n8n would copy it into its sandbox and back, if it fits there.
	 */
	readLarge(name: string, item: number, fallback: Value = ''): Value {
		const plan = this.planFor(name, item, fallback);
		if (plan.kind === 'plain' && plan.path) {
			const value = follow(this.items[item]?.json, plan.path);
			if (isJson(value)) return value as Value;
		}
		return this.read(name, item, fallback);
	}

	/** Whether a parameter is a plain path and has different values in different items. */
	varies(name: string): boolean {
		const plan = this.planFor(name, 0, '');
		if (plan.kind !== 'plain' || !plan.path) return false;
		const { path } = plan;
		const [first, ...others] = this.items.map(({ json }) => follow(json, path));
		let text: string | undefined;
		// The values may be very long, so a list that all items share is not serialised.
		return others.some(
			(other) =>
				(other ?? first) !== first && JSON.stringify(other) !== (text ??= JSON.stringify(first)),
		);
	}

	/** Whether a parameter has one value for all items, or is a plain path, which {@link varies} can compare. */
	isPlain(name: string): boolean {
		const plan = this.planFor(name, 0, '');
		return plan.kind === 'same' || (plan.kind === 'plain' && plan.path !== undefined);
	}

	/** Whether a parameter is an expression that can give different values for different items. */
	canDiffer(name: string): boolean {
		return dependsOnItem(
			this.context.getNodeParameter(name, 0, '', { rawExpressions: true }) as unknown,
		);
	}

	private planFor(name: string, item: number, fallback: Value): Plan {
		let plan = this.plans.get(name);
		if (!plan) {
			plan = this.plan(name, item, fallback);
			this.plans.set(name, plan);
		}
		return plan;
	}

	private plan(name: string, item: number, fallback: Value): Plan {
		const raw: unknown = this.context.getNodeParameter(name, item, fallback as string, {
			rawExpressions: true,
		});
		if (!holdsExpression(raw)) {
			return { kind: 'same', value: this.evaluate(name, item, fallback) };
		}
		const wanted: unknown = isLocator(raw) ? raw.value : raw;
		const read = plainReader(wanted);
		return read ? { kind: 'plain', read, path: plainPath(wanted) } : { kind: 'evaluate' };
	}

	private evaluate(name: string, item: number, fallback: Value): Value {
		// The node checks values itself and names the recipient; n8n's own check would not name it.
		const value: unknown = this.context.getNodeParameter(name, item, fallback as string, {
			skipValidation: true,
		});
		return (isLocator(value) ? value.value : value) as Value;
	}
}
