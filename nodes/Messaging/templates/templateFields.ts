import type { INodeProperties } from 'n8n-workflow';
import { OTHER_PREVIEW, TURN } from './previewTurn';

/** Shows what the recipients will read. It is no input, and is not sent. */
const templatePreview: INodeProperties = {
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

const ENDS_WITH_TURN = { '/template.cachedResultName': [{ _cnd: { regex: `${TURN}$` } }] };
const EMPTY = { '/template.value': [''] };

/**
 * The preview, as parameters of which the first choice in the template list, and each further one, hides one and shows
 * another. The editor loads a preview that it begins to show, but may not reload one that it shows already: as long as any
 * expression of the node has no value, it does not notice that the template has changed.
 */
const previews: INodeProperties[] = [
	{ ...templatePreview, displayOptions: { hide: { ...ENDS_WITH_TURN, ...EMPTY } } },
	{ ...templatePreview, name: OTHER_PREVIEW, displayOptions: { show: ENDS_WITH_TURN } },
	{ ...templatePreview, name: 'emptyTemplatePreview', displayOptions: { show: EMPTY } },
];

/** The user's own fields of the template object, as an option. */
export const extraTemplateFields: INodeProperties = {
	displayName: 'Template Fields',
	name: 'templateFields',
	type: 'json',
	default: '{}',
	description:
		'A JSON object that is merged into the template object last, for example <code>{"language": "en"}</code>. The service documents only the template\'s name, and not what else it accepts.',
};

const OF_JSON = { parameterFormat: ['json'] };

/** The same as parameters, for those who send only what they write there. */
const ownJson: INodeProperties[] = [
	{ ...extraTemplateFields, displayOptions: { show: OF_JSON } },
	// Keeps the values when they are no longer shown, so that the node can refuse them.
	{ ...extraTemplateFields, type: 'hidden', displayOptions: { hide: OF_JSON } },
];

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
	...previews,
	{
		displayName: 'Placeholder Values',
		name: 'parameterFormat',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Chat-App Standard (Usual)',
				value: 'components',
				description:
					'In the form that the chat app itself uses. Try this first, and send a test to your own number.',
			},
			{
				name: 'Chat-App Standard, Older Form',
				value: 'legacyComponents',
				description:
					"The same, with the template's namespace and language, for a service that asks for them",
			},
			{
				name: 'List',
				value: 'array',
				description: 'The values in the order of their numbers, in a field that you name',
			},
			{
				name: 'None',
				value: 'none',
				description: 'For a template without placeholders',
			},
			{
				name: 'One Field per Placeholder',
				value: 'map',
				description: 'Each value under the number or name of its placeholder',
			},
			{
				name: 'Your Own JSON',
				value: 'json',
				description: "Only what you write into 'Template Fields'",
			},
		],
		default: 'none',
		description:
			"How the values for the template's placeholders are sent. The service documents only the template's name; these are common conventions, and it may not accept all of them. Try the usual one first, send a test to your own number, and look at what arrives.",
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
	...ownJson,
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
