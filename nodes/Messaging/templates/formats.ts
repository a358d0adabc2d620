import type { IDataObject } from 'n8n-workflow';
import type { ChannelTemplate } from '../service/types';
import { isNumbered } from './placeholders';

/** How values for placeholders are sent: only `template.name` is documented (docs/development/interface.md, "Send template message"). */
export const FORMATS = ['components', 'legacyComponents', 'json'] as const;
export type ParameterFormat = (typeof FORMATS)[number];

/** A placeholder's checked value; lists of them are in the order in which values are sent. */
export type Filled = { component: string; name: string; value: string };

/**
 * Returns the fields of the `template` object that hold the values and the language; none for a template without
 * placeholders whose language was not chosen:
 *
 * - `components`: `{"language":{"code":"en"},"components":[{"type":"body","parameters":[{"type":"text","text":"Ana"}]}]}`;
 *   a named placeholder's parameter also has its `"parameter_name"`, and a button's component its `"index"`
 * - `legacyComponents`: the same, with `"namespace"`, and always with `"language":{"policy":"deterministic","code":"en"}`
 * - `json`: only the language
 *
 * @param chosen the language that the user chose
 * @param template its namespace and language are needed for `legacyComponents`
 */
export function parameterFields(
	format: ParameterFormat,
	filled: Filled[],
	chosen?: string,
	template?: ChannelTemplate,
): IDataObject {
	const fields: IDataObject = {};
	if (format === 'legacyComponents' && (filled.length > 0 || chosen !== undefined)) {
		fields.namespace = template?.namespace;
		fields.language = { policy: 'deterministic', code: chosen ?? template?.language };
	} else if (chosen !== undefined) {
		fields.language = { code: chosen };
	}
	if (filled.length > 0) fields.components = components(filled);
	return fields;
}

function components(filled: Filled[]): IDataObject[] {
	const byComponent = new Map<string, IDataObject[]>();
	for (const { component, name, value } of filled) {
		const parameters = byComponent.get(component) ?? [];
		const named = !isNumbered(name) && { parameter_name: name };
		parameters.push({ type: 'text', ...named, text: value });
		byComponent.set(component, parameters);
	}
	return [...byComponent].map(([component, parameters]) => ({ ...typeOf(component), parameters }));
}

/** Returns a component's type. The provider lists all buttons in one component, but expects a component for each button. */
function typeOf(component: string): IDataObject {
	const [, index] = /^button_(\d+)$/.exec(component) ?? [];
	return index === undefined ? { type: component } : { type: 'button', sub_type: 'url', index };
}
