import type { INodeProperties } from 'n8n-workflow';

type Locator = Omit<INodeProperties, 'type' | 'default'> & {
	default?: INodeProperties['default'];
	/** The list, which the editor loads with a method of the node. */
	list: { searchListMethod: string; placeholder: string; hint?: string };
	/** The field for a value that a person enters. */
	entered: { displayName: string; name: string; placeholder: string; hint?: string };
};

/** Returns a parameter whose value is chosen from a list, or entered. */
export const locator = ({ list, entered, ...field }: Locator): INodeProperties => {
	const { searchListMethod, ...shown } = list;
	const typeOptions = { searchListMethod, searchable: true };
	return {
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		// n8n declares it as optional, because it has a default.
		...(field.required && { builderHint: { propertyHint: 'Required: its default is empty' } }),
		...field,
		modes: [
			{ displayName: 'From List', name: 'list', type: 'list', ...shown, typeOptions },
			{ type: 'string', ...entered },
		],
	};
};
