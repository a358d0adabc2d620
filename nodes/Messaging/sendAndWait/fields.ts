import type { INodeProperties } from 'n8n-workflow';
import { templateChoice, templateOptions, templateParameters } from '../templates/fields';
import { from, to } from '../fields/messageFields';
import { deliveryOptions } from '../fields/sendingOptions';
import { limitWaitTime } from './limitWaitTime';
import { pageLanguage, pageTexts } from './pageTexts';

/*
 * The parameters have the names that n8n's own send-and-wait nodes use, because n8n's human review relies on
 * these names.
 */

const responseType: INodeProperties = {
	displayName: 'Response Type',
	name: 'responseType',
	type: 'options',
	options: [
		{
			name: 'Approval',
			value: 'approval',
			description: 'The person presses a button on the page that the link opens',
		},
		{
			name: 'Free Text',
			value: 'freeText',
			description: 'The person writes an answer on the page that the link opens',
		},
	],
	default: 'approval',
};

const approvalOptions: INodeProperties = {
	displayName: 'Approval Options',
	name: 'approvalOptions',
	type: 'fixedCollection',
	description:
		'The buttons of the page that the link opens. Without this option the person can only approve.',
	placeholder: 'Add option',
	default: {},
	displayOptions: { show: { responseType: ['approval'] } },
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				{
					displayName: 'Type of Approval',
					name: 'approvalType',
					type: 'options',
					description: 'Which buttons the page has',
					default: 'single',
					options: [
						{ name: 'Approve Only', value: 'single' },
						{ name: 'Approve and Disapprove', value: 'double' },
					],
				},
				{
					displayName: 'Approve Button Label',
					name: 'approveLabel',
					type: 'string',
					description: 'The text on the button',
					default: 'Approve',
				},
				{
					displayName: 'Disapprove Button Label',
					name: 'disapproveLabel',
					type: 'string',
					description: 'The text on the other button',
					default: 'Decline',
					displayOptions: { show: { approvalType: ['double'] } },
				},
			],
		},
	],
};

const deliverAs: INodeProperties = {
	displayName: 'Send As',
	name: 'deliverAs',
	builderHint: {
		propertyHint:
			"Left out, it is 'session': free text, which the service refuses later than 24 hours after the person's last message. To ask at any time, set 'template', and in templateParameters write '[link]' as the value of a placeholder and '[question]' as that of another: without '[link]' nothing is sent. 'sessionThenTemplate' sends the template only if free text is refused.",
	},
	type: 'options',
	options: [
		{
			name: 'Free Text (Within 24 Hours)',
			value: 'session',
			description: "It arrives only within 24 hours of the person's last message to you",
		},
		{
			name: 'Free Text, Then Template',
			value: 'sessionThenTemplate',
			description: 'The template is sent only if the service refuses the free text',
		},
		{
			name: 'Template (At Any Time)',
			value: 'template',
			description: 'An approved template, with a placeholder for the link',
		},
	],
	default: 'session',
	description: 'How the question reaches the person',
};

const placeholdersNotice: INodeProperties = {
	displayName:
		'The template needs a placeholder for the link. Write <code>[link]</code> in its field, and <code>[question]</code> where the message belongs.',
	name: 'placeholdersNotice',
	type: 'notice',
	default: '',
};

const messageButtonLabel: INodeProperties = {
	displayName: 'Text Before Link',
	name: 'messageButtonLabel',
	type: 'string',
	default: 'Answer here',
	description: 'The text before the link in the message',
};

const responseFormTitle: INodeProperties = {
	displayName: 'Response Form Title',
	name: 'responseFormTitle',
	type: 'string',
	default: '',
	description: 'Title of the page that the link opens',
};

const responseFormButtonLabel: INodeProperties = {
	displayName: 'Response Form Button Label',
	name: 'responseFormButtonLabel',
	type: 'string',
	default: 'Submit',
	displayOptions: { show: { '/responseType': ['freeText'] } },
	description: 'Label of the button that sends the answer',
};

const withTemplate = (field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: {
		...field.displayOptions,
		show: { ...field.displayOptions?.show, deliverAs: ['template', 'sessionThenTemplate'] },
	},
});

export const sendAndWaitFields: INodeProperties[] = [
	from,
	to,
	{
		displayName: 'Message',
		name: 'message',
		builderHint: {
			propertyHint: 'It is sent whenever the node runs: this operation has no dry run and no test',
		},
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. May we ship order 12 today?',
		description: 'The question. The node adds the link for answering below it.',
	},
	responseType,
	approvalOptions,
	deliverAs,
	...[...templateChoice, placeholdersNotice, templateParameters].map(withTemplate),
	deliveryOptions(
		...templateOptions.map((option) => ({
			...option,
			displayOptions: { show: { '/deliverAs': ['template', 'sessionThenTemplate'] } },
		})),
		limitWaitTime,
		messageButtonLabel,
		pageLanguage,
		pageTexts,
		responseFormButtonLabel,
		responseFormTitle,
	),
];
