import type { INodeProperties } from 'n8n-workflow';
import type { ReadParameter } from '../n8n/itemParameters';
import { flag } from '../n8n/values';
import { locator } from './locator';

/* Parameters that several sending operations share. */

export const from = locator({
	displayName: 'From',
	name: 'from',
	required: true,
	description: 'The chat-app channel that the message comes from',
	list: { searchListMethod: 'searchSenders', placeholder: 'Choose a sender…' },
	entered: {
		displayName: 'By Phone',
		name: 'phone',
		placeholder: 'e.g. 385911234567',
		hint: 'The number as the service shows it',
	},
});

export const template = locator({
	displayName: 'Template',
	name: 'template',
	required: true,
	description: 'The approved template to send',
	list: { searchListMethod: 'searchTemplates', placeholder: 'Choose a template…' },
	entered: { displayName: 'By Name', name: 'name', placeholder: 'e.g. order_update' },
});

export const recipients: INodeProperties = {
	displayName: 'Recipients',
	name: 'recipients',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Input Items',
			value: 'items',
			description: 'Every input item is a recipient, for example a row of a spreadsheet',
		},
		{
			name: 'List',
			value: 'list',
			description: 'One JSON array, or one expression, holds all recipients',
		},
	],
	default: 'items',
	description: 'Where the recipients come from',
};

export const to: INodeProperties = {
	displayName: 'To',
	name: 'to',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +385 91 123 4567',
	description: "The recipient's phone number with country code",
};

/** The recipient of an input item, where every item is one. */
export const toOfItem: INodeProperties = {
	...to,
	placeholder: 'Drag a phone column here, e.g. {{ $json.phone }}',
	displayOptions: { show: { recipients: ['items'] } },
};

export const recipientList = (example: string): INodeProperties => ({
	displayName: 'Recipient List',
	name: 'recipientList',
	type: 'json',
	default: '[]',
	required: true,
	displayOptions: { show: { recipients: ['list'] } },
	description: `A JSON array with an object for each recipient, for example <code>${example}</code>. Resolved once, with the first input item.`,
});

/** An option of the operations whose messages the service can keep. */
export const saveOption: INodeProperties = {
	displayName: 'Save as Conversation',
	name: 'save',
	type: 'boolean',
	default: true,
	description: 'Whether the service keeps the message as a conversation',
};

/** Whether the service keeps a recipient's message as a conversation. */
export const isSaved = (read: ReadParameter): boolean =>
	flag(read('options.save'), saveOption.displayName);
