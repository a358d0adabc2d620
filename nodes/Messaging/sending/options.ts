import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
	UserError,
} from 'n8n-workflow';
import { formatNumber } from '../utils/text';
import { ItemParameters } from '../n8n/itemParameters';
import { TimeSlice } from '../utils/concurrency';
import { flag, numberBetween, oneOf, optionalText, text } from '../n8n/values';
import { DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT } from '../service/service';
import { callingCode, type PhoneFormat } from './phone';
import type { Recipient } from './recipients';

/** The most requests in flight at once. n8n opens a connection for each, and more of them would only wait. */
export const MOST_AT_ONCE = 50;

const DEFAULT_BATCH_SIZE = 10;

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
	typeOptions: { minValue: 1, maxValue: MOST_AT_ONCE },
	default: DEFAULT_BATCH_SIZE,
	description: 'How many requests are sent at the same time, at most 50',
};

const defaultCountryCode: INodeProperties = {
	displayName: 'Default Country Code',
	name: 'defaultCountryCode',
	type: 'string',
	default: '',
	placeholder: 'e.g. 385',
	description:
		"Country calling code for numbers that come without one. It has an effect only with the 'Phone Format' 'Digits' or 'E.164'; 'As Is' changes nothing.",
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
	default: DEFAULT_MAX_RETRIES,
	description:
		'How many times to repeat a request that the service cannot have acted on (too many requests, no connection). A message that may have been sent is never repeated.',
};

const onDuplicateRecipient: INodeProperties = {
	displayName: 'On Duplicate Recipient',
	name: 'onDuplicateRecipient',
	type: 'options',
	options: [
		{ name: 'Error', value: 'error', description: 'Report it like an invalid recipient' },
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

const testRecipient: INodeProperties = {
	displayName: 'Test Recipient',
	name: 'testRecipient',
	type: 'string',
	default: '',
	placeholder: 'e.g. +385911234567',
	description:
		"Your own phone number: everything is checked, and then only the first recipient's message is sent, to this number. Nobody else gets a message. Remove the option to send to everyone.",
};

const timeout: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: DEFAULT_TIMEOUT,
	description:
		'The longest time of a request in milliseconds, from its start to the last byte of its answer. When it is over, the message may still have been sent.',
};

const collection = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	// Not localeCompare: loading the language data takes longer than loading the package.
	options: options.sort((a, b) => (a.displayName < b.displayName ? -1 : 1)),
});

/** The parameter `options` of an operation that sends to many, with further options of its own. */
export const sendingOptions = (...own: INodeProperties[]): INodeProperties =>
	collection([
		batchInterval,
		batchSize,
		defaultCountryCode,
		dryRun,
		maxRetries,
		onDuplicateRecipient,
		phoneFormat,
		resendUnknown,
		testRecipient,
		timeout,
		...own,
	]);

/** The parameter `options` of an operation that sends one message, with further options of its own. */
export const deliveryOptions = (...own: INodeProperties[]): INodeProperties =>
	collection([defaultCountryCode, maxRetries, phoneFormat, resendUnknown, timeout, ...own]);

/** How recipients' numbers are written. */
export type NumberFormat = {
	phoneFormat: PhoneFormat;
	/** Country calling code in digits. */
	defaultCountryCode?: string;
};

/** The options of a run, read once: they apply to the run, not to an item. */
export type SendOptions = NumberFormat & {
	/** Set when an expression gives each recipient a number format of its own. */
	numberFormatOf?: (recipient: Recipient) => NumberFormat;
	/** Requests in flight at once. */
	batchSize: number;
	/** ms between the starts of two batches. */
	batchInterval: number;
	/** Time limit of one request in ms, from its start to the last byte of the answer. */
	timeout: number;
	maxRetries: number;
	dryRun: boolean;
	onDuplicateRecipient: 'send' | 'skip' | 'error';
	/** Messages that an earlier attempt may have sent are sent again. */
	resendUnknown: boolean;
	/** The only number that gets a message, the first recipient's; undefined to send to everyone. */
	testRecipient?: string;
	/** Messages in one request, where the endpoint takes many; 0 for no limit. */
	perRequest: number;
	/** One item per recipient, or one per campaign. */
	output: 'recipients' | 'campaign';
};

/**
 * Reads the options of this run. Expressions in them are resolved once, with the first item (see
 * {@link refuseDifferentOptions}), except the number format: with the first item's country code, the messages of other
 * items would go to strangers.
 *
 * @throws UserError naming the option that is invalid
 */
export function optionsOf(context: IExecuteFunctions): SendOptions {
	const options = context.getNodeParameter('options', 0, {});
	const raw = context.getNodeParameter('options', 0, {}, { rawExpressions: true });
	const differs = [raw.phoneFormat, raw.defaultCountryCode].some(
		(value) => typeof value === 'string' && value.startsWith('='),
	);
	if (!differs) return readOptions(options);
	return {
		...readOptions({ ...options, phoneFormat: undefined, defaultCountryCode: undefined }),
		numberFormatOf: ({ read }) =>
			readNumberFormat({
				phoneFormat: read('options.phoneFormat'),
				defaultCountryCode: read('options.defaultCountryCode'),
			}),
	};
}

/** Labels of the options that apply to the whole run: they decide who gets a message, or what is output. */
const RUN_OPTIONS: Record<string, string> = {
	dryRun: 'Dry Run',
	maxRecipients: 'Max Recipients',
	messagesPerRequest: 'Messages per Request',
	onDuplicateRecipient: 'On Duplicate Recipient',
	output: 'Output',
	resendUnknown: 'Resend Unknown',
	testRecipient: 'Test Recipient',
};

/** Normalises an option's value for comparison: '' for all values that mean "off". */
const comparable = (value: unknown) => {
	const word = String(value ?? '').trim();
	return /^(false|0)$/i.test(word) ? '' : word.toLowerCase();
};

/**
 * Makes sure that no item decides for the others on an option of the whole run.
 *
 * @throws UserError naming the option whose expression gives different values for different items
 */
export async function refuseDifferentOptions(context: IExecuteFunctions): Promise<void> {
	const items = context.getInputData();
	if (items.length < 2) return;
	const options = context.getNodeParameter('options', 0, {}, { rawExpressions: true });
	const parameters = new ItemParameters(context, items);
	const slice = new TimeSlice();
	for (const [name, label] of Object.entries(RUN_OPTIONS)) {
		if (options[name] === undefined || !parameters.canDiffer(`options.${name}`)) continue;
		const first = parameters.read(`options.${name}`, 0);
		const expected = comparable(first);
		for (let item = 1; item < items.length; item++) {
			if (slice.isOver) await slice.yieldIfOver();
			const value = parameters.read(`options.${name}`, item);
			if (comparable(value) === expected) continue;
			throw new UserError(
				`'${label}' is one setting for all items, but its expression gives ${shownAs(first)} for item 1 and ${shownAs(value)} for item ${formatNumber(item + 1)}. Use a value that is the same for all items, or separate them before this node, for example with an 'If' node.`,
			);
		}
	}
}

const shownAs = (value: unknown) =>
	comparable(value) === '' ? 'false or nothing' : `"${String(value)}"`;

/** @throws UserError when the default country code or the format is invalid */
function readNumberFormat(options: { [option: string]: unknown }): NumberFormat {
	const code = text(options.defaultCountryCode);
	const defaultCountryCode = code === '' ? undefined : callingCode(code);
	if (code !== '' && !defaultCountryCode) {
		throw new UserError(
			`"${code}" is not a country calling code. Enter digits in 'Default Country Code', for example 385.`,
		);
	}
	const formats = ['asIs', 'digits', 'e164'] as const;
	return { phoneFormat: oneOf(options.phoneFormat, formats, 'Phone Format'), defaultCountryCode };
}

/**
 * Reads the collection `options`; numbers out of range are set to the nearest limit.
 *
 * @throws UserError naming the option that is invalid
 */
export function readOptions(options: IDataObject): SendOptions {
	const perRequest = numberBetween(
		options.messagesPerRequest ?? options.maxRecipients,
		0,
		Number.MAX_SAFE_INTEGER,
		0,
	);
	return {
		batchSize: numberBetween(options.batchSize, 1, MOST_AT_ONCE, DEFAULT_BATCH_SIZE),
		batchInterval: numberBetween(options.batchInterval, 0, 3_600_000, 0),
		timeout: numberBetween(options.timeout, 0, 3_600_000, 0) || DEFAULT_TIMEOUT,
		maxRetries: numberBetween(options.maxRetries, 0, 10, DEFAULT_MAX_RETRIES),
		dryRun: flag(options.dryRun, 'Dry Run'),
		...readNumberFormat(options),
		onDuplicateRecipient: oneOf(
			options.onDuplicateRecipient,
			['send', 'skip', 'error'],
			'On Duplicate Recipient',
		),
		resendUnknown: flag(options.resendUnknown, 'Resend Unknown'),
		testRecipient: testNumber(options),
		perRequest,
		output: oneOf(options.output, ['recipients', 'campaign'], 'Output'),
	};
}

/**
 * Returns the number in *Test Recipient*, and undefined without the option.
 *
 * @throws UserError when it is empty: whoever adds the option does not want to send to everyone
 */
function testNumber(options: IDataObject): string | undefined {
	if (!('testRecipient' in options)) return undefined;
	const number = optionalText(options.testRecipient, 'Test Recipient');
	if (number !== '') return number;
	throw new UserError(
		"'Test Recipient' is empty, so nothing was sent. Enter your own number, or remove the option to send to all recipients.",
	);
}
