import type { INodeProperties, ResourceMapperTypeOptions } from 'n8n-workflow';
import { locator } from '../fields/locator';
import { from, template, toOfItem } from '../fields/messageFields';

/** The values that the preview shows. The editor notices changes only in fields that are named one by one. */
const VALUES = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map(
	(id) => `templateParameters.value.${id}`,
);

/** What the editor loads with a method of the node, again when one of the parameters changes. */
const loaded = (
	own: Partial<ResourceMapperTypeOptions>,
	also: string[] = [],
): INodeProperties['typeOptions'] => ({
	loadOptionsDependsOn: ['template.value', 'from.value', 'options.language.value', ...also],
	resourceMapper: {
		mode: 'add',
		addAllFields: true,
		multiKeyMatch: false,
		supportAutoMap: false,
		hideNoDataError: true,
		refreshStaleSchemaOnOpen: true,
		...own,
	} as ResourceMapperTypeOptions,
});

/**
 * Exactly what the editor makes of a mapper without fields when the node is opened. With any other default it takes the node for
 * changed then, and runs it again, so that it sends again, before a node behind it.
 */
const NOTHING_LOADED = {
	mappingMode: 'defineBelow',
	value: {},
	matchingColumns: [],
	schema: [],
	attemptToConvertTypes: false,
	convertFieldsToString: false,
};

/** No template is chosen. Always with `hide`: n8n shows a parameter at once when a `show` condition meets an expression. */
const WITHOUT_TEMPLATE = { '/template.value': [''] };

/** Shows what the recipients will read. Nothing can be entered in it, and it is not sent. */
const previewField: INodeProperties = {
	displayName: 'Template Preview',
	name: 'templatePreview',
	type: 'resourceMapper',
	noDataExpression: true,
	default: NOTHING_LOADED,
	displayOptions: { hide: WITHOUT_TEMPLATE },
	typeOptions: loaded(
		{
			resourceMapperMethod: 'templatePreview',
			// n8n has no such mode: with it the editor shows only the notice, and saves the hidden field.
			mode: 'preview' as 'add',
			fieldWords: { singular: 'preview', plural: 'preview' },
		},
		VALUES,
	),
	description:
		'What the recipients will read, as far as the service shows it. There is nothing to fill in.',
};

/** The fields that choose a template, in the order in which a person fills them in. */
export const templateChoice: INodeProperties[] = [template, previewField];

/** A field for each placeholder of the chosen template; nothing is shown for a template without placeholders. */
export const templateParameters: INodeProperties = {
	displayName: 'Placeholders',
	name: 'templateParameters',
	builderHint: {
		propertyHint:
			"{ mappingMode: 'defineBelow', value: { '1': …, '2': … } }: the keys are the names between the braces in the template's text; in a header 'header 1', in the address of the first button 'button_0 1'. Channel Template → Get Many has the texts. Leave 'schema' out. Required when the text has placeholders.",
	},
	type: 'resourceMapper',
	noDataExpression: true,
	default: NOTHING_LOADED,
	required: true,
	displayOptions: { hide: WITHOUT_TEMPLATE },
	typeOptions: loaded({
		resourceMapperMethod: 'templatePlaceholders',
		valuesLabel: 'Placeholders',
		fieldWords: { singular: 'placeholder', plural: 'placeholders' },
	}),
	description: "The text for each of the template's placeholders",
};

/** The fields of an operation that sends a template to many, up to the template's values. */
export const templateToMany: INodeProperties[] = [
	from,
	toOfItem,
	...templateChoice,
	templateParameters,
];

const templateFieldsOption: INodeProperties = {
	displayName: 'Template Fields',
	name: 'templateFields',
	builderHint: {
		propertyHint:
			"For a login code, an expression that is { components: [{ type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: the code }] }] }: the chat-app provider's form. The service does not document it, so tell the person to test it on their phone.",
	},
	type: 'json',
	default: '{}',
	description:
		'Fields to add to the template object, as JSON or as one expression, for example <code>{"namespace": "…"}</code>. Each of its <code>components</code> replaces what \'Placeholders\' fill in for the same part of the template. An authentication template also needs its code in a component for the button. The service documents only the template\'s name.',
};

/** The options of an operation that sends a template. */
export const templateOptions: INodeProperties[] = [
	locator({
		displayName: 'Language',
		name: 'language',
		description: 'The language, if the template exists in several: without it, nothing is sent',
		list: { searchListMethod: 'searchLanguages', placeholder: 'Choose a language…' },
		entered: { displayName: 'By Code', name: 'code', placeholder: 'e.g. de_DE' },
	}),
	templateFieldsOption,
];

/** The same where every recipient may have another language. */
export const templateOptionsToMany: INodeProperties[] = [
	...templateOptions,
	{
		displayName: 'Language If Missing',
		name: 'fallbackLanguage',
		type: 'string',
		default: '',
		placeholder: 'e.g. en_GB',
		description:
			"The language for recipients in whose 'Language' the template does not exist. Without it, they are refused. A translation that was rejected, or is not approved yet, is not replaced.",
	},
];
