import { type IExecuteFunctions, type INodeExecutionData, UserError } from 'n8n-workflow';
import { failedExpression } from './failedExpression';
import { holdsExpression, plainReader, type Value } from './plainExpressions';

/** Reads a parameter's value for one input item. */
export type ReadParameter = (
	parameter: string,
	fallback?: object | string | boolean | number,
) => unknown;

/** An input item, and how its parameters are read. */
export type Item = {
	/** Its index. */
	item: number;
	/** Reads a parameter's value for this item. */
	read: ReadParameter;
	/** Returns a parameter as it is saved, with its expressions: the same for all items. */
	raw: (parameter: string) => unknown;
};

const notEvaluated = (error: unknown, parameter: string) =>
	new UserError(failedExpression(error, parameter));

const isLocator = (value: unknown): value is { __rl: true; value: unknown } =>
	typeof value === 'object' && value !== null && '__rl' in value;

/**
 * Reads a node's parameters for many items. A parameter without an expression is resolved once, a plain
 * path is read from the item, and n8n evaluates everything else for each item.
 */
export class ItemParameters {
	/** How each parameter is read: decided once, and the same for every item. */
	private readonly readers = new Map<string, (item: number) => Value>();

	/** Parameters as they are saved: n8n needs some microseconds for each. */
	private readonly saved = new Map<string, unknown>();

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
		let reader = this.readers.get(name);
		if (!reader) {
			reader = this.readerOf(name, fallback);
			this.readers.set(name, reader);
		}
		return reader(item);
	}

	/** Returns a parameter as it is saved, with its expressions. */
	raw(name: string, fallback: Value = ''): unknown {
		if (!this.saved.has(name)) {
			const options = { rawExpressions: true };
			this.saved.set(name, this.context.getNodeParameter(name, 0, fallback as string, options));
		}
		return this.saved.get(name);
	}

	private readerOf(name: string, fallback: Value): (item: number) => Value {
		const evaluate = (item: number) => this.evaluate(name, item, fallback);
		const raw = this.raw(name, fallback);
		if (!holdsExpression(raw)) {
			const value = evaluate(0);
			return () => value;
		}
		const readPlain = plainReader(isLocator(raw) ? raw.value : raw);
		return (item) => readPlain?.(this.items[item]?.json) ?? evaluate(item);
	}

	private evaluate(name: string, item: number, fallback: Value): Value {
		// The node checks values itself and names the recipient; n8n's own check would not name it.
		const options = { skipValidation: true };
		try {
			const { context } = this;
			const value: unknown = context.getNodeParameter(name, item, fallback as string, options);
			return (isLocator(value) ? value.value : value) as Value;
		} catch (error) {
			throw notEvaluated(error, name);
		}
	}
}

/** Returns a function that makes the input item of an index. All of them at once would take much memory. */
export function itemReader(context: IExecuteFunctions): (item: number) => Item {
	const parameters = new ItemParameters(context, context.getInputData());
	const raw = (parameter: string) => parameters.raw(parameter);
	return (item) => ({
		item,
		read: (parameter, fallback = '') => parameters.read(parameter, item, fallback),
		raw,
	});
}
