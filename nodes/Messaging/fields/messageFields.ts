import type { INodeProperties } from 'n8n-workflow';
import type { Item } from '../n8n/itemParameters';
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
		displayName: 'Phone',
		name: 'phone',
		placeholder: 'e.g. 385911234567',
		hint: 'The number as the service shows it',
	},
});

export const template = locator({
	displayName: 'Template',
	name: 'template',
	required: true,
	description:
		'The approved template to send. With another credential, a template from the list must be chosen again, and its placeholders filled in again; one that was entered by name stays.',
	list: { searchListMethod: 'searchTemplates', placeholder: 'Choose a template…' },
	entered: { displayName: 'Name', name: 'name', placeholder: 'e.g. order_update' },
});

export const to: INodeProperties = {
	displayName: 'To',
	name: 'to',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +385 91 123 4567',
	description: "The recipient's phone number with country code",
};

/** The recipient where every input item is one. */
export const toOfItem: INodeProperties = {
	...to,
	placeholder: 'Drag a phone column here, e.g. {{ $json.phone }}',
	description: 'The phone number with country code, from the input item: each item is a recipient',
};

/** An option of the operations whose messages the service can keep. */
export const saveOption: INodeProperties = {
	displayName: 'Save as Conversation',
	name: 'save',
	type: 'boolean',
	default: true,
	description:
		'Whether the service keeps the message as a conversation. Without this option the node does not say, and the service decides.',
};

/** Whether the service keeps a recipient's message as a conversation; undefined without the option. */
export const savedBy = ({ read, raw }: Pick<Item, 'read' | 'raw'>): boolean | undefined =>
	raw('options.save') === '' ? undefined : flag(read('options.save'), saveOption.displayName);
