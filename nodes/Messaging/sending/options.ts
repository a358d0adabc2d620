import { type IDataObject, type IExecuteFunctions, UserError } from 'n8n-workflow';
import { formatNumber } from '../utils/text';
import { ItemParameters } from '../n8n/itemParameters';
import { TimeSlice } from '../utils/concurrency';
import { flag, numberBetween, oneOf, optionalText, requiredText, text } from '../n8n/values';
import { DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT } from '../service/service';
import { DEFAULT_BATCH_SIZE, MOST_AT_ONCE } from '../fields/sendingOptions';
import { callingCode, type PhoneFormat } from './phone';
import type { Recipient } from './recipients';

/** How recipients' numbers are written. */
export type NumberFormat = {
	phoneFormat: PhoneFormat;
	/** Country calling code in digits. */
	defaultCountryCode?: string;
};

const MODES = ['send', 'test', 'dryRun'] as const;

/** Whether a run sends to everyone, only to the user's own number, or to nobody. */
export type Mode = (typeof MODES)[number];

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
	mode: Mode;
	onDuplicateRecipient: 'send' | 'skip' | 'error';
	/** Messages that an earlier attempt may have sent are sent again. */
	resendUnknown: boolean;
	/** The only number that gets a message in the mode `test`. */
	testRecipient: string;
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
	const options: IDataObject = {
		...context.getNodeParameter('options', 0, {}),
		// Without a value, an expression must not send to everyone.
		mode: requiredText(context.getNodeParameter('mode', 0, 'send'), 'Mode'),
		testRecipient: context.getNodeParameter('testRecipient', 0, ''),
	};
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

/** Labels of the parameters that apply to the whole run: they decide who gets a message, or what is output. */
const OF_THE_RUN: Record<string, string> = {
	mode: 'Mode',
	testRecipient: 'My Number',
	'options.maxRecipients': 'Max Recipients per Request',
	'options.messagesPerRequest': 'Messages per Request',
	'options.onDuplicateRecipient': 'On Duplicate Recipient',
	'options.output': 'Output',
	'options.resendUnknown': 'Resend Unknown',
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
	const parameters = new ItemParameters(context, items);
	const slice = new TimeSlice();
	for (const [name, label] of Object.entries(OF_THE_RUN)) {
		if (!parameters.mayDiffer(name)) continue;
		const first = parameters.read(name, 0);
		const expected = comparable(first);
		for (let item = 1; item < items.length; item++) {
			if (slice.isOver) await slice.yieldIfOver();
			const value = parameters.read(name, item);
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
	const formats = ['digits', 'e164', 'asIs'] as const;
	return { phoneFormat: oneOf(options.phoneFormat, formats, 'Phone Format'), defaultCountryCode };
}

/**
 * Reads the collection `options`, with `mode` and `testRecipient`; numbers out of range are set to the nearest limit.
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
	const mode = oneOf(options.mode, MODES, 'Mode');
	return {
		batchSize: numberBetween(options.batchSize, 1, MOST_AT_ONCE, DEFAULT_BATCH_SIZE),
		batchInterval: numberBetween(options.batchInterval, 0, 3_600_000, 0),
		timeout: numberBetween(options.timeout, 0, 3_600_000, 0) || DEFAULT_TIMEOUT,
		maxRetries: numberBetween(options.maxRetries, 0, 10, DEFAULT_MAX_RETRIES),
		mode,
		...readNumberFormat(options),
		onDuplicateRecipient: oneOf(
			options.onDuplicateRecipient,
			['send', 'skip', 'error'],
			'On Duplicate Recipient',
		),
		resendUnknown: flag(options.resendUnknown, 'Resend Unknown'),
		testRecipient: mode === 'test' ? testNumber(options.testRecipient) : '',
		perRequest,
		output: oneOf(options.output, ['recipients', 'campaign'], 'Output'),
	};
}

/** @throws UserError when the number is empty */
function testNumber(value: unknown): string {
	const number = optionalText(value, 'My Number');
	if (number !== '') return number;
	throw new UserError(
		"'My Number' is empty, so nothing was sent. Enter your own number, or choose another 'Mode'.",
	);
}
