import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/*
 * The parameters of *Custom Form*, with the same names, values and visibility as in n8n's own send-and-wait nodes and
 * forms.
 */

export const ELEMENT_TYPES = [
	{ name: 'Checkboxes', value: 'checkbox' },
	{ name: 'Custom HTML', value: 'html' },
	{ name: 'Date', value: 'date' },
	{ name: 'Dropdown', value: 'dropdown' },
	{ name: 'Email', value: 'email' },
	{ name: 'File', value: 'file' },
	{ name: 'Hidden Field', value: 'hiddenField' },
	{ name: 'Number', value: 'number' },
	{ name: 'Password', value: 'password' },
	{ name: 'Radio Buttons', value: 'radio' },
	{ name: 'Text Input', value: 'text' },
	{ name: 'Textarea', value: 'textarea' },
] as const satisfies INodePropertyOptions[];

export type ElementType = (typeof ELEMENT_TYPES)[number]['value'];

const onlyFor = (...fieldType: ElementType[]) => ({ displayOptions: { show: { fieldType } } });
const notFor = (...fieldType: ElementType[]) => ({ displayOptions: { hide: { fieldType } } });

const selections = (
	displayName: string,
	name: string,
	description: string,
	limitSelection: string,
	least: number,
): INodeProperties => ({
	displayName,
	name,
	type: 'number',
	default: least,
	description,
	typeOptions: { numberPrecision: 0, minValue: least },
	displayOptions: { show: { fieldType: ['checkbox'], limitSelection: [limitSelection] } },
});

const elementValues: INodeProperties[] = [
	{
		displayName: 'Label',
		name: 'fieldLabel',
		type: 'string',
		default: '',
		placeholder: 'e.g. What is your name?',
		description: 'Text above the field, and the name of the answer in the output',
		required: true,
		...notFor('hiddenField', 'html'),
	},
	{
		displayName: 'Element Type',
		name: 'fieldType',
		type: 'options',
		default: 'text',
		description: 'The type of field to add to the form',
		options: [...ELEMENT_TYPES],
	},
	{
		displayName: 'Field Options',
		name: 'fieldOptions',
		placeholder: 'Add Field Option',
		type: 'fixedCollection',
		default: { values: [{ option: '' }] },
		required: true,
		description: 'What the person can choose from',
		...onlyFor('checkbox', 'dropdown', 'radio'),
		typeOptions: { multipleValues: true, sortable: true },
		options: [
			{
				displayName: 'Values',
				name: 'values',
				values: [
					{
						displayName: 'Option',
						name: 'option',
						type: 'string',
						default: '',
						description: 'The text on the page and in the output',
					},
				],
			},
		],
	},
	{
		displayName: 'Limit Selection',
		name: 'limitSelection',
		type: 'options',
		default: 'unlimited',
		description: 'Whether the person must tick a certain number of boxes',
		options: [
			{ name: 'Exact Number', value: 'exact' },
			{ name: 'Range', value: 'range' },
			{ name: 'Unlimited', value: 'unlimited' },
		],
		...onlyFor('checkbox'),
	},
	selections(
		'Number of Selections',
		'numberOfSelections',
		'How many boxes the person must tick',
		'exact',
		1,
	),
	selections(
		'Minimum Selections',
		'minSelections',
		'How many boxes the person must tick at least',
		'range',
		0,
	),
	selections(
		'Maximum Selections',
		'maxSelections',
		'How many boxes the person may tick at most',
		'range',
		1,
	),
	{
		displayName: 'HTML',
		name: 'html',
		type: 'string',
		typeOptions: { editor: 'htmlEditor' },
		noDataExpression: true,
		default: '',
		description:
			'Text with HTML elements to show between the fields. Images, videos, styles and scripts are left out.',
		...onlyFor('html'),
	},
	{
		displayName: 'Element Name',
		name: 'elementName',
		type: 'string',
		default: '',
		placeholder: 'e.g. content-section',
		description: 'The name under which the HTML is in the output; empty leaves it out',
		...onlyFor('html'),
	},
	{
		displayName: 'Multiple Files',
		name: 'multipleFiles',
		type: 'boolean',
		default: true,
		description: 'Whether the person may choose several files',
		...onlyFor('file'),
	},
	{
		displayName: 'Accepted File Types',
		name: 'acceptFileTypes',
		type: 'string',
		default: '',
		description: 'Comma-separated list of allowed file extensions; empty allows all files',
		placeholder: 'e.g. .jpg, .png',
		...onlyFor('file'),
	},
	{
		displayName: 'Required Field',
		name: 'requiredField',
		type: 'boolean',
		default: false,
		description: 'Whether the person must fill in this field',
		...notFor('html', 'hiddenField'),
	},
	{
		displayName: 'Placeholder',
		name: 'placeholder',
		type: 'string',
		default: '',
		description: 'Sample text inside the field while it is empty',
		...onlyFor('email', 'number', 'password', 'text', 'textarea'),
	},
	{
		displayName: 'Default Value',
		name: 'defaultValue',
		type: 'string',
		default: '',
		description:
			'What the field contains at first: a text, a date as YYYY-MM-DD, or options, separated by commas',
		...notFor('file', 'hiddenField', 'html', 'password'),
	},
	{
		displayName: 'Field Name',
		name: 'fieldName',
		type: 'string',
		default: '',
		description: 'The name of the answer in the output; empty takes the label',
		...notFor('html'),
	},
	{
		displayName: 'Field Value',
		name: 'fieldValue',
		type: 'string',
		default: '',
		description: 'The value in the output. The page does not contain it.',
		...onlyFor('hiddenField'),
	},
];

const EXAMPLE = [
	{ fieldLabel: 'Name', placeholder: 'Enter your name', requiredField: true },
	{
		fieldLabel: 'Day',
		fieldType: 'dropdown',
		fieldOptions: { values: [{ option: 'Monday' }, { option: 'Tuesday' }] },
	},
];

export const formElements: INodeProperties[] = [
	{
		displayName: 'Define Form',
		name: 'defineForm',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
		default: 'fields',
		description: 'How the fields of the form are described',
		displayOptions: { show: { responseType: ['customForm'] } },
	},
	{
		displayName: 'Form Fields',
		name: 'jsonOutput',
		type: 'json',
		typeOptions: { rows: 5 },
		default: JSON.stringify(EXAMPLE, null, 2),
		validateType: 'form-fields',
		ignoreValidationDuringExecution: true,
		description:
			'The fields as JSON, in the format of <a href="https://docs.n8n.io/integrations/builtin/core-nodes/n8n-nodes-base.form/">n8n\'s forms</a>',
		displayOptions: { show: { responseType: ['customForm'], defineForm: ['json'] } },
	},
	{
		displayName: 'Form Elements',
		name: 'formFields',
		placeholder: 'Add Form Element',
		type: 'fixedCollection',
		default: {},
		description: 'What the person fills in, from top to bottom',
		typeOptions: {
			multipleValues: true,
			sortable: true,
			fixedCollection: {
				itemTitle:
					'={{ $collection.item.value.fieldLabel || $collection.item.properties.find(p => p.name === "fieldType").options.find(o => o.value === $collection.item.value.fieldType).name }}',
			},
		},
		options: [{ displayName: 'Values', name: 'values', values: elementValues }],
		displayOptions: { show: { responseType: ['customForm'], defineForm: ['fields'] } },
	},
];
