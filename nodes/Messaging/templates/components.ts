import type { IDataObject } from 'n8n-workflow';
import { isObject, type Json } from '../service/types';
import { isNumbered, type Placeholder } from './placeholders';

/*
 * The field `components` of the `template` object, in the chat-app provider's public form; the service documents only
 * `template.name` (docs/development/interface.md, "Send template message"):
 * `[{"type":"body","parameters":[{"type":"text","text":"Ana"}]}]`. A named placeholder's parameter also has its
 * `"parameter_name"`, and a button's component its `"index"`.
 */

/** A placeholder with its checked value; lists of them are in the order in which values are sent. */
export type Filled = { placeholder: Placeholder; value: string };

/** Returns a component for each part of the template that has placeholders. */
export function componentsOf(filled: Filled[]): IDataObject[] {
	const components: IDataObject[] = [];
	let part: string | undefined;
	let parameters: IDataObject[] = [];
	for (const { placeholder, value } of filled) {
		const { component, name } = placeholder;
		if (component !== part) {
			part = component;
			parameters = [];
			components.push({ ...typeOf(component), parameters });
		}
		parameters.push(
			isNumbered(name)
				? { type: 'text', text: value }
				: { type: 'text', parameter_name: name, text: value },
		);
	}
	return components;
}

/** Returns a component's type. The provider lists all buttons in one component, but expects a component for each button. */
function typeOf(component: string): IDataObject {
	const [, index] = /^button_(\d+)$/.exec(component) ?? [];
	return index === undefined ? { type: component } : { type: 'button', sub_type: 'url', index };
}

export const isComponentList = (components: unknown): components is Json[] =>
	Array.isArray(components) && components.every(isObject);

/** Returns which part of the template a component of a request fills. The request has a component for each button. */
export const partOf = ({ type, index }: Json) => {
	const key = String(type).toLowerCase();
	return key === 'button' && index !== undefined ? `button_${String(index)}` : key;
};
