import type { INodeProperties } from 'n8n-workflow';
import { DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT } from '../service/service';

/*
 * The options of operations that send. Whoever adds an option wants it: its default has an effect, and is not what happens
 * without the option.
 */

/** The most requests in flight at once. n8n opens a connection for each, and more of them would only wait. */
export const LARGEST_BATCH_SIZE = 50;

export const DEFAULT_BATCH_SIZE = 10;

/** The way through for a text that is refused because it looks wrong. */
export const IF_MEANT = "If it is meant, add 'Options → Send Unusual Texts'.";

/** Options of every operation that sends. */
const ofDelivery: INodeProperties[] = [
	{
		displayName: 'Default Country Code',
		name: 'defaultCountryCode',
		type: 'string',
		default: '',
		placeholder: 'e.g. 385',
		description:
			"The country calling code of numbers that have none. It has no effect if 'Phone Format' is 'As Is'.",
	},
	{
		displayName: 'Max Retries',
		name: 'maxRetries',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 10 },
		default: DEFAULT_MAX_RETRIES,
		description:
			'How many times to repeat a request that the service cannot have acted on (too many requests, no connection). A message that may have been sent is never repeated.',
	},
	{
		displayName: 'Phone Format',
		name: 'phoneFormat',
		type: 'options',
		options: [
			{
				name: 'As Is',
				value: 'asIs',
				description: 'Send the number exactly as it was given, with its spaces and signs',
			},
			{ name: 'Digits', value: 'digits', description: 'Digits only, for example 385911234567' },
			{ name: 'E.164', value: 'e164', description: 'With a plus sign, for example +385911234567' },
		],
		default: 'digits',
		description: "The format in which recipients' numbers are sent to the service",
	},
	{
		displayName: 'Timeout (Ms)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: DEFAULT_TIMEOUT,
		description:
			'How many milliseconds a request may take, until the last byte of its answer. After a timeout, the message may still have been sent.',
	},
];

/** Options of the operations that send to many. */
const ofBatches: INodeProperties[] = [
	{
		displayName: 'Batch Interval (Ms)',
		name: 'batchInterval',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			'Milliseconds between the start of one batch of requests and the next. With 0, a new request starts as soon as another has finished.',
	},
	{
		displayName: 'Batch Size',
		name: 'batchSize',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: LARGEST_BATCH_SIZE },
		default: DEFAULT_BATCH_SIZE,
		description: 'How many requests are sent at the same time, at most 50',
	},
	{
		displayName: 'On Duplicate Recipient',
		name: 'onDuplicateRecipient',
		builderHint: {
			propertyHint:
				"Set 'skip' for a list: otherwise a number that is in it twice gets two messages",
		},
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Error', value: 'error', description: 'Report it like an invalid recipient' },
			{ name: 'Send', value: 'send', description: 'Send both messages, one after the other' },
			{ name: 'Skip', value: 'skip', description: 'Send only the first message' },
		],
		default: 'skip',
		description:
			'What to do if a recipient occurs more than once in this run. Without this option, both messages are sent. Earlier runs are not checked.',
	},
	{
		displayName: 'Send Unusual Texts',
		name: 'sendUnusual',
		builderHint: {
			propertyHint:
				'A person sets it who has read in the dry run what is unusual, and means it: leave it out',
		},
		type: 'boolean',
		noDataExpression: true,
		default: true,
		description:
			'Whether to send texts that look wrong, such as placeholders of another tool, spreadsheet errors or broken letters. Without this option, they are refused.',
	},
];

/** What a run sends, in the order of the editor; the fields stand before the options. */
export const modeFields: INodeProperties[] = [
	{
		displayName: 'Mode',
		name: 'sendMode',
		builderHint: {
			propertyHint:
				"Build with 'dryRun': nothing is sent, and 'text' of each output item is what that recipient would read, 'country' its calling code, such as '+44'; one that cannot be sent is among them, with 'status' invalid and its 'reason' (the others are 'ready' or 'skipped'), and not in an error output. Left out, it is 'send': everybody gets the message, also when n8n's assistant tries the draft by its trigger. So keep 'dryRun': the person changes it to 'test', and then to 'send'.",
		},
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Send', value: 'send', description: 'Send to all recipients' },
			{
				name: 'Test: Only to My Number',
				value: 'test',
				description:
					"Check everything, then send only the first recipient's message, to your number",
			},
			{
				name: 'Dry Run: Send Nothing',
				value: 'dryRun',
				description: 'Check everything, and output the exact messages without sending anything',
			},
		],
		default: 'send',
		description: 'Whether messages are really sent, and to whom',
	},
	{
		displayName: 'Code',
		name: 'code',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 25KQPN',
		builderHint: { propertyHint: 'Never set it: the person reads it in the dry run' },
		displayOptions: { hide: { sendMode: ['test', 'dryRun'], '@tool': [true] } },
		description:
			'Only in the editor, for two or more messages or in a loop: the code that the dry run shows. It works once, for at most as many messages as that dry run. A published workflow needs none.',
		hint: 'For two or more messages from the editor: the dry run shows it',
	},
	{
		displayName: 'My Number',
		name: 'testRecipient',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. +385911234567',
		builderHint: { propertyHint: "Required when sendMode is 'test'" },
		displayOptions: { hide: { sendMode: ['send', 'dryRun'] } },
		description:
			"Your own phone number, for the mode Test: it gets the first recipient's message. In another mode it has no effect.",
	},
];

/** The parameter `options` of an operation that sends to many, with further options of its own. */
export const sendingOptions = (...own: INodeProperties[]): INodeProperties =>
	deliveryOptions(...ofBatches, ...own);

/** The parameter `options` of an operation that sends one message, with further options of its own. */
export const deliveryOptions = (...own: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	// Not localeCompare: loading the language data takes longer than loading the package.
	options: [...ofDelivery, ...own].sort((a, b) => (a.displayName < b.displayName ? -1 : 1)),
});
