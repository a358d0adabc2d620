import type { INodeProperties } from 'n8n-workflow';

/** Shows what the recipients will read. It is no input, and is not sent. */
export const templatePreview: INodeProperties = {
	displayName: 'Template Preview',
	name: 'templatePreview',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	typeOptions: {
		loadOptionsDependsOn: ['template.value', 'from.value', 'parameterFormat'],
		resourceMapper: {
			resourceMapperMethod: 'templatePreview',
			// Not a mode of n8n's: the editor still saves the hidden field, and shows the notice.
			mode: 'preview' as 'add',
			fieldWords: { singular: 'preview', plural: 'preview' },
			addAllFields: true,
			multiKeyMatch: false,
			supportAutoMap: false,
			hideNoDataError: true,
			refreshStaleSchemaOnOpen: true,
		},
	},
	description: 'What the recipients will read, as far as the service shows it',
};

/** The fields that choose a template and its format, in the order in which a person fills them in. */
export const templateFields: INodeProperties[] = [
	{
		displayName: 'Template',
		name: 'template',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: 'The approved template to send',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose a template…',
				typeOptions: { searchListMethod: 'searchTemplates', searchable: true },
			},
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				placeholder: 'e.g. order_update',
			},
		],
	},
	templatePreview,
	{
		displayName: 'Parameter Format',
		name: 'parameterFormat',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Array',
				value: 'array',
				description:
					'The values in the order of the numbers, in a field that you name: {"parameters": ["…", "…"]}',
			},
			{
				name: 'Components',
				value: 'components',
				description:
					'The form that the chat-app provider itself uses; try this first: {"components": [{"type": "body", "parameters": [{"type": "text", "text": "…"}]}]}',
			},
			{
				name: 'Components with Namespace and Language',
				value: 'legacyComponents',
				description:
					'The same as Components, with {"namespace": "…", "language": {"policy": "deterministic", "code": "…"}} from the template',
			},
			{
				name: 'JSON',
				value: 'json',
				description: "Only what you write into 'Template Fields'",
			},
			{
				name: 'Map',
				value: 'map',
				description:
					'The values by placeholder, in a field that you name: {"parameters": {"1": "…"}}',
			},
			{
				name: 'None',
				value: 'none',
				description: "Only the template's name, for a template without placeholders",
			},
		],
		default: 'none',
		description:
			"How the values for the template's placeholders are sent. The service documents only the template's name; these are common conventions, and it may not accept all of them. Try Components first, send to your own number, and look at what arrives.",
	},
	{
		displayName: 'Values Field Name',
		name: 'parameterKey',
		type: 'string',
		default: 'parameters',
		required: true,
		displayOptions: { show: { parameterFormat: ['array', 'map'] } },
		description: 'The name of the field in the template object that holds the values',
	},
];

export const templateParameters: INodeProperties = {
	displayName: 'Template Parameters',
	name: 'templateParameters',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	required: true,
	displayOptions: {
		show: { parameterFormat: ['components', 'legacyComponents', 'array', 'map'] },
	},
	typeOptions: {
		loadOptionsDependsOn: ['template.value', 'from.value'],
		resourceMapper: {
			resourceMapperMethod: 'templatePlaceholders',
			mode: 'add',
			valuesLabel: 'Placeholders',
			fieldWords: { singular: 'placeholder', plural: 'placeholders' },
			addAllFields: true,
			multiKeyMatch: false,
			supportAutoMap: true,
			refreshStaleSchemaOnOpen: true,
			// Also shown when the request failed: n8n hides the reason, which the preview tells.
			noFieldsError: 'Nothing to fill in here: the preview above says why.',
		},
	},
	description: "The text for each of the template's placeholders",
};

/** The same for operations whose recipients may come from a list, which then contains the values. */
export const templateParametersOfItem: INodeProperties = {
	...templateParameters,
	displayOptions: {
		show: { ...templateParameters.displayOptions!.show, recipients: ['items'] },
	},
};

export const extraTemplateFields: INodeProperties = {
	displayName: 'Template Fields',
	name: 'templateFields',
	type: 'json',
	default: '{}',
	description:
		'A JSON object that is merged into the template object last, for example <code>{"language": "en"}</code>. The service documents only the template\'s name, and not what else it accepts.',
};
