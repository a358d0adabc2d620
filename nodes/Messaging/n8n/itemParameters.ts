import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import {
	follow,
	holdsExpression,
	mayReadItem,
	plainPath,
	plainReader,
	type PlainReader,
	type Value,
} from './plainExpressions';

/** How a parameter gets its value for an item: decided once, and the same for every item. */
type Plan =
	| { kind: 'same'; value: Value }
	| { kind: 'plain'; read: PlainReader }
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
	 * Reads a parameter that may be a very large list. A list at a plain path is returned as it is; n8n would copy it into
	 * its sandbox and back, if it fits there.
	 */
	readList(name: string, item: number): Value {
		const path = plainPath(this.raw(name));
		const list = path && follow(this.items[item]?.json, path);
		return Array.isArray(list) ? list : this.read(name, item);
	}

	/** Whether a parameter contains an expression that may give different values for different items. */
	mayDiffer(name: string): boolean {
		return mayReadItem(this.raw(name));
	}

	/** Returns a parameter as it is saved. */
	private raw(name: string, fallback: Value = ''): unknown {
		return this.context.getNodeParameter(name, 0, fallback as string, { rawExpressions: true });
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
		const raw = this.raw(name, fallback);
		if (!holdsExpression(raw)) {
			return { kind: 'same', value: this.evaluate(name, item, fallback) };
		}
		const read = plainReader(isLocator(raw) ? raw.value : raw);
		return read ? { kind: 'plain', read } : { kind: 'evaluate' };
	}

	private evaluate(name: string, item: number, fallback: Value): Value {
		// The node checks values itself and names the recipient; n8n's own check would not name it.
		const value: unknown = this.context.getNodeParameter(name, item, fallback as string, {
			skipValidation: true,
		});
		return (isLocator(value) ? value.value : value) as Value;
	}
}
