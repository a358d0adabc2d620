import type { INodeProperties } from 'n8n-workflow';
import { SECOND_PREVIEW, SECOND_PREVIEW_MARK } from './previewSwitch';

/** Shows what the recipients will read. Nothing can be entered in it, and it is not sent. */
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
			// n8n has no such mode: with it the editor shows only the notice, and saves the hidden field.
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

const HAS_SECOND_PREVIEW_MARK = {
	'/template.cachedResultName': [{ _cnd: { regex: `${SECOND_PREVIEW_MARK}$` } }],
};
const EMPTY = { '/template.value': [''] };

/**
 * Three parameters for one preview, of which the editor shows one: for no template, and two that take turns whenever another
 * template is chosen from the list. The editor loads a preview when it becomes visible, but may not reload a visible one: as
 * long as any expression of the node has no value, it does not notice that the template has changed.
 */
const previews: INodeProperties[] = [
	{ ...templatePreview, displayOptions: { hide: { ...HAS_SECOND_PREVIEW_MARK, ...EMPTY } } },
	{ ...templatePreview, name: SECOND_PREVIEW, displayOptions: { show: HAS_SECOND_PREVIEW_MARK } },
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
			// n8n also shows this when the request failed, and hides the reason; the preview shows it.
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
