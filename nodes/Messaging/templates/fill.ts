import type { IDataObject } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { text } from '../host/values';
import { isObject } from '../service/payload';
import type { Recipient } from '../sending/recipients';
import type { Filled } from './formats';

/** The resource mapper's own list of fields, saved in the workflow. */
type Schema = Array<{ id: string; removed?: boolean }>;

/** `body_1` → body, 1; a name without a component belongs to the body. */
function partsOf(id: string): Pick<Filled, 'component' | 'name'> {
	const [, component, name] = /^([a-z]+)_(.+)$/.exec(id) ?? [];
	return name ? { component, name } : { component: 'body', name: id };
}

/**
 * The chat-app provider refuses empty parameters, and line breaks, tabs and more than four spaces in
 * a row in them; found here, the other recipients are not sent to before it shows.
 */
function checked(id: string, value: unknown): Filled {
	const { component, name } = partsOf(id);
	const where = `Placeholder {{${name}}}${component === 'body' ? '' : ` of the ${component}`}`;
	const filled = typeof value === 'boolean' ? String(value) : text(value);
	if (filled === '') throw new UserError(`${where} is empty.`);
	if (/[\r\n\t]/.test(filled)) throw new UserError(`${where} holds a line break or a tab.`);
	if (/ {5}/.test(filled)) throw new UserError(`${where} holds more than four spaces in a row.`);
	return { component, name, value: filled };
}

/** A recipient list's `parameters`: texts in the order of the placeholders, or by placeholder. */
export function fillFromEntry(parameters: unknown): Filled[] {
	if (parameters === undefined || parameters === null) return [];
	if (Array.isArray(parameters)) {
		return parameters.map((value: unknown, index) => checked(String(index + 1), value));
	}
	if (isObject(parameters)) {
		return Object.entries(parameters).map(([id, value]) => checked(id, value));
	}
	throw new UserError('"parameters" must be an array of texts, or an object by placeholder.');
}

/** The texts that the user mapped, one field for each placeholder. */
export function fillFromMapping({ read }: Recipient, json: IDataObject): Filled[] {
	const schema = read('templateParameters.schema', []) as Schema | null;
	const fields = (schema ?? []).filter(({ removed }) => !removed);
	const automatic = read('templateParameters.mappingMode') === 'autoMapInputData';
	const values = automatic
		? json
		: ((read('templateParameters.value', {}) as IDataObject | null) ?? {});
	const ids = fields.length > 0 ? fields.map(({ id }) => id) : Object.keys(automatic ? {} : values);
	return ids.map((id) =>
		checked(id, values[id] ?? (automatic ? values[partsOf(id).name] : undefined)),
	);
}
