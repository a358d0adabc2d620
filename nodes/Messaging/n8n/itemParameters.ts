import { type IExecuteFunctions, type INodeExecutionData, UserError } from 'n8n-workflow';
import { visible } from '../utils/text';
import { failedExpression, fieldLabel } from './failedExpression';
import {
	holdsExpression,
	plainNamesIn,
	plainReader,
	unevaluatedIn,
	type Unevaluated,
	type Value,
} from './plainExpressions';

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
	/** Returns the fields that a saved text reads by plain expressions, and that this item lacks or has empty. */
	missing: (raw: unknown) => MissingField[];
};

/** A field of the input that a saved text reads, and that an item lacks or has empty. */
export type MissingField = {
	/** For example `{{ $json.name }}`. */
	expression: string;
	/** Says that no item of the run has the field, and which ones there are; undefined if another item has it. */
	nowhere?: string;
};

/** Returns a function that makes the input item of an index. All of them at once would take much memory. */
export function itemReader(context: IExecuteFunctions): (item: number) => Item {
	const parameters = new ItemParameters(context, context.getInputData());
	const raw = (parameter: string) => parameters.raw(parameter);
	return (item) => ({
		item,
		read: (parameter, fallback = '') => parameters.read(parameter, item, fallback),
		raw,
		missing: (saved) => parameters.missing(saved, item),
	});
}

/** The most columns that a sentence names; the others are counted. */
const MOST_COLUMNS_NAMED = 10;

/** How many items are looked at for the names of columns: nearly always all have the same ones. */
const LOOKED_AT = 1000;

const NOTHING_MISSING: MissingField[] = [];

/**
 * Reads a node's parameters for many items. A parameter without an expression is resolved once, a plain
 * path is read from the item, and n8n evaluates everything else for each item.
 */
export class ItemParameters {
	/** How each parameter is read: decided once, and the same for every item. */
	private readonly readers = new Map<string, (item: number) => Value>();

	/** Parameters as they are saved: n8n needs some microseconds for each. */
	private readonly saved = new Map<string, unknown>();

	/** The plain expressions of saved texts. */
	private readonly plainNames = new Map<unknown, ReturnType<typeof plainNamesIn>>();

	/** By field: says that no item has it; undefined if one has it. */
	private readonly nowhere = new Map<string, string | undefined>();

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

	private readerOf(name: string, fallback: Value): (item: number) => Value {
		const evaluate = (item: number) => this.evaluate(name, item, fallback);
		const raw = this.raw(name, fallback);
		const left = unevaluatedIn(valueIn(raw));
		if (left) {
			return () => {
				throw notFilledIn(name, left);
			};
		}
		if (!holdsExpression(raw)) {
			const value = evaluate(0);
			return () => value;
		}
		const readPlain = plainReader(valueIn(raw));
		return (item) => readPlain?.(this.items[item]?.json) ?? evaluate(item);
	}

	private evaluate(name: string, item: number, fallback: Value): Value {
		// The node checks values itself and names the recipient; n8n's own check would not name it.
		const options = { skipValidation: true };
		try {
			const { context } = this;
			const value: unknown = context.getNodeParameter(name, item, fallback as string, options);
			return valueIn(value) as Value;
		} catch (error) {
			throw notEvaluated(error, this.failingField(name, item));
		}
	}

	/** Returns the field of a collection whose expression fails, because n8n does not say which one it is. */
	private failingField(name: string, item: number): string {
		const fails = (each: unknown) => {
			if (typeof each !== 'string' || !each.startsWith('=')) return false;
			try {
				this.context.evaluateExpression(each.slice(1), item);
				return false;
			} catch {
				return true;
			}
		};
		const fields = valueIn(this.raw(name));
		if (typeof fields !== 'object' || fields === null) return name;
		const failing = Object.entries(fields).find(([, each]) => fails(each));
		return failing ? `${name}.${failing[0]}` : name;
	}

	/** Returns a parameter as it is saved, with its expressions. */
	raw(name: string, fallback: Value = ''): unknown {
		if (!this.saved.has(name)) {
			const options = { rawExpressions: true };
			this.saved.set(name, this.context.getNodeParameter(name, 0, fallback as string, options));
		}
		return this.saved.get(name);
	}

	/** Returns the fields that a saved text reads by plain expressions, and that an item lacks or has empty. */
	missing(raw: unknown, item: number): MissingField[] {
		const { json } = this.items[item] ?? {};
		if (!json) return NOTHING_MISSING;
		let names = this.plainNames.get(raw);
		if (!names) this.plainNames.set(raw, (names = plainNamesIn(raw)));
		// A loop, because it runs for each placeholder of each recipient, and nearly always finds nothing.
		let found = NOTHING_MISSING;
		for (const { expression, name } of names) {
			if (Object.hasOwn(json, name) && !isEmpty(json[name])) continue;
			found = [...found, { expression, nowhere: this.nowhereOf(name) }];
		}
		return found;
	}

	private nowhereOf(name: string): string | undefined {
		if (!this.nowhere.has(name)) {
			const isThere = this.items.some(({ json }) => Object.hasOwn(json, name));
			this.nowhere.set(name, isThere ? undefined : this.saidOf(name));
		}
		return this.nowhere.get(name);
	}

	private saidOf(name: string): string {
		const some = this.items.slice(0, LOOKED_AT);
		const columns = [...new Set(some.flatMap(({ json }) => Object.keys(json)))];
		const named = columns.slice(0, MOST_COLUMNS_NAMED).map((each) => `"${visible(each)}"`);
		const more = columns.length - named.length;
		const all = more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
		const there = all ? `There are: ${all}` : 'The items have no fields at all';
		return `no item has a field "${visible(name)}". ${there}.`;
	}
}

const valueIn = (raw: unknown) => (isLocator(raw) ? raw.value : raw);

const isLocator = (value: unknown): value is { __rl: true; value: unknown } =>
	typeof value === 'object' && value !== null && '__rl' in value;

const isEmpty = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

const notEvaluated = (error: unknown, parameter: string) =>
	new UserError(failedExpression(error, parameter));

/** Says that n8n does not evaluate an expression in a fixed text: it would be sent, or asked for, as it stands. */
function notFilledIn(parameter: string, { path, expression }: Unevaluated) {
	const shown = expression.length > 60 ? `${expression.slice(0, 59)}…` : expression;
	return new UserError(
		`'${fieldLabel(parameter + path)}' has "${shown}": nobody filled it in. Choose 'Expression' in place of 'Fixed'.`,
	);
}
