import type { INodeProperties } from 'n8n-workflow';

const batchInterval: INodeProperties = {
	displayName: 'Batch Interval',
	name: 'batchInterval',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description:
		'Milliseconds between the start of one batch of requests and the next. With 0, a new request starts as soon as another has finished.',
};

const batchSize: INodeProperties = {
	displayName: 'Batch Size',
	name: 'batchSize',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 50 },
	default: 10,
	description: 'How many requests are sent at the same time, at most 50',
};

const defaultCountryCode: INodeProperties = {
	displayName: 'Default Country Code',
	name: 'defaultCountryCode',
	type: 'string',
	default: '',
	placeholder: 'e.g. 385',
	description:
		"Country calling code for numbers that come without one. It has an effect only with the 'Phone Format' Digits or E.164; As Is changes nothing.",
};

const dryRun: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description: 'Whether to check everything and output the exact requests without sending anything',
};

const maxRetries: INodeProperties = {
	displayName: 'Max Retries',
	name: 'maxRetries',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 10 },
	default: 3,
	description:
		'How many times to repeat a request that the service cannot have acted on (too many requests, no connection). A message that may have been sent is never repeated.',
};

const onDuplicateRecipient: INodeProperties = {
	displayName: 'On Duplicate Recipient',
	name: 'onDuplicateRecipient',
	type: 'options',
	options: [
		{ name: 'Error', value: 'error', description: 'Report it like any other bad recipient' },
		{ name: 'Send', value: 'send', description: 'Send both messages, one after the other' },
		{ name: 'Skip', value: 'skip', description: 'Send only the first message' },
	],
	default: 'send',
	description: 'What to do when the same recipient occurs more than once',
};

const phoneFormat: INodeProperties = {
	displayName: 'Phone Format',
	name: 'phoneFormat',
	type: 'options',
	options: [
		{ name: 'As Is', value: 'asIs', description: 'Send the number as it was given' },
		{ name: 'Digits', value: 'digits', description: 'Digits only, for example 385911234567' },
		{ name: 'E.164', value: 'e164', description: 'With a plus sign, for example +385911234567' },
	],
	default: 'asIs',
	description: "The format in which recipients' numbers are sent to the service",
};

const resendUnknown: INodeProperties = {
	displayName: 'Resend Unknown',
	name: 'resendUnknown',
	type: 'boolean',
	default: false,
	description:
		'Whether retrying a failed execution also sends messages again that may already have been sent. Some recipients may then get a message twice.',
};

const timeout: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60000,
	description:
		'The longest time of a request in milliseconds, from its start to the last byte of its answer. When it is over, the message may still have been sent.',
};

const optionsOf = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	// Not localeCompare: it reads the language's data, which takes longer than loading the package.
	options: options.sort((a, b) => (a.displayName < b.displayName ? -1 : 1)),
});

/** The options that every sending operation has; an operation adds its own. */
export const sendingOptions = (...own: INodeProperties[]): INodeProperties =>
	optionsOf([
		batchInterval,
		batchSize,
		defaultCountryCode,
		dryRun,
		maxRetries,
		onDuplicateRecipient,
		phoneFormat,
		resendUnknown,
		timeout,
		...own,
	]);

/** The options of an operation that sends one message. */
export const deliveryOptions = (...own: INodeProperties[]): INodeProperties =>
	optionsOf([defaultCountryCode, maxRetries, phoneFormat, resendUnknown, timeout, ...own]);
