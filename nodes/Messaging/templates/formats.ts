import type { IDataObject } from 'n8n-workflow';
import { isNumbered } from './placeholders';

/** A placeholder's checked value; lists of them are in the order in which values are sent. */
export type Filled = { component: string; name: string; value: string };

/**
 * Returns the field `components` of the `template` object, in the chat-app provider's public form; the service documents only
 * `template.name` (docs/development/interface.md, "Send template message"):
 * `[{"type":"body","parameters":[{"type":"text","text":"Ana"}]}]`. A named placeholder's parameter also has its
 * `"parameter_name"`, and a button's component its `"index"`.
 */
export function components(filled: Filled[]): IDataObject[] {
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
