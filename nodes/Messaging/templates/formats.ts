import { type IDataObject, UserError } from 'n8n-workflow';
import type { ChannelTemplate } from '../service/types';
import { isNumbered } from './placeholders';

/** How values for placeholders are sent: only `template.name` is documented (docs/interface.md, "Send template message"). */
export type ParameterFormat = 'none' | 'components' | 'legacyComponents' | 'array' | 'map' | 'json';

/** A placeholder's checked value; lists of them are in the order in which values are sent. */
export type Filled = { component: string; name: string; value: string };

/**
 * Returns the fields of the `template` object that hold the values:
 *
 * - `components`: `{"components":[{"type":"body","parameters":[{"type":"text","text":"Ana"}]}]}`; a named
 *   placeholder's parameter also has its `"parameter_name"`, and a button's component its `"index"`
 * - `legacyComponents`: the same, with `"namespace"` and `"language":{"policy":"deterministic","code":"en"}`
 * - `array`: `{"<key>":["Ana","12"]}`
 * - `map`: `{"<key>":{"1":"Ana","2":"12"}}`; a placeholder outside the body as `"header_1"`
 * - `none`, `json`: nothing
 */
export function parameterFields(
	format: ParameterFormat,
	filled: Filled[],
	key: string,
	template?: ChannelTemplate,
): IDataObject {
	switch (format) {
		case 'components':
			return filled.length > 0 ? { components: components(filled) } : {};
		case 'legacyComponents':
			return {
				namespace: template?.namespace,
				language: { policy: 'deterministic', code: template?.language },
				components: components(filled),
			};
		case 'array':
			return { [keyOf(key)]: filled.map(({ value }) => value) };
		case 'map':
			return { [keyOf(key)]: mapOf(filled) };
		default:
			return {};
	}
}

function keyOf(key: string): string {
	if (key === '')
		throw new UserError(
			"'Values Field Name' is empty. Enter the name of the field that the service expects.",
		);
	if (key === 'name') {
		throw new UserError(
			"'Values Field Name' cannot be name: that is the field of the template's name.",
		);
	}
	return key;
}

/** Returns the values by placeholder. The body's keys are just the names, unless another component has the same key. */
function mapOf(filled: Filled[]): IDataObject {
	const elsewhere = filled.filter(({ component }) => component !== 'body').map(fullName);
	return Object.fromEntries(
		filled.map((each) => {
			const isBare = each.component === 'body' && !elsewhere.includes(each.name);
			return [isBare ? each.name : fullName(each), each.value];
		}),
	);
}

const fullName = ({ component, name }: Filled) => `${component}_${name}`;

function components(filled: Filled[]): IDataObject[] {
	const byComponent = new Map<string, IDataObject[]>();
	for (const { component, name, value } of filled) {
		const parameters = byComponent.get(component) ?? [];
		parameters.push({
			type: 'text',
			...(!isNumbered(name) && { parameter_name: name }),
			text: value,
		});
		byComponent.set(component, parameters);
	}
	return [...byComponent].map(([component, parameters]) => ({
		...typeOf(component),
		parameters,
	}));
}

/** Returns a component's type. The provider lists all buttons in one component, but expects a component for each button. */
function typeOf(component: string): IDataObject {
	const [, index] = /^button_(\d+)$/.exec(component) ?? [];
	return index === undefined ? { type: component } : { type: 'button', sub_type: 'url', index };
}
